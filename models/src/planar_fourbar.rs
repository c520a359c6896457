//! Planar four-bar linkage.
//!
//! Four bars in a plane, joined by four revolute joints, of which the last one closes the loop in
//! the plane only; a damper acts in the first one. It swings from rest under its own weight. One
//! freedom remains: the angle of the first joint.
//!
//! The system is the example `PlanarFourbar` of Modelica.Mechanics.MultiBody.

use coupler::multibody::*;
use coupler::prelude::*;
use coupler::rotational;

/// The model.
pub fn model(m: &mut Assembly) {
    let world = m.add("world", World::default());
    let revolute1 = Revolute::n(Z).phi(fixed(0.0)).w(fixed(0.0)).states(Always);
    let revolute1 = m.add("revolute1", revolute1);
    let revolute2 = m.add("revolute2", Revolute::n(Z));
    let revolute3 = m.add("revolute3", Revolute::n(Z));
    let cut = m.add("revolute4cut", RevolutePlanarLoopConstraint::n(Z));
    let damper = m.add("damper", rotational::Damper::d(0.1));
    let body1 = m.add("body1", BodyBox::r([0.4, 0.0, 0.0]).width(0.05));
    let body2 = m.add("body2", BodyBox::r([0.1, 1.1, 0.0]).width(0.05));
    let body3 = m.add("body3", BodyBox::r([-0.15, 1.0, 0.0]).width(0.05));
    let body4 = m.add("body4", BodyBox::r([0.65, 0.1, 0.0]).width(0.05));

    m.connect(world.frame_b, revolute1.frame_a);
    m.connect(damper.flange_b, revolute1.axis);
    m.connect(revolute1.support, damper.flange_a);
    m.connect(revolute1.frame_b, body1.frame_a);
    m.connect(body1.frame_b, revolute2.frame_a);
    m.connect(revolute2.frame_b, body2.frame_a);
    m.connect(world.frame_b, body3.frame_a);
    m.connect(body3.frame_b, revolute3.frame_a);
    m.connect(revolute3.frame_b, body4.frame_a);
    m.connect(body4.frame_b, cut.frame_a);
    m.connect(body2.frame_b, cut.frame_b);

    m.output("phi", revolute1.phi);
    m.output("w", revolute1.w);
    m.stop_time(5.0);
}
