//! Elements whose values are signals, states or functions of temperature; transformers, controlled
//! sources, sensors, adaptors.

use super::{near, ring};
use crate::common::{run_to, start, value};
use libraries::electrical::*;
use libraries::prelude::*;
use libraries::thermal::{FixedTemperature, HeatFlowSensor};
use libraries::translational::Mass;
use mechanics::add;

#[test]
fn variable_resistors_and_conductors_follow_their_signals_and_their_temperature() {
    let mut model = start(|m| {
        add! { m,
            source: ConstantVoltage::new().V(10),
            resistance: Ramp::new().height(-4).duration(4).offset(2),
            conductance: Ramp::new().height(1).duration(4),
            warm: FixedTemperature::new().T(350),
            heat: HeatFlowSensor::new(),
            r: VariableResistor::new().alpha(0.01),
            g: VariableConductor::new().alpha(0.01).T(320),
            limit: Resistor::new().R(3),
        }
        m.connect(resistance.y, r.R);
        m.connect(conductance.y, g.G);
        m.connect(r.heat_port, heat.port_a);
        m.connect(heat.port_b, warm.port);
        ring(m, [[source.n, source.p], [r.p, r.n], [limit.p, limit.n]]);
        m.connect(g.p, source.p);
        m.connect(g.n, source.n);
    });
    // The resistance passes zero and becomes negative.
    for t in [0.0, 1.0, 2.0, 3.0] {
        run_to(&mut model, t);
        let r = (2.0 - t) * (1.0 + 0.01 * (350.0 - 300.15));
        near(value(&mut model, "r.R_actual"), r, 1e-12);
        near(value(&mut model, "r.i"), 10.0 / (3.0 + r), 1e-12);
        let lost = r * value(&mut model, "r.i").powi(2);
        near(value(&mut model, "r.LossPower"), lost, 1e-9);
        near(value(&mut model, "heat.Q_flow"), lost, 1e-9);
        near(value(&mut model, "g.i"), 10.0 * 0.25 * t / (1.0 + 0.01 * (320.0 - 300.15)), 1e-12);
    }
}

#[test]
fn a_potentiometer_divides_a_voltage() {
    let mut model = start(|m| {
        add! { m,
            source: ConstantVoltage::new().V(10),
            place: Ramp::new().height(1.4).duration(1.4).offset(-0.2),
            moving: Potentiometer::new().R(100),
            fixed: Potentiometer::new().R(100).r_constant(0.3),
            ground: Ground::new(),
        }
        m.connect(place.y, moving.r);
        for part in [moving, fixed] {
            m.connect(part.pin_p, source.p);
            m.connect(part.pin_n, ground.p);
        }
        m.connect(source.n, ground.p);
    });
    for t in [0.0, 0.2, 0.5, 0.9, 1.2, 1.4] {
        run_to(&mut model, t);
        let r = (t - 0.2_f64).clamp(0.0, 1.0);
        near(value(&mut model, "moving.contact.v"), 10.0 * r, 1e-9);
        near(value(&mut model, "moving.Rn"), 100.0 * r, 1e-12);
        near(value(&mut model, "moving.LossPower"), 1.0, 1e-9);
        near(value(&mut model, "fixed.contact.v"), 3.0, 1e-9);
    }
}

#[test]
fn the_charge_of_a_variable_capacitor_stays_when_its_capacitance_changes() {
    let mut model = start(|m| {
        add! { m,
            c: VariableCapacitor::new().IC(6).UIC(true),
            capacitance: Sine::new().amplitude(1e-3).f(1).offset(2e-3),
            open: Idle::new(),
        }
        m.connect(capacitance.y, c.C);
        ring(m, [[c.n, c.p], [open.p, open.n]]);
    });
    for t in [0.0, 0.1, 0.25, 0.7] {
        run_to(&mut model, t);
        let c = 2e-3 + 1e-3 * (std::f64::consts::TAU * t).sin();
        near(value(&mut model, "c.Q"), 12e-3, 1e-12);
        near(value(&mut model, "c.v"), 12e-3 / c, 1e-9);
        near(value(&mut model, "open.i"), 0.0, 0.0);
    }
}

