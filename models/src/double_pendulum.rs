//! Double pendulum of two boxes.
//!
//! Two boxes of half a metre hang on revolute joints one below the other; a damper acts in the
//! upper joint. The motion is chaotic: small errors grow fast.
//!
//! The system is the example `DoublePendulum` of Modelica.Mechanics.MultiBody.

use coupler::multibody::*;
use coupler::prelude::*;
use coupler::rotational;

/// The model.
pub fn model(m: &mut Assembly) {
    let world = m.add("world", World::default());
    let revolute1 = m.add("revolute1", Revolute::n(Z).phi(fixed(0.0)).w(fixed(0.0)));
    let damper = m.add("damper", rotational::Damper::d(0.1));
    let box1 = m.add("boxBody1", BodyBox::r([0.5, 0.0, 0.0]).width(0.06));
    let revolute2 = m.add("revolute2", Revolute::n(Z).phi(fixed(0.0)).w(fixed(0.0)));
    let box2 = m.add("boxBody2", BodyBox::r([0.5, 0.0, 0.0]).width(0.06));

    m.connect(damper.flange_b, revolute1.axis);
    m.connect(revolute1.support, damper.flange_a);
    m.connect(world.frame_b, revolute1.frame_a);
    m.connect(revolute1.frame_b, box1.frame_a);
    m.connect(box1.frame_b, revolute2.frame_a);
    m.connect(revolute2.frame_b, box2.frame_a);

    m.output("phi1", revolute1.phi);
    m.output("w1", revolute1.w);
    m.output("phi2", revolute2.phi);
    m.output("w2", revolute2.w);
    m.stop_time(3.0);
}
