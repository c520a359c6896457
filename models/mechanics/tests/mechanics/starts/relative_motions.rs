//! Initial conditions on the relative motion of two frames.

use crate::common::{along, simulation, start, step, value};
use fmu_runtime::Simulation;
use libraries::multibody::*;
use libraries::prelude::*;
use nalgebra::{Matrix3, Vector3};

fn three(model: &mut Simulation, name: &str) -> [f64; 3] {
    [1, 2, 3].map(|k| value(model, &format!("{name}_{k}")))
}

/// A rotating arm that carries a point, and a separate body, with `init` between point and body.
fn apart(m: &mut Assembly, init: FreeMotionScalarInit, body: Body) {
    let world = m.add("world", World::new());
    let swing = m.add("swing", Revolute::new().n([0.2, 1.0, 0.5]).phi(fixed(0.4)).w(fixed(1.3)));
    let arm =
        BodyShape::new().r([0.4, 0.2, -0.1]).r_cm([0.2, 0.1, 0.0]).m(1.5).inertia([0.1, 0.2, 0.15]);
    let arm = m.add("arm", arm);
    let body = m.add("body", body.inertia([0.05, 0.07, 0.03]));
    let init = m.add("init", init);
    m.connect(world.frame_b, swing.frame_a);
    m.connect(swing.frame_b, arm.frame_a);
    m.connect(arm.frame_b, init.frame_a);
    m.connect(init.frame_b, body.frame_a);
}

fn body() -> Body {
    Body::new().m(0.8).r_cm([0.2, -0.1, 0.3])
}

const R: [f64; 3] = [0.3, -0.7, 0.5];
const V: [f64; 3] = [1.0, 0.4, -0.8];
const ANGLE: [f64; 3] = [0.3, -0.5, 0.9];
const W: [f64; 3] = [0.6, -1.1, 0.7];

fn everything() -> FreeMotionScalarInit {
    FreeMotionScalarInit::new()
        .r_rel_a(fixed_vector(R))
        .v_rel_a(fixed_vector(V))
        .a_rel_a(guess_vector([0.0; 3]))
        .sequence_start([3, 1, 2])
        .angle(fixed_vector(ANGLE))
        .angle_d(guess_vector([0.0; 3]))
        .angle_dd(guess_vector([0.0; 3]))
        .w_rel_b(fixed_vector(W))
        .z_rel_b(guess_vector([0.0; 3]))
}

/// Asserts that each group of scalars is the derivative of another one.
fn assert_derivatives(model: &mut Simulation, groups: &[[&str; 2]]) {
    let h = 1e-4;
    for [of, rate] in groups {
        let now = three(model, rate);
        let near = along(model, &[h, -h], |model| three(model, of));
        for i in 0..3 {
            let slope = (near[0][i] - near[1][i]) / (2.0 * h);
            let gap = (slope - now[i]).abs();
            assert!(gap < 1e-6, "{rate}_{}: {} is not {slope}", i + 1, now[i]);
        }
    }
}

const GROUPS: [[&str; 2]; 5] = [
    ["init.r_rel_a", "init.v_rel_a"],
    ["init.v_rel_a", "init.a_rel_a"],
    ["init.angle", "init.angle_d"],
    ["init.angle_d", "init.angle_dd"],
    ["init.w_rel_b", "init.z_rel_b"],
];

#[test]
fn scalars_start_where_they_are_fixed_and_are_derivatives_of_each_other() {
    let mut model = start(|m| apart(m, everything(), body()));
    assert_eq!(model.continuous_states().len(), 14, "angles are states, not a quaternion");
    let wanted = [("r_rel_a", R), ("v_rel_a", V), ("angle", ANGLE), ("w_rel_b", W)];
    for (name, wanted) in wanted {
        let have = three(&mut model, &format!("init.{name}"));
        let near = (0..3).all(|k| (have[k] - wanted[k]).abs() < 1e-12);
        assert!(near, "{name}: {have:?} is not {wanted:?}");
    }
    for _ in 0..3 {
        assert_derivatives(&mut model, &GROUPS);
    }
}

#[test]
fn conditions_without_angles_leave_the_body_its_quaternion() {
    let init = FreeMotionScalarInit::new()
        .r_rel_a(fixed_vector(R))
        .v_rel_a(fixed_vector(V))
        .w_rel_b(fixed_vector(W));
    let mut model = start(|m| apart(m, init, body().angles_start(fixed_vector(ANGLE))));
    assert_eq!(model.continuous_states().len(), 15);
    for (name, wanted) in [("r_rel_a", R), ("v_rel_a", V), ("w_rel_b", W)] {
        let have = three(&mut model, &format!("init.{name}"));
        let near = (0..3).all(|k| (have[k] - wanted[k]).abs() < 1e-11);
        assert!(near, "{name}: {have:?} is not {wanted:?}");
    }
    assert_derivatives(&mut model, &GROUPS[..1]);
}

/// Adds probes of the axes of a frame.
fn probed(m: &mut Assembly, frame: Frame) {
    for (axis, r) in ["x", "y", "z"].into_iter().zip([X, Y, Z]) {
        let arm = m.add(format!("arm_{axis}"), FixedTranslation::new().r(r));
        let probe = m.add(format!("probe_{axis}"), PointMass::new().m(0.0));
        m.connect(frame, arm.frame_a);
        m.connect(arm.frame_b, probe.frame_a);
    }
}

