//! Sources whose values are closures over the variables of the model.

use crate::common::{refusal, run_to, simulation, start, value};
use libraries::blocks::*;
use libraries::prelude::*;
use libraries::rotational::{ConstantTorque, Inertia, PowerSensor, Torque};
use mechanics::add;

#[test]
fn an_expression_reads_variables_that_no_port_offers() {
    let mut model = start(|m| {
        add! { m,
            torque: ConstantTorque::new().tau_constant(3),
            meter: PowerSensor::new(),
            wheel: Inertia::new().J(2).phi(fixed(0)).w(fixed(0.5)),
        }
        let power = m.add("power", RealExpression::of(move |e| Ok(e.value(wheel.w)? * 3.0)));
        m.connect(torque.flange, meter.flange_a);
        m.connect(meter.flange_b, wheel.flange_a);
        m.output("p", power.y);
    });
    for k in 1..=5 {
        run_to(&mut model, 0.4 * f64::from(k));
        let [own, measured] = ["p", "meter.power"].map(|name| value(&mut model, name));
        assert!((own - measured).abs() < 1e-12 && own > 1.0, "{own} W, not {measured} W");
    }
}

#[test]
fn an_expression_may_be_a_force_law_with_parameters_of_the_model() {
    // An oscillator: its spring is an expression of the angle that it moves.
    let mut model = simulation(|m| {
        let c = m.parameter("c", 8, "N.m/rad", "Stiffness");
        add! { m, spring: Torque::new(), wheel: Inertia::new().J(2).phi(fixed(1)).w(fixed(0)) }
        let law = m.add("law", RealExpression::of(move |e| Ok(-c * e.value(wheel.phi)?)));
        m.connect(law.y, spring.tau);
        m.connect(spring.flange, wheel.flange_a);
    })
    .expect("the model is sound");
    model.set("c", 18.0).unwrap();
    model.start(None).unwrap();
    run_to(&mut model, 0.7);
    let wanted = (3.0 * 0.7_f64).cos();
    assert!((value(&mut model, "wheel.phi") - wanted).abs() < 1e-7);
}

#[test]
fn boolean_and_integer_expressions_make_events() {
    let mut model = start(|m| {
        let limit = m.parameter("limit", 1.5, "1", "Limit of the ramp");
        add! { m, ramp: Ramp::new().height(3).duration(3), real: BooleanToReal::new() }
        let above = BooleanExpression::of(move |e| {
            let residual = e.value(ramp.y)? - limit;
            Ok(e.relation("above", residual).done())
        });
        let above = m.add("above", above);
        let twice = m.add("twice", IntegerExpression::of(move |e| Ok(e.value(above.y)? * 2.0)));
        m.connect(above.y, real.u);
        m.output("n", twice.y);
    });
    for (t, truth) in [(1.49, 0.0), (1.51, 1.0)] {
        run_to(&mut model, t);
        assert_eq!(["above.y", "real.y"].map(|name| value(&mut model, name)), [truth; 2]);
        assert_eq!(value(&mut model, "n"), 2.0 * truth);
    }
}

#[test]
fn expressions_that_need_each_other_are_solved_or_refused_by_name() {
    // x = 2 - y / 2 and y = x, so x = 4 / 3.
    let mut model = start(|m| {
        let x = m.add("x", Gain::new().k(1));
        let y = m.add("y", RealExpression::of(move |e| Ok(2.0 - e.value(x.y)? / 2.0)));
        m.connect(y.y, x.u);
    });
    assert!((value(&mut model, "x.y") - 4.0 / 3.0).abs() < 1e-12);
    let endless = refusal(|m| {
        let x = m.add("x", Gain::new().k(1));
        let y = m.add("y", RealExpression::of(move |e| Ok(e.value(x.y)? + 1.0)));
        m.connect(y.y, x.u);
    });
    assert!(endless.contains("x.y") && endless.contains("y.y"), "{endless}");
}
