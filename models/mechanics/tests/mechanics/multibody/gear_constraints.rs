//! Gears between shafts in space: published and 1-D motion, momentum, energy, and gears in loops.

use crate::common::{energy, program, run_to, simulation, start, step, value};
use fmu_runtime::Simulation;
use libraries::multibody::*;
use libraries::prelude::*;
use libraries::rotational::{IdealGear, Inertia};
use nalgebra::{Matrix3, Vector3};
use std::f64::consts::PI;

/// The published example: two cylinders on a gear in the world, and the same drive train in 1-D.
fn example(m: &mut Assembly) {
    let world = m.add("world", World::new().g(0.0));
    let gear = GearConstraint::new().ratio(10.0).phi_b(fixed(0.0)).w_b(fixed(0.0));
    let gear = m.add("gearConstraint", gear);
    let cylinder = |d| BodyCylinder::new().r([0.4, 0.0, 0.0]).diameter(d);
    let cyl1 = m.add("cyl1", cylinder(0.1));
    let cyl2 = m.add("cyl2", cylinder(0.2));
    let sine = m.add("sine", Sine::new().amplitude(2.0).f(1.0));
    let zero = m.add("zero", Constant::new().k(0.0));
    let torque = m.add("torque", libraries::multibody::Torque::new());
    m.connect(world.frame_b, gear.bearing);
    m.connect(cyl1.frame_b, gear.frame_a);
    m.connect(gear.frame_b, cyl2.frame_a);
    m.connect(torque.frame_a, world.frame_b);
    m.connect(torque.frame_b, cyl1.frame_a);
    m.connect([sine.y, zero.y, zero.y], torque.torque);

    let axial = |d: f64| 7700.0 * PI * 0.4 * (d / 2.0).powi(2) * (d / 2.0).powi(2) / 2.0;
    let inertia1 = Inertia::new().J(axial(0.1)).phi(fixed(0.0)).w(fixed(0.0));
    let inertia1 = m.add("inertia1", inertia1);
    let ideal = m.add("idealGear", IdealGear::new().ratio(10.0));
    let inertia2 = m.add("inertia2", Inertia::new().J(axial(0.2)));
    let torque2 = m.add("torque2", libraries::rotational::Torque::new());
    m.connect(sine.y, torque2.tau);
    m.connect(torque2.flange, inertia1.flange_a);
    m.connect(inertia1.flange_b, ideal.flange_a);
    m.connect(ideal.flange_b, inertia2.flange_a);
}

#[test]
fn a_gear_turns_as_published_and_as_in_one_dimension() {
    let mut model = start(example);
    let published = [
        (0.5, 0.453747748, 1.8149783),
        (1.0, 0.90749084, 0.0),
        (2.0, 1.8149794, 0.0),
        (5.0, 4.53744794, 0.0),
    ];
    for (t, phi, w) in published {
        run_to(&mut model, t);
        let phi_b = value(&mut model, "gearConstraint.actuatedRevolute_b.phi");
        let w_b = value(&mut model, "gearConstraint.actuatedRevolute_b.w");
        assert!((phi_b - phi).abs() < 1e-5, "phi at {t} s: {phi_b} is not {phi}");
        assert!((w_b - w).abs() < 1e-5, "w at {t} s: {w_b} is not {w}");
        let (phi_2, w_2) = (value(&mut model, "inertia2.phi"), value(&mut model, "inertia2.w"));
        assert!((phi_b - phi_2).abs() < 1e-12 && (w_b - w_2).abs() < 1e-11, "{phi_b} {phi_2}");
        for [shown, own] in [["phi_b", "phi"], ["w_b", "w"], ["a_b", "a"]] {
            let shown = value(&mut model, &format!("gearConstraint.{shown}"));
            let own = value(&mut model, &format!("gearConstraint.actuatedRevolute_b.{own}"));
            assert_eq!(shown, own);
        }
    }
}

#[test]
fn either_shaft_of_a_gear_may_have_the_start_values() {
    let run = |gear: GearConstraint| {
        let mut model = start(|m| {
            add! { m,
                world: World::new(),
                gear: gear.ratio(10),
                arm: BodyCylinder::new().r([0.4, 0.1, 0.0]),
            }
            m.connect(world.frame_b, gear.bearing);
            m.connect(gear.frame_a, arm.frame_a);
        });
        run_to(&mut model, 0.3);
        ["a.phi", "a.w", "b.phi", "b.w"]
            .map(|name| value(&mut model, &format!("gear.actuatedRevolute_{name}")))
    };
    let first = run(GearConstraint::new().phi_a(fixed(0.5)).w_a(fixed(2)));
    let second = run(GearConstraint::new().phi_b(fixed(0.05)).w_b(fixed(0.2)));
    for (one, other) in first.into_iter().zip(second) {
        assert!((one - other).abs() < 1e-8 * other.abs().max(1.0), "{one} is not {other}");
    }
}

const RATIO: f64 = -2.5;
const HOUSING: [f64; 3] = [0.4, 0.5, 0.3];
const SHAFT_A: [f64; 3] = [0.02, 0.03, 0.025];
const SHAFT_B: [f64; 3] = [0.06, 0.05, 0.08];
const R_CM: [[f64; 3]; 3] = [[0.0, 0.1, 0.05], [0.1, -0.05, 0.1], [-0.1, 0.1, 0.0]];

