//! Elements of the library of impulses: each moves like its counterpart in the library of
//! mechanisms in space, with its start given in degrees.

mod common;

use common::{energy, energy_rate, interpret, start, step, value};
use equations::Interpreter;
use mechanics::impulses::{self, InitType};
use mechanics::multibody;
use mechanics::prelude::*;

const INIT: InitType = InitType::PositionVelocity;
const AXIS: [f64; 3] = [0.6, 0.0, 0.8];
const INERTIA: [f64; 3] = [0.05, 0.07, 0.03];

/// An arm on the world that swings.
fn arm(m: &mut Assembly) -> Frame {
    let world = m.add("world", multibody::World::default().g(9.81));
    let swing = multibody::Revolute::n([0.2, 1.0, 0.5]).phi(fixed(0.4)).w(fixed(1.3));
    let swing = m.add("swing", swing);
    let arm = multibody::BodyShape::r_cm_m([0.4, 0.2, -0.1], [0.2, 0.1, 0.0], 1.5);
    let arm = m.add("arm", arm.inertia([0.1, 0.2, 0.15]));
    m.connect(world.frame_b, swing.frame_a);
    m.connect(swing.frame_b, arm.frame_a);
    arm.frame_b
}

/// A body behind a rod; gives the frame that holds it.
fn load(m: &mut Assembly) -> Frame {
    let rod = m.add("rod", impulses::FixedTranslation::r([0.2, -0.1, 0.3]));
    let body = impulses::SimpleBody::m(0.8).inertia(INERTIA).products([0.01, -0.005, 0.002]);
    let body = m.add("body", body);
    m.connect(rod.frame_b, body.frame_a);
    rod.frame_a
}

/// Both models have the same energy and the same positions of `frames` for half a second.
fn assert_alike(
    one: impl FnOnce(&mut Assembly),
    other: impl FnOnce(&mut Assembly),
    frames: [&str; 2],
) -> Interpreter {
    let (mut one, mut other) = (start(one), start(other));
    let begin = energy(&mut one);
    for _ in 0..500 {
        for k in 1..=3 {
            let [a, b] = frames.map(|frame| format!("{frame}.r_0[{k}]"));
            let (a, b) = (value(&mut one, &a), value(&mut other, &b));
            assert!((a - b).abs() < 1e-9, "r_0[{k}] at {}: {a} {b}", one.t);
        }
        let (a, b) = (energy(&mut one), energy(&mut other));
        assert!((a - b).abs() < 1e-8 && (a - begin).abs() < 1e-7, "{a} {b} {begin}");
        step(&mut one, 1e-3);
        step(&mut other, 1e-3);
    }
    one
}

#[test]
fn a_revolute_joint_turns_as_in_mechanisms() {
    let ours = |m: &mut Assembly| {
        let joint = impulses::Revolute::n(AXIS).phi_offset(25.0).phi_start(-40.0).w_start(120.0);
        let joint = m.add("joint", joint.init_type(INIT).enforce_states());
        let (arm, load) = (arm(m), load(m));
        m.connect(arm, joint.frame_a);
        m.connect(joint.frame_b, load);
    };
    let theirs = |m: &mut Assembly| {
        let (phi, w) = (fixed(-15_f64.to_radians()), fixed(120_f64.to_radians()));
        let joint = m.add("joint", multibody::Revolute::n(AXIS).phi(phi).w(w));
        let (arm, load) = (arm(m), load(m));
        m.connect(arm, joint.frame_a);
        m.connect(joint.frame_b, load);
    };
    let at = &mut start(ours);
    assert!((value(at, "joint.phi") - -40_f64.to_radians()).abs() < 1e-15);
    assert!((value(at, "joint.w") - 120_f64.to_radians()).abs() < 1e-15);
    assert_alike(ours, theirs, ["body.frame_a"; 2]);
    let (mut ours, mut theirs) = (start(ours), start(theirs));
    assert!((value(&mut ours, "joint.z") - value(&mut theirs, "joint.a")).abs() < 1e-9);
}

