//! Start values of the library of impulses: which of them are initial conditions, and refusals.

use crate::common::counterparts::pendulum;
use crate::common::{simulation, start, value};
use fmu_runtime::Simulation;
use libraries::impulses::{self, InitType};
use libraries::prelude::*;

/// Angle, speed and acceleration of the pendulum at the start, in degrees.
fn pendulum_starts(init_type: InitType, [phi, w, z]: [f64; 3]) -> [f64; 3] {
    let at = &mut start(|m: &mut Assembly| {
        let joint = impulses::Revolute::new().phi_start(phi).w_start(w).z_start(z);
        pendulum(m, joint.init_type(init_type), impulses::Spring::new().c(15.0).s0(0.5));
    });
    ["joint.phi", "joint.w", "joint.z"].map(|name| value(at, name).to_degrees())
}

#[test]
fn the_init_type_selects_the_start_values_that_are_initial_conditions() {
    let near = |a: f64, b: f64| (a - b).abs() < 1e-7;
    // Nothing else determines the start, so guesses are used as well.
    for init_type in
        [InitType::Free, InitType::Position, InitType::PositionVelocity, InitType::Velocity]
    {
        let [phi, w, _] = pendulum_starts(init_type, [30.0, -50.0, 1e3]);
        assert!(near(phi, 30.0) && near(w, -50.0), "{init_type:?}: {phi} {w}");
    }
    let [phi, w, z] = pendulum_starts(InitType::VelocityAcceleration, [10.0, 40.0, 25.0]);
    assert!(near(w, 40.0) && near(z, 25.0) && !near(phi, 10.0), "{phi} {w} {z}");
    let [phi, w, z] = pendulum_starts(InitType::SteadyState, [10.0, 40.0, 25.0]);
    assert!(near(w, 0.0) && near(z, 0.0) && !near(phi, 10.0), "{phi} {w} {z}");

    // An acceleration in addition to position and velocity determines the stiffness.
    let at = &mut start(|m: &mut Assembly| {
        let joint = impulses::Revolute::new().phi_start(30.0).w_start(-50.0).z_start(60.0);
        let joint = joint.init_type(InitType::PositionVelocityAcceleration);
        pendulum(m, joint, impulses::Spring::new().c(unknown(1.0)).s0(0.5));
    });
    let found = ["joint.phi", "joint.w", "joint.z"].map(|name| value(at, name).to_degrees());
    assert!(found.iter().zip([30.0, -50.0, 60.0]).all(|(a, b)| near(*a, b)), "{found:?}");
    assert!(value(at, "spring.c") > 1.0);
}

/// A spherical joint with a weight and a spring, and its start.
fn suspended(m: &mut Assembly, joint: impulses::Spherical) {
    let world = m.add("world", impulses::World::new().g(9.81));
    let joint = m.add("joint", joint);
    let rod = m.add("rod", impulses::FixedTranslation::new().r([0.3, -0.8, 0.2]));
    let body = m.add("body", impulses::SimpleBody::new().m(2.0).inertia([0.1, 0.2, 0.3]));
    let tip = m.add("tip", impulses::FixedTranslation::new().r([0.3, -0.2, 0.9]));
    let points = [[0.5, 0.2, 0.8], [0.8, -0.4, -0.6]];
    m.connect(world.frame_b, joint.frame_a);
    m.connect(joint.frame_b, rod.frame_a);
    m.connect(joint.frame_b, tip.frame_a);
    m.connect(rod.frame_b, body.frame_a);
    for (k, (r, end)) in points.into_iter().zip([tip.frame_b, rod.frame_b]).enumerate() {
        let point = m.add(format!("point{k}"), impulses::Fixed::new().r(r));
        let spring = m.add(format!("spring{k}"), impulses::Spring::new().c(30.0).s0(0.1));
        m.connect(point.frame_b, spring.frame_a);
        m.connect(spring.frame_b, end);
    }
}

