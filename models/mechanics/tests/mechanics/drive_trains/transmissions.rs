//! Ideal transmissions: reduced inertias, planetary gears, and equivalent arrangements.

use crate::common::{Random, set_states, settle, start, step, value};
use libraries::prelude::*;
use libraries::{rotational as r, translational as t};

/// A transmission that loads a shaft, made with a ratio, and the moment of inertia in kg.m2 to
/// which it is equivalent at that ratio.
type Load = (&'static str, fn(&mut Assembly, f64) -> Flange, fn(f64) -> f64);

const J: f64 = 0.7;
const M: f64 = 2.5;

const LOADS: &[Load] = &[
    (
        "a gear",
        |m, ratio| {
            let gear = m.add("gear", r::IdealGear::new().ratio(ratio));
            let load = m.add("load", r::Inertia::new().J(J));
            m.connect(gear.flange_b, load.flange_a);
            gear.flange_a
        },
        |ratio| J / ratio.powi(2),
    ),
    (
        "a gear the other way round",
        |m, ratio| {
            let gear = m.add("gear", r::IdealGear::new().ratio(ratio));
            let load = m.add("load", r::Inertia::new().J(J));
            m.connect(gear.flange_a, load.flange_a);
            gear.flange_b
        },
        |ratio| J * ratio.powi(2),
    ),
    (
        "two gears with an inertia between them",
        |m, ratio| {
            let first = m.add("first", r::IdealGear::new().ratio(ratio));
            let middle = m.add("middle", r::Inertia::new().J(J));
            let second = m.add("second", r::IdealGear::new().ratio(-3.0));
            let load = m.add("load", r::Inertia::new().J(2.0 * J));
            m.connect(first.flange_b, middle.flange_a);
            m.connect(middle.flange_b, second.flange_a);
            m.connect(second.flange_b, load.flange_a);
            first.flange_a
        },
        |ratio| (J + 2.0 * J / 9.0) / ratio.powi(2),
    ),
    (
        "a planetary gear whose ring is held",
        |m, ratio| {
            let gear = m.add("gear", r::IdealPlanetary::new().ratio(ratio.abs()));
            let load = m.add("load", r::Inertia::new().J(J));
            let wall = m.add("wall", r::Fixed::new());
            m.connect(gear.ring, wall.flange);
            m.connect(gear.carrier, load.flange_a);
            gear.sun
        },
        |ratio| J / (1.0 + ratio.abs()).powi(2),
    ),
    (
        "a gear from rotation to translation",
        |m, ratio| {
            let gear = m.add("gear", r::IdealGearR2T::new().ratio(ratio));
            let load = m.add("load", t::Mass::new().m(M).L(0.3));
            m.connect(gear.flange_t, load.flange_a);
            gear.flange_r
        },
        |ratio| M / ratio.powi(2),
    ),
    (
        "a wheel that carries a mass",
        |m, radius| {
            let wheel = m.add("wheel", r::IdealRollingWheel::new().radius(radius));
            let load = m.add("load", t::Mass::new().m(M));
            m.connect(wheel.flange_t, load.flange_b);
            wheel.flange_r
        },
        |radius| M * radius.powi(2),
    ),
];

#[test]
fn a_gear_train_is_its_reduced_inertia() {
    let mut random = Random(11);
    for (name, load, felt) in LOADS {
        for _ in 0..10 {
            let ratio = 3.0 * random.number() + 0.01;
            let torque = 10.0 * random.number();
            let mut model = start(|m| {
                let motor = m.add("motor", r::Inertia::new().J(0.2));
                let drive = m.add("drive", r::Torque::new());
                let tau = m.add("tau", Constant::new().k(torque));
                let flange = load(m, ratio);
                m.connect(tau.y, drive.tau);
                m.connect(drive.flange, motor.flange_a);
                m.connect(motor.flange_b, flange);
            });
            let (a, expected) = (value(&mut model, "motor.a"), torque / (0.2 + felt(ratio)));
            assert!(
                (a - expected).abs() < 1e-9 * (1.0 + expected.abs()),
                "{name}: {a}, {expected}"
            );
        }
    }
}

/// Three inertias and torques on the shafts `fast`, `slow` and `support`, by name.
fn three_shafts(m: &mut Assembly, [fast, slow, support]: [Flange; 3]) {
    let shafts = [("fast", 0.4, fast), ("slow", 1.3, slow), ("support", 0.8, support)];
    for (k, (name, inertia, flange)) in shafts.into_iter().enumerate() {
        let body = m.add(name, r::Inertia::new().J(inertia));
        let drive = m.add(format!("{name}.drive"), r::Torque::new());
        let tau =
            m.add(format!("{name}.tau"), ExternalInput::new().unit("N.m").start(1.0 + k as f64));
        m.connect(tau.y, drive.tau);
        m.connect(drive.flange, body.flange_b);
        m.connect(body.flange_a, flange);
    }
}

fn planetary(m: &mut Assembly, ratio: f64) {
    let gear = m.add("gear", r::IdealPlanetary::new().ratio(ratio));
    three_shafts(m, [gear.sun, gear.carrier, gear.ring]);
}

#[test]
fn speeds_and_torques_of_a_planetary_gear_have_the_ratios_of_its_teeth() {
    let mut random = Random(5);
    for k in 0..10 {
        // With pairs of planets the sun turns against its usual direction: the ratio is negative.
        let size = 0.3 + 3.0 * random.number().abs();
        let ratio = if k % 2 == 0 { size } else { -1.0 - size };
        let mut model = start(|m| planetary(m, ratio));
        for _ in 0..10 {
            let states = model.continuous_states().iter().map(|_| 3.0 * random.number());
            let states: Vec<f64> = states.collect();
            set_states(&mut model, &states);
            for shaft in ["fast", "slow", "support"] {
                model.set(&format!("{shaft}.tau"), 3.0 * random.number()).unwrap();
            }
            settle(&mut model);
            let mut of = |name: &str| value(&mut model, name);
            let near = |x: f64, y: f64| assert!((x - y).abs() < 1e-9 * (1.0 + x.abs()), "{x}, {y}");
            for word in ["phi", "w", "a"] {
                let [sun, carrier, ring] =
                    ["fast", "slow", "support"].map(|shaft| of(&format!("{shaft}.{word}")));
                near((1.0 + ratio) * carrier, sun + ratio * ring);
            }
            let sun = of("gear.sun.tau");
            near(of("gear.ring.tau"), ratio * sun);
            near(of("gear.carrier.tau"), -(1.0 + ratio) * sun);
        }
    }
}

#[test]
fn a_planetary_gear_is_an_ideal_gear_whose_support_is_the_ring() {
    let mut one = start(|m| planetary(m, 1.7));
    let mut other = start(|m| {
        let gear = m.add("gear", r::IdealGear::new().ratio(2.7));
        three_shafts(m, [gear.flange_a, gear.flange_b, gear.support]);
    });
    for _ in 0..50 {
        for shaft in ["fast", "slow", "support"] {
            for word in ["phi", "w", "a", "flange_a.tau"] {
                let name = format!("{shaft}.{word}");
                let (x, y) = (value(&mut one, &name), value(&mut other, &name));
                assert!((x - y).abs() < 1e-9 * (1.0 + x.abs()), "{name}: {x} and {y}");
            }
        }
        step(&mut one, 1e-2);
        step(&mut other, 1e-2);
    }
    assert!(value(&mut one, "slow.phi").abs() > 0.01, "it moves");
}

#[test]
fn a_shaft_that_is_too_stiff_to_be_followed_is_named() {
    let mut drive = start(|m| {
        let motor = m.add("motor", r::Inertia::new().J(0.01).phi(fixed(0.0)).w(fixed(1.0)));
        let shaft = r::SpringDamper::new().c(5e14).d(0.0).phi_rel(fixed(0.0)).w_rel(fixed(0.0));
        let shaft = m.add("shaft", shaft);
        let load = m.add("load", r::Inertia::new().J(0.8));
        let torque = m.add("torque", r::ConstantTorque::new().tau_constant(1e6));
        m.connect(motor.flange_b, shaft.flange_a);
        m.connect(shaft.flange_b, load.flange_a);
        m.connect(torque.flange, motor.flange_a);
    });
    let message = drive.run_to(1.0).unwrap_err().to_string();
    assert!(message.contains("more than 1000000 internal steps; shaft."), "{message}");
    assert!(message.contains(" changes fastest, by "), "{message}");
}
