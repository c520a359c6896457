//! Circuits whose numbers are extreme, and large circuits.

use crate::common::{run_to, start, value};
use libraries::electrical::*;
use libraries::prelude::*;
use mechanics::add;

#[test]
fn resistances_of_any_size_divide_a_voltage() {
    let sizes = [1e-9, 1e-3, 1.0, 1e5, 1e12];
    let all = sizes.iter().flat_map(|&a| sizes.iter().map(move |&b| (a, b)));
    for (series, shunt) in all {
        // A chain of two resistors in series, each with a resistor to the ground behind it.
        let mut model = start(|m| {
            add! { m,
                source: ConstantVoltage::new().V(1),
                r1: Resistor::new().R(series), r2: Resistor::new().R(1e-9),
                g1: Resistor::new().R(shunt), g2: Resistor::new().R(1e12),
                ground: Ground::new(),
            }
            m.connect(source.p, r1.p);
            m.connect(r1.n, r2.p);
            m.connect(r1.n, g1.p);
            m.connect(r2.n, g2.p);
            for pin in [source.n, g1.n, g2.n] {
                m.connect(pin, ground.p);
            }
        });
        let second = 1e-9 + 1e12;
        let load = shunt * second / (shunt + second);
        let total = 1.0 / (series + load);
        let expected =
            [total, total * load / shunt, total * load / second, total * load / second * 1e12];
        for (name, expected) in ["r1.i", "g1.i", "r2.i", "g2.v"].into_iter().zip(expected) {
            let found = value(&mut model, name);
            // A small current may be the difference of two large ones.
            let scale = expected.abs() + if name.ends_with('i') { total } else { 0.0 };
            assert!(
                (found - expected).abs() < 1e-14 * scale,
                "{series:e} {shunt:e} {name}: {found:e}, not {expected:e}"
            );
        }
    }
}

/// A ladder of sections, each with a resistor in series and an element to the ground.
fn ladder(m: &mut Assembly, sections: usize, with_capacitors: bool) {
    let source = m.add("source", ConstantVoltage::new().V(1));
    let ground = m.add("ground", Ground::new());
    m.connect(source.n, ground.p);
    let mut last = source.p;
    for k in 0..sections {
        let r = m.add(format!("r{k}"), Resistor::new().R(1));
        m.connect(last, r.p);
        last = r.n;
        let shunt = if with_capacitors {
            let c = m.add(format!("c{k}"), Capacitor::new().C(1e-3));
            [c.p, c.n]
        } else {
            let g = m.add(format!("g{k}"), Resistor::new().R(1));
            [g.p, g.n]
        };
        m.connect(last, shunt[0]);
        m.connect(shunt[1], ground.p);
    }
}

#[test]
fn a_ladder_of_many_sections_has_the_resistance_of_an_infinite_one() {
    let mut model = start(|m| ladder(m, 200, false));
    // The resistance of the infinite ladder is the golden ratio.
    let golden = f64::midpoint(1.0, 5.0_f64.sqrt());
    assert!((value(&mut model, "r0.i") * golden - 1.0).abs() < 1e-12);
    let [first, second] = ["r0.i", "r1.i"].map(|name| value(&mut model, name));
    assert!((second / first * golden * golden - 1.0).abs() < 1e-12);
    let mut model = start(|m| ladder(m, 200, true));
    assert_eq!(model.continuous_states().len(), 200);
    // All capacitors are empty, so that the first resistor has the whole voltage.
    assert_eq!([value(&mut model, "r0.i"), value(&mut model, "r1.i")], [1.0, 0.0]);
}

#[test]
fn a_circuit_may_be_over_within_any_time() {
    for (resistance, capacitance) in [(1e-3, 1e-15), (1e3, 1e-18), (1e9, 1e3)] {
        let constant: f64 = resistance * capacitance;
        let mut model = start(|m| {
            add! { m,
                source: ConstantVoltage::new().V(2),
                r: Resistor::new().R(resistance),
                c: Capacitor::new().C(capacitance).v(fixed(0)),
                ground: Ground::new(),
            }
            m.chain((source.p, r, c, source.n));
            m.connect(source.n, ground.p);
        });
        for part in [0.5_f64, 1.0, 3.0] {
            run_to(&mut model, part * constant);
            let expected = 2.0 * (1.0 - (-part).exp());
            let found = value(&mut model, "c.v");
            assert!((found - expected).abs() < 1e-8, "{constant} s: {found} V, not {expected} V");
        }
    }
}

#[test]
fn a_voltage_that_charges_no_node_leaves_no_rounding_error_in_its_balance() {
    // The filter CauerLowPassAnalog: nodes with capacitors to the ground, and between them
    // inductors with capacitors in parallel. The sum of the currents of inductors and resistors at
    // a node does not contain the voltage of the second one, so the derivatives do not, to the bit.
    let derivatives = |v: f64| {
        let mut model = start(move |m| {
            add! { m,
                source: ConstantVoltage::new().V(1), r1: Resistor::new().R(1),
                c1: Capacitor::new().C(1.072).v(fixed(0.3)), c2: Capacitor::new().C(0.26),
                c3: Capacitor::new().C(1.682).v(fixed(v)), c4: Capacitor::new().C(0.84),
                c5: Capacitor::new().C(0.7262).v(fixed(0.1)), r2: Resistor::new().R(1),
                l1: Inductor::new().L(1.304).i(fixed(0.2)),
                l2: Inductor::new().L(0.8586).i(fixed(-0.4)),
                ground: Ground::new(),
            }
            m.chain((source.p, r1, c1, source.n));
            m.chain((c1.p, l1, c3, ground.p));
            m.chain((c1.p, c2, c3.p));
            m.chain((c3.p, l2, c5, ground.p));
            m.chain((c3.p, c4, c5.p));
            m.chain((c5.p, r2, ground.p));
            m.connect(source.n, ground.p);
        });
        ["der(c1.v)", "der(c3.v)", "der(c5.v)"].map(|name| value(&mut model, name))
    };
    let at_zero = derivatives(0.0);
    assert!(at_zero.iter().all(|rate| rate.abs() > 1e-2), "{at_zero:?}");
    assert_eq!(derivatives(1e12), at_zero);
}
