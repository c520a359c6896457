//! Switches: what they connect, their controls, and arcs.

use super::{near, ring};
use crate::common::{run_to, start, value};
use fmu_runtime::Simulation;
use libraries::blocks::BooleanStep;
use libraries::electrical::*;
use libraries::prelude::*;
use mechanics::add;
use mechanics::port::{AnyPort, Pin};

/// Whether a resistor has a current, where 10 A or about 1e-4 A are expected.
#[track_caller]
fn conducts(model: &mut Simulation, resistor: &str, expected: bool) {
    let i = value(model, &format!("{resistor}.i"));
    assert!(if expected { (i - 10.0).abs() < 1e-3 } else { i.abs() < 1e-3 }, "{resistor}: {i}");
}

/// A switch of this name between 10 V and a resistor of 1 Ohm, with a control that becomes true, or
/// a control pin whose potential rises above 0.5 V, at 0.1 s.
fn switched(name: &'static str) -> Simulation {
    start(move |m| {
        let class = libraries::class(&format!("electrical::{name}")).expect("it exists");
        let given = match name.contains("Arc") {
            true => vec![("V0", 0.1), ("dVdt", 1.0), ("Vmax", 0.2)],
            false => Vec::new(),
        };
        let switch = m.add_by_name(class, "switch", given).expect("it is declared");
        let pin = |port: &str| match switch.port(port) {
            Some(AnyPort::Pin(pin)) => pin,
            _ => panic!("{name} has no pin {port}"),
        };
        add! { m, source: ConstantVoltage::new().V(10), r: Resistor::new().R(1) }
        ring(m, [[source.n, source.p], [pin("p"), pin("n")], [r.p, r.n]]);
        match name.starts_with("Controlled") {
            true => {
                let command = m.add("command", StepVoltage::new().V(1).start_time(0.1));
                m.connect(command.n, source.n);
                m.connect(command.p, pin("control"));
            }
            false => {
                let command = m.add("command", BooleanStep::new().start_time(0.1));
                let control = switch.port("control").expect("it is controlled");
                m.connect_by_name(AnyPort::Quantity(command.y), control).expect("they fit");
            }
        }
    })
}

#[test]
fn closers_conduct_while_they_are_controlled_and_openers_while_they_are_not() {
    for (name, opens) in [
        ("IdealClosingSwitch", false),
        ("IdealOpeningSwitch", true),
        ("ControlledIdealClosingSwitch", false),
        ("ControlledIdealOpeningSwitch", true),
        ("CloserWithArc", false),
        ("ControlledCloserWithArc", false),
    ] {
        let mut model = switched(name);
        conducts(&mut model, "r", opens);
        run_to(&mut model, 0.2);
        conducts(&mut model, "r", !opens);
        let lost = value(&mut model, "switch.v") * value(&mut model, "switch.i");
        near(value(&mut model, "switch.LossPower"), lost, 1e-12);
    }
}

#[test]
fn the_voltage_of_an_arc_rises_until_the_source_cannot_feed_it() {
    for name in ["OpenerWithArc", "ControlledOpenerWithArc"] {
        let mut model = switched(name);
        conducts(&mut model, "r", true);
        // The arc burns between 0.1 V and 0.2 V at a source of 10 V, and goes on.
        for (t, arc) in [(0.11, 0.11), (0.15, 0.15), (0.25, 0.2), (1.0, 0.2)] {
            run_to(&mut model, t);
            near(value(&mut model, "switch.v"), arc, 1e-9);
            near(value(&mut model, "r.i"), 10.0 - arc, 1e-9);
            assert_eq!(value(&mut model, "switch.off"), 1.0);
        }
    }
}

/// A coil at a source of `volts`, which a switch with an arc of 30 V to 60 V opens at 0.1 s.
fn quenched(volts: f64) -> Simulation {
    start(move |m| {
        add! { m,
            source: ConstantVoltage::new().V(volts),
            command: BooleanStep::new().start_time(0.1),
            switch: OpenerWithArc::new().V0(30).dVdt(1e4).Vmax(60),
            r: Resistor::new().R(1),
            coil: Inductor::new().L(0.1).i(fixed(volts)),
        }
        m.connect(command.y, switch.control);
        ring(m, [[source.n, source.p], [switch.p, switch.n], [r.p, r.n], [coil.p, coil.n]]);
    })
}

