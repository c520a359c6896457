//! A spatial linkage whose crank turns round, with the minimum number of states and as a free loop.
//!
//! The minimum number of states needs Newton's method in each evaluation, too: the loop has no
//! closed form. So the ratio of both shows what the projection costs.

use libraries::multibody::*;
use libraries::prelude::*;

/// The model with the angle and speed of the crank as states.
pub fn minimal(m: &mut Assembly) {
    linkage(m);
}

/// The model with the angles and speeds of all joints as states.
pub fn free(m: &mut Assembly) {
    linkage(m);
    m.free_loops(true);
}

fn linkage(m: &mut Assembly) {
    let bar = |r: [f64; 3], mass: f64| {
        BodyShape::new().r(r).r_cm(r.map(|c| c / 2.0)).m(mass).inertia([4e-3; 3])
    };
    add! { m,
        world: World::new().g(1),
        crank: bar([0.1, 0.0, 0.0], 0.2),
        rod: bar([0.42, 0.0, 0.0], 0.5),
        rocker: bar([0.0, 0.0, -0.25], 0.4),
        ground: FixedTranslation::new().r([0.4, 0.0, 0.3]),
        revolute1: Revolute::new().n(Z).phi(fixed(0.3)).w(fixed(20)),
        universal: Universal::new().n_a(Z).n_b(Y),
        ball: Spherical::new(),
        revolute2: Revolute::new().n(Y).phi(guess(0)),
    }
    m.chain((world.frame_b, revolute1, crank, universal, rod, ball, rocker.frame_b));
    m.chain((world.frame_b, ground, revolute2, rocker.frame_a));
    m.outputs([revolute1.phi, revolute1.w, revolute2.phi]);
    m.stop_time(5);
}
