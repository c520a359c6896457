//! Free bodies: invariants of their motion, whatever describes their orientation.

use crate::common::{energy, initialize, refusal, run_to, simulation, start, step, value, vector};
use fmu_runtime::Simulation;
use libraries::multibody::*;
use libraries::prelude::*;
use nalgebra::{Quaternion, UnitQuaternion, Vector3};
use std::f64::consts::FRAC_PI_2;

const W: [f64; 3] = [0.3, 2.0, -1.1];

fn tumbling(m: &mut Assembly, use_quaternions: bool) {
    m.add("world", World::new().g(0.0));
    let body = Body::new()
        .m(2.0)
        .r_cm([0.1, -0.2, 0.3])
        .inertia([0.3, 0.5, 0.7])
        .products([0.02, 0.01, -0.03])
        .angles_start(fixed_vector([0.2, 0.4, -0.3]))
        .w_0_start(fixed_vector(W))
        .v_0(fixed_vector([0.5, -1.0, 0.25]))
        .use_quaternions(use_quaternions);
    m.add("body", body);
}

#[test]
fn a_free_body_keeps_its_energy_and_moves_uniformly() {
    let mut model = start(|m| tumbling(m, true));
    let first = energy(&mut model);
    assert_eq!(model.continuous_states().len(), 13);
    step(&mut model, 5.0);
    let drift = energy(&mut model) / first - 1.0;
    assert!(drift.abs() < 1e-10, "{drift:e}");
}

#[test]
fn angles_and_quaternions_describe_the_same_motion() {
    let mut quaternions = start(|m| tumbling(m, true));
    let mut angles = start(|m| tumbling(m, false));
    let w = vector(&mut quaternions, "body.w_a");
    assert!((w.norm() - Vector3::from(W).norm()).abs() < 1e-12, "{w:?}");
    for _ in 0..1000 {
        step(&mut quaternions, 1e-3);
        step(&mut angles, 1e-3);
        for name in ["body.r_0", "body.v_0", "body.w_a"] {
            let (a, b) = (vector(&mut quaternions, name), vector(&mut angles, name));
            for k in 0..3 {
                assert!((a[k] - b[k]).abs() < 1e-9, "{name}: {a:?}, {b:?}");
            }
        }
    }
}

#[test]
fn a_spherical_pendulum_keeps_its_energy_and_its_momentum_about_the_vertical() {
    let mut model = start(|m| {
        let world = m.add("world", World::new());
        let w = fixed_vector([0.5, 1.5, 2.0]);
        let ball = m.add("ball", Spherical::new().w_rel_a_start(w));
        let body = Body::new().m(1.0).r_cm([0.5, 0.0, 0.0]).inertia([0.01, 0.02, 0.03]);
        let body = m.add("body", body);
        m.connect(world.frame_b, ball.frame_a);
        m.connect(ball.frame_b, body.frame_a);
    });
    let first = energy(&mut model);
    step(&mut model, 3.0);
    let drift = energy(&mut model) - first;
    assert!(drift.abs() < 1e-9, "{drift:e}");
}

#[test]
fn a_joint_with_its_frames_exchanged_moves_alike() {
    let pendulum = |turned: bool| {
        start(move |m| {
            let world = m.add("world", World::new());
            let ball = m.add("ball", Spherical::new());
            let body = Body::new().m(1.0).r_cm([0.5, 0.1, 0.2]).inertia([0.01, 0.02, 0.03]);
            let body = m.add("body", body);
            let (near, far) =
                if turned { (ball.frame_b, ball.frame_a) } else { (ball.frame_a, ball.frame_b) };
            m.connect(world.frame_b, near);
            m.connect(far, body.frame_a);
        })
    };
    let (mut one, mut other) = (pendulum(false), pendulum(true));
    step(&mut one, 1.0);
    step(&mut other, 1.0);
    let (a, b) = (vector(&mut one, "body.w_a"), vector(&mut other, "body.w_a"));
    assert!((0..3).all(|k| (a[k] - b[k]).abs() < 1e-8), "{a:?}, {b:?}");
    assert!(a[2].abs() > 0.1, "{a:?}");
}

#[test]
fn start_values_of_a_body_behind_joints_count_if_they_are_fixed() {
    let mut model = start(|m| {
        let world = m.add("world", World::new());
        let first = m.add("first", Revolute::new().n(Z).phi(guess(0.3)));
        let rod = m.add("rod", FixedTranslation::new().r([1.0, 0.0, 0.0]));
        let second = m.add("second", Revolute::new().n(Z).phi(guess(0.4)));
        let body = BodyShape::new().r([1.0, 0.0, 0.0]).r_cm([0.5, 0.0, 0.0]).m(1.0);
        let place = [fixed(0.8), guess(0.0), guess(0.0)];
        let body = m.add("body", body.r_0(place).v_0([fixed(-0.6), guess(0.0), guess(0.0)]));
        m.connect(world.frame_b, first.frame_a);
        m.connect(first.frame_b, rod.frame_a);
        m.connect(rod.frame_b, second.frame_a);
        m.connect(second.frame_b, body.frame_a);
    });
    assert!((value(&mut model, "first.phi") - 0.6_f64.atan2(0.8)).abs() < 1e-12);
    assert!((value(&mut model, "first.w") - 1.0).abs() < 1e-12);
}