#[test]
fn the_flux_of_a_shorted_variable_inductor_stays_when_its_inductance_changes() {
    let mut model = start(|m| {
        add! { m,
            coil: VariableInductor::new().IC(6).UIC(true),
            inductance: Sine::new().amplitude(0.1).f(1).offset(0.2),
            short: Short::new(),
        }
        m.connect(inductance.y, coil.L);
        ring(m, [[coil.n, coil.p], [short.p, short.n]]);
    });
    for t in [0.0, 0.1, 0.25, 0.7] {
        run_to(&mut model, t);
        let l = 0.2 + 0.1 * (std::f64::consts::TAU * t).sin();
        near(value(&mut model, "coil.Psi"), 1.2, 1e-12);
        near(value(&mut model, "short.i"), -1.2 / l, 1e-9);
    }
}

#[test]
fn a_saturating_inductor_has_its_nominal_flux_at_its_nominal_current() {
    let mut model = start(|m| {
        add! { m,
            coil: SaturatingInductor::new().Inom(2).Lnom(0.5).Lzer(0.9).Linf(0.1),
            source: ConstantVoltage::new().V(3),
        }
        ring(m, [[source.n, source.p], [coil.p, coil.n]]);
    });
    near(value(&mut model, "coil.Lact"), 0.9, 1e-12);
    // (Lnom - Linf) / (Lzer - Linf) = x (pi / 2 - atan x) with x = Ipar / Inom, by bisection.
    let (mut low, mut high) = (0.0_f64, 10.0_f64);
    for _ in 0..80 {
        let x = f64::midpoint(low, high);
        if x * (std::f64::consts::FRAC_PI_2 - x.atan()) < 0.5 { low = x } else { high = x }
    }
    let ipar = 2.0 * low;
    for t in [0.1, 0.5, 1.3] {
        run_to(&mut model, t);
        let i = value(&mut model, "coil.i");
        let psi = 0.1 * i + 0.8 * ipar * (i / ipar).atan();
        near(psi, 3.0 * t, 1e-6);
        near(value(&mut model, "coil.Psi"), psi, 1e-9);
        near(value(&mut model, "coil.Lact"), psi / i, 1e-9);
    }
}

#[test]
fn capacitors_and_inductors_begin_in_steady_state_on_demand() {
    let mut model = start(|m| {
        add! { m,
            source: ConstantVoltage::new().V(12),
            coil: Inductor::new().L(0.1).steady_state(true),
            r: Resistor::new().R(4),
            load: Resistor::new().R(2),
            c: Capacitor::new().C(1e-3).steady_state(true),
        }
        ring(m, [[source.n, source.p], [coil.p, coil.n], [r.p, r.n], [load.p, load.n]]);
        m.connect(c.p, load.p);
        m.connect(c.n, load.n);
    });
    for t in [0.0, 0.5] {
        run_to(&mut model, t);
        near(value(&mut model, "coil.i"), 2.0, 1e-9);
        near(value(&mut model, "c.v"), 4.0, 1e-9);
    }
}

