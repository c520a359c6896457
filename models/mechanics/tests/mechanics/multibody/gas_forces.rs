//! The gas in a cylinder: its pressure in both strokes, the direction of its force, and refusals.

use crate::common::{refusal, simulate, start, value};
use libraries::prelude::*;
use libraries::translational::{Fixed, GasForce2, Mass};
use std::f64::consts::PI;

const LENGTH: f64 = 0.2;
const DIAMETER: f64 = 0.1;

/// A piston of 2 kg at `x`, with a velocity in m/s away from the top.
fn piston(m: &mut Assembly, x: f64, v: f64) {
    let top = m.add("top", Fixed::new().s0(0.0));
    let gas = m.add("gas", GasForce2::new().L(LENGTH).d(DIAMETER));
    let piston = m.add("piston", Mass::new().m(2.0).s(fixed((1.0 - x) * LENGTH)).v(fixed(v)));
    m.connect(top.flange, gas.flange_a);
    m.connect(gas.flange_b, piston.flange_a);
}

#[test]
fn the_pressure_differs_between_the_strokes_and_drives_the_piston_out() {
    // Position, pressure in bar of compression and of expansion.
    for (x, inwards, outwards) in [
        (0.0, 2.4, 2.4),
        (0.5, 3.0436125, 8.3568),
        (0.95, 13.924663845, 44.573225),
        (0.99, 22.7108196, 56.47785396),
    ] {
        for (v, bar) in [(-1.0, inwards), (1.0, outwards)] {
            let mut model = start(|m| piston(m, x, v));
            let press = value(&mut model, "gas.press");
            assert!((press / (1e5 * bar) - 1.0).abs() < 1e-6, "{press} Pa at {x} with {v} m/s");
            let force = press * PI * DIAMETER * DIAMETER / 4.0;
            assert!((value(&mut model, "gas.f") + force).abs() < 1e-9 * force);
            assert!((value(&mut model, "piston.a") - force / 2.0).abs() < 1e-9 * force);
        }
    }
}

#[test]
fn the_stroke_changes_where_the_piston_turns_round() {
    let mut model = start(|m| piston(m, 0.5, -3.0));
    let mut turns = Vec::new();
    simulate(&mut model, 0.018, |model| {
        turns.push((value(model, "piston.v"), value(model, "gas.press")));
    });
    let [(v, press)] = turns[..] else { panic!("one event: {turns:?}") };
    assert!(v.abs() < 1e-6 && press > 8e5, "{turns:?}");
}

#[test]
fn impossible_cylinders_are_refused() {
    let sentence = refusal(|m| {
        m.add("gas", GasForce2::new().L(LENGTH).d(0.0));
    });
    assert_eq!(sentence, "gas.d = 0 m: must be positive");
}
