//! Converters that switch: their means are those of averaged converters.

use super::near;
use crate::common::{run_to, start, value};
use fmu_runtime::Simulation;
use libraries::blocks::{BooleanPulse, Not};
use libraries::electrical::*;
use libraries::power_converters::*;
use libraries::prelude::*;
use mechanics::add;
use mechanics::port::Pin;
use nalgebra::{Matrix2, Matrix5, Vector5};

/// Period of switching in s.
const PERIOD: f64 = 1e-3;

/// Resistance of transistors and diodes in Ohm while they conduct.
const CLOSED: f64 = 1e-5;

/// The mean of a variable over the period that begins at a time; the variable is smooth between the
/// instants at which the converters switch.
fn mean(model: &mut Simulation, name: &str, begin: f64) -> f64 {
    let n = 400;
    let mut sum = 0.0;
    for k in 0..n {
        run_to(model, begin + PERIOD * (f64::from(k) + 0.5) / f64::from(n));
        sum += value(model, name);
    }
    sum / f64::from(n)
}

/// A coil that begins with a current, and a resistor.
fn load(m: &mut Assembly, current: f64) -> [Pin; 2] {
    add! { m, coil: Inductor::new().L(0.02).i(fixed(current)), load: Resistor::new().R(10) }
    m.connect(coil.n, load.p);
    [coil.p, load.n]
}

#[test]
fn a_chopper_has_the_mean_current_of_an_averaged_half_bridge() {
    let switched = {
        let mut model = start(|m| {
            add! { m,
                source: ConstantVoltage::new().V(60),
                chopper: ChopperStepDown::new(),
                pulse: BooleanPulse::new().width(30).period(PERIOD),
                ground: Ground::new(),
            }
            let [p, n] = load(m, 0.0);
            m.connect(source.p, chopper.dc_p1);
            m.connect(source.n, chopper.dc_n1);
            m.connect(pulse.y, chopper.fire_p);
            m.connect(chopper.dc_p2, p);
            m.connect(chopper.dc_n2, n);
            m.connect(source.n, ground.p);
        });
        mean(&mut model, "load.i", 0.05)
    };
    let averaged = {
        let mut model = start(|m| {
            add! { m,
                source: ConstantVoltage::new().V(60),
                leg: AverageLeg::new(),
                duty: Constant::new().k(0.3),
                ground: Ground::new(),
            }
            let [p, n] = load(m, 0.0);
            m.connect(source.p, leg.dc_p);
            m.connect(source.n, leg.dc_n);
            m.connect(duty.y, leg.d);
            m.connect(leg.ac, p);
            m.connect(leg.dc_n, n);
            m.connect(source.n, ground.p);
        });
        run_to(&mut model, 0.05 + PERIOD / 2.0);
        value(&mut model, "load.i")
    };
    near(averaged, 1.8, 1e-8);
    // Either the transistor or the diode conducts.
    near(switched, averaged / (1.0 + CLOSED / 10.0), 1e-8);
}

/// The means of current and voltage over a period of an ideal step-up chopper with these `L`, `C`
/// and `R`, a source and a duty cycle, which are linear differential equations in both parts of the
/// period.
fn raised([l, c, r]: [f64; 3], source: f64, duty: f64) -> [f64; 2] {
    // Current and voltage, their integrals, and one.
    let rates = |conducts: f64| {
        let mut rates = Matrix5::zeros();
        rates[(0, 1)] = -conducts / l;
        rates[(0, 4)] = source / l;
        rates[(1, 0)] = conducts / c;
        rates[(1, 1)] = -1.0 / (r * c);
        rates[(2, 0)] = 1.0;
        rates[(3, 1)] = 1.0;
        rates
    };
    // The exponential function; changes in a period are small.
    let after = |(conducts, part): (f64, f64)| {
        let small = rates(conducts) * (part * PERIOD);
        let series = (1..20).rev().map(f64::from);
        series.fold(Matrix5::identity(), |sum, k| Matrix5::identity() + small * sum / k)
    };
    let [on, off] = [(0.0, duty), (1.0, 1.0 - duty)].map(after);
    let step = off * on;
    let (own, constant) = (step.fixed_view::<2, 2>(0, 0), step.fixed_view::<2, 1>(0, 4));
    let begin = (Matrix2::identity() - own).try_inverse().expect("the chopper settles") * constant;
    let end = step * Vector5::new(begin[0], begin[1], 0.0, 0.0, 1.0);
    [end[2] / PERIOD, end[3] / PERIOD]
}

