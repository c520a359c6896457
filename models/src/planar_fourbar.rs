//! Planar four-bar linkage.
//!
//! Four bars in a plane are connected by four revolute joints. The last joint closes the loop in
//! the plane only; a damper acts in the first one. The linkage starts at rest and swings under its
//! own weight. One degree of freedom remains: the angle of the first joint.
//!
//! The system is the example `PlanarFourbar` of Modelica.Mechanics.MultiBody.

use coupler::multibody::*;
use coupler::prelude::*;
use coupler::rotational;

/// The model.
pub fn model(m: &mut Assembly) {
    add! { m,
        world: World::new(),
        revolute1: Revolute::new().n(Z).phi(fixed(0)).w(fixed(0)).states(Always),
        revolute2: Revolute::new().n(Z),
        revolute3: Revolute::new().n(Z),
        cut "revolute4cut": RevolutePlanarLoopConstraint::new().n(Z),
        damper: rotational::Damper::new().d(0.1),
        body1: BodyBox::new().r([0.4, 0.0, 0.0]).width(0.05),
        body2: BodyBox::new().r([0.1, 1.1, 0.0]).width(0.05),
        body3: BodyBox::new().r([-0.15, 1.0, 0.0]).width(0.05),
        body4: BodyBox::new().r([0.65, 0.1, 0.0]).width(0.05),
    }

    m.chain((revolute1.support, damper, revolute1.axis));
    m.chain((world.frame_b, revolute1, body1, revolute2, body2, cut.frame_b));
    m.chain((world.frame_b, body3, revolute3, body4, cut.frame_a));

    m.output("phi", revolute1.phi);
    m.output("w", revolute1.w);
    m.stop_time(5);
}
