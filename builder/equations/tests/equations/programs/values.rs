//! Values of programs, also initial ones, and their text.

use super::{compile, dependencies, slider_crank, variable};
use equations::{Ex, Interpreter, Model, Stage, emit, evaluate};

#[test]
fn a_program_computes_what_its_expressions_say() {
    let mut run = Interpreter::new(compile(slider_crank));
    run.initialize().unwrap();
    assert_eq!(run.x, [0.3, 1.0]);
    let closed = |phi: f64| 0.5 * phi.cos() + (1.5_f64.powi(2) - (0.5 * phi.sin()).powi(2)).sqrt();
    assert!((run.c[0] - closed(0.3)).abs() < 1e-14);
    run.p[1] = 2.0;
    run.initialize().unwrap();
    let longer = 0.5 * 0.3_f64.cos() + (4.0 - (0.5 * 0.3_f64.sin()).powi(2)).sqrt();
    assert!((run.c[0] - longer).abs() < 1e-14, "a changed parameter counts");
    run.p[1] = 1.5;
    run.initialize().unwrap();
    run.initial = false;
    for (phi, w) in [(0.4, -2.0), (0.9, 3.0), (1.5, 1.0)] {
        run.x = vec![phi, w];
        run.realize().unwrap();
        run.anchor = run.z.clone();
        assert!((run.value_of("s").unwrap() - closed(phi)).abs() < 1e-14);
        let h = 1e-5;
        let speed = (closed(phi + h * w) - closed(phi - h * w)) / (2.0 * h);
        assert!((run.value_of("v").unwrap() - speed).abs() < 1e-9);
        assert_eq!(run.dx[0], w);
        assert!((run.dx[1] - (0.25 - 0.1 * speed) / 2.0).abs() < 1e-9);
        assert_eq!(run.value_of("power"), Some(0.25 * w));
        assert_eq!(run.value_of("reach"), Some(2.0));
    }
    assert_eq!(run.value_of("nothing"), None);
}

#[test]
fn a_program_has_the_bits_of_direct_evaluation() {
    let mut model = Model::new("Chain");
    let x: Vec<Ex> =
        (0..8).map(|i| model.state(&format!("x[{i}]"), 0.1 * f64::from(i)).done()).collect();
    let derivative = |i: usize| {
        let next = x[(i + 1) % 8];
        (x[i] * next).sin() - x[i].powi(3) / (next.square() + 1.0) + next.atan2(x[i] + 2.0)
    };
    let derivatives: Vec<Ex> = (0..8).map(derivative).collect();
    for (&x, &dx) in x.iter().zip(&derivatives) {
        model.derivative(x, dx);
    }
    let direct = evaluate(&derivatives, &mut |leaf| match leaf {
        equations::Leaf::State(i) => 0.1 * f64::from(i),
        _ => f64::NAN,
    });
    let mut run = Interpreter::new(model.compile().unwrap());
    run.initialize().unwrap();
    run.realize().unwrap();
    assert_eq!(run.dx, direct.unwrap());
}

#[test]
fn long_functions_are_cut_and_compute_the_same() {
    let long = |m: &mut Model| {
        let x = m.state("x", 0.5).done();
        let sum = (0..2500).fold(x, |sum, i| sum * 0.999 + (x * f64::from(i)).cos() * 1e-3);
        m.derivative(x, sum);
    };
    let program = compile(long);
    let text = emit(&program);
    let lengths = text.split("fn ").map(|function| function.matches("let ").count());
    assert!(lengths.max().unwrap() <= 250);
    let mut run = Interpreter::new(program);
    run.initialize().unwrap();
    run.realize().unwrap();
    let expected = (0..2500)
        .fold(0.5, |sum, i| sum * 0.999 + kernels::Scalar::sin_cos(0.5 * f64::from(i)).1 * 1e-3);
    assert_eq!(run.dx[0].to_bits(), expected.to_bits());
}