#[test]
fn a_prismatic_joint_slides_as_in_mechanisms() {
    let ours = |m: &mut Assembly| {
        let joint = impulses::Prismatic::n(AXIS).s_offset(0.3).s_start(-0.1).v_start(0.7);
        let joint = m.add("joint", joint.init_type(INIT));
        let (arm, load) = (arm(m), load(m));
        m.connect(arm, joint.frame_a);
        m.connect(joint.frame_b, load);
    };
    let theirs = |m: &mut Assembly| {
        let joint = m.add("joint", multibody::Prismatic::n(AXIS).s(fixed(0.2)).v(fixed(0.7)));
        let (arm, load) = (arm(m), load(m));
        m.connect(arm, joint.frame_a);
        m.connect(joint.frame_b, load);
    };
    let mut at = start(ours);
    assert_eq!(value(&mut at, "joint.s"), -0.1);
    assert_alike(ours, theirs, ["body.frame_a"; 2]);
}

#[test]
fn a_spherical_joint_turns_as_in_mechanisms() {
    let (phi, w) = ([20.0, -35.0, 50.0], [100.0, -60.0, 80.0]);
    let ours = |quaternions: bool| {
        move |m: &mut Assembly| {
            let joint = impulses::Spherical::default().phi_start(phi).w_start(w).init_type(INIT);
            let joint = m.add("joint", joint.use_quaternions(quaternions));
            let (arm, load) = (arm(m), load(m));
            m.connect(arm, joint.frame_a);
            m.connect(joint.frame_b, load);
        }
    };
    // The velocity is resolved in frame_b here and in frame_a there.
    let mut at = start(ours(true));
    let w_b = [1, 2, 3].map(|k| value(&mut at, &format!("joint.w[{k}]")));
    for (w_b, w) in w_b.into_iter().zip(w) {
        assert!((w_b - f64::to_radians(w)).abs() < 1e-14);
    }
    let turn = phi.map(f64::to_radians);
    let t = mechanics::orientation::axes_rotations(
        mechanics::orientation::Sequence::XYZ,
        &turn.map(Into::into),
    );
    let w_a = (t.transpose() * mechanics::vector::constant(w_b)).map(|x| x.constant_value());
    let w_a = [0, 1, 2].map(|k| w_a[k].expect("a number"));
    let theirs = move |m: &mut Assembly| {
        let joint = multibody::Spherical::default().angles_start(fixed_vector(turn));
        let joint = m.add("joint", joint.w_rel_a_start(fixed_vector(w_a)));
        let (arm, load) = (arm(m), load(m));
        m.connect(arm, joint.frame_a);
        m.connect(joint.frame_b, load);
    };
    for quaternions in [true, false] {
        assert_alike(ours(quaternions), theirs, ["body.frame_a"; 2]);
    }
    let (mut ours, mut angles) = (start(ours(true)), start(ours(false)));
    for k in 1..=3 {
        for name in ["w", "z"] {
            let name = format!("joint.{name}[{k}]");
            let (a, b) = (value(&mut ours, &name), value(&mut angles, &name));
            assert!((a - b).abs() < 1e-10, "{name}: {a} {b}");
        }
    }
}