#[test]
fn a_pendulum_moves_alike_whether_its_joint_or_its_body_has_the_states() {
    let pendulum = |enforce: bool| {
        start(move |m| {
            let world = m.add("world", World::new());
            let rev =
                m.add("rev", Revolute::new().n(Z).states(mechanics::start::StateSelect::Default));
            let mut body = Body::new().m(1.0).r_cm([0.5, 0.1, 0.0]).inertia([0.01, 0.02, 0.03]);
            if enforce {
                body = body.enforce_states(true);
            }
            let body = m.add("body", body);
            m.connect(world.frame_b, rev.frame_a);
            m.connect(rev.frame_b, body.frame_a);
        })
    };
    let (mut of_joint, mut of_body) = (pendulum(false), pendulum(true));
    assert_eq!((of_joint.continuous_states().len(), of_body.continuous_states().len()), (2, 2));
    step(&mut of_joint, 0.3);
    step(&mut of_body, 0.3);
    let (a, b) = (vector(&mut of_joint, "body.w_a"), vector(&mut of_body, "body.w_a"));
    assert!((0..3).all(|k| (a[k] - b[k]).abs() < 1e-9), "{a:?}, {b:?}");
    assert!(value(&mut of_body, "rev.w").abs() > 1.0);
}

/// A body that turns from an angle about its second axis, described by angles.
fn turning(m: &mut Assembly, phi_2: f64) {
    m.add("world", World::new().g(0.0));
    let body = Body::new()
        .m(2.0)
        .r_cm([0.0; 3])
        .inertia([0.01, 0.02, 0.03])
        .angles_start(fixed_vector([0.3, phi_2, 0.2]))
        .w_0_start(fixed_vector([0.1, 3.0, 0.2]))
        .use_quaternions(false);
    m.add("body", body);
}

/// Angles of the body and their derivatives.
fn angles(at: &mut Simulation) -> [[f64; 3]; 2] {
    ["body.phi", "body.phi_d"].map(|name| vector(at, name).into())
}

#[test]
fn angles_of_a_turning_body_are_known_in_all_orientations() {
    // Where the first and the last axis are parallel, the sum of two angles is known.
    for phi_2 in [0.0, 1.5, 1.570, FRAC_PI_2, 1.571, 4.0, -FRAC_PI_2, 7.0] {
        let mut at = start(|m| turning(m, phi_2));
        let [phi, _] = angles(&mut at);
        let near = phi.iter().zip([0.3, phi_2, 0.2]).all(|(a, b)| (a - b).abs() < 1e-9);
        assert!(near, "{phi:?} at {phi_2}");
        let before = energy(&mut at);
        for _ in 0..200 {
            step(&mut at, 0.01);
            let [phi, phi_d] = angles(&mut at);
            assert!(phi.iter().chain(&phi_d).all(|x| x.is_finite()));
            assert!((energy(&mut at) - before).abs() < 1e-9 * before);
            assert_rotation(&mut at, &phi);
        }
    }
}

/// The quaternion of the body is that of angles about x, y and z.
fn assert_rotation(at: &mut Simulation, phi: &[f64; 3]) {
    let q = [1, 2, 3, 4].map(|k| value(at, &format!("body.Q[{k}]")));
    let turns = [Vector3::x_axis(), Vector3::y_axis(), Vector3::z_axis()];
    let turns = turns.into_iter().zip(phi).map(|(n, &a)| UnitQuaternion::from_axis_angle(&n, a));
    let all = turns.fold(UnitQuaternion::identity(), |all, turn| all * turn);
    let own = UnitQuaternion::from_quaternion(Quaternion::new(q[3], q[0], q[1], q[2]));
    assert!(all.angle_to(&own) < 1e-7, "{phi:?}, {q:?}");
}