#[test]
fn the_same_model_gives_the_same_text_whatever_was_traced_before() {
    let first = compile(slider_crank);
    let other = compile(|m| {
        let x = m.state("x", 1.0).done();
        m.derivative(x, -x * x.cos() + m.time());
    });
    let again = compile(slider_crank);
    assert_eq!(emit(&first), emit(&again));
    assert_eq!(first.description(), again.description());
    assert_ne!(first.description().guid, other.description().guid);
    assert!(emit(&first).contains(&first.description().guid));
}

#[test]
fn a_value_is_computed_once_in_the_highest_stage_of_what_it_depends_on() {
    let program = compile(|m| {
        let a = m.parameter("a", 2.0).done();
        let x = m.state("x", 1.0).done();
        let v = m.state("v", 1.0).done();
        let u = m.input("u", 3.0).done();
        m.derivative(x, v);
        m.derivative(v, u * (x.sin() * a.sqrt()) + v * x);
        m.local("unneeded", x.exp());
    });
    let mut run = Interpreter::new(program);
    run.initialize().unwrap();
    run.realize().unwrap();
    // Only invalidated stages are realized again.
    run.u[0] = 5.0;
    run.advance(Stage::Dynamics).unwrap();
    let expected = 5.0 * (1.0_f64.sin() * 2.0_f64.sqrt()) + 1.0;
    assert!((run.dx[1] - expected).abs() < 1e-15);
    run.x[0] = 0.0;
    run.advance(Stage::Position).unwrap();
    run.advance(Stage::Velocity).unwrap();
    run.advance(Stage::Dynamics).unwrap();
    assert_eq!(run.dx[1], 0.0);
    assert_eq!(run.value_of("unneeded"), Some(1.0));
}

#[test]
fn initial_values_may_build_on_each_other() {
    let program = compile(|m| {
        let a = m.parameter("a", 3.0).done();
        let c = m.calculated("c", 0.0).done();
        let x = m.state("x", 2.0).done();
        let y = m.state("y", 0.0).start_expr(x * c).done();
        let z = m.state("z", 0.7).guess().done();
        let guess = m.start_of(z).unwrap();
        m.start_expr(z, y + a + 0.0 * guess);
        m.derivative(x, c);
        m.derivative(y, x);
        m.derivative(z, y);
        m.output("late", x + z);
        m.define_calculated(c, a * 2.0);
    });
    let d = program.description().clone();
    let initial = |name: &str| variable(&d, name).1.initial.clone().unwrap();
    assert_eq!(initial("x"), "exact");
    assert_eq!(initial("y"), "calculated");
    assert_eq!(initial("z"), "approx");
    assert_eq!(initial("c"), "calculated");
    assert_eq!(dependencies(&d, &d.initial_unknowns, "y"), ["a", "x"]);
    assert_eq!(dependencies(&d, &d.initial_unknowns, "late"), ["a", "x"]);
    assert_eq!(dependencies(&d, &d.initial_unknowns, "c"), ["a"]);
    let mut run = Interpreter::new(program);
    run.initialize().unwrap();
    assert_eq!((run.c[0], &run.x[..]), (6.0, &[2.0, 12.0, 15.0][..]));
}

#[test]
fn equal_parts_are_emitted_once() {
    // A chain of springs and masses, each with its parameters.
    let statements = |parts: usize| {
        let text = emit(&compile(|m| {
            let mut before = Ex::zero();
            for part in 0..parts {
                let k = m.parameter(&format!("k[{part}]"), 1.0).done();
                let x = m.state(&format!("x[{part}]"), 0.0).done();
                let force = k * x;
                m.derivative(x, (before - force) / (1.0 + k * k));
                before = force;
            }
        }));
        text.lines().filter(|line| line.trim_start().starts_with("let v")).count()
    };
    assert_eq!(statements(11), 11 * 5, "a few parts are emitted one after the other");
    assert!(statements(50) < statements(11));
    assert!(statements(500) < 2 * 500);
}
