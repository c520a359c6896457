//! Circuits whose numbers are extreme, and large circuits.

use crate::common::{start, value};
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
