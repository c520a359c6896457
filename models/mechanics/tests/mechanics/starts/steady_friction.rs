//! Steady states with friction: initial conditions and the modes that agree with them.

use crate::common::{TOLERANCE, simulation, step, value};
use fmu_runtime::Simulation;
use libraries::prelude::*;
use libraries::rotational as r;

/// A shaft with a bearing, whose friction grows from 0.5 N.m by 0.5 N.m.s/rad, and a constant
/// torque in N.m.
fn turned(m: &mut Assembly, torque: f64, w: Start) {
    let shaft = m.add("shaft", r::Inertia::new().J(0.05).phi(fixed(0.0)).w(w));
    let bearing = m.add("bearing", r::BearingFriction::new().tau_pos([[0.0, 0.5], [1.0, 1.0]]));
    let torque = m.add("torque", r::ConstantTorque::new().tau_constant(torque));
    m.connect(torque.flange, shaft.flange_a);
    m.connect(shaft.flange_b, bearing.flange_a);
    rest(m, shaft.flange_a);
}

/// Requires that a flange has no acceleration at the start.
fn rest(m: &mut Assembly, flange: Flange) {
    let begin = m.add("begin", r::InitializeFlange::new());
    let zero = m.add("a_start", Constant::new().k(0.0));
    m.connect(zero.y, begin.a_start);
    m.connect(begin.flange, flange);
}

/// A model after its start, or why it has none.
fn begin(text: impl FnOnce(&mut Assembly)) -> Result<Simulation, String> {
    let mut model = simulation(text)?;
    model.start(Some(TOLERANCE)).map_err(|why| why.to_string())?;
    Ok(model)
}

#[test]
fn a_shaft_turns_steadily_against_its_bearing() {
    for (torque, wanted) in [(0.8, 0.6), (-0.8, -0.6), (0.3, 0.0), (-0.3, 0.0), (0.0, 0.0)] {
        for w in [guess(0.3), guess(-0.3), guess(0.0), guess(20.0), free()] {
            let mut model = begin(|m| turned(m, torque, w)).expect("a steady state");
            let found = value(&mut model, "shaft.w");
            assert!((found - wanted).abs() < 1e-9, "{torque} N.m, {w:?}: {found}");
            let mode = if wanted == 0.0 { 0.0 } else { f64::signum(wanted) };
            assert_eq!(value(&mut model, "bearing.mode"), mode, "{torque} N.m, {w:?}");
            step(&mut model, 0.1);
            assert!((value(&mut model, "shaft.w") - wanted).abs() < 1e-9);
        }
    }
}

/// A motor that a PI controller holds at `wanted` rad/s, with a drive train on its shaft.
fn controlled(m: &mut Assembly, wanted: f64, w: Start, train: impl FnOnce(&mut Assembly, Flange)) {
    let wanted = m.add("wanted", Constant::new().k(wanted));
    let error = m.add("error", Feedback::new());
    let pi = m.add("pi", PI::new().k(2.0).T(0.4).steady_state(true));
    let torque = m.add("torque", r::Torque::new());
    let shaft = m.add("shaft", r::Inertia::new().J(0.3).phi(fixed(0.0)).w(w));
    let sensor = m.add("sensor", r::SpeedSensor::new());
    m.connect(wanted.y, error.u1);
    m.connect(sensor.w, error.u2);
    m.connect(error.y, pi.u);
    m.connect(pi.y, torque.tau);
    m.connect(torque.flange, shaft.flange_a);
    m.connect(sensor.flange, shaft.flange_b);
    rest(m, shaft.flange_a);
    train(m, shaft.flange_b);
}

/// Friction of 2 N.m at the shaft, in the ways in which a drive train may have it.
fn with_friction(kind: &str, m: &mut Assembly, shaft: Flange) {
    let press = |m: &mut Assembly, y: f64| m.add("press", Constant::new().k(y)).y;
    match kind {
        "bearing" => {
            let bearing =
                m.add("friction", r::BearingFriction::new().tau_pos([[0.0, 2.0], [1.0, 2.0]]));
            m.connect(shaft, bearing.flange_a);
        }
        "brake" => {
            let brake = m.add("friction", r::Brake::new().fn_max(8.0).peak(1.2));
            let press = press(m, 0.5);
            m.connect(press, brake.f_normalized);
            m.connect(shaft, brake.flange_a);
        }
        "clutch" => {
            let clutch = m.add("friction", r::Clutch::new().fn_max(8.0));
            let press = press(m, 0.5);
            let wall = m.add("wall", r::Fixed::new().phi0(0.0));
            m.connect(press, clutch.f_normalized);
            m.connect(shaft, clutch.flange_a);
            m.connect(clutch.flange_b, wall.flange);
        }
        _ => {
            // Bearings with 2 N.m at flange a, and no load.
            let losses = [[0.0, 1.0, 1.0, 2.0, 2.0]];
            let gear = m.add("friction", r::LossyGear::new().ratio(2.0).loss_table(losses));
            let load = m.add("load", r::Inertia::new().J(0.1));
            m.connect(shaft, gear.flange_a);
            m.connect(gear.flange_b, load.flange_a);
        }
    }
}

