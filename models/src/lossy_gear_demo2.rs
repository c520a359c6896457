//! Gear with mesh losses and a bearing with friction, which stick in turn.
//!
//! The drive train of `lossy_gear_demo1` with a bearing on the driven shaft. Bearing and gear act
//! on the same motion: they stick and break loose together, and both directions of the power are
//! passed through.
//!
//! The system is the example `LossyGearDemo2` of Modelica.Mechanics.Rotational.

use coupler::prelude::*;
use coupler::rotational::*;

/// The model.
pub fn model(m: &mut Assembly) {
    let gear = m.add("gear", LossyGear::ratio(2.0).loss_table([[0.0, 0.5, 0.5, 0.0, 0.0]]));
    let inertia1 = m.add("Inertia1", Inertia::J(1.0));
    let inertia2 = m.add("Inertia2", Inertia::J(1.5).phi(fixed(0.0)).w(fixed(0.0)));
    let bearing = BearingFriction::tau_pos([[0.0, 0.5], [1.0, 1.0]]);
    let bearing = m.add("bearingFriction", bearing);
    let torque1 = m.add("torque1", Torque);
    let torque2 = m.add("torque2", Torque);
    let drive_sine = m.add("DriveSine", Sine::amplitude_f(10.0, 1.0));
    let load = m.add("load", Ramp::height_duration(5.0, 2.0).offset(-10.0));
    let fixed = m.add("fixed", Fixed::default());

    m.connect(torque1.flange, bearing.flange_a);
    m.connect(bearing.flange_b, inertia1.flange_a);
    m.connect(inertia1.flange_b, gear.flange_a);
    m.connect(gear.flange_b, inertia2.flange_a);
    m.connect(torque2.flange, inertia2.flange_b);
    for support in [gear.support, bearing.support, torque1.support, torque2.support] {
        m.connect(fixed.flange, support);
    }
    m.connect(drive_sine.y, torque1.tau);
    m.connect(load.y, torque2.tau);

    m.output("Inertia2_phi", inertia2.phi);
    m.output("Inertia2_w", inertia2.w);
    m.stop_time(0.5);
    // The shaft turns by a thousandth of a radian: the error must be small next to that.
    m.tolerance(1e-7);
}
