//! The same rotor as a body in space and as part of a drive train.
//!
//! A body with inertia about one axis rotates on a joint and is driven by a torque in space. A
//! rotor of the same inertia is driven by a torque of a drive train whose housing is mounted on the
//! same fixed frame. Both have the same motion.
//!
//! The system is the example `ActuatedDrive` of Modelica.Mechanics.MultiBody.

use coupler::multibody::*;
use coupler::prelude::*;
use coupler::rotational::Torque2;

/// The model.
pub fn model(m: &mut Assembly) {
    add! { m,
        world: World::new().g(0),
        sine: Sine::new().amplitude(1).f(1),
    }

    add! { m,
        revolute: Revolute::new().n(X).phi(fixed(0)).w(fixed(0)),
        body "bodyCylinder":
            BodyShape::new().r([0.5, 0.0, 0.0]).r_cm([0; 3]).m(0).inertia([2, 0, 0]),
        torque: Torque::new(),
        zero: Constant::new().k(0),
    }
    m.chain((world.frame_b, revolute, body.frame_a));
    m.chain((world.frame_b, torque, body.frame_b));
    m.connect([sine.y, zero.y, zero.y], torque.torque);

    add! { m,
        housing "fixed": Fixed::new(),
        rotor "rotor1D": Rotor1D::new().J(2).phi(fixed(0)).w(fixed(0)),
        torque1: Torque2::new(),
        mounting "mounting1D": Mounting1D::new(),
    }
    m.connect(housing.frame_b, rotor.frame_a);
    m.connect(housing.frame_b, mounting.frame_a);
    m.chain((mounting.flange_b, torque1, rotor.flange_a));
    m.connect(sine.y, torque1.tau);

    m.output("phi_body", revolute.phi);
    m.output("w_body", revolute.w);
    m.output("phi_rotor", rotor.phi);
    m.output("w_rotor", rotor.w);
    m.stop_time(1.1);
}
