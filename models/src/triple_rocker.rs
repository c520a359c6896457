//! Triple rocker.
//!
//! Four bars in a plane are connected by four revolute joints, and none of the three moving bars
//! can turn round: each of them turns back where the other two are in line. There the angle of its
//! joint does not determine the speeds of the others, so no joint can describe the motion
//! everywhere, and the loop is free: the angles and speeds of all joints are states, which every
//! evaluation projects on the closed loop. The first bar starts with a speed that takes the
//! linkage through all these positions, and nothing damps its motion.

use coupler::multibody::*;
use coupler::prelude::*;

/// A uniform rod of 0.2 m.
fn rod() -> BodyShape {
    BodyShape::new().r([0.2, 0.0, 0.0]).r_cm([0.1, 0.0, 0.0]).m(0.3).inertia([0.0, 1e-3, 1e-3])
}

/// The model.
pub fn model(m: &mut Assembly) {
    add! { m,
        world: World::new(),
        base: FixedTranslation::new().r([0.35, 0.0, 0.0]),
        left: rod(),
        middle: rod(),
        right: rod(),
        revolute1: Revolute::new().n(Z).phi(fixed(1.2)).w(fixed(8)),
        revolute2: Revolute::new().n(Z).phi(guess(-1.2)),
        revolute3: Revolute::new().n(Z).phi(guess(2)),
        cut: RevolutePlanarLoopConstraint::new().n(Z),
    }

    m.chain((world.frame_b, revolute1, left, revolute2, middle, cut.frame_a));
    m.chain((world.frame_b, base, revolute3, right, cut.frame_b));

    m.output("phi_left", revolute1.phi);
    m.output("w_left", revolute1.w);
    m.output("phi_right", revolute3.phi);
    m.output("w_right", revolute3.w);
    m.stop_time(2);
}
