//! Double pendulum of two boxes.
//!
//! Two boxes with a length of half a metre hang on revolute joints, one below the other; a damper
//! acts in the upper joint. The motion is chaotic: small errors grow fast.
//!
//! The system is the example `DoublePendulum` of Modelica.Mechanics.MultiBody.

use coupler::multibody::*;
use coupler::prelude::*;
use coupler::rotational;

/// The model.
pub fn model(m: &mut Assembly) {
    add! { m,
        world: World::new(),
        revolute1: Revolute::new().n(Z).phi(fixed(0)).w(fixed(0)),
        damper: rotational::Damper::new().d(0.1),
        box1 "boxBody1": BodyBox::new().r([0.5, 0.0, 0.0]).width(0.06),
        revolute2: Revolute::new().n(Z).phi(fixed(0)).w(fixed(0)),
        box2 "boxBody2": BodyBox::new().r([0.5, 0.0, 0.0]).width(0.06),
    }

    m.chain((revolute1.support, damper, revolute1.axis));
    m.chain((world.frame_b, revolute1, box1, revolute2, box2.frame_a));

    m.output("phi1", revolute1.phi);
    m.output("w1", revolute1.w);
    m.output("phi2", revolute2.phi);
    m.output("w2", revolute2.w);
    m.stop_time(3);
}
