//! Force and torque between two frames, resolved in a third one.
//!
//! A cylinder rotates about two perpendicular axes. A constant force and a constant torque act
//! between a fixed point and its end; both are resolved in a frame that is inclined by 30 deg.
//!
//! The system is the example `ForceAndTorque` of Modelica.Mechanics.MultiBody.

use coupler::multibody::*;
use coupler::prelude::*;

/// The model.
pub fn model(m: &mut Assembly) {
    m.add("world", World::new());
    add! { m,
        fixed1: Fixed::new().r([0.0, -0.5, 0.0]),
        revolute1: Revolute::new().n(Z).phi(fixed(0)).w(fixed(0)),
        revolute2: Revolute::new().n(Y).phi(fixed(0)).w(fixed(0)),
        body: BodyCylinder::new().r([1, 0, 0]),
        fixed2: Fixed::new().r([1.5, 0.25, 0.0]),
        rotation "fixedRotation": FixedRotation::new().n(Z).angle(30),
        load "forceAndTorque":
            ForceAndTorque::new().resolve_in_frame(ResolveInFrameAB::FrameResolve),
    }

    m.chain((fixed1.frame_b, revolute1, revolute2, body.frame_a));
    m.connect(load.frame_b, body.frame_b);
    m.connect(load.frame_a, fixed2.frame_b);
    m.connect(fixed1.frame_b, rotation.frame_a);
    m.connect(load.frame_resolve, rotation.frame_b);
    for (k, force) in [0.0, 1000.0, 0.0].into_iter().enumerate() {
        add! { m, source [format!("force[{}]", k + 1)]: Constant::new().k(force) }
        m.connect(source.y, load.force[k]);
    }
    for (k, torque) in [-100.0, 100.0, 0.0].into_iter().enumerate() {
        add! { m, source [format!("torque[{}]", k + 1)]: Constant::new().k(torque) }
        m.connect(source.y, load.torque[k]);
    }

    m.output("phi1", revolute1.phi);
    m.output("w1", revolute1.w);
    m.output("phi2", revolute2.phi);
    m.output("w2", revolute2.w);
    m.stop_time(1.01);
}