#[test]
fn free_movements_are_those_of_a_free_body() {
    let (x, v) = ([0.1, -0.2, 0.3], [1.0, 2.0, -0.5]);
    let (phi, w) = ([10.0, 20.0, -30.0], [200.0, -90.0, 40.0]);
    let theirs = move |m: &mut Assembly| {
        m.add("world", multibody::World::default().g(9.81));
        let turn = phi.map(f64::to_radians);
        let t = mechanics::orientation::axes_rotations(
            mechanics::orientation::Sequence::XYZ,
            &turn.map(Into::into),
        );
        let w = t.transpose() * mechanics::vector::constant(w.map(f64::to_radians));
        let w = [0, 1, 2].map(|k| w[k].constant_value().expect("a number"));
        let body = multibody::Body::m_r_cm(0.8, [0.0; 3]).inertia(INERTIA);
        let body = body.r_0(fixed_vector(x)).v_0(fixed_vector(v));
        m.add("body", body.angles_start(fixed_vector(turn)).w_0_start(fixed_vector(w)));
    };
    for quaternions in [true, false] {
        let joint = move |m: &mut Assembly| {
            m.add("world", impulses::World::default().g(9.81));
            let joint = impulses::FreeBodyMovement::default().x_start(x).v_start(v).phi_start(phi);
            let joint = joint.w_start(w).init_type(INIT).use_quaternions(quaternions);
            let joint = m.add("joint", joint);
            let body = m.add("body", impulses::SimpleBody::m(0.8).inertia(INERTIA));
            m.connect(joint.frame_b, body.frame_a);
        };
        let mut at = assert_alike(joint, theirs, ["body.frame_a"; 2]);
        assert!((value(&mut at, "joint.a[2]") + 9.81).abs() < 1e-12);
        let body = move |m: &mut Assembly| {
            m.add("world", impulses::World::default().g(9.81));
            let body = impulses::Body::m(0.8).inertia(INERTIA).x_start(x).v_start(v);
            let body = body.phi_start(phi).w_start(w).init_type(INIT);
            m.add("body", body.use_quaternions(quaternions));
        };
        let mut at = assert_alike(body, theirs, ["body.frame_a"; 2]);
        assert!((value(&mut at, "body.v[1]") - 1.0).abs() < 1e-12);
        let potential = move |m: &mut Assembly| {
            m.add("world", impulses::World::default().g(9.81));
            let joint = impulses::PotentialFBM::default().x_start(x).v_start(v).phi_start(phi);
            let joint = joint.w_start(w).init_type(INIT).use_quaternions(quaternions);
            let joint = m.add("joint", joint);
            let body = m.add("body", impulses::SimpleBody::m(0.8).inertia(INERTIA));
            m.connect(joint.frame_b, body.frame_a);
        };
        assert_alike(potential, theirs, ["body.frame_a"; 2]);
    }
}

#[test]
fn a_body_that_a_joint_holds_has_no_states_of_its_own() {
    let held = |m: &mut Assembly| {
        let arm = arm(m);
        let body = m.add("body", impulses::Body::m(0.8).inertia(INERTIA));
        m.connect(arm, body.frame_a);
    };
    let mut at = start(held);
    assert_eq!(at.x.len(), 2);
    // It shows its motion all the same.
    let v = [1, 2, 3].map(|k| value(&mut at, &format!("body.v[{k}]")));
    assert!(v.iter().any(|v| v.abs() > 0.1), "{v:?}");
}

#[test]
fn a_translational_movement_is_three_slides() {
    let ours = |m: &mut Assembly| {
        m.add("world", impulses::World::default().g(9.81));
        let joint = impulses::FreeTranslationalMovement::default().r([0.5, 0.0, -0.25]);
        let joint = joint.x_start([0.2, 0.5, 0.0]).v_start([1.0, -2.0, 0.5]).init_type(INIT);
        let joint = m.add("joint", joint.enforce_states());
        let load = load(m);
        m.connect(joint.frame_b, load);
    };
    let theirs = |m: &mut Assembly| {
        let world = m.add("world", multibody::World::default().g(9.81));
        let mut frame = world.frame_b;
        let starts = [(0.7, 1.0), (0.5, -2.0), (-0.25, 0.5)];
        for (k, (axis, (s, v))) in [X, Y, Z].into_iter().zip(starts).enumerate() {
            let slide = multibody::Prismatic::n(axis).s(fixed(s)).v(fixed(v));
            let slide = m.add(format!("slide{k}"), slide);
            m.connect(frame, slide.frame_a);
            frame = slide.frame_b;
        }
        let load = load(m);
        m.connect(frame, load);
    };
    let mut at = start(ours);
    assert_eq!(value(&mut at, "joint.x[1]"), 0.2);
    assert_alike(ours, theirs, ["body.frame_a"; 2]);
}

/// A pendulum in the plane: an angle from the horizontal, a rod of 1 m and a mass of 2 kg.
fn pendulum(m: &mut Assembly, joint: impulses::Revolute, spring: impulses::Spring) {
    let world = m.add("world", impulses::World::default().g(9.81));
    let joint = m.add("joint", joint);
    let rod = m.add("rod", impulses::FixedTranslation::r(X));
    let body = m.add("body", impulses::SimpleBody::m(2.0).inertia([0.0, 0.0, 0.5]));
    let above = m.add("above", impulses::Fixed::default().r([0.0, 2.0, 0.0]));
    let spring = m.add("spring", spring);
    let into = m.add("into", impulses::ConnectContinuousFrame);
    m.connect(world.frame_b, joint.frame_a);
    m.connect(joint.frame_b, rod.frame_a);
    m.connect(rod.frame_b, body.frame_a);
    m.connect(above.frame_b, spring.frame_a);
    m.connect(spring.frame_b, into.frame_a);
    m.connect(into.frame_b, body.frame_a);
}

