//! Torsion spring and damper with two interface flanges: angles in, torques out.
//!
//! The connected models prescribe the angles `phi1` and `phi2` of the flanges and their derivatives
//! `w1` and `w2`; `tau1` and `tau2` are the required torques. There are no states. With
//! `springDamper.d` = 0 it is a spring, and the speeds have no effect.
//!
//! It is the part `springDamper`, and with `d` = 0 the part `spring`, of the example
//! `GenerationOfFMUs` of Modelica.Mechanics.Rotational.

use coupler::prelude::*;
use coupler::rotational::*;

/// The model.
pub fn model(m: &mut Assembly) {
    add! { m, element "springDamper": SpringDamper::new().c(1e4).d(100) }
    for (k, flange) in [(1, element.flange_a), (2, element.flange_b)] {
        add! { m,
            phi [format!("phi{k}")]:
                ExternalInput::new().unit("rad").start(0).describe("Angle of the flange"),
            w [format!("w{k}")]:
                ExternalInput::new().unit("rad/s").start(0).describe("Speed of the flange"),
            border [format!("angleToTorque{k}")]: AngleToTorqueAdaptor::new(),
        }
        m.connect(phi.y, border.phi);
        m.connect(w.y, border.w);
        m.connect(border.flange, flange);
        m.output(format!("tau{k}"), border.tau);
    }
    m.stop_time(1);
    m.test_value("phi1", 0.1);
    m.test_value("w1", 0.5);
    m.test_value("w2", -1);
}
