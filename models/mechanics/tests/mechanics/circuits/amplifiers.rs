//! Operational amplifiers: feedback, limits, supply, lag.

use super::near;
use crate::common::{run_to, start, value};
use fmu_runtime::Simulation;
use libraries::electrical::*;
use libraries::prelude::*;
use mechanics::add;
use mechanics::port::Pin;

/// An inverting amplifier with the gain -5: a source over 1 kOhm, and 5 kOhm from the output back
/// to the negative input. The positive input is at the ground, which is returned.
fn inverting(m: &mut Assembly, [p, n]: [Pin; 2], [in_p, in_n, out]: [Pin; 3]) -> Pin {
    add! { m,
        r1: Resistor::new().R(1e3),
        r2: Resistor::new().R(5e3),
        load: Resistor::new().R(100),
        ground: Ground::new(),
    }
    m.connect(n, ground.p);
    m.connect(in_p, ground.p);
    m.connect(p, r1.p);
    m.connect(r1.n, in_n);
    m.connect(r2.p, in_n);
    m.connect(r2.n, out);
    m.connect(load.p, out);
    m.connect(load.n, ground.p);
    ground.p
}

/// A voltage that rises from -5 V to 5 V within 1 s.
fn rising(m: &mut Assembly) -> [Pin; 2] {
    let source = m.add("source", RampVoltage::new().V(10).duration(1).offset(-5));
    [source.p, source.n]
}

/// Compares the output with a gain of -5 within limits.
fn limited(model: &mut Simulation, [low, high]: [f64; 2], tolerance: f64) {
    for k in 0..=20 {
        let t = 0.05 * f64::from(k);
        run_to(model, t);
        let ideal = -5.0 * (-5.0 + 10.0 * t);
        near(value(model, "load.v"), ideal.clamp(low, high), tolerance);
    }
}

#[test]
fn an_ideal_amplifier_has_the_ratio_of_its_resistors_without_limits() {
    let mut model = start(|m| {
        let amplifier = m.add("amplifier", IdealOpAmp::new());
        let source = rising(m);
        let ground = inverting(m, source, [amplifier.p1, amplifier.n1, amplifier.p2]);
        m.connect(amplifier.n2, ground);
    });
    limited(&mut model, [f64::MIN, f64::MAX], 1e-9);
    // The current of the output flows into its other pin.
    let (i2, load) = (value(&mut model, "amplifier.i2"), value(&mut model, "load.i"));
    near(-i2, load + 25.0 / -5e3, 1e-9);
}

/// An amplifier with two pins for its limits, 12 V and -8 V.
fn between_pins(of: fn(&mut Assembly) -> ([Pin; 3], [Pin; 2])) -> Simulation {
    start(move |m| {
        let (pins, [highest, lowest]) = of(m);
        let source = rising(m);
        let ground = inverting(m, source, pins);
        let supply = m.add("supply", SupplyVoltage::new().Vps(12).Vns(-8));
        m.connect(supply.ground, ground);
        m.connect(supply.pin_p, highest);
        m.connect(supply.pin_n, lowest);
    })
}

#[test]
fn an_ideal_amplifier_is_limited_by_the_potentials_of_its_pins() {
    let mut model = between_pins(|m| {
        let a = m.add("amplifier", IdealOpAmpLimited::new());
        ([a.in_p, a.in_n, a.out], [a.VMax, a.VMin])
    });
    limited(&mut model, [-8.0, 12.0], 1e-9);
    // At the limit, the input has a voltage: 5 V over 6 kOhm to -8 V.
    near(value(&mut model, "amplifier.vin"), -(5.0 - 13.0 / 6.0), 1e-9);
    near(value(&mut model, "supply.pin_p.i"), 0.0, 1e-12);
}

#[test]
fn an_amplifier_with_a_smooth_characteristic_approaches_its_limits() {
    let mut model = between_pins(|m| {
        let a = m.add("amplifier", OpAmp::new().slope(1e6));
        ([a.in_p, a.in_n, a.out], [a.VMax, a.VMin])
    });
    for k in 0..=20 {
        run_to(&mut model, 0.05 * f64::from(k));
        let (vin, out) = (value(&mut model, "amplifier.vin"), value(&mut model, "load.v"));
        let expected = 2.0 + 1e6 * vin / (1.0 + 1e6 * (2.0 / 20.0 * vin).abs());
        near(out, expected, 1e-6);
    }
    run_to(&mut model, 1.0);
    near(value(&mut model, "load.v"), -8.0, 1e-4);
}