/// Angle, speed and acceleration of the pendulum at the start, in degrees.
fn pendulum_starts(init_type: InitType, [phi, w, z]: [f64; 3]) -> [f64; 3] {
    let at = &mut start(|m: &mut Assembly| {
        let joint = impulses::Revolute::default().phi_start(phi).w_start(w).z_start(z);
        pendulum(m, joint.init_type(init_type), impulses::Spring::c(15.0).s0(0.5));
    });
    ["joint.phi", "joint.w", "joint.z"].map(|name| value(at, name).to_degrees())
}

#[test]
fn the_init_type_says_which_start_values_count() {
    let near = |a: f64, b: f64| (a - b).abs() < 1e-7;
    // Nothing else determines the start, so that guesses count too.
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

    // An acceleration beside position and velocity determines the stiffness.
    let at = &mut start(|m: &mut Assembly| {
        let joint = impulses::Revolute::default().phi_start(30.0).w_start(-50.0).z_start(60.0);
        let joint = joint.init_type(InitType::PositionVelocityAcceleration);
        pendulum(m, joint, impulses::Spring::c(unknown(1.0)).s0(0.5));
    });
    let found = ["joint.phi", "joint.w", "joint.z"].map(|name| value(at, name).to_degrees());
    assert!(found.iter().zip([30.0, -50.0, 60.0]).all(|(a, b)| near(*a, b)), "{found:?}");
    assert!(value(at, "spring.c") > 1.0);
}

/// A ball joint with a weight and a spring, and its start.
fn suspended(m: &mut Assembly, joint: impulses::Spherical) {
    let world = m.add("world", impulses::World::default().g(9.81));
    let joint = m.add("joint", joint);
    let rod = m.add("rod", impulses::FixedTranslation::r([0.3, -0.8, 0.2]));
    let body = m.add("body", impulses::SimpleBody::m(2.0).inertia([0.1, 0.2, 0.3]));
    let tip = m.add("tip", impulses::FixedTranslation::r([0.3, -0.2, 0.9]));
    let points = [[0.5, 0.2, 0.8], [0.8, -0.4, -0.6]];
    m.connect(world.frame_b, joint.frame_a);
    m.connect(joint.frame_b, rod.frame_a);
    m.connect(joint.frame_b, tip.frame_a);
    m.connect(rod.frame_b, body.frame_a);
    for (k, (r, end)) in points.into_iter().zip([tip.frame_b, rod.frame_b]).enumerate() {
        let point = m.add(format!("point{k}"), impulses::Fixed::default().r(r));
        let spring = m.add(format!("spring{k}"), impulses::Spring::c(30.0).s0(0.1));
        m.connect(point.frame_b, spring.frame_a);
        m.connect(spring.frame_b, end);
    }
}

#[test]
fn accelerations_determine_angles() {
    let vector = |at: &mut Interpreter, name: &str| {
        [1, 2, 3].map(|k| value(at, &format!("joint.{name}[{k}]")).to_degrees())
    };
    let near = |a: [f64; 3], b: [f64; 3]| a.iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-6);
    let joint = || impulses::Spherical::default().use_quaternions(false).sequence_angles([3, 1, 2]);
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

    // Where the angles are not known, their rates follow from the velocity and not from guesses.
    let turned = joint().w_start(w).phi_start([30.0, 20.0, 10.0]).init_type(InitType::Velocity);
    let mut at = start(|m: &mut Assembly| suspended(m, turned));
    assert!(near(vector(&mut at, "w"), w) && near(vector(&mut at, "phi"), [30.0, 20.0, 10.0]));
}

