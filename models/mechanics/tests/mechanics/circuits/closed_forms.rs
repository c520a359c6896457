//! Circuits whose solutions are known.

use super::near;
use crate::common::{run_to, start, value};
use libraries::electrical::*;
use libraries::prelude::*;
use libraries::rotational::Inertia;
use mechanics::add;

#[test]
fn resistors_divide_a_voltage() {
    let mut model = start(|m| {
        add! { m,
            source: ConstantVoltage::new().V(12),
            r1: Resistor::new().R(3),
            r2: Resistor::new().R(6),
            r3: Resistor::new().R(6),
            ground: Ground::new(),
        }
        m.connect(source.p, r1.p);
        m.connect(r1.n, r2.p);
        m.connect(r1.n, r3.p);
        m.connect(r2.n, source.n);
        m.connect(r3.n, source.n);
        m.connect(source.n, ground.p);
    });
    near(value(&mut model, "r1.i"), 2.0, 1e-12);
    near(value(&mut model, "r2.v"), 6.0, 1e-12);
    near(value(&mut model, "source.i"), -2.0, 1e-12);
    near(value(&mut model, "r3.p.v"), 6.0, 1e-12);
    near(value(&mut model, "r3.n.i"), -1.0, 1e-12);
    near(value(&mut model, "r1.LossPower"), 12.0, 1e-12);
}

#[test]
fn a_capacitor_is_charged_through_a_resistor() {
    let mut model = start(|m| {
        add! { m,
            source: ConstantVoltage::new().V(10),
            r: Resistor::new().R(100),
            c: Capacitor::new().C(1e-3),
            ground: Ground::new(),
        }
        m.connect(source.p, r.p);
        m.connect(r.n, c.p);
        m.connect(c.n, source.n);
        m.connect(source.n, ground.p);
    });
    near(value(&mut model, "c.i"), 0.1, 1e-12);
    run_to(&mut model, 0.2);
    near(value(&mut model, "c.v"), 10.0 * (1.0 - (-2.0_f64).exp()), 1e-8);
}

#[test]
fn capacitors_in_a_loop_with_a_source_have_one_state() {
    let mut model = start(|m| {
        add! { m,
            frequency: Sine::new().amplitude(5).f(50),
            source: SignalVoltage::new(),
            c1: Capacitor::new().C(2e-6),
            c2: Capacitor::new().C(3e-6).v(fixed(0)),
            r: Resistor::new().R(1e3),
            ground: Ground::new(),
        }
        m.connect(frequency.y, source.v);
        m.connect(source.p, c1.p);
        m.connect(c1.n, c2.p);
        m.connect(c1.n, r.p);
        m.connect(c2.n, source.n);
        m.connect(r.n, source.n);
        m.connect(source.n, ground.p);
    });
    assert_eq!(model.continuous_states().len(), 1);
    // (C1 + C2) der(v2) = C1 der(u) - v2 / R.
    let (c, k, w) = (5e-6, 2e-6, 100.0 * std::f64::consts::PI);
    let a = 1.0 / (1e3 * c);
    let b = k / c * 5.0 * w;
    let exact = |t: f64| {
        let (sine, cosine) = (w * t).sin_cos();
        b / (a * a + w * w) * (a * cosine + w * sine - a * (-a * t).exp())
    };
    for t in [0.0, 0.003, 0.01, 0.027] {
        run_to(&mut model, t);
        near(value(&mut model, "c2.v"), exact(t), 1e-7);
        let u = 5.0 * (w * t).sin();
        near(value(&mut model, "c1.v"), u - exact(t), 1e-7);
        let current = 3e-6 * (b * (w * t).cos() - a * exact(t)) + exact(t) / 1e3;
        near(value(&mut model, "c1.i"), current, 1e-8);
    }
}