fn world_vector(model: &mut Simulation, name: &str) -> Vector3<f64> {
    Vector3::from_fn(|i, _| value(model, &format!("{name}[{}]", i + 1)))
}

/// The orientation of the body: it maps coordinates of the world to its own.
fn orientation(model: &mut Simulation) -> Matrix3<f64> {
    let r_0 = world_vector(model, "body.r_0");
    let axes = ["x", "y", "z"].map(|axis| world_vector(model, &format!("probe_{axis}.r_0")) - r_0);
    Matrix3::from_columns(&axes).transpose()
}

#[test]
fn a_body_moves_alike_whatever_its_start_is_measured_from() {
    let mut relative = start(|m| {
        let world = m.add("world", World::new());
        let swing =
            m.add("swing", Revolute::new().n([0.2, 1.0, 0.5]).phi(fixed(0.4)).w(fixed(1.3)));
        let arm = m.add("arm", BodyShape::new().r([0.4, 0.2, -0.1]).r_cm([0.2, 0.1, 0.0]).m(1.5));
        let body = m.add("body", body().inertia([0.05, 0.07, 0.03]));
        let init = m.add("init", everything());
        m.connect(world.frame_b, swing.frame_a);
        m.connect(swing.frame_b, arm.frame_a);
        m.connect(arm.frame_b, init.frame_a);
        m.connect(init.frame_b, body.frame_a);
        probed(m, body.frame_a);
    });
    let t = orientation(&mut relative);
    let of = |v: Vector3<f64>| fixed_vector([v.x, v.y, v.z]);
    let [r_0, v_0, w_a] =
        ["body.r_0", "body.v_0", "body.w_a"].map(|name| world_vector(&mut relative, name));
    let angles = Vector3::new(
        (-t[(2, 1)]).atan2(t[(2, 2)]),
        t[(2, 0)].asin(),
        (-t[(1, 0)]).atan2(t[(0, 0)]),
    );
    let mut free = start(|m| {
        m.add("world", World::new());
        let body = body().inertia([0.05, 0.07, 0.03]).r_0(of(r_0)).v_0(of(v_0));
        let body = body.angles_start(of(angles)).w_0_start(of(t.transpose() * w_a));
        let body = m.add("body", body);
        probed(m, body.frame_a);
    });
    for _ in 0..5 {
        for name in ["body.r_0", "body.v_0", "body.a_0", "body.w_a", "body.z_a"] {
            let (a, b) = (world_vector(&mut relative, name), world_vector(&mut free, name));
            assert!((a - b).norm() < 1e-9, "{name}: {a} {b}");
        }
        let (a, b) = (orientation(&mut relative), orientation(&mut free));
        assert!((a - b).norm() < 1e-9, "{a} {b}");
        step(&mut relative, 0.1);
        step(&mut free, 0.1);
    }
}

#[test]
fn an_acceleration_may_be_fixed_where_the_scalars_are_coordinates() {
    let a = [guess(0.0), fixed(0.25), guess(0.0)];
    let init = FreeMotionScalarInit::new()
        .r_rel_a([fixed(0.3), guess(-0.7), fixed(0.5)])
        .v_rel_a(fixed_vector(V))
        .a_rel_a(a)
        .angle(fixed_vector(ANGLE))
        .angle_d(fixed_vector([0.5, -0.2, 0.1]));
    let mut model = start(|m| apart(m, init, body()));
    let have = three(&mut model, "init.a_rel_a");
    assert!((have[1] - 0.25).abs() < 1e-9, "{have:?}");
}

fn refusal(init: FreeMotionScalarInit, held: bool) -> String {
    let refused = simulation(|m| {
        let world = m.add("world", World::new());
        let body = m.add("body", body());
        let init = m.add("init", init);
        m.connect(world.frame_b, init.frame_a);
        m.connect(init.frame_b, body.frame_a);
        if held {
            let joint = m.add("joint", Revolute::new());
            m.connect(world.frame_b, joint.frame_a);
            m.connect(joint.frame_b, body.frame_a);
        }
    });
    refused.err().unwrap_or_default()
}

#[test]
fn conditions_that_cannot_be_met_are_refused() {
    let fix = [fixed(2.0), guess(0.0), guess(0.0)];
    let zero = guess_vector([0.0; 3]);
    let z = refusal(FreeMotionScalarInit::new().angle(zero).z_rel_b(fix), false);
    assert!(z.contains("init.z_rel_b_1: 2 rad/s2"), "{z}");
    let a = refusal(FreeMotionScalarInit::new().angle(zero).a_rel_a(fix), true);
    assert!(a.contains("init.r_rel_a_1") && a.contains("acceleration"), "{a}");
    let r = refusal(FreeMotionScalarInit::new().r_rel_a(fix), true);
    assert!(r.contains("init.r_rel_a_1"), "{r}");
    let sequence = refusal(FreeMotionScalarInit::new().sequence_start([1, 1, 2]), false);
    assert!(sequence.contains("init.sequence_start"), "{sequence}");
    let nan = refusal(FreeMotionScalarInit::new().w_rel_b([guess(f64::NAN); 3]), false);
    assert_eq!(nan, "init.w_rel_b_1 = NaN rad/s: must be a finite number");
}
