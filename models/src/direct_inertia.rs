//! Inertia with an interface flange: torque in, angle out.
//!
//! `tauDrive` drives the inertia, and `tau` is the torque that the model connected to the flange
//! takes from it. The outputs are angle, speed and acceleration of the flange. The angle depends on
//! the torque through two states; the acceleration depends on it directly.
//!
//! It is the part `directInertia` of the example `GenerationOfFMUs` of
//! Modelica.Mechanics.Rotational.

use coupler::prelude::*;
use coupler::rotational::*;

/// The model.
pub fn model(m: &mut Assembly) {
    add! { m,
        tau_drive "tauDrive":
            ExternalInput::new().unit("N.m").start(0).describe("Driving torque"),
        tau: ExternalInput::new().unit("N.m").start(0).describe("Torque on the connected model"),
    }

    add! { m,
        torque: Torque::new(),
        inertia: Inertia::new().J(1).phi(fixed(0)).w(fixed(0)),
        border "torqueToAngle": TorqueToAngleAdaptor::new(),
    }

    m.connect(tau_drive.y, torque.tau);
    m.chain((torque.flange, inertia, border.flange));
    m.connect(tau.y, border.tau);

    m.output("phi", border.phi);
    m.output("w", border.w);
    m.output("a", border.a);
    m.stop_time(1);
    m.test_value("tauDrive", 2);
    m.test_value("tau", 0.5);
}
