//! The orientation of a rolling wheel: the angles are published in all positions, and the motion
//! passes positions in which the angles are singular.

use super::rolling::wheel;
use crate::common::{energy, initialize, refusal, run_to, simulation, start, step, value, vector};
use fmu_runtime::Simulation;
use libraries::multibody::*;
use libraries::prelude::*;
use libraries::rotational;
use nalgebra::{Matrix3, Rotation3, Vector3};
use std::f64::consts::{FRAC_PI_2, PI};

/// The orientation by heading, lean and roll, from wheel to world.
fn turned([heading, lean, roll]: [f64; 3]) -> Matrix3<f64> {
    let about = |axis, angle| Rotation3::from_axis_angle(&axis, angle);
    (about(Vector3::z_axis(), heading)
        * about(Vector3::x_axis(), lean)
        * about(Vector3::y_axis(), roll))
    .into_inner()
}

/// The same by the angles about z, y and x.
fn by_angles(angles: Vector3<f64>) -> Matrix3<f64> {
    Rotation3::from_euler_angles(angles[2], angles[1], angles[0]).into_inner()
}

/// The angles of a rotation, with the second one between minus and plus a quarter turn.
fn angles_of(t: &Matrix3<f64>) -> [f64; 3] {
    let (gamma, beta, psi) = Rotation3::from_matrix_unchecked(*t).euler_angles();
    [psi, beta, gamma]
}

/// The rates of the angles for an angular velocity in the world.
fn rates_of([psi, beta, _]: [f64; 3], w: Vector3<f64>) -> [f64; 3] {
    let columns = [
        Vector3::z(),
        Vector3::new(-psi.sin(), psi.cos(), 0.0),
        Vector3::new(psi.cos() * beta.cos(), psi.sin() * beta.cos(), -beta.sin()),
    ];
    let rates = Matrix3::from_columns(&columns).try_inverse().expect("the angles are regular") * w;
    rates.into()
}

fn coordinates(model: &mut Simulation) -> [f64; 3] {
    ["heading", "lean", "roll"].map(|name| value(model, &format!("wheel1.{name}")))
}

#[test]
fn an_upright_wheel_rolls_through_many_turns() {
    for first in [0.0, FRAC_PI_2, -1.2, 1.5 * PI] {
        let mut model = start(|m| wheel(m, [0.3, first, 0.0], [0.0, 9.0, 0.0]));
        for n in 1..=64 {
            let turned = f64::from(n) * 0.2 * PI;
            run_to(&mut model, turned / 9.0);
            let along = 0.3 * turned;
            for (name, want) in [
                ("x", 0.2 + along * 0.3_f64.cos()),
                ("y", 0.2 + along * 0.3_f64.sin()),
                ("angles[1]", 0.3),
                ("angles[2]", first + turned),
                ("angles[3]", 0.0),
                ("der_angles[1]", 0.0),
                ("der_angles[2]", 9.0),
                ("der_angles[3]", 0.0),
            ] {
                let have = value(&mut model, &format!("wheel1.{name}"));
                let tolerance = if name.starts_with("der") { 1e-5 } else { 1e-8 };
                assert!(
                    (have - want).abs() < tolerance,
                    "{name} after {turned} rad: {have} {want}"
                );
            }
        }
    }
}

#[test]
fn angles_do_not_depend_on_the_steps() {
    for rates in [[0.0, 9.0, 0.0], [0.2, 9.0, 0.0], [-0.1, 9.0, 0.3]] {
        let text = |m: &mut Assembly| wheel(m, [0.3, 0.0, 0.0], rates);
        let (mut far, mut near) = (start(text), start(text));
        run_to(&mut far, 3.0);
        (0..600).for_each(|_| step(&mut near, 5e-3));
        let [far, near] = [&mut far, &mut near].map(|model| vector(model, "wheel1.angles"));
        assert!((far - near).amax() < 1e-6, "{rates:?}: {far} {near}");
    }
}

