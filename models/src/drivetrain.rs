//! Motor, clutch, gear and an elastic shaft with a load.
//!
//! The torque of a motor and the force that presses the clutch come from outside, so that the drive
//! train can be connected to other FMUs. The load at the end of the elastic shaft is what the motor
//! has to accelerate.

use coupler::prelude::*;
use coupler::rotational::*;

/// The model.
pub fn model(m: &mut Assembly) {
    let tau = ExternalInput::unit_start("N.m", 0.0).describe("Torque of the motor");
    let tau = m.add("tau", tau);
    let engage = ExternalInput::unit_start("1", 0.0).describe("Force on the clutch, 0 to 1");
    let engage = m.add("engage", engage);

    let torque = m.add("torque", Torque);
    let motor = m.add("motor", Inertia::J(0.1).phi(fixed(0.0)).w(fixed(0.0)));
    // The last two points also say how the coefficient goes on beyond them.
    let mu = [[0.0, 0.5], [50.0, 0.4], [100.0, 0.4]];
    let clutch = m.add("clutch", Clutch::fn_max(200.0).mu_pos(mu).peak(1.1));
    let input = m.add("input", Inertia::J(0.02).phi(fixed(0.0)).w(fixed(0.0)));
    let gear = m.add("gear", IdealGear::ratio(3.0));
    let output = m.add("output", Inertia::J(0.2));
    let shaft =
        m.add("shaft", SpringDamper::c_d(2000.0, 5.0).phi_rel(fixed(0.0)).w_rel(fixed(0.0)));
    let load = m.add("load", Inertia::J(2.0));

    m.connect(tau.y, torque.tau);
    m.connect(engage.y, clutch.f_normalized);
    m.connect(torque.flange, motor.flange_a);
    m.connect(motor.flange_b, clutch.flange_a);
    m.connect(clutch.flange_b, input.flange_a);
    m.connect(input.flange_b, gear.flange_a);
    m.connect(gear.flange_b, output.flange_a);
    m.connect(output.flange_b, shaft.flange_a);
    m.connect(shaft.flange_b, load.flange_a);

    m.output("w_motor", motor.w);
    m.output("w_load", load.w);
    m.output("phi_load", load.phi);
    m.output("tau_shaft", shaft.tau);
    m.output("mode_clutch", clutch.mode);
    m.stop_time(5.0);
}
