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
    let world = m.add("world", World::default());
    let rev = m.add("rev", Revolute::n(Z).phi(fixed(0.0)).w(fixed(0.0)).a(fixed(0.0)));
    let damper = m.add("damper", rotational::Damper::d(0.1));
    let body = m.add("body", BodyShape::r_cm_m([1.0, 0.0, 0.0], [0.5, 0.0, 0.0], 1.0));
    let above = m.add("fixedTranslation", FixedTranslation::r([1.0, 0.2, 0.0]));
    let spring = m.add("spring", Spring::c(unknown(100.0)).s_unstretched(0.1));

    m.connect(world.frame_b, rev.frame_a);
    m.connect(damper.flange_b, rev.axis);
    m.connect(rev.support, damper.flange_a);
    m.connect(rev.frame_b, body.frame_a);
    m.connect(world.frame_b, above.frame_a);
    m.connect(above.frame_b, spring.frame_a);
    m.connect(spring.frame_b, body.frame_b);

    m.output("phi", rev.phi);
    m.output("w", rev.w);
    m.output("f", spring.f);
    m.stop_time(1.01);
}