#[test]
fn a_chopper_raises_the_voltage() {
    let mut model = start(|m| {
        add! { m,
            source: ConstantVoltage::new().V(12),
            coil: Inductor::new().L(5e-3).i(fixed(0)),
            chopper: ChopperStepUp::new().goff_transistor(1e-9).goff_diode(1e-9),
            pulse: BooleanPulse::new().width(40).period(PERIOD),
            buffer: Capacitor::new().C(2e-3).v(fixed(12)),
            load: Resistor::new().R(20),
            ground: Ground::new(),
        }
        m.connect(source.p, coil.p);
        m.connect(coil.n, chopper.dc_p1);
        m.connect(source.n, chopper.dc_n1);
        m.connect(pulse.y, chopper.fire_p);
        for [p, n] in [[buffer.p, buffer.n], [load.p, load.n]] {
            m.connect(chopper.dc_p2, p);
            m.connect(chopper.dc_n2, n);
        }
        m.connect(source.n, ground.p);
    });
    let [current, voltage] = raised([5e-3, 2e-3, 20.0], 12.0, 0.4);
    near(mean(&mut model, "load.v", 2.0), voltage, 1e-4);
    near(mean(&mut model, "coil.i", 2.1), current, 1e-4);
}

#[test]
fn two_half_bridges_drive_a_current_in_both_directions() {
    for (width, sign) in [(20, -1.0), (80, 1.0)] {
        let mut model = start(move |m| {
            add! { m,
                source: ConstantVoltage::new().V(60),
                first: SinglePhase2Level::new(),
                second: SinglePhase2Level::new(),
                pulse: BooleanPulse::new().width(width).period(PERIOD),
                other: Not::new(),
                ground: Ground::new(),
            }
            let [p, n] = load(m, 3.6 * sign);
            for leg in [first, second] {
                m.connect(source.p, leg.dc_p);
                m.connect(source.n, leg.dc_n);
            }
            m.connect(pulse.y, other.u);
            for (fired, gates) in
                [(pulse.y, [first.fire_p, second.fire_n]), (other.y, [first.fire_n, second.fire_p])]
            {
                for gate in gates {
                    m.connect(fired, gate);
                }
            }
            m.connect(first.ac, p);
            m.connect(second.ac, n);
            m.connect(source.n, ground.p);
        });
        near(mean(&mut model, "load.i", 0.05), sign * 0.6 * 60.0 / (10.0 + 2.0 * CLOSED), 1e-8);
    }
}

#[test]
fn an_h_bridge_drives_a_current_in_both_directions() {
    for (width, sign) in [(20, -1.0), (80, 1.0)] {
        let mut model = start(move |m| {
            add! { m,
                source: ConstantVoltage::new().V(60),
                bridge: HBridge::new(),
                pulse: BooleanPulse::new().width(width).period(PERIOD),
                other: Not::new(),
                ground: Ground::new(),
            }
            let [p, n] = load(m, 3.6 * sign);
            m.connect(source.p, bridge.dc_p1);
            m.connect(source.n, bridge.dc_n1);
            m.connect(pulse.y, other.u);
            m.connect(pulse.y, bridge.fire_p);
            m.connect(other.y, bridge.fire_n);
            m.connect(bridge.dc_p2, p);
            m.connect(bridge.dc_n2, n);
            m.connect(source.n, ground.p);
        });
        near(mean(&mut model, "load.i", 0.05), sign * 0.6 * 60.0 / (10.0 + 2.0 * CLOSED), 1e-8);
    }
}

#[test]
fn a_chopper_for_both_directions_gives_and_takes_current() {
    // The mean voltage at the low side is 0.6 of that at the high side.
    for (high, mean_current) in [(15.0, (12.0 - 9.0) / 2.0), (30.0, (12.0 - 18.0) / 2.0)] {
        let mut model = start(move |m| {
            add! { m,
                low: ConstantVoltage::new().V(12),
                high: ConstantVoltage::new().V(high),
                coil: Inductor::new().L(0.02).i(fixed(mean_current)),
                resistor: Resistor::new().R(2),
                chopper: ChopperBuckBoost::new(),
                pulse: BooleanPulse::new().width(40).period(PERIOD),
                other: Not::new(),
                ground: Ground::new(),
            }
            m.chain((low.p, coil, resistor, chopper.dc_p1));
            m.connect(low.n, chopper.dc_n1);
            m.connect(high.p, chopper.dc_p2);
            m.connect(high.n, chopper.dc_n2);
            m.connect(pulse.y, chopper.fire_p);
            m.connect(pulse.y, other.u);
            m.connect(other.y, chopper.fire_n);
            m.connect(low.n, ground.p);
        });
        let current = mean_current / (1.0 + CLOSED / 2.0);
        near(mean(&mut model, "coil.i", 0.2), current, 1e-8);
    }
}

