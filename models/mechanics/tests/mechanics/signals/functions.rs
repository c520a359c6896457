//! Functions of signals: their values, their inverses, and signals for which they do not exist.

use crate::common::{events, program, run_to, settle, start, value};
use fmu_runtime::Simulation;
use libraries::blocks::*;
use libraries::prelude::*;
use mechanics::assembly::AnyPort;
use std::f64::consts::{E, PI};

/// A block `s` of a library whose inputs of these names are `u1`, `u2`, .. of the FMU.
fn block(class: &str, settings: &[(&str, f64)], inputs: &[&str], at: &[f64]) -> Simulation {
    start(|m| {
        let class = libraries::class(&format!("blocks::{class}")).unwrap();
        let ports = m.add_by_name(class, "s", settings.to_vec()).unwrap();
        let declared = class.declaration.ports;
        for (k, (name, &at)) in inputs.iter().zip(at).enumerate() {
            let unit = declared.iter().find(|port| port.name == *name).unwrap().unit;
            let source = ExternalInput::new().unit(if unit.is_empty() { "1" } else { unit });
            let source = m.add(format!("u{}", k + 1), source.start(at));
            m.connect_by_name(AnyPort::Quantity(source.y), ports.port(name).unwrap()).unwrap();
        }
    })
}

/// The output of a block for a value of its only input.
fn of(class: &str, settings: &[(&str, f64)], u: f64) -> f64 {
    value(&mut block(class, settings, &["u"], &[u]), "s.y")
}

/// A function of the standard library of Rust.
type Function = fn(f64) -> f64;

#[test]
fn functions_of_a_signal_have_their_values() {
    let functions: [(&str, Function); 13] = [
        ("Sqrt", f64::sqrt),
        ("Sin", f64::sin),
        ("Cos", f64::cos),
        ("Tan", f64::tan),
        ("Asin", f64::asin),
        ("Acos", f64::acos),
        ("Atan", f64::atan),
        ("Sinh", f64::sinh),
        ("Cosh", f64::cosh),
        ("Tanh", f64::tanh),
        ("Exp", f64::exp),
        ("Log", f64::ln),
        ("Log10", f64::log10),
    ];
    for (name, exact) in functions {
        for u in [0.1, 0.5, 1.0] {
            let (y, exact) = (of(name, &[], u), exact(u));
            assert!((y - exact).abs() <= 4e-16 * exact.abs().max(1.0), "{name}({u}) = {y}");
        }
    }
    let odd = ["Sin", "Tan", "Asin", "Atan", "Sinh", "Tanh", "Sign"];
    for name in odd {
        assert_eq!(of(name, &[], -0.3), -of(name, &[], 0.3), "{name} is odd");
        assert_eq!(of(name, &[], 0.0), 0.0, "{name}");
    }
    assert_eq!([of("Tanh", &[], 800.0), of("Tanh", &[], -800.0)], [1.0, -1.0]);
    assert_eq!([of("Acos", &[], -1.0), of("Asin", &[], -1.0)], [PI, -PI / 2.0]);
}

#[test]
fn powers_and_logarithms_are_inverse_functions() {
    for base in [E, 2.0, 0.5] {
        for u in [-1.5, 0.0, 3.0] {
            let power = of("Power", &[("base", base)], u);
            assert!((power - base.powf(u)).abs() <= 1e-14 * power, "{base}^{u}");
            let back = of("Log", &[("base", base)], power);
            assert!((back - u).abs() < 1e-14, "{back}");
        }
    }
    assert_eq!(of("Exponentiation", &[], -3.0), 9.0, "the default exponent is 2");
    assert_eq!(of("Exponentiation", &[("exponent", 3.0)], -2.0), -8.0);
    assert_eq!(of("Exponentiation", &[("exponent", 0.5)], 9.0), 3.0);
}

#[test]
fn functions_of_two_signals_have_their_values() {
    let two = |name: &str, u1: f64, u2: f64| {
        value(&mut block(name, &[], &["u1", "u2"], &[u1, u2]), "s.y")
    };
    assert_eq!(two("Division", 3.0, -4.0), -0.75);
    assert_eq!([two("Max", 3.0, -4.0), two("Min", 3.0, -4.0)], [3.0, -4.0]);
    assert_eq!(two("Pythagoras", 3.0, -4.0), 5.0);
    for (y, x) in [(1.0, 1.0), (1.0, -1.0), (-1.0, 0.0), (0.0, -2.0)] {
        assert_eq!(two("Atan2", y, x), y.atan2(x));
    }
}

#[test]
fn a_leg_that_is_too_long_makes_no_triangle() {
    let mut model = start(|m| {
        let long = m.add("u1", Constant::new().k(5));
        let leg = m.add("u2", Ramp::new().height(8).duration(8).offset(0));
        let s = m.add("s", Pythagoras::new().u1_is_hypotenuse(true));
        m.connect(long.y, s.u1);
        m.connect(leg.y, s.u2);
    });
    run_to(&mut model, 3.0);
    assert!((value(&mut model, "s.y") - 4.0).abs() < 1e-12);
    assert_eq!(value(&mut model, "s.valid"), 1.0);
    let instants = events(&mut model, 7.0);
    assert!(instants.iter().any(|t| (t - 5.0).abs() < 1e-9), "{instants:?}");
    run_to(&mut model, 7.0);
    assert_eq!([value(&mut model, "s.y"), value(&mut model, "s.valid")], [0.0, 0.0]);
}

