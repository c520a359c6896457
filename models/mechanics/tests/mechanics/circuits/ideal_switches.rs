//! Switches and diodes without resistance and without conductance.

use super::near;
use crate::common::{run_to, simulation, start, value};
use fmu_runtime::Simulation;
use libraries::blocks::BooleanPulse;
use libraries::electrical::*;
use libraries::prelude::*;
use mechanics::add;
use std::f64::consts::PI;

pub fn diode() -> IdealDiode {
    IdealDiode::new().Ron(0).Goff(0)
}

pub fn switch() -> IdealClosingSwitch {
    IdealClosingSwitch::new().Ron(0).Goff(0)
}

/// True from this instant on.
pub fn from(m: &mut Assembly, name: &str, t: f64) -> Quantity {
    let step = m.add(format!("{name}_step"), Step::new().height(1).start_time(t));
    let above = m.add(format!("{name}_above"), GreaterThreshold::new().threshold(0.5));
    m.connect(step.y, above.u);
    above.y
}

/// True until this instant.
pub fn until(m: &mut Assembly, name: &str, t: f64) -> Quantity {
    let step = m.add(format!("{name}_step"), Step::new().height(-1).offset(1).start_time(t));
    let above = m.add(format!("{name}_above"), GreaterThreshold::new().threshold(0.5));
    m.connect(step.y, above.u);
    above.y
}

/// The energy that the only message about a jump names, in J.
pub fn lost_energy(model: &Simulation) -> f64 {
    let messages = model.messages();
    let told: Vec<&str> = messages.iter().map(|message| &*message.text).collect();
    let mut energies = told.iter().filter_map(|text| {
        let (energy, _) = text.split_once(" J of energy is lost")?;
        energy.rsplit_once(' ')?.1.parse().ok()
    });
    let energy = energies.next().expect("a message about a jump");
    assert!(energies.next().is_none(), "{told:?}");
    energy
}