#[test]
fn what_cannot_be_given_is_refused_with_value_and_unit() {
    let refused = |text: &dyn Fn(&mut Assembly)| match interpret(text) {
        Ok(_) => panic!("the model is not sound"),
        Err(error) => error,
    };
    let quaternion = refused(&|m| {
        let joint = impulses::Spherical::default().z_start([0.0, 0.0, 30.0]);
        suspended(m, joint.init_type(InitType::VelocityAcceleration));
    });
    let sentence = "joint.z_start: {0, 0, 30} deg/s2 cannot determine a quaternion";
    assert!(quaternion.contains(sentence), "{quaternion}");
    let angle = refused(&|m| {
        let joint = impulses::Revolute::default().phi_start(f64::NAN);
        pendulum(m, joint, impulses::Spring::c(1.0));
    });
    assert!(angle.contains("joint.phi_start: NaN deg is not a possible value"), "{angle}");
    let velocity = refused(&|m| {
        let joint = impulses::Spherical::default().w_start([0.0, f64::INFINITY, 0.0]);
        suspended(m, joint);
    });
    assert!(velocity.contains("joint.w_start[2]: inf deg/s"), "{velocity}");
    let sequence =
        refused(&|m| suspended(m, impulses::Spherical::default().sequence_angles([1, 1, 2])));
    assert!(sequence.contains("joint.sequence_angles: [1, 1, 2]"), "{sequence}");
    let alone = refused(&|m| {
        m.add("world", impulses::World::default());
        m.add("body", impulses::SimpleBody::default());
    });
    assert!(alone.contains("body.frame_a: no joint or rigid part connects it"), "{alone}");
    let tilted = refused(&|m| {
        let world = m.add("world", impulses::World::default());
        let turn = m.add("turn", impulses::Revolute::default());
        let body = m.add("body", impulses::SimpleBody::default());
        let aside = m.add("aside", impulses::FixedRotation::n_angle(X, 30.0));
        let close = m.add("close", impulses::PlanarRevolute::default());
        m.connect(world.frame_b, turn.frame_a);
        m.connect(turn.frame_b, body.frame_a);
        m.connect(world.frame_b, aside.frame_a);
        m.connect(aside.frame_b, close.frame_a);
        m.connect(close.frame_b, body.frame_a);
    });
    assert!(tilted.contains("close: the loop that it closes is not planar"), "{tilted}");
}

/// The four-bar loop with two joints in a row in place of a universal joint.
fn four_bar_loop(m: &mut Assembly, close: bool) {
    m.add("world", impulses::World::default().g(9.81));
    let base = m.add("base", impulses::Fixed::default());
    let crank = impulses::Revolute::n(X).w_start(300.0).init_type(INIT).enforce_states();
    let crank = m.add("crank", crank);
    let rod1 = m.add("rod1", impulses::FixedTranslation::r([0.0, 0.5, 0.1]));
    let ball = m.add("ball", impulses::Spherical::default().use_quaternions(false));
    let rod3 = m.add("rod3", impulses::FixedTranslation::r([1.0, -0.3, -0.1]));
    let insert = m.add("insert", impulses::InsertImpulse);
    let rod4 = m.add("rod4", impulses::FixedTranslation::r([1.2, 0.0, 0.0]));
    let slide = m.add("slide", impulses::Prismatic::n(X));
    let rod2 = m.add("rod2", impulses::FixedTranslation::r([0.0, 0.2, 0.0]));
    let turn4 = m.add("turn4", impulses::Revolute::n(Z));
    let turn6 = m.add("turn6", impulses::Revolute::n(Y));
    m.connect(base.frame_b, crank.frame_a);
    m.connect(crank.frame_b, rod1.frame_a);
    m.connect(rod1.frame_b, ball.frame_a);
    m.connect(ball.frame_b, rod3.frame_a);
    m.connect(base.frame_b, insert.frame_a);
    m.connect(insert.frame_b, rod4.frame_a);
    m.connect(rod4.frame_b, slide.frame_a);
    m.connect(slide.frame_b, rod2.frame_a);
    m.connect(rod2.frame_b, turn4.frame_a);
    m.connect(turn4.frame_b, turn6.frame_a);
    if close {
        let cut = m.add("cut", impulses::CloseLoop);
        m.connect(rod3.frame_b, cut.frame_a);
        m.connect(cut.frame_b, turn6.frame_b);
    } else {
        m.connect(rod3.frame_b, turn6.frame_b);
    }
    let bodies = [
        (rod1.frame_a, [0.0, 0.25, 0.05]),
        (rod3.frame_a, [0.5, -0.15, -0.05]),
        (rod2.frame_a, [0.0, 0.1, 0.0]),
    ];
    for (k, (frame, r)) in bodies.into_iter().enumerate() {
        let rod = m.add(format!("arm{k}"), impulses::FixedTranslation::r(r));
        let body = m.add(format!("body{k}"), impulses::Body::m(0.5).inertia([0.05; 3]));
        m.connect(frame, rod.frame_a);
        m.connect(rod.frame_b, body.frame_a);
    }
}

