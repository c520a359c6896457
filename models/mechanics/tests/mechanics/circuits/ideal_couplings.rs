//! Ideal switches whose constraints reach through transformers, gyrators, controlled sources and
//! amplifiers.

use super::ideal_switches::{diode, from, switch, until};
use super::near;
use crate::common::{run_to, simulation, start, value};
use libraries::blocks::BooleanPulse;
use libraries::electrical::*;
use libraries::prelude::*;
use mechanics::add;
use mechanics::port::Pin;
use std::f64::consts::PI;

/// A sine of 10 V and 50 Hz between a pin and the ground; returns the pin.
fn sine(m: &mut Assembly, ground: Pin) -> Pin {
    add! { m, wave: Sine::new().amplitude(10).f(50), source: SignalVoltage::new() }
    m.connect(wave.y, source.v);
    m.connect(source.n, ground);
    source.p
}

/// A bridge of ideal diodes between pins of an alternating and of a direct voltage.
fn bridge(m: &mut Assembly, [a, b]: [Pin; 2], [p, n]: [Pin; 2]) {
    for (k, (anode, cathode)) in [(a, p), (b, p), (n, a), (n, b)].into_iter().enumerate() {
        let diode = m.add(format!("d{k}"), diode());
        m.connect(anode, diode.p);
        m.connect(diode.n, cathode);
    }
}

#[test]
fn a_bridge_behind_a_transformer_gives_the_magnitude_of_its_voltage() {
    for magnetizes in [false, true] {
        let mut model = start(move |m| {
            add! { m,
                ground: Ground::new(), earth: Ground::new(),
                transformer: IdealTransformer::new().n(2)
                    .consider_magnetization(magnetizes).Lm1(0.5),
                load: Resistor::new().R(10),
            }
            let source = sine(m, ground.p);
            m.connect(source, transformer.p1);
            m.connect(transformer.n1, ground.p);
            bridge(m, [transformer.p2, transformer.n2], [load.p, load.n]);
            m.connect(load.n, earth.p);
        });
        for t in [0.003, 0.009, 0.013, 0.0196, 0.031] {
            run_to(&mut model, t);
            let u = 10.0 * (100.0 * PI * t).sin();
            near(value(&mut model, "load.v"), u.abs() / 2.0, 1e-9);
            let magnetizing =
                if magnetizes { (1.0 - (100.0 * PI * t).cos()) / (5.0 * PI) } else { 0.0 };
            near(value(&mut model, "transformer.i1"), u / 40.0 + magnetizing, 1e-6);
        }
    }
}

#[test]
fn a_capacitor_behind_a_transformer_and_a_bridge_follows_the_source() {
    let mut model = start(|m| {
        add! { m,
            ground: Ground::new(), earth: Ground::new(),
            transformer: IdealTransformer::new().n(0.5),
            c: Capacitor::new().C(1e-4).v(fixed(0)),
            load: Resistor::new().R(1000),
        }
        let source = sine(m, ground.p);
        m.connect(source, transformer.p1);
        m.connect(transformer.n1, ground.p);
        bridge(m, [transformer.p2, transformer.n2], [c.p, c.n]);
        m.connect(c.p, load.p);
        m.connect(c.n, load.n);
        m.connect(c.n, earth.p);
    });
    let w = 100.0 * PI;
    run_to(&mut model, 0.003);
    near(value(&mut model, "c.v"), 20.0 * (w * 0.003).sin(), 1e-7);
    let current = 20.0 * (w * 0.003).sin() / 1000.0 + 2e-3 * w * (w * 0.003).cos();
    near(value(&mut model, "transformer.i1"), 2.0 * current, 1e-6);
    let end = (PI - (w * 0.1).atan()) / w;
    run_to(&mut model, 0.009);
    near(value(&mut model, "c.v"), 20.0 * (w * end).sin() * (-(0.009 - end) / 0.1).exp(), 1e-5);
}

#[test]
fn a_flyback_converter_gives_the_energy_of_its_core_to_the_load() {
    let (inductance, period, duty) = (1e-3, 1e-4, 0.3);
    let mut model = start(move |m| {
        add! { m,
            source: ConstantVoltage::new().V(12),
            transformer: IdealTransformer::new().n(0.5).consider_magnetization(true).Lm1(inductance),
            pulse: BooleanPulse::new().width(100.0 * duty).period(period),
            sw: switch(), d: diode(),
            c: Capacitor::new().C(1e-4).v(fixed(40)),
            load: Resistor::new().R(500),
            ground: Ground::new(), earth: Ground::new(),
        }
        m.connect(pulse.y, sw.control);
        m.chain((source.p, sw));
        m.connect(sw.n, transformer.p1);
        m.connect(transformer.n1, source.n);
        m.connect(source.n, ground.p);
        // The winding is reversed, so that the diode conducts while the switch is open.
        m.connect(transformer.n2, d.p);
        m.connect(d.n, c.p);
        m.connect(c.p, load.p);
        for pin in [c.n, load.n, earth.p] {
            m.connect(transformer.p2, pin);
        }
    });
    run_to(&mut model, 0.4);
    // In each period, the core takes L i^2 / 2 with i = d T V / L, and the load takes all of it.
    let peak = duty * period * 12.0 / inductance;
    let voltage = (0.5 * inductance * peak * peak / period * 500.0).sqrt();
    near(value(&mut model, "c.v"), voltage, 2e-3 * voltage);
    let lost = model.messages().iter().filter(|message| message.text.contains("lost")).count();
    assert_eq!(lost, 0);
}