#[test]
fn an_ideal_diode_rectifies_exactly() {
    let mut model = start(|m| {
        add! { m,
            frequency: Sine::new().amplitude(10).f(50),
            source: SignalVoltage::new(),
            diode: diode().Vknee(0.5),
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
        let u = 10.0 * (100.0 * PI * t).sin();
        near(value(&mut model, "load.i"), if u > 0.5 { (u - 0.5) / 5.0 } else { 0.0 }, 1e-13);
    }
}

#[test]
fn a_bridge_of_ideal_diodes_gives_the_magnitude_of_the_voltage() {
    let mut model = start(|m| {
        add! { m,
            frequency: Sine::new().amplitude(10).f(50),
            source: SignalVoltage::new(),
            d1: diode(), d2: diode(), d3: diode(), d4: diode(),
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
        let u = 10.0 * (100.0 * PI * t).sin();
        near(value(&mut model, "load.v"), u.abs(), 1e-12);
    }
}

#[test]
fn a_current_that_a_switch_cuts_off_goes_on_through_the_diode() {
    let mut model = start(|m| {
        let control = until(m, "control", 0.1);
        add! { m,
            source: ConstantVoltage::new().V(10),
            switch: switch(),
            freewheel: diode(),
            l: Inductor::new().L(0.1).i(fixed(0)),
            r: Resistor::new().R(2),
            ground: Ground::new(),
        }
        m.connect(control, switch.control);
        m.connect(source.p, switch.p);
        m.connect(switch.n, l.p);
        m.connect(freewheel.n, l.p);
        m.connect(l.n, r.p);
        for pin in [source.n, r.n, freewheel.p] {
            m.connect(pin, ground.p);
        }
    });
    run_to(&mut model, 0.05);
    near(value(&mut model, "l.i"), 5.0 * (1.0 - (-1.0_f64).exp()), 1e-8);
    near(value(&mut model, "freewheel.v"), -10.0, 1e-12);
    run_to(&mut model, 0.15);
    let peak = 5.0 * (1.0 - (-2.0_f64).exp());
    near(value(&mut model, "l.i"), peak * (-1.0_f64).exp(), 1e-8);
    near(value(&mut model, "freewheel.i"), peak * (-1.0_f64).exp(), 1e-8);
    near(value(&mut model, "switch.v"), 10.0, 1e-12);
}

#[test]
fn a_current_without_another_path_jumps_to_zero() {
    let mut model = start(|m| {
        let control = until(m, "control", 0.1);
        add! { m,
            source: ConstantVoltage::new().V(10),
            switch: switch(),
            l: Inductor::new().L(0.1).i(fixed(0)),
            r: Resistor::new().R(2),
            ground: Ground::new(),
        }
        m.connect(control, switch.control);
        m.chain((source.p, switch.p));
        m.connect(switch.n, l.p);
        m.connect(l.n, r.p);
        m.connect(source.n, ground.p);
        m.connect(r.n, ground.p);
    });
    run_to(&mut model, 0.099);
    assert!(value(&mut model, "l.i") > 4.0);
    run_to(&mut model, 0.2);
    assert_eq!(value(&mut model, "l.i"), 0.0);
    near(value(&mut model, "switch.v"), 10.0, 1e-12);
    let energy = 0.05 * (5.0 * (1.0 - (-2.0_f64).exp())).powi(2);
    near(lost_energy(&model), energy, 1e-3 * energy);
}

#[test]
fn a_switch_between_two_capacitors_conserves_their_charge() {
    let mut model = start(|m| {
        let control = from(m, "control", 0.1);
        add! { m,
            c1: Capacitor::new().C(2e-3).v(fixed(6)),
            c2: Capacitor::new().C(1e-3).v(fixed(-3)),
            switch: switch(),
            r: Resistor::new().R(100),
            ground: Ground::new(),
        }
        m.connect(control, switch.control);
        m.connect(c1.p, switch.p);
        m.connect(switch.n, c2.p);
        m.connect(r.p, c2.p);
        for pin in [c1.n, c2.n, r.n] {
            m.connect(pin, ground.p);
        }
    });
    run_to(&mut model, 0.09999);
    let charge = 2e-3 * value(&mut model, "c1.v") + 1e-3 * value(&mut model, "c2.v");
    run_to(&mut model, 0.1);
    let v = value(&mut model, "c1.v");
    near(value(&mut model, "c2.v"), v, 1e-13);
    near(3e-3 * v, charge, 1e-6);
    run_to(&mut model, 0.4);
    near(value(&mut model, "c2.v"), v * (-1.0_f64).exp(), 1e-8);
    near(value(&mut model, "c1.v"), v * (-1.0_f64).exp(), 1e-8);
    // The current of the resistor comes from both capacitors.
    near(value(&mut model, "switch.i"), 2.0 / 3.0 * value(&mut model, "r.i"), 1e-9);
}

#[test]
fn a_peak_rectifier_without_resistance_follows_the_source() {
    let mut model = start(|m| {
        add! { m,
            frequency: Sine::new().amplitude(10).f(50),
            source: SignalVoltage::new(),
            d: diode(),
            c: Capacitor::new().C(1e-3).v(fixed(0)),
            load: Resistor::new().R(20),
            ground: Ground::new(),
        }
        m.connect(frequency.y, source.v);
        m.connect(source.p, d.p);
        m.connect(d.n, c.p);
        m.connect(c.p, load.p);
        for pin in [source.n, c.n, load.n] {
            m.connect(pin, ground.p);
        }
    });
    run_to(&mut model, 0.003);
    let w = 100.0 * PI;
    near(value(&mut model, "c.v"), 10.0 * (w * 0.003).sin(), 1e-7);
    near(
        value(&mut model, "d.i"),
        10.0 * (w * 0.003).sin() / 20.0 + 1e-2 * w * (w * 0.003).cos(),
        1e-6,
    );
    // The current of the diode vanishes where sin / R = -C w cos.
    let end = (PI - (20.0 * 1e-3 * w).atan()) / w;
    run_to(&mut model, 0.015);
    let expected = 10.0 * (w * end).sin() * (-(0.015 - end) / 0.02).exp();
    near(value(&mut model, "c.v"), expected, 1e-6);
    assert_eq!(value(&mut model, "d.i"), 0.0);
}

#[test]
fn parallel_ideal_diodes_share_the_current() {
    let mut model = start(|m| {
        add! { m,
            source: ConstantVoltage::new().V(10),
            r: Resistor::new().R(5),
            d1: diode(), d2: diode(), d3: diode().Vknee(0.1),
            ground: Ground::new(),
        }
        m.connect(source.p, r.p);
        for d in [d1, d2, d3] {
            m.connect(r.n, d.p);
            m.connect(d.n, ground.p);
        }
        m.connect(source.n, ground.p);
    });
    near(value(&mut model, "d1.i"), 1.0, 1e-12);
    near(value(&mut model, "d2.i"), 1.0, 1e-12);
    assert_eq!(value(&mut model, "d3.i"), 0.0);
}

#[test]
fn a_switch_that_shorts_a_source_is_refused_when_it_closes() {
    let mut model = simulation(|m| {
        let control = from(m, "control", 0.1);
        add! { m,
            v1: ConstantVoltage::new().V(10),
            sw1: switch(),
            r: Resistor::new().R(1),
            ground: Ground::new(),
        }
        m.connect(control, sw1.control);
        for pin in [sw1.p, r.p] {
            m.connect(v1.p, pin);
        }
        for pin in [sw1.n, r.n, v1.n] {
            m.connect(pin, ground.p);
        }
    })
    .unwrap();
    model.start(Some(1e-8)).unwrap();
    let sentence = model.run_to(0.2).unwrap_err().to_string();
    assert!(sentence.contains("v1 and sw1: those of them that are closed"), "{sentence}");
}

#[test]
fn a_buck_converter_with_discontinuous_current_has_the_known_voltage() {
    let mut model = start(|m| {
        add! { m,
            pulse: Pulse::new().amplitude(1).period(1e-4).width(30),
            above: GreaterThreshold::new().threshold(0.5),
            source: ConstantVoltage::new().V(24),
            sw: switch(),
            d: diode(),
            l: Inductor::new().L(1e-4).i(fixed(0)),
            c: Capacitor::new().C(1e-3).v(fixed(0)),
            load: Resistor::new().R(50),
            ground: Ground::new(),
        }
        m.connect(pulse.y, above.u);
        m.connect(above.y, sw.control);
        m.connect(source.p, sw.p);
        m.connect(sw.n, l.p);
        m.connect(d.n, l.p);
        m.connect(l.n, c.p);
        m.connect(c.p, load.p);
        for pin in [source.n, d.p, c.n, load.n] {
            m.connect(pin, ground.p);
        }
    });
    run_to(&mut model, 0.5);
    // V / U = 2 / (1 + sqrt(1 + 8 L / (R d^2 T))) without the ripple V T / (R C).
    let ratio = 2.0 / (1.0 + (1.0 + 8.0 * 1e-4 / (50.0 * 0.09 * 1e-4_f64)).sqrt());
    let ripple = 24.0 * ratio * 1e-4 / (50.0 * 1e-3);
    near(value(&mut model, "c.v"), 24.0 * ratio, 0.5 * ripple);
}

#[test]
fn an_input_of_the_fmu_in_a_loop_that_a_switch_closes_ends_the_simulation() {
    let circuit = |t: f64, resistance: f64| {
        start(move |m| {
            add! { m,
                u: ExternalInput::new().unit("V").start(5),
                source: SignalVoltage::new(),
                switch: switch(),
                line: Resistor::new().R(resistance),
                c: Capacitor::new().C(1e-3).v(fixed(0)),
                ground: Ground::new(),
            }
            let closed = from(m, "closed", t);
            m.connect(closed, switch.control);
            m.connect(u.y, source.v);
            m.chain((source.p, switch, line, c, source.n));
            m.connect(source.n, ground.p);
        })
    };
    let mut model = circuit(0.5, 0.0);
    run_to(&mut model, 0.4);
    let refused = model.run_to(0.6).expect_err("the derivative of the input is not known");
    let sentence = "source and ideal switches form a loop or a cut with an input of the FMU, whose \
                    derivative is not known";
    assert!(refused.to_string().contains(sentence), "{refused}");
    // With a resistance, the input is in no such loop.
    let mut model = circuit(0.5, 2.0);
    run_to(&mut model, 0.502);
    near(value(&mut model, "c.v"), 5.0 * (1.0 - (-1.0_f64).exp()), 1e-8);
}

#[test]
fn a_switch_that_cuts_a_current_source_off_ends_the_simulation() {
    let mut model = start(|m| {
        let control = until(m, "control", 0.1);
        add! { m,
            i1: ConstantCurrent::new().I(2),
            sw1: switch(),
            r: Resistor::new().R(3),
            ground: Ground::new(),
        }
        m.connect(control, sw1.control);
        m.connect(i1.n, sw1.p);
        m.connect(sw1.n, r.p);
        m.connect(i1.p, ground.p);
        m.connect(r.n, ground.p);
    });
    run_to(&mut model, 0.09);
    near(value(&mut model, "r.v"), 6.0, 1e-12);
    let why = model.run_to(0.2).unwrap_err().to_string();
    let sentence = "i1 and sw1: those of them that are open cut current sources off, between which \
                    potentials are not determined";
    assert!(why.contains(sentence), "{why}");
}

#[test]
fn an_arc_of_ideal_contacts_is_quenched_when_its_current_vanishes() {
    let mut model = start(|m| {
        let control = until(m, "control", 0.1);
        let contacts = CloserWithArc::new().Ron(0).Goff(0).off(false);
        add! { m,
            source: ConstantVoltage::new().V(10),
            switch: contacts.V0(30).dVdt(1e4).Vmax(60),
            l: Inductor::new().L(0.1).i(fixed(0)),
            r: Resistor::new().R(2),
            ground: Ground::new(),
        }
        m.connect(control, switch.control);
        m.chain((source.p, switch, l, r, source.n));
        m.connect(source.n, ground.p);
    });
    run_to(&mut model, 0.09);
    assert_eq!(value(&mut model, "switch.v"), 0.0);
    let current = |t: f64| 5.0 * (1.0 - (-t / 0.05).exp());
    // L i' = 10 - 2 i - 30 - 1e4 (t - 0.1), until the voltage of the arc is 60 V.
    run_to(&mut model, 0.102);
    near(value(&mut model, "switch.v"), 50.0, 1e-9);
    let ramp = |t: f64| {
        let particular = |t: f64| -10.0 - 5e3 * t + 5e3 * 0.05;
        particular(t) + (current(0.1) - particular(0.0)) * (-t / 0.05).exp()
    };
    near(value(&mut model, "l.i"), ramp(0.002), 1e-7);
    run_to(&mut model, 0.2);
    near(value(&mut model, "l.i"), 0.0, 1e-20);
    near(value(&mut model, "switch.v"), 10.0, 1e-12);
}

#[test]
fn an_arc_beside_a_capacitor_gives_its_voltage_to_it() {
    let mut model = start(|m| {
        let control = until(m, "control", 0.1);
        let contacts = CloserWithArc::new().Ron(0).off(false);
        add! { m,
            source: ConstantCurrent::new().I(-2),
            switch: contacts.V0(0).dVdt(1e4).Vmax(60),
            c: Capacitor::new().C(1e-5),
            ground: Ground::new(),
        }
        m.connect(control, switch.control);
        for part in [switch.p, c.p] {
            m.connect(source.p, part);
        }
        for part in [source.n, switch.n, c.n] {
            m.connect(part, ground.p);
        }
    });
    run_to(&mut model, 0.103);
    near(value(&mut model, "c.v"), 30.0, 1e-6);
    near(value(&mut model, "c.i"), 0.1, 1e-9);
    near(value(&mut model, "switch.i"), 1.9, 1e-9);
}

#[test]
fn many_jumps_are_told_once_with_the_energy_of_the_first_one() {
    let mut model = start(|m| {
        add! { m,
            c1: Capacitor::new().C(2e-3).v(fixed(6)),
            c2: Capacitor::new().C(1e-3).v(fixed(-3)),
            pulse: BooleanPulse::new().period(0.1).start_time(0.05),
            switch: switch(),
            source: ConstantVoltage::new().V(6),
            r: Resistor::new().R(10),
            burden: Resistor::new().R(50),
            ground: Ground::new(),
        }
        m.connect(pulse.y, switch.control);
        m.chain((source.p, r, c1.p));
        m.chain((c1.p, switch, c2.p));
        m.connect(c2.p, burden.p);
        for pin in [source.n, c1.n, c2.n, burden.n] {
            m.connect(pin, ground.p);
        }
    });
    run_to(&mut model, 1.0);
    let before = 6.0 + 3.0 * (-0.05_f64 / 0.05).exp();
    let energy = 0.5 * (2e-3 * 1e-3 / 3e-3) * before * before;
    near(lost_energy(&model), energy, 1e-3 * energy);
}

/// Why a circuit stops that must run to 0.1 s.
fn stops(circuit: impl FnOnce(&mut Assembly)) -> String {
    let mut model = start(circuit);
    model.run_to(0.1).expect_err("sources contradict each other").to_string()
}

#[test]
fn sources_contradict_each_other_as_soon_as_they_do_not_vanish_any_more() {
    // The voltage is zero where the diode begins to conduct.
    let sentence = stops(|m| {
        let source = SineVoltage::new().V(12).f(50).phase(-1);
        add! { m, source: source, d: diode(), ground: Ground::new() }
        m.chain((source.p, d, source.n));
        m.connect(source.n, ground.p);
    });
    assert!(sentence.contains("source and d: those of them that are closed"), "{sentence}");
    // The current is zero where the diode would cease to conduct.
    let sentence = stops(|m| {
        add! { m, source: SineCurrent::new().I(2).f(50), d: diode(), ground: Ground::new() }
        m.chain((source.p, d, source.n));
        m.connect(source.n, ground.p);
    });
    assert!(sentence.contains("source and d: those of them that are open"), "{sentence}");
    // So they are where switches move.
    let sentence = stops(|m| {
        let control = from(m, "control", 0.02);
        add! { m, source: SineVoltage::new().V(12).f(50), sw: switch(), ground: Ground::new() }
        m.connect(control, sw.control);
        m.chain((source.p, sw, source.n));
        m.connect(source.n, ground.p);
    });
    assert!(sentence.contains("source and sw: those of them that are closed"), "{sentence}");
}