#[test]
fn a_transformer_without_stray_fields_has_one_state() {
    for ideal in [false, true] {
        let mut model = start(move |m| {
            add! { m,
                source: ConstantVoltage::new().V(10),
                load: Resistor::new().R(5),
                ground: Ground::new(),
            }
            let [p1, n1, p2, n2] = match ideal {
                true => {
                    let transformer = IdealTransformer::new().n(0.5).consider_magnetization(true);
                    let t = m.add("t", transformer.Lm1(0.2));
                    [t.p1, t.n1, t.p2, t.n2]
                }
                false => {
                    let t = m.add("t", Transformer::new().L1(0.2).L2(0.8).M(0.4));
                    [t.p1, t.n1, t.p2, t.n2]
                }
            };
            m.connect(source.p, p1);
            m.connect(p2, load.p);
            for pin in [source.n, n1, n2, load.n] {
                m.connect(pin, ground.p);
            }
        });
        assert_eq!(model.continuous_states().len(), 1);
        run_to(&mut model, 0.3);
        near(value(&mut model, "load.v"), 20.0, 1e-9);
        // The current of the core is V t / L1; the load takes 4 A, twice that at the first pair.
        near(value(&mut model, "t.i1"), 10.0 * 0.3 / 0.2 + 8.0, 1e-6);
        near(value(&mut model, "t.i2"), -4.0, 1e-9);
    }
}

#[test]
fn a_transformer_stores_the_energy_of_both_currents() {
    let mut model = start(|m| {
        add! { m,
            source: SineVoltage::new().V(10).f(2),
            t: Transformer::new().L1(0.2).L2(0.8).M(0.3),
            load: Resistor::new().R(5),
            ground: Ground::new(),
        }
        m.connect(source.p, t.p1);
        m.connect(t.p2, load.p);
        for pin in [source.n, t.n1, t.n2, load.n] {
            m.connect(pin, ground.p);
        }
    });
    let h = 1e-5;
    for t in [0.05, 0.21, 0.4] {
        let mut energy = |at: f64| {
            run_to(&mut model, at);
            let [i1, i2] = ["t.i1", "t.i2"].map(|name| value(&mut model, name));
            0.1 * i1 * i1 + 0.3 * i1 * i2 + 0.4 * i2 * i2
        };
        let (before, after) = (energy(t - h), energy(t + h));
        let middle = {
            let [v1, i1, v2, i2] =
                ["t.v1", "t.i1", "t.v2", "t.i2"].map(|name| value(&mut model, name));
            v1 * i1 + v2 * i2
        };
        near((after - before) / (2.0 * h), middle, 1e-2);
    }
}

/// A component with two pairs of pins: 6 V and 2 Ohm at the first, 3 Ohm at the second.
macro_rules! pair {
    ($part:expr) => {
        start(|m| {
            add! { m,
                source: ConstantVoltage::new().V(6),
                r: Resistor::new().R(2),
                part: $part,
                load: Resistor::new().R(3),
                ground: Ground::new(),
            }
            m.connect(source.p, r.p);
            m.connect(r.n, part.p1);
            m.connect(part.p2, load.p);
            for pin in [source.n, part.n1, part.n2, load.n] {
                m.connect(pin, ground.p);
            }
        })
    };
}

#[test]
fn controlled_sources_gyrators_and_ideal_transformers_have_their_matrices() {
    let mut vcv = pair!(VCV::new().gain(4));
    near(value(&mut vcv, "load.v"), 24.0, 1e-9);
    near(value(&mut vcv, "r.i"), 0.0, 1e-12);
    let mut vcc = pair!(VCC::new().trans_conductance(0.5));
    near(value(&mut vcc, "load.i"), -3.0, 1e-9);
    let mut ccv = pair!(CCV::new().trans_resistance(4));
    near(value(&mut ccv, "load.v"), 12.0, 1e-9);
    let mut ccc = pair!(CCC::new().gain(5));
    near(value(&mut ccc, "load.i"), -15.0, 1e-9);
    // i1 = G2 v2, i2 = -G1 v1: the load looks like 1 / (G1 G2 R) = 1 / (0.5 * 0.2 * 3) Ohm.
    let mut gyrator = pair!(Gyrator::new().G1(0.5).G2(0.2));
    near(value(&mut gyrator, "r.i"), 6.0 / (2.0 + 1.0 / 0.3), 1e-9);
    // The load looks like n^2 R.
    let mut transformer = pair!(IdealTransformer::new().n(2));
    near(value(&mut transformer, "r.i"), 6.0 / (2.0 + 12.0), 1e-9);
}

