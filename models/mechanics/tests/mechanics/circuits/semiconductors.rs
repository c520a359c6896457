//! Thyristors, triacs, and diodes with smooth characteristics.

use super::{near, ring};
use crate::common::{refusal, run_to, start, value};
use fmu_runtime::Simulation;
use libraries::blocks::{BooleanPulse, BooleanTable};
use libraries::electrical::*;
use libraries::prelude::*;
use libraries::thermal::{FixedTemperature, HeatCapacitor, HeatFlowSensor, ThermalConductor};
use mechanics::add;
use mechanics::port::Pin;

/// A semiconductor between a sinusoidal voltage of 10 V at 1 Hz and a resistor of 5 Ohm.
fn at_sine(m: &mut Assembly, [p, n]: [Pin; 2]) {
    add! { m, source: SineVoltage::new().V(10).f(1), r: Resistor::new().R(5) }
    ring(m, [[source.n, source.p], [p, n], [r.p, r.n]]);
}

fn sine(t: f64) -> f64 {
    10.0 * (std::f64::consts::TAU * t).sin()
}

#[test]
fn a_thyristor_conducts_from_its_firing_to_the_end_of_its_current() {
    let mut model = start(|m| {
        add! { m,
            thyristor: IdealThyristor::new(),
            // It is fired while the voltage is negative, and from 1.2 s to 1.25 s.
            command: BooleanTable::new().table([0.6, 0.7, 1.2, 1.25]),
        }
        m.connect(command.y, thyristor.fire);
        at_sine(m, [thyristor.p, thyristor.n]);
    });
    for (t, conducts) in
        [(0.2, false), (0.65, false), (1.1, false), (1.22, true), (1.4, true), (1.6, false)]
    {
        run_to(&mut model, t);
        let expected = if conducts { sine(t) / 5.0 } else { 0.0 };
        near(value(&mut model, "r.i"), expected, 2e-4);
        assert_eq!(value(&mut model, "thyristor.off"), f64::from(!conducts), "{t}");
    }
}

#[test]
fn a_thyristor_that_did_not_block_before_the_start_conducts_without_firing() {
    let mut model = start(|m| {
        add! { m,
            thyristor: IdealThyristor::new().off(false),
            never: BooleanTable::new().table([9.0]),
            source: CosineVoltage::new().V(10).f(1),
            r: Resistor::new().R(5),
        }
        m.connect(never.y, thyristor.fire);
        ring(m, [[source.n, source.p], [thyristor.p, thyristor.n], [r.p, r.n]]);
    });
    near(value(&mut model, "r.i"), 2.0, 1e-4);
    run_to(&mut model, 1.0);
    near(value(&mut model, "r.i"), 0.0, 2e-4);
}

#[test]
fn a_thyristor_with_a_gate_that_turns_off_conducts_while_it_is_fired() {
    let mut model = start(|m| {
        add! { m,
            thyristor: IdealGTOThyristor::new().Vknee(1),
            command: BooleanPulse::new().period(0.1).width(50),
        }
        m.connect(command.y, thyristor.fire);
        at_sine(m, [thyristor.p, thyristor.n]);
    });
    for (t, conducts) in [(0.13, true), (0.17, false), (0.22, true), (0.28, false), (0.63, false)] {
        run_to(&mut model, t);
        let expected = if conducts { (sine(t) - 1.0) / 5.0 } else { 0.0 };
        near(value(&mut model, "r.i"), expected, 2e-4);
    }
}

#[test]
fn a_triac_conducts_in_both_directions() {
    let mut model = start(|m| {
        add! { m,
            triac: IdealTriac::new().Vknee(0.5).Rdis(1e6).Cdis(1e-9),
            command: BooleanPulse::new().period(0.5).width(10).start_time(0.1),
        }
        m.connect(command.y, triac.fire1);
        at_sine(m, [triac.p, triac.n]);
    });
    for (t, knee) in [(0.05, None), (0.2, Some(0.5)), (0.4, Some(0.5)), (0.7, Some(-0.5))] {
        run_to(&mut model, t);
        let expected = knee.map_or(0.0, |knee| (sine(t) - knee) / 5.0);
        near(value(&mut model, "r.i"), expected, 3e-4);
    }
    // The parts of the triac are parts of the circuit.
    near(value(&mut model, "triac.idealThyristor.v"), 0.5, 1e-3);
}

/// A part between a source of a current and the ground: its voltage at each current.
fn at_currents(part: impl Fn(&mut Assembly) -> [Pin; 2], check: impl Fn(&mut Simulation, f64)) {
    let mut model = start(|m| {
        let [p, n] = part(m);
        add! { m, source: RampCurrent::new().I(-40).duration(4).offset(20) }
        ring(m, [[source.n, source.p], [p, n]]);
    });
    for k in 0..=16 {
        let t = 0.25 * f64::from(k);
        run_to(&mut model, t);
        // The current in the part is opposite to that in the source.
        check(&mut model, -20.0 + 10.0 * t);
    }
}

/// `exp` up to an exponent, then its tangent.
fn exponential(x: f64, most: f64) -> f64 {
    if x > most { most.exp() * (1.0 + x - most) } else { x.exp() }
}

#[test]
fn diodes_have_their_characteristic_at_any_voltage() {
    let mut model = start(|m| {
        add! { m, diode: Diode::new(), source: RampVoltage::new().V(6).duration(6).offset(-3) }
        ring(m, [[source.n, source.p], [diode.p, diode.n]]);
    });
    for k in 0..=60 {
        let t = 0.1 * f64::from(k);
        run_to(&mut model, t);
        let v = t - 3.0;
        let i = 1e-6 * (exponential(v / 0.04, 15.0) - 1.0) + v / 1e8;
        near(value(&mut model, "diode.i"), i, 1e-9 * (1.0 + i.abs()));
        near(value(&mut model, "diode.LossPower"), v * i, 1e-9 * (1.0 + (v * i).abs()));
    }
}

