//! What is told about jumps, and which circuits they concern.

use super::ideal_switches::{diode, from, switch};
use super::near;
use crate::common::{notes, run_to, simulation, start, value};
use fmu_runtime::Simulation;
use libraries::blocks::BooleanConstant;
use libraries::electrical::*;
use libraries::prelude::*;
use mechanics::add;
use mechanics::port::Pin;
use std::f64::consts::TAU;

/// What is told about jumps.
fn told(model: &Simulation) -> Vec<String> {
    let texts = model.messages().into_iter().map(|message| message.text.to_string());
    texts.filter(|text| text.contains("energy is lost")).collect()
}

/// A capacitor of 1 F and 1 V that a switch shorts at 0.1 s.
fn shorted(m: &mut Assembly, ground: Pin) {
    let control = from(m, "control", 0.1);
    add! { m, c: Capacitor::new().C(1).v(fixed(1)), sw: switch() }
    m.connect(control, sw.control);
    m.connect(c.p, sw.p);
    for pin in [c.n, sw.n] {
        m.connect(pin, ground);
    }
}

#[test]
fn only_what_jumps_is_named() {
    let mut model = start(|m| {
        add! { m,
            ground: Ground::new(),
            source: ConstantVoltage::new().V(5),
            other: Capacitor::new().C(2).v(fixed(3)),
            l: Inductor::new().L(1).i(fixed(0)),
            r: Resistor::new().R(1),
            d: diode(),
        }
        shorted(m, ground.p);
        m.chain((source.p, r, d, l, other.p));
        m.connect(source.n, ground.p);
        m.connect(other.n, ground.p);
    });
    run_to(&mut model, 0.2);
    let told = told(&model);
    assert_eq!(told.len(), 1, "{told:?}");
    let wanted =
        "sw: it closes a loop in which stored voltages jump (c); 5.000e-1 J of energy is lost";
    assert!(told[0].contains(wanted), "{told:?}");
}

#[test]
fn a_jump_in_one_circuit_does_not_decide_about_diodes_of_another_one() {
    // At the instant of the jump, the current of the coil is about to vanish: within the step of
    // the companion circuit.
    let w = TAU * 0.1 * 1e6;
    let mut model = start(|m| {
        add! { m,
            ground: Ground::new(),
            source: SineVoltage::new().V(1).f(1e5).start_time(0.1 + 0.005 / 6.283e5 - 1e-5),
            d: diode(),
            l: Inductor::new().L(1e-6).i(fixed(0)),
        }
        shorted(m, ground.p);
        m.chain((source.p, d, l, source.n));
        m.connect(source.n, ground.p);
    });
    run_to(&mut model, 0.1 - 1e-12);
    let before = value(&mut model, "l.i");
    assert!(before > 1e-6 && before < 1e-3 / (w * 1e-6), "{before} A");
    run_to(&mut model, 0.1);
    near(value(&mut model, "l.i"), before, 1e-2 * before);
    assert_eq!(told(&model).len(), 1);
}

#[test]
fn errors_of_a_coarse_integration_are_no_jumps() {
    // Events are where the source passes zero, so that it says nothing about the errors.
    let mut model = simulation(|m| {
        let closed = from(m, "closed", -1.0);
        add! { m,
            ground: Ground::new(),
            source: SineVoltage::new().V(10).f(50),
            sw: switch(),
            c: Capacitor::new().C(1e-3),
            pulse: Pulse::new().period(0.04),
            above: GreaterThreshold::new().threshold(0.5),
        }
        m.connect(pulse.y, above.u);
        m.connect(closed, sw.control);
        m.chain((source.p, sw, c, source.n));
        m.connect(source.n, ground.p);
    })
    .unwrap();
    model.start(Some(1e-4)).unwrap();
    run_to(&mut model, 0.2);
    assert!(told(&model).is_empty(), "{:?}", told(&model));
    near(value(&mut model, "c.v"), 10.0 * (TAU * 50.0 * 0.2).sin(), 1e-12);
}

#[test]
fn equal_shares_of_parallel_ideal_diodes_are_noted() {
    let parallel = |count: usize| {
        notes(move |m| {
            add! { m,
                source: ConstantVoltage::new().V(10),
                r: Resistor::new().R(5),
                back: diode(),
                ground: Ground::new(),
            }
            m.connect(source.p, r.p);
            for k in 0..count {
                let d = m.add(format!("d{k}"), diode());
                m.connect(r.n, d.p);
                m.connect(d.n, ground.p);
            }
            m.connect(back.n, r.n);
            m.connect(back.p, ground.p);
            m.connect(source.n, ground.p);
        })
    };
    let wanted = "d0 and d1 are parallel and have no resistance: while they conduct together, \
                  their currents are equal";
    assert!(parallel(2).iter().any(|note| note.contains(wanted)), "{:?}", parallel(2));
    assert!(!parallel(1).iter().any(|note| note.contains("parallel")));
}

#[test]
fn switches_that_never_move_make_stores_jump_at_the_start() {
    let mut model = start(|m| {
        add! { m,
            ground: Ground::new(),
            closed: BooleanConstant::new().k(true),
            sw: switch(),
            c: Capacitor::new().C(1).v(fixed(1)),
            r: Resistor::new().R(1),
            open: BooleanConstant::new().k(false),
            cut: switch(),
            coil: Inductor::new().L(1).i(fixed(3)),
        }
        m.connect(closed.y, sw.control);
        m.connect(open.y, cut.control);
        m.chain((c.p, sw, ground.p));
        m.chain((c.p, r, c.n));
        m.chain((c.n, coil, cut, ground.p));
        m.connect(c.n, ground.p);
    });
    for name in ["c.v", "coil.i"] {
        near(value(&mut model, name), 0.0, 1e-15);
    }
    let told = told(&model);
    let says = |name: &str, energy: &str| {
        told.iter().any(|text| text.contains(name) && text.contains(energy))
    };
    assert!(says("sw: it closes", "(c); 5.000e-1 J"), "{told:?}");
    assert!(says("cut: it cuts", "(coil); 4.500e0 J"), "{told:?}");
    run_to(&mut model, 0.1);
    near(value(&mut model, "c.v"), 0.0, 1e-15);
}
