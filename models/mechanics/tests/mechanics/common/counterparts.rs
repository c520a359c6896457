//! Comparisons that show that elements of the library of impulses move like their counterparts.

use super::{energy, start, step, value};
use fmu_runtime::Simulation;
use libraries::impulses::{self, InitType};
use libraries::multibody;
use libraries::prelude::*;

/// Positions and velocities are initial conditions.
pub const INIT: InitType = InitType::PositionVelocity;

/// Moments of inertia of a load in kg.m2.
pub const INERTIA: [f64; 3] = [0.05, 0.07, 0.03];

/// A swinging arm on the world.
pub fn arm(m: &mut Assembly) -> Frame {
    let world = m.add("world", multibody::World::new().g(9.81));
    let swing = multibody::Revolute::new().n([0.2, 1.0, 0.5]).phi(fixed(0.4)).w(fixed(1.3));
    let swing = m.add("swing", swing);
    let arm = multibody::BodyShape::new().r([0.4, 0.2, -0.1]).r_cm([0.2, 0.1, 0.0]).m(1.5);
    let arm = m.add("arm", arm.inertia([0.1, 0.2, 0.15]));
    m.connect(world.frame_b, swing.frame_a);
    m.connect(swing.frame_b, arm.frame_a);
    arm.frame_b
}

/// A body on a rod; returns the frame by which it is held.
pub fn load(m: &mut Assembly) -> Frame {
    let rod = m.add("rod", impulses::FixedTranslation::new().r([0.2, -0.1, 0.3]));
    let body = impulses::SimpleBody::new().m(0.8).inertia(INERTIA).products([0.01, -0.005, 0.002]);
    let body = m.add("body", body);
    m.connect(rod.frame_b, body.frame_a);
    rod.frame_a
}

/// Asserts that both models have the same energy and the same positions of `frames` for half a
/// second.
pub fn assert_alike(
    one: impl FnOnce(&mut Assembly),
    other: impl FnOnce(&mut Assembly),
    frames: [&str; 2],
) -> Simulation {
    let (mut one, mut other) = (start(one), start(other));
    let begin = energy(&mut one);
    for _ in 0..500 {
        for k in 1..=3 {
            let [a, b] = frames.map(|frame| format!("{frame}.r_0[{k}]"));
            let (a, b) = (value(&mut one, &a), value(&mut other, &b));
            assert!((a - b).abs() < 1e-9, "r_0[{k}] at {}: {a} {b}", one.time());
        }
        let (a, b) = (energy(&mut one), energy(&mut other));
        assert!((a - b).abs() < 1e-8 && (a - begin).abs() < 1e-7, "{a} {b} {begin}");
        step(&mut one, 1e-3);
        step(&mut other, 1e-3);
    }
    one
}

/// A pendulum in a plane: its angle is measured from the horizontal, its rod is 1 m long, and its
/// mass is 2 kg.
pub fn pendulum(m: &mut Assembly, joint: impulses::Revolute, spring: impulses::Spring) {
    let world = m.add("world", impulses::World::new().g(9.81));
    let joint = m.add("joint", joint);
    let rod = m.add("rod", impulses::FixedTranslation::new().r(X));
    let body = m.add("body", impulses::SimpleBody::new().m(2.0).inertia([0.0, 0.0, 0.5]));
    let above = m.add("above", impulses::Fixed::new().r([0.0, 2.0, 0.0]));
    let spring = m.add("spring", spring);
    let into = m.add("into", impulses::ConnectContinuousFrame::new());
    m.connect(world.frame_b, joint.frame_a);
    m.connect(joint.frame_b, rod.frame_a);
    m.connect(rod.frame_b, body.frame_a);
    m.connect(above.frame_b, spring.frame_a);
    m.connect(spring.frame_b, into.frame_a);
    m.connect(into.frame_b, body.frame_a);
}