#[test]
fn an_arc_ends_when_its_current_does_whatever_its_direction() {
    for sign in [1.0, -1.0] {
        let mut model = quenched(sign * 20.0);
        run_to(&mut model, 0.1);
        let first = sign * value(&mut model, "coil.i");
        run_to(&mut model, 0.1 + 1e-3);
        near(value(&mut model, "switch.v"), sign * 40.0, 1e-6);
        assert!(sign * value(&mut model, "coil.i") > 15.0);
        // L di/dt = 20 V - v - R i; the integral of the voltage of the arc is known.
        run_to(&mut model, 0.1 + 3e-3);
        let (l, r, u) = (0.1, 1.0, 20.0);
        let a: f64 = r / l;
        // i' = (u - 30 - 1e4 t) / L - a i.
        let (b, c) = ((u - 30.0) / l, -1e4 / l);
        let t: f64 = 3e-3;
        let particular = |t: f64| c / a * t + b / a - c / (a * a);
        let exact = particular(t) + (first - particular(0.0)) * (-a * t).exp();
        near(value(&mut model, "coil.i"), sign * exact, 1e-6);
        run_to(&mut model, 0.4);
        // The open switch conducts 1e-5 S.
        near(value(&mut model, "coil.i"), sign * 20.0 * 1e-5, 1e-7);
        near(value(&mut model, "switch.v"), sign * 20.0, 1e-3);
    }
}

/// Resistors of 1 Ohm from both outputs of a switch to the ground, and 10 V at its input.
fn two_ways(m: &mut Assembly, input: Pin, outputs: [Pin; 2]) -> Pin {
    add! { m,
        source: ConstantVoltage::new().V(10),
        r1: Resistor::new().R(1),
        r2: Resistor::new().R(1),
        ground: Ground::new(),
    }
    m.connect(source.p, input);
    for (output, r) in outputs.into_iter().zip([r1, r2]) {
        m.connect(output, r.p);
        m.connect(r.n, ground.p);
    }
    m.connect(source.n, ground.p);
    ground.p
}

#[test]
fn two_way_switches_connect_one_pin_with_either_of_two() {
    let of_signal = start(|m| {
        add! { m, switch: IdealTwoWaySwitch::new(), command: BooleanStep::new().start_time(0.1) }
        m.connect(command.y, switch.control);
        two_ways(m, switch.p, [switch.n1, switch.n2]);
    });
    let of_potential = start(|m| {
        add! { m,
            switch: ControlledIdealTwoWaySwitch::new().level(2),
            command: RampVoltage::new().V(40).duration(1),
        }
        let ground = two_ways(m, switch.p, [switch.n1, switch.n2]);
        m.connect(command.n, ground);
        m.connect(command.p, switch.control);
    });
    for mut model in [of_signal, of_potential] {
        for (t, second) in [(0.0, false), (0.04, false), (0.12, true), (0.3, true)] {
            run_to(&mut model, t);
            conducts(&mut model, "r1", !second);
            conducts(&mut model, "r2", second);
        }
    }
}

/// 10 V and 20 V at the inputs of a switch, and resistors of 1 Ohm and 2 Ohm at its outputs.
fn crossed(m: &mut Assembly, inputs: [Pin; 2], outputs: [Pin; 2]) -> Pin {
    let ground = m.add("ground", Ground::new());
    for (k, (input, output)) in inputs.into_iter().zip(outputs).enumerate() {
        let voltage = 10.0 * (k as f64 + 1.0);
        let source = m.add(format!("source{k}"), ConstantVoltage::new().V(voltage));
        let r = m.add(format!("r{k}"), Resistor::new().R(k as f64 + 1.0));
        m.connect(source.p, input);
        m.connect(source.n, ground.p);
        m.connect(r.p, output);
        m.connect(r.n, ground.p);
    }
    ground.p
}

#[test]
fn intermediate_switches_cross_two_connections() {
    let of_signal = start(|m| {
        add! { m,
            switch: IdealIntermediateSwitch::new(),
            command: BooleanStep::new().start_time(0.1),
        }
        m.connect(command.y, switch.control);
        crossed(m, [switch.p1, switch.p2], [switch.n1, switch.n2]);
    });
    let of_potential = start(|m| {
        add! { m,
            switch: ControlledIdealIntermediateSwitch::new(),
            command: StepVoltage::new().V(1).start_time(0.1),
        }
        let ground = crossed(m, [switch.p1, switch.p2], [switch.n1, switch.n2]);
        m.connect(command.n, ground);
        m.connect(command.p, switch.control);
    });
    for mut model in [of_signal, of_potential] {
        near(value(&mut model, "r0.i"), 10.0, 2e-3);
        near(value(&mut model, "r1.i"), 10.0, 2e-3);
        run_to(&mut model, 0.2);
        near(value(&mut model, "r0.i"), 20.0, 2e-3);
        near(value(&mut model, "r1.i"), 5.0, 2e-3);
        let sources: f64 = ["source0", "source1"]
            .map(|of| {
                -value(&mut model, &format!("{of}.v")) * value(&mut model, &format!("{of}.i"))
            })
            .iter()
            .sum();
        let lost: f64 = ["r0", "r1", "switch"]
            .map(|of| value(&mut model, &format!("{of}.LossPower")))
            .iter()
            .sum();
        near(sources, lost, 1e-9);
    }
}