#[test]
fn inductors_in_a_cut_have_one_state() {
    let mut model = start(|m| {
        add! { m,
            source: ConstantVoltage::new().V(6),
            l1: Inductor::new().L(0.1),
            l2: Inductor::new().L(0.2),
            r: Resistor::new().R(3),
            ground: Ground::new(),
        }
        m.connect(source.p, l1.p);
        m.connect(l1.n, l2.p);
        m.connect(l2.n, r.p);
        m.connect(r.n, source.n);
        m.connect(source.n, ground.p);
    });
    assert_eq!(model.continuous_states().len(), 1);
    run_to(&mut model, 0.15);
    let current = 2.0 * (1.0 - (-1.5_f64).exp());
    near(value(&mut model, "l1.i"), current, 1e-8);
    near(value(&mut model, "l2.i"), current, 1e-8);
    near(value(&mut model, "l2.v"), (6.0 - 3.0 * current) * 2.0 / 3.0, 1e-7);
}

#[test]
fn a_motor_turns_at_the_speed_at_which_its_voltage_balances_the_source() {
    let mut model = start(|m| {
        add! { m,
            source: ConstantVoltage::new().V(24),
            ra: Resistor::new().R(0.5),
            la: Inductor::new().L(2e-3),
            emf: RotationalEMF::new().k(0.1),
            rotor: Inertia::new().J(1e-3).phi(fixed(0)).w(fixed(0)),
            ground: Ground::new(),
        }
        m.connect(source.p, ra.p);
        m.connect(ra.n, la.p);
        m.connect(la.n, emf.p);
        m.connect(emf.n, source.n);
        m.connect(source.n, ground.p);
        m.connect(emf.flange, rotor.flange_a);
    });
    near(value(&mut model, "la.v"), 24.0, 1e-12);
    run_to(&mut model, 3.0);
    near(value(&mut model, "rotor.w"), 240.0, 1e-4);
    near(value(&mut model, "la.i"), 0.0, 1e-4);
}

#[test]
fn a_motor_without_inductance_has_a_torque_that_depends_on_its_speed() {
    let mut model = start(|m| {
        add! { m,
            source: ConstantVoltage::new().V(24),
            ra: Resistor::new().R(0.5),
            emf: RotationalEMF::new().k(0.1),
            rotor: Inertia::new().J(1e-3).phi(fixed(0)).w(fixed(0)),
            ground: Ground::new(),
        }
        m.connect(source.p, ra.p);
        m.connect(ra.n, emf.p);
        m.connect(emf.n, source.n);
        m.connect(source.n, ground.p);
        m.connect(emf.flange, rotor.flange_a);
    });
    run_to(&mut model, 0.1);
    // J der(w) = k (V - k w) / R.
    near(value(&mut model, "rotor.w"), 240.0 * (1.0 - (-0.1_f64 * 20.0).exp()), 1e-5);
}

#[test]
fn a_diode_rectifies() {
    let mut model = start(|m| {
        add! { m,
            frequency: Sine::new().amplitude(10).f(50),
            source: SignalVoltage::new(),
            diode: IdealDiode::new(),
            load: Resistor::new().R(5),
            ground: Ground::new(),
        }
        m.connect(frequency.y, source.v);
        m.connect(source.p, diode.p);
        m.connect(diode.n, load.p);
        m.connect(load.n, source.n);
        m.connect(source.n, ground.p);
    });
    for t in [0.005, 0.015, 0.0249, 0.0351] {
        run_to(&mut model, t);
        let u = 10.0 * (100.0 * std::f64::consts::PI * t).sin();
        let expected = if u > 0.0 { u / (5.0 + 1e-5) } else { u / (5.0 + 1e5) };
        near(value(&mut model, "load.i"), expected, 1e-9);
    }
}

/// A source, a diode, a resistor and a capacitor in series, with a load beside the capacitor.
fn peak_rectifier(m: &mut Assembly, ron: f64) {
    add! { m,
        frequency: Sine::new().amplitude(10).f(50),
        source: SignalVoltage::new(),
        r: Resistor::new().R(10),
        diode: IdealDiode::new().Vknee(0.7).Ron(ron),
        c: Capacitor::new().C(1e-4),
        load: Resistor::new().R(1e3),
        ground: Ground::new(),
    }
    m.connect(frequency.y, source.v);
    m.chain((source.p, r.p));
    m.chain((r.n, diode.p));
    m.chain((diode.n, c.p));
    m.chain((c.p, load.p));
    for pin in [c.n, load.n, source.n] {
        m.connect(pin, ground.p);
    }
}