#[test]
fn angles_describe_the_orientation_and_their_rates_are_their_derivatives() {
    for (angles, rates) in [
        ([0.3, 0.2, -0.25], [0.4, 6.0, -0.7]),
        ([0.0, 0.0, 0.0], [0.0, 5.0, 1.0]),
        ([-2.0, -2.6, 0.4], [0.3, 5.0, 1.0]),
    ] {
        let mut model = start(|m| wheel(m, angles, rates));
        let first = energy(&mut model);
        let mut last = vector(&mut model, "wheel1.angles");
        for n in 0..200 {
            let angles = vector(&mut model, "wheel1.angles");
            let gap = (by_angles(angles) - turned(coordinates(&mut model))).amax();
            assert!(gap < 1e-12, "{gap:e} after {n} steps");
            // The angles turn by 100 rad/s at most.
            assert!((angles - last).amax() < 1.0, "{last} {angles}");
            last = angles;
            if n % 20 == 0 {
                let h = 1e-6;
                let rates = vector(&mut model, "wheel1.der_angles");
                step(&mut model, h);
                let next = vector(&mut model, "wheel1.angles");
                let after = vector(&mut model, "wheel1.der_angles");
                let gap = ((next - angles) / h - (rates + after) * 0.5).amax();
                assert!(gap < 1e-6 * rates.amax().max(1.0).powi(2), "{gap:e} after {n} steps");
            }
            step(&mut model, 5e-3);
        }
        let drift = energy(&mut model) - first;
        assert!(drift.abs() < 1e-7, "{drift:e}");
    }
}

/// Start angles and rates, and position and angles after 0.25 s and 0.5 s, where the angles were
/// states.
type Reference = ([f64; 3], [f64; 3], [[f64; 6]; 2]);

const REFERENCES: [Reference; 3] = [
    (
        [0.3, 0.2, -0.25],
        [0.4, 6.0, -0.7],
        [
            [0.5592984222, 0.4322714410, 0.2944621957, -1.4907411702, 1.3031053172, -2.3333688618],
            [0.8545680030, 0.7376602325, 0.2960264320, -1.9331260775, -0.0067846096, -3.3045355042],
        ],
    ),
    (
        [0.4, 1.2, 2.5],
        [0.3, -2.0, 1.0],
        [
            [0.0422009586, 0.1618170213, 0.2540782891, 0.2610183933, 0.5778297095, 2.4538925521],
            [-0.1708579076, 0.2442436265, 0.0868963962, 0.3905839198, -0.2762262409, 1.6723851950],
        ],
    ),
    (
        [-2.0, -2.6, 0.4],
        [0.3, 5.0, 1.0],
        [
            [0.1853937298, -0.1308013873, 0.2949629958, -3.7542128386, -1.8979630210, 2.5377286649],
            [0.2584083564, -0.4475373039, 0.2929696902, -3.9809456525, -2.8645308585, 3.3672560689],
        ],
    ),
];

/// Compares a started wheel with the reference.
fn follows(model: &mut Simulation, (angles, rates, then): Reference) {
    for (name, want) in [("angles", angles), ("der_angles", rates)] {
        let have = vector(model, &format!("wheel1.{name}"));
        assert!((have - Vector3::from(want)).amax() < 1e-14, "{name}: {have} {want:?}");
    }
    for (t, [x, y, z, psi, beta, gamma]) in [0.25, 0.5].into_iter().zip(then) {
        run_to(model, t);
        let (r_0, angles) = (vector(model, "wheel1.r_0"), vector(model, "wheel1.angles"));
        let gap = (r_0 - Vector3::new(x, y, z)).amax();
        let turn = (angles - Vector3::new(psi, beta, gamma)).amax();
        assert!(gap < 1e-9 && turn < 1e-9, "{t}: {gap:e} {turn:e}");
    }
}

#[test]
fn start_values_mean_what_they_meant_when_the_angles_were_states() {
    for (angles, rates, then) in REFERENCES {
        let mut model = start(|m| wheel(m, angles, rates));
        follows(&mut model, (angles, rates, then));
        let mut model = simulation(|m| wheel(m, [0.1; 3], [0.2; 3])).expect("it is sound");
        for k in 0..3 {
            model.set(&format!("wheel1.angles[{}]", k + 1), angles[k]).expect("it can be set");
            model.set(&format!("wheel1.der_angles[{}]", k + 1), rates[k]).expect("it can be set");
        }
        initialize(&mut model);
        follows(&mut model, (angles, rates, then));
    }
}

