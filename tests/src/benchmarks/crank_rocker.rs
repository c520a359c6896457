//! A planar linkage whose crank turns round, with the minimum number of states and as a free loop.
//!
//! The crank is the shortest bar, so its angle is a good state everywhere. The free loop has the
//! angles of the crank, the coupler and the rocker as states and projects them in each evaluation;
//! both have the same motion.

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
    let bar = |length: f64| {
        let inertia = length.powi(3) / 12.0;
        BodyShape::new()
            .r([length, 0.0, 0.0])
            .r_cm([length / 2.0, 0.0, 0.0])
            .m(length)
            .inertia([0.0, inertia, inertia])
    };
    add! { m,
        world: World::new(),
        base: FixedTranslation::new().r([0.4, 0.0, 0.0]),
        crank: bar(0.1),
        coupler: bar(0.35),
        rocker: bar(0.25),
        revolute1: Revolute::new().n(Z).phi(fixed(0.5)).w(fixed(20)).states(Always),
        revolute2: Revolute::new().n(Z).phi(guess(0.1)),
        revolute3: Revolute::new().n(Z).phi(guess(1.6)),
        cut: RevolutePlanarLoopConstraint::new().n(Z),
    }
    m.chain((world.frame_b, revolute1, crank, revolute2, coupler, cut.frame_a));
    m.chain((world.frame_b, base, revolute3, rocker, cut.frame_b));
    m.outputs([revolute1.phi, revolute1.w, revolute3.phi]);
    m.stop_time(5);
}
