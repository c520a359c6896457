//! Four-bar linkage in space with a massless rod.
//!
//! A crank rotates about the x axis of the world, and a slider moves along the same axis. A
//! massless rod with a universal joint at the slider and a spherical joint at the crank connects
//! them. The length of the rod follows from the initial configuration. One degree of freedom
//! remains: the angle of the crank.
//!
//! The system is the example `Fourbar2` of Modelica.Mechanics.MultiBody.

use coupler::multibody::*;
use coupler::prelude::*;

/// The model.
pub fn model(m: &mut Assembly) {
    add! { m,
        world: World::new(),
        j1: Revolute::new().n(X).phi(fixed(0)).w(fixed(300_f64.to_radians())).states(Always),
        j2: Prismatic::new().n(X).s(fixed(-0.2)),
        b0: FixedTranslation::new().r([1.2, 0.0, 0.0]),
        b1: BodyCylinder::new().r([0.0, 0.5, 0.1]).diameter(0.05),
        b2: BodyCylinder::new().r([0.0, 0.2, 0.0]).diameter(0.05),
        rod "universalSpherical":
            UniversalSpherical::new().n1_a(Y).r_rod_ia([-1.0, 0.3, 0.1]).compute_rod_length(true),
    }
    m.chain((world.frame_b, j1, b1, rod.frame_b));
    m.chain((world.frame_b, b0, j2, b2, rod.frame_a));

    m.outputs([j1.phi, j1.w, j2.s]);
    m.stop_time(5);
}