#[test]
fn guesses_are_converted_like_initial_conditions() {
    for (angles, rates, then) in REFERENCES {
        let text = |m: &mut Assembly| {
            let wheel = RollingWheel::new().radius(0.3).m(2.0).I_axis(0.06).I_long(0.12);
            let wheel = wheel.x(fixed(0.2)).y(fixed(0.2)).angles(guess_vector(angles));
            m.add("world", World::new().n([0.0, 0.0, -1.0]));
            m.add("wheel1", wheel.der_angles(guess_vector(rates)));
        };
        follows(&mut start(text), (angles, rates, then));
    }
}

#[test]
fn a_wheel_moves_the_same_wherever_its_mark_is() {
    // Heading, lean and roll, and their rates: the published angles pass near their singularity.
    for lean in [1e-9, 0.02, -0.3] {
        let paths = [0.0, FRAC_PI_2 - 0.4, FRAC_PI_2, 2.5].map(|roll| {
            let t = turned([0.3, lean, roll]);
            let w = turned([0.3, lean, 0.0]) * Vector3::new(0.1, 7.0, 0.2);
            let angles = angles_of(&t);
            let rates = if angles[1].cos() > 1e-6 { rates_of(angles, w) } else { return None };
            let mut model = start(|m| wheel(m, angles, rates));
            run_to(&mut model, 0.9);
            let [heading, lean, rolled] = coordinates(&mut model);
            let r_0 = vector(&mut model, "wheel1.r_0");
            let rates = ["der_heading", "der_lean", "der_roll"]
                .map(|name| value(&mut model, &format!("wheel1.{name}")));
            Some([[heading, lean, rolled - roll], r_0.into(), rates].concat())
        });
        let paths: Vec<Vec<f64>> = paths.into_iter().flatten().collect();
        // Rates of the angles exist in the singular position only as far as the wheel leans.
        assert_eq!(paths.len(), if lean < 1e-6 && lean > 0.0 { 3 } else { 4 });
        for path in &paths[1..] {
            let turn = (path[2] - paths[0][2]) / (2.0 * PI);
            assert!((turn - turn.round()).abs() < 1e-8, "{paths:?}");
            for k in (0..9).filter(|&k| k != 2 && k != 0) {
                assert!((path[k] - paths[0][k]).abs() < 1e-7, "{k}: {paths:?}");
            }
        }
    }
}

#[test]
fn a_leaning_wheel_starts_in_the_singular_position_of_its_angles() {
    // With a quarter turn, the wheel's heading is the difference of the others.
    let mut model = start(|m| wheel(m, [0.5, FRAC_PI_2, 0.2], [0.0, 5.0, 0.0]));
    let angles = vector(&mut model, "wheel1.angles");
    assert!((angles - Vector3::new(0.5, FRAC_PI_2, 0.2)).amax() < 1e-14, "{angles}");
    assert!((value(&mut model, "wheel1.heading") - 0.3).abs() < 1e-14);
    for _ in 0..20 {
        step(&mut model, 0.05);
        for name in ["angles", "der_angles"] {
            assert!(vector(&mut model, &format!("wheel1.{name}")).amax().is_finite());
        }
        let gap = by_angles(vector(&mut model, "wheel1.angles")) - turned(coordinates(&mut model));
        assert!(gap.amax() < 1e-9, "{gap}");
    }
}

/// A wheel of which only some start angles and rates are fixed.
fn partly(m: &mut Assembly, angles: [Start; 3], rates: [Start; 3]) {
    m.add("world", World::new().n([0.0, 0.0, -1.0]));
    let wheel = RollingWheel::new().radius(0.3).m(2.0).I_axis(0.06).I_long(0.12);
    m.add("wheel1", wheel.angles(angles).der_angles(rates));
}

#[test]
fn some_fixed_start_angles_are_initial_conditions() {
    let given = [0.4, 0.7, -0.3];
    for mask in 1..7_usize {
        let angles = [0, 1, 2]
            .map(|k| if mask >> k & 1 == 1 { fixed(given[k]) } else { guess(0.9 * given[k]) });
        let mut model = start(|m| partly(m, angles, fixed_vector([0.3, 2.0, 0.5])));
        let have = vector(&mut model, "wheel1.angles");
        for k in (0..3).filter(|k| mask >> k & 1 == 1) {
            assert!((have[k] - given[k]).abs() < 1e-9, "{mask}: {have}");
        }
        let rates = vector(&mut model, "wheel1.der_angles");
        assert!((rates - Vector3::new(0.3, 2.0, 0.5)).amax() < 1e-9, "{mask}: {rates}");
    }
}