#[test]
fn a_loop_assembles_and_keeps_its_energy() {
    let mut one = start(|m: &mut Assembly| four_bar_loop(m, true));
    assert_eq!(one.x.len(), 2);
    assert!((value(&mut one, "slide.s") + 0.2).abs() < 1e-12);
    for name in ["turn4.phi", "turn6.phi", "ball.phi[1]", "ball.phi[2]", "ball.phi[3]"] {
        assert!(value(&mut one, name).abs() < 1e-12, "{name}");
    }
    let mut other = start(|m: &mut Assembly| four_bar_loop(m, false));
    let begin = energy(&mut one);
    for _ in 0..2000 {
        step(&mut one, 1e-3);
        step(&mut other, 1e-3);
        assert!((value(&mut one, "slide.s") - value(&mut other, "slide.s")).abs() < 1e-9);
        assert!(value(&mut one, "loops.residual") < 1e-9);
    }
    assert!((energy(&mut one) - begin).abs() < 1e-7, "{} {begin}", energy(&mut one));
    assert!(value(&mut one, "crank.phi") > 2.0);
}

#[test]
fn a_connection_outside_of_a_loop_is_rigid() {
    let joined = |m: &mut Assembly| {
        let (arm, load) = (arm(m), load(m));
        let close = m.add("close", impulses::CloseLoop);
        let insert = m.add("insert", impulses::InsertImpulse);
        let into = m.add("into", impulses::ConnectContinuousFrame);
        m.connect(arm, close.frame_a);
        m.connect(close.frame_b, insert.frame_a);
        m.connect(insert.frame_b, into.frame_a);
        m.connect(into.frame_b, load);
    };
    let direct = |m: &mut Assembly| {
        let (arm, load) = (arm(m), load(m));
        m.connect(arm, load);
    };
    assert_alike(joined, direct, ["body.frame_a"; 2]);
}

#[test]
fn an_insertion_shows_its_input() {
    let mut at = start(|m: &mut Assembly| {
        let (arm, load) = (arm(m), load(m));
        let insert = m.add("insert", impulses::InsertImpulse);
        let signal = m.add("signal", Step::height(1.0).start_time(0.1));
        m.connect(arm, insert.frame_a);
        m.connect(insert.frame_b, load);
        m.connect(signal.y, insert.u);
    });
    assert_eq!(value(&mut at, "insert.contact"), 0.0);
    common::simulate(&mut at, 0.2, 1e-2, |_| {});
    assert_eq!(value(&mut at, "insert.contact"), 1.0);
}

/// A planar four-bar linkage about an axis `n`, closed by `close`.
fn planar_linkage(m: &mut Assembly, n: [f64; 3], close: impl FnOnce(&mut Assembly) -> [Frame; 2]) {
    // Two directions at right angles to the axis.
    let x = [n[1], -n[0], 0.0];
    let y = mechanics::vector::cross_constant(n, x);
    let at = |a: f64, b: f64| [0, 1, 2].map(|k| a * x[k] + b * y[k]);
    let world = m.add("world", impulses::World::default().g(9.81));
    let crank = impulses::Revolute::n(n).w_start(400.0).init_type(INIT).enforce_states();
    let crank = m.add("crank", crank);
    let rods = [at(0.0, 0.2), at(0.6, 0.2), at(0.0, -0.4)];
    let mut frame = crank.frame_b;
    m.connect(world.frame_b, crank.frame_a);
    for (k, r) in rods.into_iter().enumerate() {
        let rod = m.add(format!("rod{k}"), impulses::FixedTranslation::r(r));
        let body = m.add(format!("body{k}"), impulses::SimpleBody::m(1.0).inertia([0.02; 3]));
        m.connect(frame, rod.frame_a);
        m.connect(rod.frame_b, body.frame_a);
        frame = rod.frame_b;
        if k < 2 {
            let turn = m.add(format!("turn{k}"), impulses::Revolute::n(n));
            m.connect(rod.frame_b, turn.frame_a);
            frame = turn.frame_b;
        }
    }
    let base = m.add("rest", impulses::Fixed::default().r(at(0.6, 0.0)));
    let [a, b] = close(m);
    m.connect(base.frame_b, a);
    m.connect(frame, b);
}