#[test]
fn a_diode_of_any_resistance_charges_a_capacitor() {
    let voltage = |ron: f64| {
        let mut model = start(|m| peak_rectifier(m, ron));
        run_to(&mut model, 0.1);
        value(&mut model, "c.v")
    };
    // The resistance of the diode is in series with 10 Ohm.
    let exact = voltage(1e-3);
    for ron in [1e-5, 1e-7, 1e-9] {
        near(voltage(ron), exact, 1e-3);
    }
}

#[test]
fn a_bridge_of_diodes_gives_the_magnitude_of_the_voltage() {
    let mut model = start(|m| {
        add! { m,
            frequency: Sine::new().amplitude(10).f(50),
            source: SignalVoltage::new(),
            d1: IdealDiode::new(), d2: IdealDiode::new(), d3: IdealDiode::new(),
            d4: IdealDiode::new(),
            load: Resistor::new().R(10),
            ground: Ground::new(),
        }
        m.connect(frequency.y, source.v);
        m.connect(source.n, ground.p);
        for (anode, cathode, diode) in [
            (source.p, load.p, d1),
            (source.n, load.p, d2),
            (load.n, source.p, d3),
            (load.n, source.n, d4),
        ] {
            m.connect(anode, diode.p);
            m.connect(diode.n, cathode);
        }
    });
    for t in [0.003, 0.009, 0.013, 0.0196, 0.031] {
        run_to(&mut model, t);
        let u = 10.0 * (100.0 * std::f64::consts::PI * t).sin();
        near(value(&mut model, "load.v"), u.abs(), 1e-3);
    }
}

#[test]
fn an_inverting_amplifier_has_the_ratio_of_its_resistors() {
    let mut model = start(|m| {
        add! { m,
            source: ConstantVoltage::new().V(2),
            r1: Resistor::new().R(1e3),
            r2: Resistor::new().R(5e3),
            amplifier: IdealOpAmp3Pin::new(),
            load: Resistor::new().R(100),
            ground: Ground::new(),
        }
        m.connect(source.n, ground.p);
        m.connect(source.p, r1.p);
        m.connect(r1.n, amplifier.in_n);
        m.connect(r2.p, amplifier.in_n);
        m.connect(r2.n, amplifier.out);
        m.connect(amplifier.in_p, ground.p);
        m.connect(load.p, amplifier.out);
        m.connect(load.n, ground.p);
    });
    near(value(&mut model, "load.v"), -10.0, 1e-9);
}

#[test]
fn an_ideal_transformer_joins_the_capacitors_on_both_sides() {
    let mut model = start(|m| {
        add! { m,
            source: ConstantVoltage::new().V(10),
            r: Resistor::new().R(50),
            c1: Capacitor::new().C(1e-4),
            transformer: IdealTransformer::new().n(2),
            c2: Capacitor::new().C(4e-4),
            ground: Ground::new(),
            other: Ground::new(),
        }
        m.connect(source.n, ground.p);
        m.connect(source.p, r.p);
        m.connect(r.n, c1.p);
        m.connect(c1.n, ground.p);
        m.connect(r.n, transformer.p1);
        m.connect(transformer.n1, ground.p);
        m.connect(transformer.p2, c2.p);
        m.connect(transformer.n2, c2.n);
        m.connect(c2.n, other.p);
    });
    assert_eq!(model.continuous_states().len(), 1);
    run_to(&mut model, 0.01);
    // Seen from the first side, the second capacitor has a quarter of its capacitance.
    let v = 10.0 * (1.0 - (-0.01_f64 / (50.0 * 2e-4)).exp());
    near(value(&mut model, "c1.v"), v, 1e-7);
    near(value(&mut model, "c2.v"), v / 2.0, 1e-7);
}
