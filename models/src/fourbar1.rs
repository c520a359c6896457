//! Four-bar linkage in space whose loop is closed by a spherical joint.
//!
//! A crank rotates about the x axis of the world, and a slider moves along the same axis. A rod
//! with mass connects them by a spherical joint at the crank and two revolute joints at the slider.
//! One degree of freedom remains: the angle of the crank.
//!
//! The system is the example `Fourbar1` of Modelica.Mechanics.MultiBody, where three revolute
//! joints replace the spherical one.

use coupler::multibody::*;
use coupler::prelude::*;

/// The model.
pub fn model(m: &mut Assembly) {
    add! { m,
        world: World::new(),
        j1: Revolute::new().n(X).phi(fixed(0)).w(fixed(300_f64.to_radians())).states(Always),
        j2: Prismatic::new().n(X).s(guess(-0.2)),
        b0: FixedTranslation::new().r([1.2, 0.0, 0.0]),
        b1: BodyCylinder::new().r([0.0, 0.5, 0.1]).diameter(0.05),
        b2: BodyCylinder::new().r([0.0, 0.2, 0.0]).diameter(0.05),
        b3: BodyCylinder::new().r([-1.0, 0.3, 0.1]).diameter(0.05),
        rev: Revolute::new().n(Y),
        rev1: Revolute::new().n(Z),
        j3: Spherical::new(),
    }

    m.chain((world.frame_b, j1, b1, j3, b3.frame_b));
    m.chain((world.frame_b, b0, j2, b2, rev, rev1, b3.frame_a));

    m.outputs([j1.phi, j1.w, j2.s]);
    m.stop_time(5);
}