#[test]
fn some_fixed_start_rates_are_initial_conditions() {
    let given = [0.4, 2.0, -0.3];
    for mask in 1..7_usize {
        let rates = [0, 1, 2]
            .map(|k| if mask >> k & 1 == 1 { fixed(given[k]) } else { guess(0.9 * given[k]) });
        let mut model = start(|m| partly(m, fixed_vector([0.4, 0.7, -0.3]), rates));
        let have = vector(&mut model, "wheel1.der_angles");
        for k in (0..3).filter(|k| mask >> k & 1 == 1) {
            assert!((have[k] - given[k]).abs() < 1e-12, "{mask}: {have}");
        }
    }
}

#[test]
fn a_wheel_that_lies_flat_is_refused() {
    let sentence = refusal(|m| wheel(m, [0.0, 0.0, FRAC_PI_2], [0.0; 3]));
    assert!(sentence.contains("wheel1"), "{sentence}");
}

#[test]
fn angles_can_be_read_as_signals() {
    let mut model = start(|m| {
        m.add("world", World::new().n([0.0, 0.0, -1.0]));
        let gain = m.add("gain", Gain::new().k(0.1).unit("N.m"));
        let torque = m.add("torque", rotational::Torque::new());
        let inertia = m.add("inertia", rotational::Inertia::new().J(1.0));
        let wheel = RollingWheel::new().radius(0.3).m(2.0).I_axis(0.06).I_long(0.12);
        let wheel = m.add("wheel1", wheel.der_angles(fixed_vector([0.4, 6.0, -0.7])));
        m.connect(wheel.angles[1], gain.u);
        m.connect(gain.y, torque.tau);
        m.connect(torque.flange, inertia.flange_a);
    });
    for _ in 0..5 {
        let angle = value(&mut model, "wheel1.angles[2]");
        assert!((value(&mut model, "inertia.a") - 0.1 * angle).abs() < 1e-12);
        step(&mut model, 0.1);
    }
}

/// An arm that turns about the vertical, at whose end a wheel rolls on an axle.
fn on_arm(m: &mut Assembly, phi: Start, angles: [Start; 3]) {
    let world = m.add("world", World::new().n([0.0, 0.0, -1.0]));
    let post = m.add("post", FixedTranslation::new().r([0.0, 0.0, 0.3]));
    let turn = m.add("turn", Revolute::new().n(Z).phi(phi).w(fixed(0.7)));
    let arm = m.add("arm", FixedTranslation::new().r([0.0, 0.8, 0.0]));
    let axle = m.add("axle", Revolute::new().n(Y));
    let wheel = RollingWheel::new().radius(0.3).m(2.0).I_axis(0.06).I_long(0.12);
    let wheel = wheel.x(free()).y(free()).angles(angles).der_angles(free_vector());
    let wheel = m.add("wheel1", wheel);
    m.chain((world.frame_b, post, turn, arm, axle, wheel.frame_a));
}

#[test]
fn angles_of_a_wheel_in_a_loop_are_continuous() {
    let mut model = start(|m| on_arm(m, fixed(0.2), free_vector()));
    let mut last = vector(&mut model, "wheel1.angles");
    for n in 0..1000 {
        let angles = vector(&mut model, "wheel1.angles");
        let gap = (by_angles(angles) - turned(coordinates(&mut model))).amax();
        assert!(gap < 1e-9, "{gap:e} after {n} steps");
        assert!((angles - last).amax() < 0.1, "{n}: {last} {angles}");
        last = angles;
        step(&mut model, 0.01);
    }
    assert!((last - Vector3::new(0.2 + 6.993, -6.993 * 0.8 / 0.3, 0.0)).amax() < 1e-6, "{last}");
}

#[test]
fn a_fixed_start_angle_of_a_wheel_in_a_loop_determines_the_loop() {
    let given = [fixed(0.3), free(), free()];
    let mut model = start(|m| on_arm(m, free(), given));
    assert!((value(&mut model, "turn.phi") - 0.3).abs() < 1e-9);
}