/// A housing in free flight with two shafts in any directions.
fn flying(m: &mut Assembly) {
    m.add("world", World::new().g(0.0));
    let housing = Body::new().m(2.0).r_cm(R_CM[0]).inertia(HOUSING);
    let housing = housing
        .angles_start(fixed_vector([0.0; 3]))
        .r_0(fixed_vector([0.0; 3]))
        .v_0(fixed_vector([0.3, -0.2, 0.1]))
        .w_0_start(fixed_vector([0.8, -0.4, 0.5]));
    let housing = m.add("housing", housing);
    let gear = GearConstraint::new()
        .ratio(RATIO)
        .n_a([0.3, 1.0, -0.2])
        .n_b([1.0, 0.2, 0.4])
        .r_a([0.2, 0.1, -0.1])
        .r_b([-0.1, 0.3, 0.2])
        .phi_b(fixed(0.2))
        .w_b(fixed(3.0));
    let gear = m.add("gear", gear);
    let a = m.add("a", Body::new().m(0.7).r_cm(R_CM[1]).inertia(SHAFT_A));
    let b = m.add("b", Body::new().m(1.1).r_cm(R_CM[2]).inertia(SHAFT_B));
    m.connect(housing.frame_a, gear.bearing);
    m.connect(gear.frame_a, a.frame_a);
    m.connect(gear.frame_b, b.frame_a);
    for (name, frame) in [("housing", housing.frame_a), ("a", a.frame_a), ("b", b.frame_a)] {
        for (axis, r) in ["x", "y", "z"].into_iter().zip([X, Y, Z]) {
            let arm = m.add(format!("{name}_arm_{axis}"), FixedTranslation::new().r(r));
            let probe = m.add(format!("{name}_{axis}"), PointMass::new().m(0.0));
            m.connect(frame, arm.frame_a);
            m.connect(arm.frame_b, probe.frame_a);
        }
    }
}

/// Momentum and angular momentum about the origin.
fn momenta(model: &mut Simulation) -> (Vector3<f64>, Vector3<f64>) {
    let mut vector =
        |name: String| Vector3::from_fn(|i, _| value(model, &format!("{name}[{}]", i + 1)));
    let (mut p, mut l) = (Vector3::zeros(), Vector3::zeros());
    let bodies = [
        ("housing", 2.0, R_CM[0], HOUSING),
        ("a", 0.7, R_CM[1], SHAFT_A),
        ("b", 1.1, R_CM[2], SHAFT_B),
    ];
    for (name, m, r_cm, inertia) in bodies {
        let r_0 = vector(format!("{name}.r_0"));
        let axes = ["x", "y", "z"].map(|axis| vector(format!("{name}_{axis}.r_0")) - r_0);
        let out = Matrix3::from_columns(&axes);
        let (r_cm, w) = (Vector3::from(r_cm), vector(format!("{name}.w_a")));
        let v = vector(format!("{name}.v_0")) + out * w.cross(&r_cm);
        p += v * m;
        l += (r_0 + out * r_cm).cross(&(v * m))
            + out * Matrix3::from_diagonal(&Vector3::from(inertia)) * w;
    }
    (p, l)
}

#[test]
fn a_flying_gear_keeps_momentum_and_energy() {
    let mut model = start(flying);
    let (p, l) = momenta(&mut model);
    let first = energy(&mut model);
    assert!(l.norm() > 0.1);
    step(&mut model, 0.4);
    let (p_now, l_now) = momenta(&mut model);
    assert!((p_now - p).norm() < 1e-9, "{p} {p_now}");
    assert!((l_now - l).norm() < 1e-9, "{l} {l_now}");
    let drift = energy(&mut model) - first;
    assert!(drift.abs() < 1e-9, "{drift:e}");
    let phi_a = value(&mut model, "gear.actuatedRevolute_a.phi");
    let phi_b = value(&mut model, "gear.phi_b");
    assert!((phi_a - RATIO * phi_b).abs() < 1e-12 && phi_b > 0.5, "{phi_a} {phi_b}");
}

/// The joint whose coordinate is the state of the five-bar.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Leader {
    Gear,
    Knee,
    Any,
}