#[test]
fn an_angle_is_wrapped_with_an_event_at_each_turn() {
    let wrapped = |positive_range: bool| {
        let mut model = start(move |m| {
            let u = m.add("u", Ramp::new().offset(-4).height(12).duration(12));
            let s = m.add("s", WrapAngle::new().positive_range(positive_range));
            m.connect(u.y, s.u);
        });
        let mut jumps = Vec::new();
        for step in 0..=1000 {
            let t = 0.01 * f64::from(step);
            run_to(&mut model, t);
            let (u, y) = (t - 4.0, value(&mut model, "s.y"));
            let turns = (u - y) / (2.0 * PI);
            assert!((turns - turns.round()).abs() < 1e-12, "{y} is not {u} without full turns");
            let middle = if positive_range { PI } else { 0.0 };
            assert!((y - middle).abs() < PI + 1e-9, "{y} at {t}");
            jumps.push(turns.round());
        }
        jumps.dedup();
        jumps
    };
    assert_eq!(wrapped(false), [-1.0, 0.0, 1.0]);
    assert_eq!(wrapped(true), [-1.0, 0.0]);
    // The ends that belong to the ranges.
    let at = |u: f64, positive: bool| {
        let mut model = start(|m| {
            let u = m.add("u", Constant::new().k(u));
            let s = m.add("s", WrapAngle::new().positive_range(positive));
            m.connect(u.y, s.u);
        });
        value(&mut model, "s.y")
    };
    assert_eq!(
        [at(PI, false), at(-PI, false), at(2.0 * PI, true), at(0.0, true)],
        [PI, PI, 0.0, 0.0]
    );
}

#[test]
fn a_sign_and_a_magnitude_may_cause_events() {
    let instants = |events_wanted: bool| {
        let mut model = start(move |m| {
            let u = m.add("u", Ramp::new().offset(-1).height(2).duration(2));
            let sign = m.add("sign", Sign::new().generate_event(events_wanted));
            let magnitude = m.add("magnitude", Abs::new().generate_event(events_wanted));
            m.connect(u.y, sign.u);
            m.connect(u.y, magnitude.u);
        });
        assert_eq!([value(&mut model, "sign.y"), value(&mut model, "magnitude.y")], [-1.0, 1.0]);
        let instants = events(&mut model, 1.5);
        assert_eq!([value(&mut model, "sign.y"), value(&mut model, "magnitude.y")], [1.0, 0.5]);
        instants
    };
    let count = |instants: &[f64]| instants.iter().filter(|t| (*t - 1.0).abs() < 1e-9).count();
    assert!(count(&instants(true)) > 0);
    assert_eq!(count(&instants(false)), 0);
}

/// The sentence of the error of a block whose input begins at a value.
fn error(class: &str, settings: &[(&str, f64)], u: f64) -> String {
    let mut model = block(class, settings, &["u"], &[1.0]);
    model.set("u1", u).unwrap();
    model.run_to(0.0).and_then(|()| model.run_to(1.0)).expect_err(class).to_string()
}

#[test]
fn a_value_that_does_not_exist_ends_the_simulation_with_the_name_of_the_block() {
    let sentences = [
        ("Sqrt", -0.5, "s.y: the square root of a negative number does not exist"),
        ("Log", 0.0, "s.y: the logarithm of a number that is not positive does not exist"),
        ("Log10", -2.0, "s.y: the logarithm of a number that is not positive does not exist"),
        ("Asin", 1.5, "s.y: the arc sine of a number that is not from -1 to 1 does not exist"),
        ("Acos", -1.5, "s.y: the arc cosine of a number that is not from -1 to 1 does not exist"),
    ];
    for (class, u, sentence) in sentences {
        let why = error(class, &[], u);
        assert!(why.contains(sentence), "{class}: {why}");
    }
    let why = error("Exponentiation", &[("exponent", 1.5)], -1.0);
    let sentence = "s.y: a power of a negative number whose exponent is not whole does not exist";
    assert!(why.contains(sentence), "{why}");
}

#[test]
fn a_root_ends_where_its_argument_becomes_negative() {
    let mut model = start(|m| {
        let u = m.add("u", Ramp::new().offset(1).height(-2).duration(2));
        let s = m.add("s", Sqrt::new());
        let sum = m.add("sum", Integrator::new());
        m.connect(u.y, s.u);
        m.connect(s.y, sum.u);
    });
    run_to(&mut model, 0.99);
    assert!((value(&mut model, "s.y") - 0.1).abs() < 1e-12);
    assert!(model.run_to(2.0).is_err());
    assert!((model.time() - 1.0).abs() < 1e-6, "{}", model.time());
}

#[test]
fn impossible_bases_are_refused() {
    let sentence = |class: &str, base: f64| {
        let built = program(|m| {
            let class = libraries::class(&format!("blocks::{class}")).unwrap();
            m.add_by_name(class, "s", [("base", base)]).unwrap();
        });
        built.err().unwrap_or_default()
    };
    assert_eq!(sentence("Log", 0.0), "s.base = 0: must be positive");
    assert_eq!(sentence("Log", 1.0), "s.base = 1: must not be 1");
    assert_eq!(sentence("Power", -1.0), "s.base = -1: must be positive, unless useExp is false");
}

#[test]
fn a_division_by_zero_names_the_quotient() {
    let mut model = block("Division", &[], &["u1", "u2"], &[1.0, 1.0]);
    model.set("u2", 0.0).unwrap();
    settle(&mut model);
    let why = model.read("s.y").expect_err("it is infinite").to_string();
    assert!(why.contains("s.y is not a finite number"), "{why}");
}