#[test]
fn a_switch_in_series_with_a_gyrator_treats_its_capacitor_as_an_inductor() {
    let model = |gyrates: bool| {
        start(move |m| {
            let control = until(m, "control", 0.1);
            add! { m,
                source: ConstantVoltage::new().V(10),
                switch: switch(),
                freewheel: diode().Vknee(0.7),
                r: Resistor::new().R(2),
                ground: Ground::new(),
            }
            m.connect(control, switch.control);
            m.chain((source.p, switch));
            m.connect(switch.n, r.p);
            m.connect(freewheel.n, r.p);
            for pin in [source.n, freewheel.p] {
                m.connect(pin, ground.p);
            }
            if gyrates {
                // L = C / (G1 G2).
                add! { m,
                    gyrator: Gyrator::new().G1(0.2).G2(0.1),
                    c: Capacitor::new().C(2e-3).v(fixed(0)),
                }
                m.connect(r.n, gyrator.p1);
                m.connect(gyrator.p2, c.p);
                for pin in [gyrator.n1, gyrator.n2, c.n] {
                    m.connect(pin, ground.p);
                }
            } else {
                let l = m.add("l", Inductor::new().L(0.1).i(fixed(0)));
                m.chain((r.n, l, ground.p));
            }
        })
    };
    let [mut gyrator, mut coil] = [true, false].map(model);
    for t in [0.05, 0.12, 0.15, 0.3, 0.5] {
        for model in [&mut gyrator, &mut coil] {
            run_to(model, t);
        }
        for name in ["r.i", "freewheel.i", "switch.v"] {
            near(value(&mut gyrator, name), value(&mut coil, name), 1e-7);
        }
    }
    near(value(&mut gyrator, "r.i"), 0.0, 1e-15);
}

#[test]
fn a_switch_behind_an_amplifier_samples_its_voltage() {
    let mut model = start(|m| {
        add! { m,
            ground: Ground::new(),
            follower: IdealOpAmp3Pin::new(),
            pulse: BooleanPulse::new().width(50).period(4e-3),
            sw: switch(),
            c: Capacitor::new().C(1e-6).v(fixed(0)),
        }
        let source = sine(m, ground.p);
        m.connect(source, follower.in_p);
        m.connect(follower.in_n, follower.out);
        m.connect(follower.out, sw.p);
        m.connect(pulse.y, sw.control);
        m.chain((sw.n, c, ground.p));
    });
    let u = |t: f64| 10.0 * (100.0 * PI * t).sin();
    for (t, held) in [(0.001, 0.001), (0.003, 0.002), (0.0051, 0.0051), (0.0071, 0.006)] {
        run_to(&mut model, t);
        near(value(&mut model, "c.v"), u(held), 1e-7);
    }
}

#[test]
fn a_switch_behind_a_controlled_source_lets_a_capacitor_follow_another_one() {
    let circuit = |closes: f64| {
        simulation(move |m| {
            let control = from(m, "control", closes);
            add! { m,
                ground: Ground::new(),
                c1: Capacitor::new().C(1e-3).v(fixed(4)),
                r: Resistor::new().R(100),
                twice: VCV::new().gain(2),
                sw: switch(),
                c2: Capacitor::new().C(1e-3).v(fixed(8)),
            }
            m.connect(control, sw.control);
            m.connect(c1.p, r.p);
            m.connect(c1.p, twice.p1);
            m.connect(twice.p2, sw.p);
            m.connect(sw.n, c2.p);
            for pin in [c1.n, r.n, twice.n1, twice.n2, c2.n] {
                m.connect(pin, ground.p);
            }
        })
        .unwrap()
    };
    let mut model = circuit(0.0);
    model.start(Some(1e-9)).unwrap();
    run_to(&mut model, 0.1);
    near(value(&mut model, "c1.v"), 4.0 * (-1.0_f64).exp(), 1e-8);
    near(value(&mut model, "c2.v"), 8.0 * (-1.0_f64).exp(), 1e-8);
    // The charge does not say which of both jumps.
    let mut model = circuit(0.1);
    model.start(Some(1e-9)).unwrap();
    let sentence = model.run_to(0.2).unwrap_err().to_string();
    let expected = "twice: an ideal switch makes several voltages or currents jump that this \
                    component relates, which is not supported because it supplies energy";
    assert!(sentence.contains(expected), "{sentence}");
}

