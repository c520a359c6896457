//! Tests of initial values that depend on modes, and of modes that depend on initial values.

use std::sync::Arc;

use equations::{Ex, Interpreter, Model, Program, compile_named, newton, select};
use fmu_runtime::Simulation;

fn compile(model: impl FnOnce(&mut Model)) -> Program {
    compile_named("Example", "An example.", model).expect("a correct model")
}

fn simulation(program: &Program) -> Simulation {
    Simulation::of(&Arc::new(program.taped())).expect("no table is in a file")
}

#[test]
fn initial_values_may_depend_on_relations_that_follow_from_others() {
    for (start, expected) in [(2.0, 5.0), (-2.0, 7.0)] {
        let program = compile(|m| {
            let x = m.state("x", start).done();
            let z = m.state("z", 0.0).done();
            let up = m.relation("up", z).done();
            let high = m.relation("high", select(up, 1.0, -1.0) * x.abs()).done();
            let y = m.state("y", 0.0).start_expr(select(high, 5.0, 7.0)).done();
            m.start_expr(z, x);
            m.derivative(x, 0.0);
            m.derivative(y, 0.0);
            m.derivative(z, 0.0);
        });
        let mut run = Interpreter::new(program);
        run.initialize().unwrap();
        assert_eq!(run.x, [start, start, expected]);
    }
}

#[test]
fn initial_values_may_depend_on_relations_that_depend_on_them() {
    let program = compile(|m| {
        let limit = m.parameter("limit", 1.0).done();
        let x = m.state("x", 0.0).done();
        let beyond = m.relation("beyond", x - limit).done();
        m.start_expr(x, select(beyond, 3.0, 2.0));
        m.derivative(x, 0.0);
    });
    assert!(program.modes_at_start());
    assert!(equations::emit(&program).contains("const MODES_AT_START: bool = true;"));
    let mut model = Interpreter::new(program);
    for (relation, value) in [(false, 2.0), (true, 3.0)] {
        model.r[0] = relation;
        model.initialize().unwrap();
        assert_eq!(model.x[0], value);
    }

    let plain = compile(|m| {
        let x = m.state("x", 2.0).done();
        m.relation("beyond", x - 1.0);
        m.derivative(x, 0.0);
    });
    assert!(!plain.modes_at_start() && !equations::emit(&plain).contains("MODES_AT_START"));
}

#[test]
fn time_relations_are_known_while_initial_values_are_determined() {
    let program = compile(|m| {
        let instant: Ex = m.parameter("instant", 1.0).into();
        let on = m.time_relation("on", instant);
        let initial = m.initial();
        m.calculated("c", select(on, 5.0, 3.0) + select(initial, 10.0, 20.0));
    });
    for (t, c) in [(0.0, 13.0), (1.0, 15.0), (2.0, 15.0)] {
        let mut i = Interpreter::new(program.clone());
        i.t = t;
        i.initialize().unwrap();
        assert_eq!(i.c, [c], "at {t} s");
    }
}

/// Two relations, each of which is the opposite of the other, and an initial value that depends on
/// both and on which both depend.
fn opposites(m: &mut Model) {
    let x = m.state("x", 0.0).done();
    let [a, b] = ["a", "b"].map(|name| m.declare_relation(name));
    m.start_expr(x, select(a.truth(), 2.0, 3.0) + select(b.truth(), 10.0, 20.0));
    let always = equations::Bool::constant(true);
    m.define_relation(a, select(b.truth(), -x, x), always);
    m.define_relation(b, select(a.truth(), -x, x), always);
    m.derivative(x, 0.0);
}

#[test]
fn relations_that_swap_in_a_circle_do_not_make_initial_values_contradict_themselves() {
    let mut run = simulation(&compile(opposites));
    run.start(None).unwrap();
    assert_eq!((run.point().r, run.point().x), (&[true, false][..], &[22.0][..]));
}

/// The speed at which a push balances friction, which is one half at rest and grows with speed; at
/// rest nothing depends on the speed.
fn balance(m: &mut Model) {
    let push = m.parameter("push", 2.0).done();
    let guess = m.parameter("guess", 0.0).done();
    let v = m.state("v", 0.0).done();
    let [forward, backward] = ["forward", "backward"].map(|name| m.declare_relation(name));
    let z = Ex::symbol();
    let friction = select(forward.truth(), 0.5 + z, select(backward.truth(), z - 0.5, push));
    let found = newton("balance", &[z], &[push - friction], &[guess]);
    m.start_expr(v, found[0]);
    let always = equations::Bool::constant(true);
    m.define_relation(forward, v, always);
    m.define_relation(backward, -v, always);
    m.derivative(v, 0.0);
}

#[test]
fn a_start_tries_the_modes_of_the_guesses_first_and_then_others() {
    let program = compile(balance);
    for (push, v) in [(2.0, 1.5), (-2.0, -1.5)] {
        for guess in [3.0, 0.0, -3.0] {
            let mut run = simulation(&program);
            run.set("push", push).unwrap();
            run.set("guess", guess).unwrap();
            run.start(None).unwrap();
            let (v_found, forward) = (run.point().x[0], run.point().r[0]);
            assert_eq!((v_found, forward), (v, push > 0.0), "push {push}, guess {guess}");
        }
    }
    let mut held = simulation(&program);
    held.set("push", 0.25).unwrap();
    let why = held.start(None).unwrap_err().to_string();
    assert!(why.starts_with("t=0 balance: the equations are singular here"), "{why}");

    let text = equations::emit(&program);
    assert!(text.contains("first_modes: &[0, 1]"), "{text}");
    assert!(text.contains("fn first_modes(e: &mut Env<'_, f64>, truths: &mut [bool])"), "{text}");
}
