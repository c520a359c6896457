//! Inertia with an interface flange: angle in, torque out.
//!
//! The connected model prescribes the angle `phi`, the speed `w` and the acceleration `a` of the
//! flange; `tau` is the required torque. There are no states: the torque depends on the inputs
//! directly.
//!
//! It is the part `inverseInertia` of the example `GenerationOfFMUs` of
//! Modelica.Mechanics.Rotational.

use coupler::prelude::*;
use coupler::rotational::*;

/// The model.
pub fn model(m: &mut Assembly) {
    add! { m,
        phi: ExternalInput::new().unit("rad").start(0).describe("Angle of the flange"),
        w: ExternalInput::new().unit("rad/s").start(0).describe("Speed of the flange"),
        a: ExternalInput::new().unit("rad/s2").start(0).describe("Acceleration of the flange"),
    }

    add! { m,
        border "angleToTorque": AngleToTorqueAdaptor::new(),
        inertia: Inertia::new().J(1),
    }

    m.connect(phi.y, border.phi);
    m.connect(w.y, border.w);
    m.connect(a.y, border.a);
    m.connect(border.flange, inertia.flange_a);

    m.output("tau", border.tau);
    m.stop_time(1);
    m.test_value("phi", 0.2);
    m.test_value("w", 0.5);
    m.test_value("a", 2);
}