#[test]
fn a_switch_that_shorts_a_winding_shares_the_charge_of_capacitors_on_both_sides() {
    let mut model = start(|m| {
        let control = from(m, "control", 0.1);
        add! { m,
            ground: Ground::new(),
            c1: Capacitor::new().C(2e-3).v(fixed(6)),
            sw: switch(),
            transformer: IdealTransformer::new().n(3),
            c2: Capacitor::new().C(9e-3).v(fixed(0.5)),
        }
        m.connect(control, sw.control);
        m.chain((c1.p, sw));
        m.connect(sw.n, transformer.p1);
        m.connect(transformer.p2, c2.p);
        for pin in [c1.n, transformer.n1, transformer.n2, c2.n] {
            m.connect(pin, ground.p);
        }
    });
    run_to(&mut model, 0.2);
    // The charge q leaves C1, and 3 q reach C2: 6 - q / C1 = 3 (0.5 + 3 q / C2).
    let q = 4.5 / (1.0 / 2e-3 + 9.0 / 9e-3);
    near(value(&mut model, "c1.v"), 6.0 - q / 2e-3, 1e-9);
    near(value(&mut model, "c2.v"), 0.5 + 3.0 * q / 9e-3, 1e-9);
}

#[test]
fn a_switch_beside_what_already_makes_its_voltage_zero_carries_no_current() {
    // A transformer makes the voltages of both capacitors equal, or an amplifier does.
    for amplifies in [false, true] {
        let mut model = start(move |m| {
            let control = from(m, "control", 0.1);
            add! { m,
                ground: Ground::new(),
                c1: Capacitor::new().C(2e-3).v(fixed(6)),
                sw: switch(),
                c2: Capacitor::new().C(1e-3),
                load: Resistor::new().R(100),
            }
            m.connect(control, sw.control);
            m.connect(c1.p, sw.p);
            m.connect(sw.n, c2.p);
            m.connect(c2.p, load.p);
            for pin in [c1.n, c2.n, load.n] {
                m.connect(pin, ground.p);
            }
            if amplifies {
                let follower = m.add("follower", IdealOpAmp3Pin::new());
                m.connect(c1.p, follower.in_p);
                m.connect(follower.in_n, follower.out);
                m.connect(follower.out, c2.p);
            } else {
                let transformer = m.add("transformer", IdealTransformer::new().n(1));
                m.connect(c1.p, transformer.p1);
                m.connect(transformer.p2, c2.p);
                m.connect(transformer.n1, ground.p);
                m.connect(transformer.n2, ground.p);
            }
        });
        for t in [0.05_f64, 0.2] {
            run_to(&mut model, t);
            // The amplifier keeps the charge of C1, and supplies the current of the load.
            let voltage = if amplifies { 6.0 } else { 6.0 * (-t / 0.3).exp() };
            for name in ["c1.v", "c2.v"] {
                near(value(&mut model, name), voltage, 1e-8);
            }
            near(value(&mut model, "sw.i"), 0.0, 1e-12);
        }
    }
}

#[test]
fn a_flyback_converter_without_stray_fields_rests_between_its_pulses() {
    // The core takes 4.8 A in 20 us, and gives them within 12 us to a voltage of 20 V.
    let mut model = start(|m| {
        add! { m,
            source: ConstantVoltage::new().V(24),
            core: Transformer::new().L1(100e-6).L2(25e-6).M(50e-6),
            pulse: Pulse::new().amplitude(1).width(40).period(50e-6),
            fire: GreaterThreshold::new().threshold(0.5),
            sw: switch(),
            d: diode(),
            battery: ConstantVoltage::new().V(20),
            ground: Ground::new(),
        }
        m.connect(pulse.y, fire.u);
        m.connect(fire.y, sw.control);
        m.connect(source.p, core.p1);
        m.chain((core.n1, sw, ground.p));
        m.chain((core.n2, d, battery.p));
        for pin in [source.n, core.p2, battery.n] {
            m.connect(pin, ground.p);
        }
    });
    for period in 0..4 {
        let begin = 50e-6 * f64::from(period);
        for (t, magnetizing, [voltage, current]) in [
            (10e-6, 2.4, [0.0, 0.0]),
            (26e-6, 2.4, [24.0 + 40.0, 4.8]),
            (33e-6, 0.0, [24.0, 0.0]),
            (45e-6, 0.0, [24.0, 0.0]),
        ] {
            run_to(&mut model, begin + t);
            near(value(&mut model, "core.i_m"), magnetizing, 1e-9);
            near(value(&mut model, "sw.v"), voltage, 1e-9);
            near(value(&mut model, "d.i"), current, 1e-9);
        }
    }
}