#[test]
fn amplifiers_with_a_supply_are_limited_by_its_voltages() {
    let idealized = start(|m| {
        let a = m.add("amplifier", IdealizedOpAmpLimited::new().V0(1e7).Vps(12).Vns(-8));
        let source = rising(m);
        inverting(m, source, [a.in_p, a.in_n, a.out]);
    });
    let improved = start(|m| {
        let a = m.add("amplifier", OpAmpLimited::new().V0(1e7).Vps(12).Vns(-8));
        let source = rising(m);
        inverting(m, source, [a.in_p, a.in_n, a.out]);
    });
    for mut model in [idealized, improved] {
        limited(&mut model, [-8.0, 12.0], 1e-4);
    }
}

#[test]
fn the_supply_gives_the_power_of_the_output() {
    let mut model = start(|m| {
        let a = m.add("amplifier", OpAmpLimited::new().V0(1e7));
        let source = rising(m);
        let ground = inverting(m, source, [a.in_p, a.in_n, a.out]);
        add! { m,
            supply: SupplyVoltage::new().Vps(12).Vns(-8),
            r_p: Resistor::new().R(2),
            r_n: Resistor::new().R(3),
        }
        m.connect(supply.ground, ground);
        m.connect(supply.pin_p, r_p.p);
        m.connect(r_p.n, a.s_p);
        m.connect(supply.pin_n, r_n.p);
        m.connect(r_n.n, a.s_n);
    });
    for k in 0..=20 {
        run_to(&mut model, 0.05 * f64::from(k));
        let of = |model: &mut Simulation, name: &str| value(model, &format!("amplifier.{name}"));
        let supply = of(&mut model, "s_p.v") * of(&mut model, "s_p.i")
            + of(&mut model, "s_n.v") * of(&mut model, "s_n.i");
        let output = of(&mut model, "out.v") * of(&mut model, "out.i");
        near(supply + output, 0.0, 1e-9);
        near(of(&mut model, "p_s"), supply, 1e-9);
        near(of(&mut model, "i_out"), of(&mut model, "out.i"), 0.0);
        near(of(&mut model, "vps"), 12.0 - 2.0 * of(&mut model, "i_s"), 1e-9);
    }
}

#[test]
fn an_amplifier_with_positive_feedback_has_hysteresis() {
    let mut model = start(|m| {
        add! { m,
            // The output of 15 V gives 3 V at the positive input.
            amplifier: OpAmpLimited::new(),
            r1: Resistor::new().R(4e3),
            r2: Resistor::new().R(1e3),
            source: SineVoltage::new().V(5).f(1),
            ground: Ground::new(),
        }
        m.connect(amplifier.out, r1.p);
        m.connect(r1.n, amplifier.in_p);
        m.connect(amplifier.in_p, r2.p);
        m.connect(r2.n, ground.p);
        m.connect(source.p, amplifier.in_n);
        m.connect(source.n, ground.p);
    });
    // asin(3/5) / (2 pi) = 0.1024: the output falls there, and rises after 0.6024 s.
    for (t, out) in [(0.15, -15.0), (0.55, -15.0), (0.59, -15.0), (0.61, 15.0), (1.05, 15.0)] {
        run_to(&mut model, t);
        near(value(&mut model, "amplifier.v_out"), out, 1e-9);
        assert_eq!(value(&mut model, "amplifier.satPos"), f64::from(out > 0.0));
        assert_eq!(value(&mut model, "amplifier.satNeg"), f64::from(out < 0.0));
    }
}

#[test]
fn a_lag_delays_the_output_and_winds_up_beyond_the_limits() {
    let follower = |init: InitOpAmp| {
        start(move |m| {
            let amplifier = OpAmpLimited::new().V0(100).use_first_order(true).Tau(0.1);
            add! { m,
                amplifier: amplifier.init_op_amp(init),
                source: ConstantVoltage::new().V(1),
                ground: Ground::new(),
            }
            m.connect(amplifier.in_p, source.p);
            m.connect(source.n, ground.p);
            m.connect(amplifier.in_n, ground.p);
            let load = m.add("load", Resistor::new().R(10));
            m.connect(load.p, amplifier.out);
            m.connect(load.n, ground.p);
        })
    };
    for (init, first) in
        [(InitOpAmp::Linear, 15.0), (InitOpAmp::UpperLimit, 15.0), (InitOpAmp::LowerLimit, -15.0)]
    {
        let mut model = follower(init);
        for t in [0.0, 0.01, 0.05, 0.3] {
            run_to(&mut model, t);
            let v = 100.0 + (first - 100.0) * (-t / 0.1_f64).exp();
            near(value(&mut model, "amplifier.v_int"), v, 1e-6);
            near(value(&mut model, "load.v"), v.clamp(-15.0, 15.0), 1e-6);
        }
    }
}