#[test]
fn a_planar_revolute_closes_a_loop_about_any_axis() {
    for n in [Z, [0.6, 0.8, 0.0], [0.48, 0.36, 0.8]] {
        let cut = |m: &mut Assembly| {
            planar_linkage(m, n, |m| {
                let close = m.add("close", impulses::PlanarRevolute::n(n));
                [close.frame_a, close.frame_b]
            });
        };
        let full = |m: &mut Assembly| {
            planar_linkage(m, n, |m| {
                let close = m.add("close", multibody::Revolute::n(n));
                [close.frame_a, close.frame_b]
            });
        };
        assert_alike(cut, full, ["body1.frame_a"; 2]);
        // A rigid end: three conditions of six follow from the others.
        let rigid = |m: &mut Assembly| {
            planar_linkage(m, n, |m| {
                let close = m.add("close", impulses::CloseLoop);
                let turn = m.add("turn2", impulses::Revolute::n(n));
                m.connect(turn.frame_b, close.frame_a);
                [turn.frame_a, close.frame_b]
            });
        };
        assert_alike(rigid, full, ["body1.frame_a"; 2]);
    }
}

#[test]
fn a_spring_pulls_as_in_mechanisms_and_keeps_energy_where_its_ends_meet() {
    let joint = || impulses::Revolute::default().phi_start(30.0).init_type(INIT);
    let ours = |m: &mut Assembly| pendulum(m, joint(), impulses::Spring::c(15.0).s0(0.5));
    let theirs = |m: &mut Assembly| {
        let world = m.add("world", multibody::World::default().g(9.81));
        let joint = multibody::Revolute::n(Z).phi(fixed(30_f64.to_radians())).w(fixed(0.0));
        let joint = m.add("joint", joint);
        let body = multibody::Body::m_r_cm(2.0, X).inertia([0.0, 0.0, 0.5]);
        let body = m.add("body", body);
        let rod = m.add("rod", multibody::FixedTranslation::r(X));
        let above = m.add("above", multibody::Fixed::default().r([0.0, 2.0, 0.0]));
        let spring = m.add("spring", multibody::Spring::c(15.0).s_unstretched(0.5));
        m.connect(world.frame_b, joint.frame_a);
        m.connect(joint.frame_b, body.frame_a);
        m.connect(joint.frame_b, rod.frame_a);
        m.connect(above.frame_b, spring.frame_a);
        m.connect(spring.frame_b, rod.frame_b);
    };
    assert_alike(ours, theirs, ["body.frame_a", "rod.frame_b"]);

    // Through the middle, where the direction of the line changes within `s_small`.
    let mut through = start(|m: &mut Assembly| {
        let world = m.add("world", impulses::World::default().g(0.0));
        let slide = impulses::Prismatic::default().s_start(0.3).v_start(0.0).init_type(INIT);
        let slide = m.add("slide", slide);
        let body = m.add("body", impulses::SimpleBody::m(0.5));
        let spring = m.add("spring", impulses::Spring::c(20.0).s0(0.1).s_small(0.2));
        m.connect(world.frame_b, slide.frame_a);
        m.connect(slide.frame_b, body.frame_a);
        m.connect(world.frame_b, spring.frame_a);
        m.connect(spring.frame_b, body.frame_a);
    });
    let begin = energy(&mut through);
    for _ in 0..1000 {
        step(&mut through, 1e-3);
        assert!((energy(&mut through) - begin).abs() < 1e-6, "{} {begin}", energy(&mut through));
    }
    assert!(value(&mut through, "slide.s") < 0.29);
}