#[test]
fn accelerations_determine_angles() {
    let vector = |at: &mut Simulation, name: &str| {
        [1, 2, 3].map(|k| value(at, &format!("joint.{name}[{k}]")).to_degrees())
    };
    let near = |a: [f64; 3], b: [f64; 3]| a.iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-6);
    let joint = || impulses::Spherical::new().use_quaternions(false).sequence_angles([3, 1, 2]);
    let w = [30.0, -20.0, 45.0];
    let z = [100.0, 50.0, -80.0];
    let moving = joint().w_start(w).z_start(z).init_type(InitType::VelocityAcceleration);
    let mut at = start(|m: &mut Assembly| suspended(m, moving));
    let found = [vector(&mut at, "w"), vector(&mut at, "z"), vector(&mut at, "phi")];
    assert!(near(found[0], w) && near(found[1], z), "{found:?}");
    assert!(!near(found[2], [0.0; 3]), "{found:?}");

    let resting = joint().w_start(w).z_start(z).init_type(InitType::SteadyState);
    let mut at = start(|m: &mut Assembly| suspended(m, resting));
    let found = [vector(&mut at, "w"), vector(&mut at, "z"), vector(&mut at, "phi")];
    assert!(near(found[0], [0.0; 3]) && near(found[1], [0.0; 3]), "{found:?}");
    assert!(!near(found[2], [0.0; 3]), "{found:?}");

    // If the angles are not known, their rates follow from the velocity and not from guesses.
    let turned = joint().w_start(w).phi_start([30.0, 20.0, 10.0]).init_type(InitType::Velocity);
    let mut at = start(|m: &mut Assembly| suspended(m, turned));
    assert!(near(vector(&mut at, "w"), w) && near(vector(&mut at, "phi"), [30.0, 20.0, 10.0]));
}

#[test]
fn accelerations_determine_quaternions() {
    let [w, z] = [[30.0, -20.0, 45.0], [100.0, 50.0, -80.0]];
    let joint = impulses::Spherical::new().w_start(w).z_start(z);
    let joint = joint.init_type(InitType::VelocityAcceleration);
    let mut at = start(|m: &mut Assembly| suspended(m, joint));
    for (name, expected) in [("w", w), ("z", z)] {
        for (k, expected) in expected.into_iter().enumerate() {
            let found = value(&mut at, &format!("joint.{name}[{}]", k + 1)).to_degrees();
            assert!((found - expected).abs() < 1e-6, "{name}: {found}, {expected}");
        }
    }
    assert!((value(&mut at, "joint.Q[4]").abs() - 1.0).abs() > 1e-3, "it is turned");
}

#[test]
fn impossible_start_values_are_refused_with_value_and_unit() {
    let refused = |text: &dyn Fn(&mut Assembly)| match simulation(text) {
        Ok(_) => panic!("the model is not sound"),
        Err(error) => error,
    };
    let angle = refused(&|m| {
        let joint = impulses::Revolute::new().phi_start(f64::NAN);
        pendulum(m, joint, impulses::Spring::new().c(1.0));
    });
    assert!(angle.contains("joint.phi_start = NaN deg: must be a finite number"), "{angle}");
    let velocity = refused(&|m| {
        let joint = impulses::Spherical::new().w_start([0.0, f64::INFINITY, 0.0]);
        suspended(m, joint);
    });
    assert!(
        velocity.contains("joint.w_start[2] = inf deg/s: must be a finite number"),
        "{velocity}"
    );
    let sequence =
        refused(&|m| suspended(m, impulses::Spherical::new().sequence_angles([1, 1, 2])));
    assert!(sequence.contains("joint.sequence_angles: [1, 1, 2]"), "{sequence}");
    let alone = refused(&|m| {
        m.add("world", impulses::World::new());
        m.add("body", impulses::SimpleBody::new());
    });
    assert!(alone.contains("body.frame_a: no joint or rigid part connects it"), "{alone}");
    let tilted = refused(&|m| {
        let world = m.add("world", impulses::World::new());
        let turn = m.add("turn", impulses::Revolute::new());
        let body = m.add("body", impulses::SimpleBody::new());
        let aside = m.add("aside", impulses::FixedRotation::new().n(X).angle(30.0));
        let close = m.add("close", impulses::PlanarRevolute::new());
        m.connect(world.frame_b, turn.frame_a);
        m.connect(turn.frame_b, body.frame_a);
        m.connect(world.frame_b, aside.frame_a);
        m.connect(aside.frame_b, close.frame_a);
        m.connect(close.frame_b, body.frame_a);
    });
    assert!(tilted.contains("close: the loop that it closes is not planar"), "{tilted}");
}
