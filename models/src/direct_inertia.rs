//! Inertia with a flange at the border: torque in, angle out.
//!
//! `tauDrive` drives the inertia, `tau` is what the neighbour at the border takes from it. The
//! outputs are angle, speed and acceleration of the flange. The angle depends on the torque through
//! two states, the acceleration at once.
//!
//! It is the part `directInertia` of the example `GenerationOfFMUs` of
//! Modelica.Mechanics.Rotational.

use coupler::prelude::*;
use coupler::rotational::*;

/// The model.
pub fn model(m: &mut Assembly) {
    add! { m,
        tau_drive "tauDrive":
            ExternalInput::new().unit("N.m").start(0).describe("Torque that drives"),
        tau: ExternalInput::new().unit("N.m").start(0).describe("Torque out at the border"),
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
}