#[test]
fn damping_loses_what_it_says() {
    let mut at = start(|m: &mut Assembly| {
        let end = arm(m);
        let free = impulses::Body::m(0.4).x_start([0.3, 0.1, 0.2]).v_start([1.0, -2.0, 0.5]);
        let free = m.add("free", free.w_start([90.0, 20.0, -30.0]).init_type(INIT));
        let damping = m.add("damping", impulses::Damping::d(0.7));
        m.connect(end, damping.frame_a);
        m.connect(damping.frame_b, free.frame_a);
    });
    for _ in 0..200 {
        let (rate, loss) = (energy_rate(&mut at), value(&mut at, "damping.lossPower"));
        assert!(loss > 0.0 && (rate + loss).abs() < 1e-6, "{rate} {loss}");
        let v: f64 = (1..=3).map(|k| value(&mut at, &format!("damping.v_rel[{k}]")).powi(2)).sum();
        assert!((0.7 * v - loss).abs() < 1e-12);
        step(&mut at, 1e-3);
    }
}

#[test]
fn bodies_in_a_pool_attract_each_other() {
    let masses = [1e10, 2e10, 0.5e10];
    let positions = [[-1.0, 0.0, 0.0], [1.0, 1.0, 0.0], [1.0, 0.0, -0.5]];
    let mut at = start(|m: &mut Assembly| {
        m.add("world", impulses::World::default().g(0.0));
        let pool = m.add("pool", impulses::GravityPool::m(masses));
        for (k, (mass, x)) in masses.into_iter().zip(positions).enumerate() {
            let body = impulses::Body::m(mass).inertia([0.04e10; 3]).x_start(x);
            let body = m.add(format!("body{k}"), body.init_type(INIT));
            m.connect(pool.frame(k + 1), body.frame_a);
        }
    });
    let vector = |at: &mut Interpreter, k: usize, name: &str| {
        [1, 2, 3].map(|i| value(at, &format!("body{k}.{name}[{i}]")))
    };
    // Newton's law for each body.
    for i in 0..3 {
        let mut expected = [0.0; 3];
        for j in (0..3).filter(|&j| j != i) {
            let r: [f64; 3] = std::array::from_fn(|k| positions[j][k] - positions[i][k]);
            let d = r.iter().map(|x| x * x).sum::<f64>().sqrt();
            (0..3).for_each(|k| expected[k] += 6.6742e-11 * masses[j] * r[k] / d.powi(3));
        }
        let found = vector(&mut at, i, "a");
        assert!(found.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-12), "{found:?}");
    }
    let begin = energy(&mut at);
    for _ in 0..300 {
        step(&mut at, 1e-3);
    }
    assert!((energy(&mut at) / begin - 1.0).abs() < 1e-9);
    let moved = vector(&mut at, 0, "v");
    assert!(moved.iter().any(|v| v.abs() > 0.01), "{moved:?}");
    for k in 0..3 {
        let total: f64 = (0..3).map(|i| masses[i] * vector(&mut at, i, "v")[k]).sum();
        assert!(total.abs() < 1e-3, "{total}");
    }
}

#[test]
fn a_joint_may_be_left_out_of_impulses() {
    let ball = |reinit: bool| {
        start(move |m: &mut Assembly| {
            let world = m.add("world", impulses::World::default().g(9.81));
            let joint = impulses::FreeTranslationalMovement::default().init_type(INIT);
            let joint = joint.x_start([0.0, 1.5, 0.0]).reinit_by_impulse(reinit);
            let joint = m.add("joint", joint);
            let body = m.add("body", impulses::SimpleBody::default());
            let floor = m.add("floor", impulses::CollisionSpherePlane::ra(0.5).rests(false));
            m.connect(joint.frame_b, body.frame_a);
            m.connect(joint.frame_b, floor.frame_a);
            m.connect(world.frame_b, floor.frame_b);
        })
    };
    let t = 0.6_f64;
    for reinit in [true, false] {
        let mut at = ball(reinit);
        common::simulate(&mut at, t, 1e-3, |_| {});
        let v = value(&mut at, "joint.v[2]");
        let expected = if reinit { 2.0 * (2.0_f64 * 9.81).sqrt() - 9.81 * t } else { -9.81 * t };
        assert!((v - expected).abs() < 1e-6, "{reinit}: {v} {expected}");
    }
}
