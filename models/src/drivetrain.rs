//! Motor, clutch, gear and an elastic shaft with a load.
//!
//! The torque of a motor and the normalized force of the clutch are inputs, so that the drive train
//! can be connected to other FMUs. The load is at the end of the elastic shaft.

use coupler::prelude::*;
use coupler::rotational::*;

/// The model.
pub fn model(m: &mut Assembly) {
    add! { m,
        tau: ExternalInput::new().unit("N.m").start(0).describe("Torque of the motor"),
        engage: ExternalInput::new().unit("1").start(0).describe("Force on the clutch, 0 to 1"),
    }

    // The last two points also determine the extrapolation of the coefficient.
    let mu = [[0.0, 0.5], [50.0, 0.4], [100.0, 0.4]];
    add! { m,
        torque: Torque::new(),
        motor: Inertia::new().J(0.1).phi(fixed(0)).w(fixed(0)),
        clutch: Clutch::new().fn_max(200).mu_pos(mu).peak(1.1),
        input: Inertia::new().J(0.02).phi(fixed(0)).w(fixed(0)),
        gear: IdealGear::new().ratio(3),
        output: Inertia::new().J(0.2),
        shaft: SpringDamper::new().c(2000).d(5).phi_rel(fixed(0)).w_rel(fixed(0)),
        load: Inertia::new().J(2),
    }

    m.connect(tau.y, torque.tau);
    m.connect(engage.y, clutch.f_normalized);
    m.chain((torque.flange, motor, clutch, input, gear, output, shaft, load.flange_a));

    m.output("w_motor", motor.w);
    m.output("w_load", load.w);
    m.output("phi_load", load.phi);
    m.output("tau_shaft", shaft.tau);
    m.output("mode_clutch", clutch.mode);
    m.stop_time(5);
    m.test_value("tau", 20);
    m.test_value("engage", 0.5);
    m.test_value("motor.w", 100);
}