#[test]
fn sensors_measure_without_changing_the_circuit() {
    let mut model = start(|m| {
        add! { m,
            source: ConstantVoltage::new().V(6),
            r: Resistor::new().R(2),
            g: Conductor::new().G(1),
            power: PowerSensor::new(),
            all: MultiSensor::new(),
            voltage: VoltageSensor::new(),
            current: CurrentSensor::new(),
            potential: PotentialSensor::new(),
        }
        ring(
            m,
            [
                [source.n, source.p],
                [power.pc, power.nc],
                [all.pc, all.nc],
                [current.p, current.n],
                [r.p, r.n],
                [g.p, g.n],
            ],
        );
        for (p, n) in [(power.pv, power.nv), (all.pv, all.nv), (voltage.p, voltage.n)] {
            m.connect(p, g.p);
            m.connect(n, g.n);
        }
        m.connect(potential.p, r.p);
    });
    for (name, expected) in [
        ("current.i", 2.0),
        ("all.i", 2.0),
        ("voltage.v", 2.0),
        ("all.v", 2.0),
        ("power.power", 4.0),
        ("all.power", 4.0),
        ("potential.phi", 6.0),
    ] {
        near(value(&mut model, name), expected, 1e-12);
    }
}

#[test]
fn adaptors_join_two_circuits_as_a_wire_does() {
    let mut model = start(|m| {
        add! { m,
            source: SineVoltage::new().V(6).f(3),
            r: Resistor::new().R(2),
            to_current: GeneralVoltageToCurrentAdaptor::new(),
            to_voltage: GeneralCurrentToVoltageAdaptor::new(),
            c: Capacitor::new().C(0.01),
            other: Ground::new(),
        }
        ring(m, [[source.n, source.p], [r.p, r.n], [to_current.pin_p, to_current.pin_n]]);
        m.connect(to_voltage.pin_p, c.n);
        m.connect(to_voltage.pin_n, c.p);
        m.connect(c.p, other.p);
        m.connect(to_voltage.p, to_current.p);
        m.connect(to_current.f, to_voltage.f);
    });
    let mut whole = start(|m| {
        add! { m,
            source: SineVoltage::new().V(6).f(3),
            r: Resistor::new().R(2),
            c: Capacitor::new().C(0.01),
        }
        ring(m, [[source.n, source.p], [r.p, r.n], [c.n, c.p]]);
    });
    for t in [0.0, 0.013, 0.1, 0.31] {
        run_to(&mut model, t);
        run_to(&mut whole, t);
        for name in ["c.v", "r.i", "c.i"] {
            near(value(&mut model, name), value(&mut whole, name), 1e-8);
        }
        near(value(&mut model, "to_voltage.pder"), -value(&mut whole, "c.i") / 0.01, 1e-6);
    }
}

#[test]
fn a_voice_coil_turns_electrical_into_mechanical_power() {
    let mut model = start(|m| {
        add! { m,
            source: ConstantVoltage::new().V(10),
            r: Resistor::new().R(2),
            coil: TranslationalEMF::new().k(3),
            body: Mass::new().m(1.5).s(fixed(0)).v(fixed(0)),
        }
        ring(m, [[source.n, source.p], [r.p, r.n], [coil.p, coil.n]]);
        m.connect(coil.flange, body.flange_a);
    });
    for t in [0.0, 0.1, 0.5] {
        run_to(&mut model, t);
        // m der(v) = k (V - k v) / R.
        let v = 10.0 / 3.0 * (1.0 - (-9.0 / 3.0 * t).exp());
        near(value(&mut model, "body.v"), v, 1e-8);
        let electrical = value(&mut model, "coil.v") * value(&mut model, "coil.i");
        near(electrical, value(&mut model, "coil.fElectrical") * v, 1e-6);
    }
}