#[test]
fn angles_do_not_depend_on_the_steps_and_their_rates_are_their_derivatives() {
    let run = |h: f64, steps: usize| {
        let mut at = start(|m| turning(m, 0.1));
        (0..steps).for_each(|_| step(&mut at, h));
        angles(&mut at)
    };
    for end in [0.4, 1.1, 1.7, 3.0] {
        let few = run(end / 8.0, 8);
        let many = run(end / 400.0, 400);
        let gap = |k: usize| few[k].iter().zip(&many[k]).map(|(a, b)| (a - b).abs());
        assert!([0, 1].into_iter().flat_map(gap).all(|gap| gap < 1e-6), "{few:?}, {many:?}");
    }
    let h = 1e-4;
    let [before, at, after] = [1.0 - h, 1.0, 1.0 + h].map(|end| run(end / 20.0, 20));
    for k in 0..3 {
        let slope = (after[0][k] - before[0][k]) / (2.0 * h);
        assert!((slope - at[1][k]).abs() < 1e-5, "{slope} is not {}", at[1][k]);
    }
}

#[test]
fn a_path_near_the_singular_position_of_angles_passes_through_it() {
    for aside in [0.0, 1e-6, 1e-3] {
        let spinning = |m: &mut Assembly| {
            m.add("world", World::new().g(0.0));
            let w = fixed_vector([aside, 3.0, 0.0]);
            let body = Body::new().m(1.0).r_cm([0.0; 3]).inertia([0.02; 3]);
            m.add("body", body.w_0_start(w).use_quaternions(false));
        };
        for steps in [20, 1000] {
            let mut at = start(spinning);
            (0..steps).for_each(|_| step(&mut at, 2.0 / f64::from(steps)));
            let [phi, phi_d] = angles(&mut at);
            let near =
                phi.iter().zip([0.0, 6.0, 0.0]).all(|(a, b)| (a - b).abs() < 2.0 * aside + 1e-7);
            assert!(near, "{phi:?}");
            assert!((phi_d[1] - 3.0).abs() < 1e-5, "{phi_d:?}");
        }
    }
}

#[test]
fn start_angles_that_are_set_turn_the_body() {
    let mut at = simulation(|m| turning(m, 0.1)).expect("the model is sound");
    let stated = start(|m| turning(m, 1.2)).continuous_states().to_vec();
    at.set("body.phi[2]", 1.2).expect("a start value");
    initialize(&mut at);
    // Three positions and speeds, the angular velocity in the body, the quaternion.
    let [set, stated] = [&at.continuous_states()[9..], &stated[9..]];
    assert!(set.iter().zip(stated).all(|(a, b)| (a - b).abs() < 1e-12), "{set:?}, {stated:?}");
}

#[test]
fn fixed_start_angles_alone_of_a_held_body_count() {
    let text = |phi| {
        move |m: &mut Assembly| {
            let world = m.add("world", World::new());
            let joint = m.add("joint", Revolute::new().n(Z).phi(phi));
            let body = Body::new().m(1.0).r_cm(X).angles_start(fixed_vector([0.0, 0.0, 0.5]));
            let body = m.add("body", body);
            m.connect(world.frame_b, joint.frame_a);
            m.connect(joint.frame_b, body.frame_a);
        }
    };
    let refused = refusal(text(fixed(0.2)));
    assert!(refused.contains("fixed start value"), "{refused}");
}

#[test]
fn quaternions_are_outputs_and_signals() {
    let text = |m: &mut Assembly, uses_quaternions: bool| {
        m.add("world", World::new().g(0));
        let body =
            Body::new().m(1).r_cm([0; 3]).inertia([1, 2, 3]).use_quaternions(uses_quaternions);
        let body = body.r_0(fixed_vector([0; 3])).v_0(fixed_vector([0; 3]));
        let body = body.angles_start(fixed_vector([0; 3])).w_0_start(fixed_vector([0, 1, 0]));
        let body = m.add("body", body);
        let double = m.add("double", Gain::new().k(2));
        m.connect(body.q[1], double.u);
        m.outputs(body.q);
        m.output("q2", body.q[1]);
        m.output("twice", double.y);
    };
    let half = 0.5f64;
    for uses_quaternions in [true, false] {
        let mut model = start(|m| text(m, uses_quaternions));
        run_to(&mut model, 1.0);
        for (name, expected) in [
            ("body.Q[1]", 0.0),
            ("body.Q[2]", half.sin()),
            ("body.Q[4]", half.cos()),
            ("q2", half.sin()),
            ("twice", 2.0 * half.sin()),
        ] {
            assert!((value(&mut model, name) - expected).abs() < 1e-5, "{name}");
        }
    }
    let sentence = refusal(|m| {
        let world = m.add("world", World::new());
        let joint = m.add("joint", Revolute::new());
        let body = m.add("body", Body::new().m(1).r_cm(X));
        m.connect(world.frame_b, joint.frame_a);
        m.connect(joint.frame_b, body.frame_a);
        m.output("q2", body.q[1]);
    });
    let expected =
        "body.Q[2]: it is read as a signal, but the component has no such variable in this model";
    assert_eq!(sentence, expected);
}