#[test]
fn a_controlled_shaft_starts_in_its_steady_state_with_friction() {
    for kind in ["bearing", "brake", "clutch", "gear"] {
        for wanted in [30.0, -30.0] {
            for w in [guess(20.0), guess(-20.0), guess(0.0), free()] {
                let text = format!("{kind}, {wanted} rad/s, {w:?}");
                let model = begin(|m| controlled(m, wanted, w, |m, s| with_friction(kind, m, s)));
                let mut model = model.unwrap_or_else(|why| panic!("{text}: {why}"));
                let found = ["shaft.w", "pi.x", "friction.mode"];
                let found = found.map(|name| value(&mut model, name));
                let sign = f64::signum(wanted);
                // The clutch measures the speed from the shaft to the wall.
                let mode = if kind == "clutch" { -sign } else { sign };
                let expected = [wanted, sign, mode];
                let near = |(a, b): (&f64, &f64)| (a - b).abs() < 1e-9;
                assert!(found.iter().zip(&expected).all(near), "{text}: {found:?}");
                step(&mut model, 0.1);
                assert!((value(&mut model, "shaft.w") - wanted).abs() < 1e-9, "{text}");
            }
        }
    }
}

/// Friction that falls from 0.5 N.m at rest to 0.2 N.m from 1 rad/s on.
fn falling(m: &mut Assembly, torque: f64, w: Start) {
    let shaft = m.add("shaft", r::Inertia::new().J(0.05).phi(fixed(0.0)).w(w));
    let rows = [[0.0, 0.5], [1.0, 0.2], [2.0, 0.2]];
    let bearing = m.add("bearing", r::BearingFriction::new().tau_pos(rows));
    let torque = m.add("torque", r::ConstantTorque::new().tau_constant(torque));
    m.connect(torque.flange, shaft.flange_a);
    m.connect(shaft.flange_b, bearing.flange_a);
    rest(m, shaft.flange_a);
}

#[test]
fn the_guess_of_the_speed_decides_between_rest_and_sliding() {
    for (w, wanted) in [(guess(0.3), 1.0 / 3.0), (guess(0.0), 0.0), (free(), 0.0)] {
        let mut model = begin(|m| falling(m, 0.4, w)).expect("a steady state");
        let found = value(&mut model, "shaft.w");
        assert!((found - wanted).abs() < 1e-9, "{w:?}: {found}");
        assert!(value(&mut model, "shaft.a").abs() < 1e-9);
    }
}

#[test]
fn a_torque_that_no_friction_balances_is_refused_with_the_name_of_the_bearing() {
    let why = begin(|m| falling(m, 0.8, guess(2.0))).expect_err("there is no steady state");
    let (what, modes) = why.split_once("; ").expect("two parts");
    let system = "t=0 initial accelerations by begin, which determine shaft.w";
    assert_eq!(what, format!("{system}: the equations are singular here"));
    let expected = "nor is there a solution in other modes of bearing: w > 0, bearing: w < 0";
    assert_eq!(modes, expected);
}

#[test]
fn friction_at_rest_and_friction_that_slides_start_side_by_side() {
    for torques in [[0.8, 0.3], [0.3, -0.8], [-0.3, -0.2], [1.5, 0.9]] {
        let mut model = begin(|m| {
            for (k, torque) in torques.into_iter().enumerate() {
                let shaft = r::Inertia::new().J(0.05).phi(fixed(0.0)).w(guess(0.4));
                let shaft = m.add(format!("shaft{k}"), shaft);
                let rows = [[0.0, 0.5], [1.0, 1.0]];
                let bearing = m.add(format!("bearing{k}"), r::BearingFriction::new().tau_pos(rows));
                let torque = r::ConstantTorque::new().tau_constant(torque);
                let torque = m.add(format!("torque{k}"), torque);
                let begin = m.add(format!("begin{k}"), r::InitializeFlange::new());
                let zero = m.add(format!("a_start{k}"), Constant::new().k(0.0));
                m.connect(torque.flange, shaft.flange_a);
                m.connect(shaft.flange_b, bearing.flange_a);
                m.connect(zero.y, begin.a_start);
                m.connect(begin.flange, shaft.flange_a);
            }
        })
        .expect("a steady state");
        for (k, torque) in torques.into_iter().enumerate() {
            let wanted = f64::signum(torque) * ((f64::abs(torque) - 0.5) / 0.5).max(0.0);
            let found = value(&mut model, &format!("shaft{k}.w"));
            assert!((found - wanted).abs() < 1e-9, "{torques:?}: {found}");
        }
    }
}