/// Two cranks on a gear, whose tips are joined by two rods: one degree of freedom, and that of the
/// housing.
fn five_bar(m: &mut Assembly, leader: Leader, ratio: f64) {
    let world = m.add("world", World::new());
    let swing = m.add("swing", Revolute::new().n([0.2, 0.1, 1.0]).phi(fixed(0.3)).w(fixed(0.7)));
    let housing =
        m.add("housing", Body::new().m(1.0).r_cm([0.1, -0.3, 0.05]).inertia([0.1, 0.2, 0.3]));
    let mut gear = GearConstraint::new()
        .ratio(ratio)
        .n_a(Z)
        .n_b(Z)
        .r_a([-0.3, 0.0, 0.0])
        .r_b([0.3, 0.0, 0.0])
        .phi_b(fixed(0.4))
        .w_b(fixed(2.0));
    let mut knee = Revolute::new().n(Z).phi(guess(-1.0));
    match leader {
        Leader::Gear => gear = gear.states(Always),
        Leader::Knee => knee = knee.states(Always),
        Leader::Any => {}
    }
    let gear = m.add("gear", gear);
    let bar = |x: f64, y: f64| {
        BodyShape::new()
            .r([x, y, 0.0])
            .r_cm([x / 2.0, y / 2.0, 0.0])
            .m(0.5)
            .inertia([0.01, 0.01, 0.02])
    };
    let crank_a = m.add("crank_a", bar(0.0, 0.3));
    let crank_b = m.add("crank_b", bar(0.0, 0.3));
    let (rod_a, rod_b) = (m.add("rod_a", bar(0.3, 0.4)), m.add("rod_b", bar(-0.3, 0.4)));
    let elbow_a = m.add("elbow_a", Revolute::new().n(Z));
    let elbow_b = m.add("elbow_b", Revolute::new().n(Z));
    let knee = m.add("knee", knee);
    m.connect(world.frame_b, swing.frame_a);
    m.connect(swing.frame_b, housing.frame_a);
    m.connect(housing.frame_a, gear.bearing);
    m.connect(gear.frame_a, crank_a.frame_a);
    m.connect(gear.frame_b, crank_b.frame_a);
    m.connect(crank_a.frame_b, elbow_a.frame_a);
    m.connect(elbow_a.frame_b, rod_a.frame_a);
    m.connect(crank_b.frame_b, elbow_b.frame_a);
    m.connect(elbow_b.frame_b, rod_b.frame_a);
    m.connect(rod_a.frame_b, knee.frame_a);
    m.connect(knee.frame_b, rod_b.frame_b);
}

#[test]
fn a_gear_in_a_loop_on_a_moving_housing_keeps_the_energy() {
    // With the first ratio the elbows meet at 0.28 s: from there the loop may move in several ways.
    for (ratio, steps) in [(-1.0, 400), (2.0, 800), (-0.5, 800)] {
        let mut model = start(|m| five_bar(m, Leader::Any, ratio));
        let first = energy(&mut model);
        for n in 0..steps {
            let phi_a = value(&mut model, "gear.actuatedRevolute_a.phi");
            let phi_b = value(&mut model, "gear.actuatedRevolute_b.phi");
            let gap = phi_a - ratio * phi_b;
            assert!(gap.abs() < 1e-11, "{ratio}, step {n}: {phi_a} {phi_b}");
            step(&mut model, 5e-4);
        }
        let drift = energy(&mut model) - first;
        assert!(drift.abs() < 1e-9, "{ratio}: {drift:e}");
    }
}

#[test]
fn a_loop_that_closes_at_a_gear_closes_with_the_angle_of_the_gear() {
    for leader in [Leader::Any, Leader::Gear, Leader::Knee] {
        let mut model = start(|m| five_bar(m, leader, -1.0));
        let [a, b] = ["rod_a", "rod_b"].map(|rod| {
            Vector3::from_fn(|i, _| value(&mut model, &format!("{rod}.r_0[{}]", i + 1)))
        });
        // The cranks lean towards each other by 0.4 rad.
        let apart = 0.6 - 2.0 * 0.3 * 0.4_f64.sin();
        assert!(((a - b).norm() - apart).abs() < 1e-12, "{leader:?}: {a} {b}");
    }
}

#[test]
fn a_gear_in_a_loop_moves_alike_whatever_joint_leads() {
    // With the second ratio the knee stands still for an instant at 0.09 s: then it cannot lead.
    for (ratio, steps) in [(-1.0, 100), (2.0, 20)] {
        let mut models =
            [Leader::Any, Leader::Gear, Leader::Knee].map(|l| start(|m| five_bar(m, l, ratio)));
        for _ in 0..5 {
            for name in ["gear.phi_b", "gear.w_b", "gear.a_b", "swing.phi", "swing.w", "knee.w"] {
                let values = models.each_mut().map(|model| value(model, name));
                let near = values.iter().all(|v| (v - values[0]).abs() < 1e-9);
                assert!(near, "{ratio}, {name}: {values:?}");
            }
            for model in &mut models {
                for _ in 0..steps {
                    step(model, 5e-4);
                }
            }
        }
    }
}

#[test]
fn three_joints_two_of_which_are_on_a_gear_are_no_dyad() {
    for (leader, loops) in [(Leader::Gear, 1), (Leader::Knee, 0)] {
        let program = program(|m| five_bar(m, leader, -1.0)).expect("the model is sound");
        assert_eq!(program.closed_forms().len(), loops, "{leader:?}");
    }
}

#[test]
fn a_ratio_of_zero_is_refused() {
    let refused = simulation(|m| {
        let world = m.add("world", World::new());
        let gear = m.add("gear", GearConstraint::new().ratio(0.0));
        m.connect(world.frame_b, gear.bearing);
    });
    let sentence = refused.err().unwrap_or_default();
    assert!(sentence.contains("gear.idealGear.ratio = 0: must not be zero"), "{sentence}");
}
