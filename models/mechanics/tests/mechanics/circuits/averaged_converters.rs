//! Averaged converters: voltages, currents and powers.

use super::near;
use crate::common::{run_to, start, value};
use libraries::electrical::*;
use libraries::machines::DC_PermanentMagnet;
use libraries::power_converters::*;
use libraries::prelude::*;
use libraries::rotational::Inertia;
use mechanics::add;

#[test]
fn a_half_bridge_divides_the_voltage_and_multiplies_the_current() {
    let mut model = start(|m| {
        add! { m,
            source: ConstantVoltage::new().V(48),
            inner: Resistor::new().R(0.5),
            leg: AverageLeg::new(),
            duty: Constant::new().k(0.25),
            coil: Inductor::new().L(1e-3),
            load: Resistor::new().R(2),
            ground: Ground::new(),
        }
        m.connect(source.p, inner.p);
        m.connect(inner.n, leg.dc_p);
        m.connect(duty.y, leg.d);
        m.connect(leg.ac, coil.p);
        m.connect(coil.n, load.p);
        for pin in [source.n, leg.dc_n, load.n] {
            m.connect(pin, ground.p);
        }
    });
    run_to(&mut model, 0.1);
    // i (2 + d^2 0.5) = d 48
    let i = 12.0 / (2.0 + 0.03125);
    near(value(&mut model, "load.i"), i, 1e-7);
    near(value(&mut model, "inner.i"), i / 4.0, 1e-7);
    near(value(&mut model, "leg.vAC"), value(&mut model, "leg.vDC") / 4.0, 1e-12);
    near(value(&mut model, "leg.dc_n.i"), 0.75 * i, 1e-7);
}

#[test]
fn a_bridge_with_a_motor_gives_what_it_takes_in_both_directions() {
    let mut model = start(|m| {
        add! { m,
            source: ConstantVoltage::new().V(120),
            bridge: AverageHBridge::new(),
            duty: Sine::new().amplitude(0.45).f(0.3).offset(0.5),
            motor: DC_PermanentMagnet::new().w_mechanical(fixed(0)).phi_mechanical(fixed(0)),
            load: Inertia::new().J(0.1),
            ground: Ground::new(),
        }
        m.connect(source.p, bridge.dc_p);
        m.connect(source.n, bridge.dc_n);
        m.connect(source.n, ground.p);
        m.connect(duty.y, bridge.d);
        m.connect(bridge.ac_p, motor.pin_ap);
        m.connect(bridge.ac_n, motor.pin_an);
        m.connect(motor.flange, load.flange_a);
    });
    let mut signs = [false; 2];
    for k in 0..40 {
        run_to(&mut model, 0.1 * f64::from(k));
        let [v, i] = ["vDC", "iDC"].map(|name| value(&mut model, &format!("bridge.{name}")));
        let [va, ia] = ["va", "ia"].map(|name| value(&mut model, &format!("motor.{name}")));
        near(v * i, va * ia, 1e-8 * (1.0 + (va * ia).abs()));
        near(value(&mut model, "bridge.vAC"), va, 1e-9);
        near(va, 120.0 * 0.9 * (std::f64::consts::TAU * 0.03 * f64::from(k)).sin(), 1e-9);
        signs[usize::from(i > 0.0)] = true;
    }
    assert_eq!(signs, [true; 2]);
}

#[test]
fn an_inverter_gives_three_phases_the_power_of_its_supply() {
    let mut model = start(|m| {
        add! { m,
            source: ConstantVoltage::new().V(300),
            inverter: AverageInverter::new(),
            ground: Ground::new(),
            star: Resistor::new().R(1e6),
        }
        m.connect(source.p, inverter.dc_p);
        m.connect(source.n, inverter.dc_n);
        m.connect(source.n, ground.p);
        m.connect(star.n, ground.p);
        for (k, phase) in [inverter.ac1, inverter.ac2, inverter.ac3].into_iter().enumerate() {
            let angle = -std::f64::consts::TAU / 3.0 * k as f64;
            let duty = Sine::new().amplitude(0.4).f(50).offset(0.5).phase(angle);
            let duty = m.add(format!("duty{k}"), duty);
            let coil = m.add(format!("coil{k}"), Inductor::new().L(5e-3));
            let load = m.add(format!("load{k}"), Resistor::new().R(3));
            m.connect(duty.y, inverter.d[k]);
            m.connect(phase, coil.p);
            m.connect(coil.n, load.p);
            m.connect(load.n, star.p);
        }
    });
    for t in [0.001, 0.0137, 0.2] {
        run_to(&mut model, t);
        let mut power = 0.0;
        for k in 1..=3 {
            let [v, i] = ["v", "i"].map(|of| value(&mut model, &format!("inverter.ac[{k}].{of}")));
            power -= v * i;
        }
        near(300.0 * value(&mut model, "inverter.iDC"), power, 1e-8 * power.abs());
    }
    // In the end, the amplitude of each current is 120 V / |3 + j w L|.
    let impedance = 3.0_f64.hypot(100.0 * std::f64::consts::PI * 5e-3);
    let power = 1.5 * 3.0 * (120.0 / impedance).powi(2);
    near(300.0 * value(&mut model, "inverter.iDC"), power, 1e-3 * power);
}

#[test]
fn duty_cycles_are_limited() {
    for (given, limited) in [(1.5, 1.0), (-0.5, 0.0)] {
        let mut model = start(move |m| {
            add! { m,
                source: ConstantVoltage::new().V(48),
                leg: AverageLeg::new(),
                duty: Constant::new().k(given),
                load: Resistor::new().R(2),
                ground: Ground::new(),
            }
            m.connect(source.p, leg.dc_p);
            m.connect(duty.y, leg.d);
            m.connect(leg.ac, load.p);
            for pin in [source.n, leg.dc_n, load.n] {
                m.connect(pin, ground.p);
            }
        });
        near(value(&mut model, "load.v"), 48.0 * limited, 1e-12);
    }
}
