//! Bar held at rest by a spring of unknown stiffness.
//!
//! A bar on a hinge is held by a spring at its end. The stiffness of the spring is unknown:
//! initialization finds the one that gives the bar no acceleration, so that it stays horizontal.
//!
//! The system is the example `InitSpringConstant` of Modelica.Mechanics.MultiBody.

use coupler::multibody::*;
use coupler::prelude::*;
use coupler::rotational;

/// The model.
pub fn model(m: &mut Assembly) {
    add! { m,
        world: World::new(),
        rev: Revolute::new().n(Z).phi(fixed(0.0)).w(fixed(0.0)).a(fixed(0.0)),
        damper: rotational::Damper::new().d(0.1),
        body: BodyShape::new().r([1.0, 0.0, 0.0]).r_cm([0.5, 0.0, 0.0]).m(1.0),
        above "fixedTranslation": FixedTranslation::new().r([1.0, 0.2, 0.0]),
        spring: Spring::new().c(unknown(100.0)).s_unstretched(0.1),
    }

    m.connect(world.frame_b, rev.frame_a);
    m.connect(damper.flange_b, rev.axis);
    m.connect(rev.support, damper.flange_a);
    m.connect(rev.frame_b, body.frame_a);
    m.chain((world.frame_b, above, spring, body.frame_b));

    m.output("phi", rev.phi);
    m.output("w", rev.w);
    m.output("f", spring.f);
    m.stop_time(1.01);
}
