//! Relations, indicators and edges.

use super::compile;
use equations::{Interpreter, select};
use program::Source;

#[test]
fn residuals_that_are_affine_functions_of_the_states_are_recognised() {
    let program = compile(|m| {
        let limit = m.parameter("limit", 4.0).done();
        let x = m.state("x", 0.5).done();
        let y = m.state("y", 2.0).done();
        let mode = m.discrete("mode", 1.0).integer().done();
        let far = m.relation("far", (x - 2.0 * y) / limit).done();
        let curved = m.relation("curved", x * y).done();
        let late = m.relation("late", x - m.time()).done();
        let residual = select(mode.pre().equals(1.0), 3.0 * y + limit, x * x);
        let switched = m.relation("switched", residual).done();
        m.update(mode, select(switched, 2.0, mode.pre()));
        m.derivative(x, far.as_ex() + curved.as_ex());
        m.derivative(y, late.as_ex());
    });
    let info = program.taped().info;
    let affine =
        |name: &str| info.relations.iter().find(|relation| relation.name == name).unwrap().affine;
    assert!(affine("curved").is_none() && affine("late").is_none());
    let mut run = Interpreter::new(program);
    run.initialize().unwrap();
    run.initial = false;
    let mut coefficients = |name: &str, mode: f64| {
        run.m = vec![mode];
        run.realize().unwrap();
        let value = |source: Source| match source {
            Source::Constant(value) => value,
            Source::Advanced(i, _) => run.w[i as usize],
            _ => panic!("{source:?}"),
        };
        let affine = affine(name).unwrap();
        let list = affine.coefficients.iter().map(|&(state, of)| (state, value(of)));
        (value(affine.holds), list.collect::<Vec<_>>())
    };
    assert_eq!(coefficients("far", 1.0), (1.0, vec![(0, 0.25), (1, -0.5)]));
    assert_eq!(coefficients("switched", 1.0), (1.0, vec![(1, 3.0)]));
    assert_eq!(coefficients("switched", 2.0).0, 0.0);
}

#[test]
fn indicators_have_a_function_of_their_own_if_they_need_little() {
    let apart = |expensive_indicator: bool| {
        let program = compile(|m| {
            let x = m.state("x", 0.5).done();
            let y = m.state("y", 2.0).done();
            let force = (0..20).fold(x * y, |sum, k| (sum + f64::from(k)).sin());
            let residual = if expensive_indicator { force - y } else { x.cos() - y };
            let r = m.relation("r", residual).done();
            let s = m.relation("s", x).active(!r).done();
            m.derivative(x, force);
            m.derivative(y, r.as_ex() * y + s.as_ex());
        });
        program.taped().info.indicators_apart
    };
    assert!(apart(false));
    assert!(!apart(true));
}

#[test]
fn an_edge_acts_in_one_event_iteration_only() {
    let mut run = Interpreter::new(compile(|m| {
        let x = m.state("x", 0.0).done();
        let high = m.relation("high", x - 1.0).nominal(10.0).done();
        let late = m.time_relation("late", 2.0);
        let rises = m.when("rises", high);
        let count = m.discrete("count", 0.0).integer().done();
        m.update(count, count.pre() + rises.as_ex());
        m.derivative(x, 1.0);
        m.reinit(x, rises, x - 5.0);
        m.terminate_when(late);
    }));
    run.initialize().unwrap();
    run.initial = false;
    run.x[0] = 3.0;
    run.realize().unwrap();
    run.relations().unwrap();
    assert_eq!(run.d, [0.2, 2.0], "a residual is scaled, a time relation gives its instant");
    run.r = vec![true, false];
    run.realize().unwrap();
    let next = run.event().unwrap();
    assert_eq!((next.x[0], next.terminate), (-2.0, false));
    assert!(next.m.contains(&1.0));
    run.m = next.m.clone();
    run.r = vec![true, true];
    run.realize().unwrap();
    let again = run.event().unwrap();
    assert_eq!((again.m, again.x[0], again.terminate), (next.m, 3.0, true));
}

#[test]
fn during_initialization_there_are_no_edges() {
    let mut run = Interpreter::new(compile(|m| {
        let x = m.state("x", 0.0).done();
        m.derivative(x, 1.0);
        let high = m.relation("high", x + 1.0).done();
        let rises = m.when("rises", high);
        m.reinit(x, rises, 7.0);
    }));
    run.initialize().unwrap();
    run.r[0] = true;
    run.realize().unwrap();
    let next = run.event().unwrap();
    assert_eq!((next.m[0], next.x[0]), (1.0, 0.0));
}

#[test]
fn inactive_relations_have_a_constant_negative_residual() {
    let mut run = Interpreter::new(compile(|m| {
        let x = m.state("x", 0.0).done();
        m.derivative(x, 1.0);
        let on = m.discrete("on", 0.0).boolean().done();
        m.relation("watched", x * 4.0).active(on.pre_bool()).done();
    }));
    run.initialize().unwrap();
    run.x[0] = 0.5;
    for (on, residual) in [(0.0, -1.0), (1.0, 2.0)] {
        run.m[0] = on;
        run.realize().unwrap();
        run.relations().unwrap();
        assert_eq!(run.d[0], residual);
    }
}
