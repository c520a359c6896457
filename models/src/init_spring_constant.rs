//! Bar held at rest by a spring of unknown stiffness.
//!
//! A bar on a revolute joint is supported by a spring at its end. The stiffness of the spring is
//! unknown: initialization determines it so that the acceleration of the bar is zero, and the bar
//! stays horizontal.
//!
//! The system is the example `InitSpringConstant` of Modelica.Mechanics.MultiBody.

use coupler::multibody::*;
use coupler::prelude::*;
use coupler::rotational;

/// The model.
pub fn model(m: &mut Assembly) {
    add! { m,
        world: World::new(),
        rev: Revolute::new().n(Z).phi(fixed(0)).w(fixed(0)).a(fixed(0)),
        damper: rotational::Damper::new().d(0.1),
        body: BodyShape::new().r([1, 0, 0]).r_cm([0.5, 0.0, 0.0]).m(1),
        above "fixedTranslation": FixedTranslation::new().r([1.0, 0.2, 0.0]),
        spring: Spring::new().c(unknown(100)).s_unstretched(0.1),
    }

    m.chain((world.frame_b, rev, body.frame_a));
    m.chain((rev.support, damper, rev.axis));
    m.chain((world.frame_b, above, spring, body.frame_b));

    m.output("phi", rev.phi);
    m.output("w", rev.w);
    m.output("f", spring.f);
    m.stop_time(1.01);
}
