//! An amplifier and a power supply with the properties of their data sheets.

use super::near;
use crate::common::{refusal, run_to, simulation, start, value};
use fmu_runtime::Simulation;
use libraries::electrical::*;
use libraries::prelude::*;
use mechanics::add;

/// A follower with a load, whose input is a voltage from 10 us on.
fn follower(voltage: f64, load: f64) -> Simulation {
    start(move |m| {
        add! { m,
            source: StepVoltage::new().V(voltage).start_time(1e-5),
            supply: SupplyVoltage::new(),
            amplifier: OpAmpDetailed::new(),
            load: Resistor::new().R(load),
            ground: Ground::new(),
        }
        m.connect(source.p, amplifier.p);
        m.connect(amplifier.outp, amplifier.m);
        m.connect(amplifier.outp, load.p);
        m.connect(supply.pin_p, amplifier.p_supply);
        m.connect(supply.pin_n, amplifier.m_supply);
        for pin in [source.n, supply.ground, load.n] {
            m.connect(pin, ground.p);
        }
    })
}

#[test]
fn a_follower_has_the_offset_and_the_common_mode_gain_of_its_amplifier() {
    let mut model = follower(2.0, 1e4);
    run_to(&mut model, 1e-3);
    // v_source = A v_in + Ac (v_3 + v_4), and A / Ac = 2 * 10^(90 / 20).
    let (gain, rejection) = (10.0_f64.powf(106.0 / 20.0), 10.0_f64.powf(90.0 / 20.0));
    let v_in = value(&mut model, "amplifier.v_in");
    let v_source = value(&mut model, "amplifier.v_source");
    let common = 2.0 * 1.999 - v_in;
    near(v_in, v_source / gain - common / (2.0 * rejection), 1e-9);
    near(value(&mut model, "amplifier.v_out"), 1.999 - v_in, 1e-12);
    // The load takes its current through the resistance of the output.
    near(v_source - 75.0 * value(&mut model, "load.i"), 1.999 - v_in, 1e-4);
    near(value(&mut model, "amplifier.p.i"), 90e-9 + 1.999 / 2e9 + v_in / 2e6, 1e-15);
}

#[test]
fn the_output_of_an_amplifier_changes_with_its_slew_rate() {
    for sign in [1.0, -1.0] {
        let mut model = follower(sign * 5.0, 1e6);
        let [first, second] = [1.5e-5, 1.8e-5].map(|t| {
            run_to(&mut model, t);
            value(&mut model, "amplifier.v_out")
        });
        near(second - first, sign * 1.5, 1e-3);
    }
}

#[test]
fn the_output_of_an_amplifier_feeds_its_highest_current() {
    for sign in [1.0, -1.0] {
        let mut model = follower(sign * 5.0, 10.0);
        run_to(&mut model, 1e-3);
        near(value(&mut model, "amplifier.i_out"), -sign * 25e-3, 1e-15);
        // A little of it comes through the input.
        let input = value(&mut model, "amplifier.m.i");
        near(value(&mut model, "load.v"), 10.0 * (sign * 25e-3 - input), 1e-12);
    }
}

/// A power supply with a load whose conductance increases from 1 mS by 0.5 S per second.
fn supply(supply: DCPowerSupply) -> Simulation {
    start(move |m| {
        add! { m,
            conductance: Ramp::new().height(50).duration(100).offset(1e-3),
            supply: supply,
            load: VariableConductor::new(),
            ground: Ground::new(),
        }
        m.connect(conductance.y, load.G);
        m.connect(supply.p, load.p);
        m.connect(supply.n, load.n);
        m.connect(load.n, ground.p);
    })
}

#[test]
fn a_power_supply_limits_voltage_then_power_then_current() {
    let mut model = supply(DCPowerSupply::new());
    for t in [0.1, 0.5, 1.0, 1.5, 2.0, 3.0, 4.0, 5.0, 20.0, 80.0] {
        run_to(&mut model, t);
        let g = 1e-3 + 0.5 * t;
        let voltages = [60.0 / (1.0 + 1e-3 * g), (1200.0 / g).sqrt(), 50.0 / (g + 1e-3)];
        let v = voltages.into_iter().fold(f64::INFINITY, f64::min);
        near(value(&mut model, "supply.v"), v, 1e-9);
        near(value(&mut model, "supply.P"), -g * v * v, 1e-7);
    }
}

#[test]
fn a_power_supply_with_much_power_limits_voltage_or_current() {
    let mut model = supply(DCPowerSupply::new().P0(5000));
    for t in [0.5, 1.6, 1.7, 5.0] {
        run_to(&mut model, t);
        let g = 1e-3 + 0.5 * t;
        let v = (60.0 / (1.0 + 1e-3 * g)).min(50.0 / (g + 1e-3));
        near(value(&mut model, "supply.v"), v, 1e-9);
    }
}

#[test]
fn a_power_supply_refuses_what_it_cannot_be() {
    let sentence = refusal(|m| {
        m.add("supply", DCPowerSupply::new().Rcv(2));
        m.add("ground", Ground::new());
    });
    assert!(sentence.contains("Rcv must be below V0 / I0"), "{sentence}");
    let mut model = simulation(|m| {
        add! { m,
            supply: DCPowerSupply::new(),
            source: RampVoltage::new().V(20).duration(1).offset(50),
            wire: Resistor::new().R(10),
            ground: Ground::new(),
        }
        m.connect(source.p, wire.p);
        m.connect(wire.n, supply.p);
        m.connect(source.n, supply.n);
        m.connect(supply.n, ground.p);
    })
    .unwrap();
    model.start(None).unwrap();
    let sentence = model.run_to(1.0).unwrap_err().to_string();
    let expected = "supply.i: the current into the supply exceeds iBack";
    assert!(sentence.contains(expected), "{sentence}");
}