#[test]
fn diodes_find_the_voltage_at_which_a_current_flows() {
    let mut model = start(|m| {
        add! { m,
            diode: Diode::new(),
            source: SineVoltage::new().V(200).f(1),
            r: Resistor::new().R(3),
        }
        ring(m, [[source.n, source.p], [diode.p, diode.n], [r.p, r.n]]);
    });
    for k in 0..40 {
        run_to(&mut model, 0.031 * f64::from(k));
        let v = value(&mut model, "diode.v");
        let i = 1e-6 * (exponential(v / 0.04, 15.0) - 1.0) + v / 1e8;
        near(value(&mut model, "r.i"), i, 1e-6 * (1.0 + i.abs()));
    }
}

#[test]
fn a_warm_diode_has_the_current_of_its_temperature() {
    let mut model = start(|m| {
        add! { m,
            diode: Diode::new().use_temperature_dependency(true).N(1.2),
            source: ConstantVoltage::new().V(0.3),
            body: FixedTemperature::new().T(350),
            heat: HeatFlowSensor::new(),
        }
        m.connect(diode.heat_port, heat.port_a);
        m.connect(heat.port_b, body.port);
        ring(m, [[source.n, source.p], [diode.p, diode.n]]);
    });
    let vt = 1.380_649e-23 * 350.0 / 1.602_176_634e-19;
    let relative: f64 = 350.0 / 300.15;
    let factor = relative.powf(3.0 / 1.2) * ((relative - 1.0) * 1.11 / (1.2 * vt)).exp();
    let i = 1e-6 * ((0.3 / (1.2 * vt)).exp() - 1.0) * factor + 0.3 / 1e8;
    near(value(&mut model, "diode.i"), i, 1e-9 * i);
    near(value(&mut model, "diode.vt_t"), vt, 1e-12);
    near(value(&mut model, "heat.Q_flow"), 0.3 * i, 1e-6 * i);
}

#[test]
fn the_improved_diode_blocks_up_to_its_breakdown() {
    let vt = 8.314_462_618 * 293.15 / 96_485.332_12;
    at_currents(
        |m| {
            let diode = m.add("diode", Diode2::new().Rs(0.1).Bv(20));
            [diode.p, diode.n]
        },
        |model, current| {
            let [v, vd, i] = ["diode.v", "diode.vd", "diode.i"].map(|name| value(model, name));
            near(i, current, 1e-6);
            let highest = (0.7 + vt) / vt;
            let id = match vd < -10.0 {
                true => -1e-13 * ((-(vd + 20.0) / vt).exp() + 1.0 - 2.0 * (-10.0 / vt).exp()),
                false => 1e-13 * (exponential(vd / vt, highest) - 1.0),
            };
            near(v, vd + 0.1 * id, 1e-6 * (1.0 + v.abs()));
            near(i, id + 1e-6 * v, 1e-5 * (1.0 + i.abs()));
        },
    );
}

#[test]
fn zener_diodes_limit_a_voltage_in_both_directions() {
    let mut model = start(|m| {
        add! { m,
            source: SineVoltage::new().V(100).f(1),
            r: Resistor::new().R(20),
            first: ZDiode::new(),
            second: ZDiode::new(),
        }
        // The diodes are in series, against each other.
        ring(m, [[source.n, source.p], [r.p, r.n], [first.p, first.n], [second.n, second.p]]);
    });
    for k in 0..60 {
        run_to(&mut model, 0.021 * f64::from(k));
        let i = value(&mut model, "r.i");
        for (name, sign) in [("first", 1.0), ("second", -1.0)] {
            let v = value(&mut model, &format!("{name}.v"));
            let unit = 0.74 * 0.04;
            let of_diode = 1e-6 * (exponential(v / 0.04, 30.0) - 1.0)
                - 0.7 * exponential(-(v + 5.1) / unit, 30.0)
                + v / 1e8;
            near(of_diode, sign * i, 1e-5 * (1.0 + i.abs()));
        }
        let limited = value(&mut model, "first.v") - value(&mut model, "second.v");
        assert!(limited.abs() < 6.0, "{limited}");
    }
}

#[test]
fn a_warm_diode_needs_a_heat_capacity_where_its_circuit_is_nonlinear() {
    let circuit = |m: &mut Assembly, with_capacity: bool| {
        add! { m,
            source: SineVoltage::new().V(2).f(1),
            r: Resistor::new().R(10),
            diode: Diode::new().use_temperature_dependency(true),
            ground: Ground::new(),
            cooling: ThermalConductor::new().G(0.1),
            ambient: FixedTemperature::new().T(300),
        }
        m.chain((source.p, r, diode, source.n));
        m.connect(source.n, ground.p);
        m.chain((diode.heat_port, cooling, ambient.port));
        if with_capacity {
            let heat = m.add("heat", HeatCapacitor::new().C(1).T(fixed(300)));
            m.connect(diode.heat_port, heat.port);
        }
    };
    let mut model = start(|m| circuit(m, true));
    run_to(&mut model, 0.25);
    assert!(value(&mut model, "heat.T") > 300.0);
    let sentence = refusal(|m| circuit(m, false));
    assert!(
        sentence.contains("a state between them, such as that of a HeatCapacitor"),
        "{sentence}"
    );
}
