//! Initial accelerations that signals give.

use crate::common::{program, run_to, simulation, start, value};
use libraries::prelude::*;
use libraries::{rotational as r, translational as t};

#[test]
fn initial_accelerations_follow_other_initial_conditions() {
    // Each body begins at the angle of the body before it, plus 0.1. The last body begins at the
    // angle at which its spring accelerates it by 2.
    let mut model = start(|m| {
        let mut before = m.add("body0", r::Inertia::new().J(1.0).phi(fixed(0.5)).w(fixed(0.0)));
        for k in 1..=4 {
            let sensor = m.add(format!("sensor{k}"), r::AngleSensor::new());
            let further = m.add(format!("further{k}"), Constant::new().k(0.1));
            let sum = m.add(format!("sum{k}"), Add::new());
            let body = m.add(format!("body{k}"), r::Inertia::new().J(1.0).w(fixed(0.0)));
            let begin = m.add(format!("begin{k}"), r::InitializeFlange::new());
            m.connect(before.flange_b, sensor.flange);
            m.connect(sensor.phi, sum.u1);
            m.connect(further.y, sum.u2);
            m.connect(sum.y, begin.phi_start);
            m.connect(begin.flange, body.flange_a);
            before = body;
        }
        let spring = m.add("spring", r::Spring::new().c(10.0));
        let load = m.add("load", r::Inertia::new().J(1.0).w(fixed(0.0)));
        let begin = m.add("begin", r::InitializeFlange::new());
        let wanted = m.add("wanted", Constant::new().k(2.0));
        m.connect(before.flange_b, spring.flange_a);
        m.connect(spring.flange_b, load.flange_a);
        m.connect(wanted.y, begin.a_start);
        m.connect(begin.flange, load.flange_b);
    });
    assert!((value(&mut model, "body4.phi") - 0.9).abs() < 1e-14);
    assert!((value(&mut model, "load.phi") - 0.7).abs() < 1e-14);
    assert!((value(&mut model, "load.a") - 2.0).abs() < 1e-12);
}

#[test]
fn an_initial_acceleration_that_nothing_can_bring_about_is_refused() {
    let message = simulation(|m| {
        let body = m.add("body", r::Inertia::new().J(1.0));
        let begin = m.add("begin", r::InitializeFlange::new());
        let wanted = m.add("wanted", Constant::new().k(1.0));
        m.connect(wanted.y, begin.a_start);
        m.connect(begin.flange, body.flange_a);
    });
    let sentence = "begin: the initial acceleration depends on no initial value that is free";
    assert_eq!(message.err().unwrap_or_default(), sentence);
}

const WEIGHT: f64 = 500.0 * 9.81;

/// A mass that rests on a bumper, across a gap from the floor.
fn resting_on_a_bumper(m: &mut Assembly, s_rel: Start, mass: t::Mass) {
    let floor = m.add("floor", t::Fixed::new());
    let bumper = t::ElastoGap::new().c(2e5).d(2e3).s_rel0(-0.9);
    let bumper = m.add("bumper", bumper.s_rel(s_rel));
    let load = m.add("load", mass);
    let weight = m.add("weight", t::ConstantForce::new().f_constant(-WEIGHT));
    let still = m.add("still", t::InitializeFlange::new());
    let zero = m.add("zero", Constant::new().k(0.0));
    m.chain((floor.flange, bumper, load, weight.flange));
    m.connect(still.flange, load.flange_a);
    m.connect(zero.y, still.a_start);
}

#[test]
fn an_initial_acceleration_is_searched_from_the_guess_across_a_gap() {
    let mass = || t::Mass::new().m(500.0).v(fixed(0.0));
    let rest = -0.9 - WEIGHT / 2e5;
    for [s_rel, s] in [[guess(-0.91), free()], [free(), guess(-0.91)], [guess(-1.5), free()]] {
        let text = |m: &mut Assembly| resting_on_a_bumper(m, s_rel, mass().s(s));
        let mut model = start(text);
        let found = value(&mut model, "load.s");
        assert!((found - rest).abs() < 1e-9, "{s_rel:?} {s:?}: {found}, not {rest}");
        assert!(value(&mut model, "load.a").abs() < 1e-9);
        let program = program(text).unwrap();
        let notes: Vec<&String> =
            program.notes().iter().filter(|n| n.contains("has no influence")).collect();
        assert!(notes.is_empty(), "{notes:?}");
    }
    // With a mass of a length, and the acceleration at its other end.
    let mut model = start(|m| resting_on_a_bumper(m, guess(-0.91), mass().L(0.2)));
    let found = value(&mut model, "load.s");
    assert!((found - rest - 0.1).abs() < 1e-9, "{found}");
}

#[test]
fn what_an_initial_acceleration_determines_has_a_name() {
    // Beyond the gap nothing accelerates the mass.
    let text = |m: &mut Assembly| {
        resting_on_a_bumper(m, free(), t::Mass::new().m(500.0).v(fixed(0.0)));
    };
    let problem = match simulation(text) {
        Err(refusal) => refusal,
        Ok(mut model) => model.start(None).expect_err("no contact").to_string(),
    };
    let named = "initial accelerations by still, which determine bumper.s_rel: ";
    assert!(problem.contains(named), "{problem}");
}

#[test]
fn an_importer_can_set_the_guess_across_a_gap() {
    let mass = t::Mass::new().m(500.0).v(fixed(0.0));
    let mut model = simulation(|m| resting_on_a_bumper(m, guess(-0.91), mass)).unwrap();
    model.set("bumper.s_rel", -0.95).unwrap();
    model.start(None).unwrap();
    let rest = -0.9 - WEIGHT / 2e5;
    assert!((value(&mut model, "bumper.s_rel") - rest).abs() < 1e-9);
    run_to(&mut model, 0.1);
    assert!((value(&mut model, "load.s") - rest).abs() < 1e-9);
}

#[test]
fn a_guess_that_has_no_influence_is_reported() {
    let notes = |s_rel: Start| {
        let text = |m: &mut Assembly| {
            let a = m.add("a", t::Mass::new().m(1.0).s(fixed(0.0)).v(fixed(0.0)));
            let spring = m.add("spring", t::Spring::new().c(10.0));
            let gap = t::SpringDamper::new().c(10.0).d(1.0).s_rel(s_rel);
            let gap = m.add("gap", gap);
            let b = m.add("b", t::Mass::new().m(1.0).s(fixed(0.5)).v(fixed(0.0)));
            m.chain((a.flange_b, spring, b.flange_a));
            m.chain((a.flange_b, gap, b.flange_a));
        };
        program(text).unwrap().notes().to_vec()
    };
    let note = "gap.s_rel: its guess 0.7 m has no influence: other start values determine 0.5 m";
    assert_eq!(notes(guess(0.7)), [note]);
    assert!(notes(guess(0.5)).is_empty() && notes(free()).is_empty());
}
