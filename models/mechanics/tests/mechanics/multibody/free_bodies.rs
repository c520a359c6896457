//! Free bodies: invariants of their motion, whatever describes their orientation.

use crate::common::{
    derivatives, energy, refusal, set_states, simulation, start, step, value, vector,
};
use mechanics::multibody::*;
use mechanics::prelude::*;
use nalgebra::Vector3;

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

#[test]
fn angles_fail_where_their_first_and_last_axis_are_parallel_and_nowhere_else() {
    let mut model = start(|m| turning(m, 0.0));
    // Position and speed of three slides, then of the angles.
    let phi_2 = 8;
    let mut x = model.continuous_states().to_vec();
    for angle in [0.5, 1.5, 1.569, 1.573, 2.0, -1.5, 4.0] {
        x[phi_2] = angle;
        set_states(&mut model, &x);
        assert_eq!(value(&mut model, "body.phi[2]"), angle);
        assert!(derivatives(&mut model).iter().all(|dx| dx.is_finite()));
    }
    for angle in [1.570, 0.5 * std::f64::consts::PI, 1.571, -1.5709] {
        x[phi_2] = angle;
        model.move_to(0.0, &x).expect_err("the angles are singular");
    }
}

#[test]
fn start_angles_that_are_singular_are_refused() {
    for angle in [0.5 * std::f64::consts::PI, 1.5709] {
        let error = simulation(|m| turning(m, angle)).expect_err("it is refused");
        assert!(error.starts_with("body: the start values make the first"), "{error}");
    }
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
