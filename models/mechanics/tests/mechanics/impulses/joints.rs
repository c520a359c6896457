//! Joints and bodies of the library of impulses: each moves like its counterpart in `multibody`,
//! with start values in degrees.

use crate::common;
use crate::common::counterparts::{INERTIA, INIT, arm, assert_alike, load};
use crate::common::{start, value};
use libraries::impulses;
use libraries::multibody;
use libraries::prelude::*;

const AXIS: [f64; 3] = [0.6, 0.0, 0.8];

#[test]
fn a_revolute_joint_turns_as_in_mechanisms() {
    let ours = |m: &mut Assembly| {
        let joint =
            impulses::Revolute::new().n(AXIS).phi_offset(25.0).phi_start(-40.0).w_start(120.0);
        let joint = m.add("joint", joint.init_type(INIT).enforce_states(true));
        let (arm, load) = (arm(m), load(m));
        m.connect(arm, joint.frame_a);
        m.connect(joint.frame_b, load);
    };
    let theirs = |m: &mut Assembly| {
        let (phi, w) = (fixed(-15_f64.to_radians()), fixed(120_f64.to_radians()));
        let joint = m.add("joint", multibody::Revolute::new().n(AXIS).phi(phi).w(w));
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
        let joint = impulses::Prismatic::new().n(AXIS).s_offset(0.3).s_start(-0.1).v_start(0.7);
        let joint = m.add("joint", joint.init_type(INIT));
        let (arm, load) = (arm(m), load(m));
        m.connect(arm, joint.frame_a);
        m.connect(joint.frame_b, load);
    };
    let theirs = |m: &mut Assembly| {
        let joint = m.add("joint", multibody::Prismatic::new().n(AXIS).s(fixed(0.2)).v(fixed(0.7)));
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
            let joint = impulses::Spherical::new().phi_start(phi).w_start(w).init_type(INIT);
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
        let joint = multibody::Spherical::new().angles_start(fixed_vector(turn));
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
        m.add("world", multibody::World::new().g(9.81));
        let turn = phi.map(f64::to_radians);
        let t = mechanics::orientation::axes_rotations(
            mechanics::orientation::Sequence::XYZ,
            &turn.map(Into::into),
        );
        let w = t.transpose() * mechanics::vector::constant(w.map(f64::to_radians));
        let w = [0, 1, 2].map(|k| w[k].constant_value().expect("a number"));
        let body = multibody::Body::new().m(0.8).r_cm([0.0; 3]).inertia(INERTIA);
        let body = body.r_0(fixed_vector(x)).v_0(fixed_vector(v));
        m.add("body", body.angles_start(fixed_vector(turn)).w_0_start(fixed_vector(w)));
    };
    for quaternions in [true, false] {
        let joint = move |m: &mut Assembly| {
            m.add("world", impulses::World::new().g(9.81));
            let joint = impulses::FreeBodyMovement::new().x_start(x).v_start(v).phi_start(phi);
            let joint = joint.w_start(w).init_type(INIT).use_quaternions(quaternions);
            let joint = m.add("joint", joint);
            let body = m.add("body", impulses::SimpleBody::new().m(0.8).inertia(INERTIA));
            m.connect(joint.frame_b, body.frame_a);
        };
        let mut at = assert_alike(joint, theirs, ["body.frame_a"; 2]);
        assert!((value(&mut at, "joint.a[2]") + 9.81).abs() < 1e-12);
        let body = move |m: &mut Assembly| {
            m.add("world", impulses::World::new().g(9.81));
            let body = impulses::Body::new().m(0.8).inertia(INERTIA).x_start(x).v_start(v);
            let body = body.phi_start(phi).w_start(w).init_type(INIT);
            m.add("body", body.use_quaternions(quaternions));
        };
        let mut at = assert_alike(body, theirs, ["body.frame_a"; 2]);
        assert!((value(&mut at, "body.v[1]") - 1.0).abs() < 1e-12);
        let potential = move |m: &mut Assembly| {
            m.add("world", impulses::World::new().g(9.81));
            let joint = impulses::PotentialFBM::new().x_start(x).v_start(v).phi_start(phi);
            let joint = joint.w_start(w).init_type(INIT).use_quaternions(quaternions);
            let joint = m.add("joint", joint);
            let body = m.add("body", impulses::SimpleBody::new().m(0.8).inertia(INERTIA));
            m.connect(joint.frame_b, body.frame_a);
        };
        assert_alike(potential, theirs, ["body.frame_a"; 2]);
    }
}

#[test]
fn a_body_that_a_joint_holds_has_no_states_of_its_own() {
    let held = |m: &mut Assembly| {
        let arm = arm(m);
        let body = m.add("body", impulses::Body::new().m(0.8).inertia(INERTIA));
        m.connect(arm, body.frame_a);
    };
    let mut at = start(held);
    assert_eq!(at.continuous_states().len(), 2);
    // It publishes its motion nevertheless.
    let v = [1, 2, 3].map(|k| value(&mut at, &format!("body.v[{k}]")));
    assert!(v.iter().any(|v| v.abs() > 0.1), "{v:?}");
}

#[test]
fn a_translational_movement_is_three_slides() {
    let ours = |m: &mut Assembly| {
        m.add("world", impulses::World::new().g(9.81));
        let joint = impulses::FreeTranslationalMovement::new().r([0.5, 0.0, -0.25]);
        let joint = joint.x_start([0.2, 0.5, 0.0]).v_start([1.0, -2.0, 0.5]).init_type(INIT);
        let joint = m.add("joint", joint.enforce_states(true));
        let load = load(m);
        m.connect(joint.frame_b, load);
    };
    let theirs = |m: &mut Assembly| {
        let world = m.add("world", multibody::World::new().g(9.81));
        let mut frame = world.frame_b;
        let starts = [(0.7, 1.0), (0.5, -2.0), (-0.25, 0.5)];
        for (k, (axis, (s, v))) in [X, Y, Z].into_iter().zip(starts).enumerate() {
            let slide = multibody::Prismatic::new().n(axis).s(fixed(s)).v(fixed(v));
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

#[test]
fn a_joint_may_be_excluded_from_impulses() {
    let ball = |reinit: bool| {
        start(move |m: &mut Assembly| {
            let world = m.add("world", impulses::World::new().g(9.81));
            let joint = impulses::FreeTranslationalMovement::new().init_type(INIT);
            let joint = joint.x_start([0.0, 1.5, 0.0]).reinit_by_impulse(reinit);
            let joint = m.add("joint", joint);
            let body = m.add("body", impulses::SimpleBody::new());
            let floor = m.add("floor", impulses::CollisionSpherePlane::new().ra(0.5).rests(false));
            m.connect(joint.frame_b, body.frame_a);
            m.connect(joint.frame_b, floor.frame_a);
            m.connect(world.frame_b, floor.frame_b);
        })
    };
    let t = 0.6_f64;
    for reinit in [true, false] {
        let mut at = ball(reinit);
        common::run_to(&mut at, t);
        let v = value(&mut at, "joint.v[2]");
        let expected = if reinit { 2.0 * (2.0_f64 * 9.81).sqrt() - 9.81 * t } else { -9.81 * t };
        assert!((v - expected).abs() < 1e-6, "{reinit}: {v} {expected}");
    }
}