#[test]
fn an_ideal_bridge_has_the_mean_voltage_of_its_pulses_exactly() {
    let mut model = start(|m| {
        let ideal = HBridge::new().ron_transistor(0).goff_transistor(0).ron_diode(0).goff_diode(0);
        add! { m,
            source: ConstantVoltage::new().V(60),
            bridge: ideal,
            pulse: BooleanPulse::new().width(80).period(PERIOD),
            other: Not::new(),
            ground: Ground::new(),
        }
        let [p, n] = load(m, 3.6);
        m.connect(source.p, bridge.dc_p1);
        m.connect(source.n, bridge.dc_n1);
        m.connect(pulse.y, bridge.fire_p);
        m.connect(pulse.y, other.u);
        m.connect(other.y, bridge.fire_n);
        m.connect(bridge.dc_p2, p);
        m.connect(bridge.dc_n2, n);
        m.connect(source.n, ground.p);
    });
    near(mean(&mut model, "load.i", 0.05), 3.6, 1e-9);
    near(mean(&mut model, "bridge.inverter_p.transistor_p.v", 0.06), 0.2 * 60.0, 1e-9);
}

/// A converter with a supply of 60 V, and a load at its output, after a while.
fn converter(bridge: bool, short: bool) -> Simulation {
    let mut model = start(move |m| {
        add! { m,
            source: ConstantVoltage::new().V(60),
            pulse: BooleanPulse::new().width(60).period(PERIOD),
            ground: Ground::new(),
        }
        let [p, n] = load(m, 1.0);
        m.connect(source.n, ground.p);
        if bridge {
            add! { m, converter: HBridge::new(), other: Not::new() }
            m.connect(pulse.y, other.u);
            m.connect(pulse.y, converter.fire_p);
            m.connect(other.y, converter.fire_n);
            m.connect(source.p, converter.dc_p1);
            m.connect(source.n, converter.dc_n1);
            m.connect(converter.dc_p2, p);
            m.connect(converter.dc_n2, n);
        } else {
            add! { m, converter: ChopperStepDown::new() }
            m.connect(pulse.y, converter.fire_p);
            m.connect(source.p, converter.dc_p1);
            m.connect(source.n, converter.dc_n1);
            m.connect(converter.dc_p2, p);
            m.connect(if short { source.n } else { converter.dc_n2 }, n);
            if short {
                m.connect(converter.dc_n2, source.n);
            }
        }
    });
    run_to(&mut model, 3.3 * PERIOD);
    model
}

#[test]
fn currents_of_the_pins_of_a_converter_are_those_of_supply_and_load() {
    for (bridge, short) in [(true, false), (false, false), (false, true)] {
        let mut model = converter(bridge, short);
        let mut of = |name: &str| value(&mut model, name);
        let [p1, n1, p2, n2] =
            ["dc_p1", "dc_n1", "dc_p2", "dc_n2"].map(|pin| of(&format!("converter.{pin}.i")));
        let (supplied, taken) = (of("source.i"), of("coil.i"));
        assert!(taken.abs() > 0.1);
        near(p1, -supplied, 1e-9);
        near(p2, -taken, 1e-9);
        if short {
            // Pins that are connected outside share one current, which the first one carries.
            near(n1, supplied + taken, 1e-9);
            assert_eq!(n2, 0.0);
        } else {
            near(n1, supplied, 1e-9);
            near(n2, taken, 1e-9);
        }
        near(of("converter.dc_p1.v"), 60.0, 1e-9);
        assert_eq!(of("converter.dc_n1.v"), 0.0);
        let output = of("converter.dc_p2.v") - of("converter.dc_n2.v");
        near(output, of("coil.v") + of("load.v"), 1e-9);
    }
}

#[test]
fn power_into_a_half_bridge_is_what_its_parts_lose() {
    let mut model = converter(true, false);
    for side in ["p", "n"] {
        let name = format!("converter.inverter_{side}");
        let mut of = |local: &str| value(&mut model, &format!("{name}.{local}"));
        let power: f64 = ["dc_p", "dc_n", "ac"]
            .map(|pin| of(&format!("{pin}.v")) * of(&format!("{pin}.i")))
            .iter()
            .sum();
        let parts = ["transistor_p", "transistor_n", "diode_p", "diode_n"];
        let lost: f64 = parts.map(|part| of(&format!("{part}.LossPower"))).iter().sum();
        near(power, lost, 1e-6 * of("dc_p.v").abs());
    }
}
