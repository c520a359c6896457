//! Capacitors and inductors of all kinds that ideal switches short or cut off.

use super::ideal_switches::{from, lost_energy, switch, until};
use super::near;
use crate::common::{refusal, run_to, start, value};
use libraries::electrical::*;
use libraries::prelude::*;
use mechanics::add;

#[test]
fn a_capacitor_that_began_in_steady_state_can_be_shorted() {
    let mut model = start(|m| {
        let control = from(m, "control", 0.1);
        add! { m,
            source: ConstantVoltage::new().V(10),
            r: Resistor::new().R(2),
            c: Capacitor::new().C(1e-3).steady_state(true),
            switch: switch(),
            ground: Ground::new(),
        }
        m.connect(control, switch.control);
        m.chain((source.p, r, c, source.n));
        m.connect(switch.p, c.p);
        m.connect(switch.n, c.n);
        m.connect(source.n, ground.p);
    });
    run_to(&mut model, 0.09);
    near(value(&mut model, "c.v"), 10.0, 1e-9);
    run_to(&mut model, 0.2);
    assert_eq!(value(&mut model, "c.v"), 0.0);
    near(value(&mut model, "switch.i"), 5.0, 1e-12);
    near(lost_energy(&model), 0.05, 1e-6);
}

#[test]
fn an_inductor_that_began_in_steady_state_can_be_cut_off() {
    let mut model = start(|m| {
        let control = until(m, "control", 0.1);
        add! { m,
            source: ConstantVoltage::new().V(10),
            r: Resistor::new().R(2),
            l: Inductor::new().L(0.1).steady_state(true),
            switch: switch(),
            ground: Ground::new(),
        }
        m.connect(control, switch.control);
        m.chain((source.p, switch, r, l, source.n));
        m.connect(source.n, ground.p);
    });
    run_to(&mut model, 0.09);
    near(value(&mut model, "l.i"), 5.0, 1e-9);
    run_to(&mut model, 0.2);
    assert_eq!(value(&mut model, "l.i"), 0.0);
    near(lost_energy(&model), 1.25, 1e-6);
}

#[test]
fn a_variable_capacitor_shares_its_charge_with_another_one() {
    let mut model = start(|m| {
        let control = from(m, "control", 0.1);
        add! { m,
            capacitance: Ramp::new().height(2).duration(1).start_time(0.2).offset(1),
            variable: VariableCapacitor::new().IC(2).UIC(true),
            c: Capacitor::new().C(1).v(fixed(0)),
            switch: switch(),
            ground: Ground::new(),
        }
        m.connect(control, switch.control);
        m.connect(capacitance.y, variable.C);
        m.chain((variable.p, switch, c, variable.n));
        m.connect(variable.n, ground.p);
    });
    run_to(&mut model, 0.15);
    near(value(&mut model, "c.v"), 1.0, 1e-12);
    near(value(&mut model, "variable.Q"), 1.0, 1e-12);
    near(lost_energy(&model), 1.0, 1e-6);
    for t in [0.3, 0.7, 1.1] {
        run_to(&mut model, t);
        let v = 2.0 / (1.0 + 1.0 + 2.0 * (t - 0.2));
        near(value(&mut model, "c.v"), v, 1e-8);
        near(value(&mut model, "variable.v"), v, 1e-8);
        near(value(&mut model, "variable.Q") + v, 2.0, 1e-12);
    }
}

#[test]
fn a_variable_inductor_shares_its_flux_with_another_one() {
    let mut model = start(|m| {
        let control = until(m, "control", 0.1);
        add! { m,
            inductance: Ramp::new().height(2).duration(1).start_time(0.2).offset(1),
            variable: VariableInductor::new().IC(2).UIC(true),
            l: Inductor::new().L(1).i(fixed(0)),
            switch: switch(),
            ground: Ground::new(),
        }
        m.connect(control, switch.control);
        m.connect(inductance.y, variable.L);
        m.chain((variable.p, l.p));
        m.chain((variable.n, switch, l.p));
        m.connect(l.n, variable.n);
        m.connect(variable.n, ground.p);
    });
    run_to(&mut model, 0.05);
    near(value(&mut model, "variable.i"), 2.0, 1e-12);
    for t in [0.15, 0.3, 0.7, 1.1] {
        run_to(&mut model, t);
        let i = 2.0 / (2.0 + 2.0 * (t - 0.2_f64).max(0.0));
        near(value(&mut model, "l.i").abs(), i, 1e-8);
        near(value(&mut model, "variable.i"), i, 1e-8);
        near(value(&mut model, "variable.Psi") + i, 2.0, 1e-8);
    }
}

#[test]
fn variable_and_constant_capacitors_in_parallel_have_one_voltage() {
    let mut model = start(|m| {
        add! { m,
            capacitance: Ramp::new().height(2).duration(1).offset(1),
            variable: VariableCapacitor::new().IC(3).UIC(true),
            c: Capacitor::new().C(1),
            ground: Ground::new(),
        }
        m.connect(capacitance.y, variable.C);
        m.connect(variable.p, c.p);
        m.connect(variable.n, c.n);
        m.connect(c.n, ground.p);
    });
    for t in [0.0, 0.3, 0.9] {
        run_to(&mut model, t);
        near(value(&mut model, "c.v"), 6.0 / (2.0 + 2.0 * t), 1e-8);
        near(value(&mut model, "variable.v"), 6.0 / (2.0 + 2.0 * t), 1e-8);
    }
}

#[test]
fn a_capacitance_that_is_an_input_of_the_fmu_is_refused_in_a_loop_of_capacitors() {
    let sentence = refusal(|m| {
        add! { m,
            capacitance: ExternalInput::new().unit("F").start(1),
            variable: VariableCapacitor::new(),
            c: Capacitor::new().C(1),
            ground: Ground::new(),
        }
        m.connect(capacitance.y, variable.C);
        m.connect(variable.p, c.p);
        m.connect(variable.n, c.n);
        m.connect(c.n, ground.p);
    });
    let expected = "form a loop or a cut with an input of the FMU, whose derivative is not known";
    assert!(sentence.contains(expected), "{sentence}");
}
