//! Four-bar linkage in space, its loop closed by a spherical joint.
//!
//! A crank turns about the x axis of the world; a slider moves along the same axis; a rod with mass
//! joins them through a spherical joint at the crank and two revolute joints at the slider. One
//! freedom remains: the angle of the crank.
//!
//! The system is the example `Fourbar1` of Modelica.Mechanics.MultiBody, where three revolute
//! joints stand for the spherical one.

use coupler::multibody::*;
use coupler::prelude::*;

/// The model.
pub fn model(m: &mut Assembly) {
    let world = m.add("world", World::default());
    let speed = 300_f64.to_radians();
    let j1 = m.add("j1", Revolute::n(X).phi(fixed(0.0)).w(fixed(speed)).states(Always));
    let j2 = m.add("j2", Prismatic::n(X).s(guess(-0.2)));
    let b0 = m.add("b0", FixedTranslation::r([1.2, 0.0, 0.0]));
    let b1 = m.add("b1", BodyCylinder::r([0.0, 0.5, 0.1]).diameter(0.05));
    let b2 = m.add("b2", BodyCylinder::r([0.0, 0.2, 0.0]).diameter(0.05));
    let b3 = m.add("b3", BodyCylinder::r([-1.0, 0.3, 0.1]).diameter(0.05));
    let rev = m.add("rev", Revolute::n(Y));
    let rev1 = m.add("rev1", Revolute::n(Z));
    let j3 = m.add("j3", Spherical::default());

    m.connect(world.frame_b, j1.frame_a);
    m.connect(j1.frame_b, b1.frame_a);
    m.connect(b1.frame_b, j3.frame_a);
    m.connect(j3.frame_b, b3.frame_b);
    m.connect(world.frame_b, b0.frame_a);
    m.connect(b0.frame_b, j2.frame_a);
    m.connect(j2.frame_b, b2.frame_a);
    m.connect(b2.frame_b, rev.frame_a);
    m.connect(rev.frame_b, rev1.frame_a);
    m.connect(rev1.frame_b, b3.frame_a);

    m.output("j1_phi", j1.phi);
    m.output("j1_w", j1.w);
    m.output("j2_s", j2.s);
    m.stop_time(5.0);
}
