//! Tests that masters have the orders of theory, and the table of their errors in the documents.

use coupler::prelude::*;
use coupler::rotational::*;
use coupler::systems::master::{Method, Scheme, SystemOptions, simulate};
use coupler::systems::{CutSystem, wiring::Wiring};
use coupler_tests::root;
use fmu_builder::run::Overrides;

/// The communication steps of the table in s.
const STEPS: [f64; 3] = [0.01, 0.005, 0.0025];

/// The duration of the table in s.
const STOP: f64 = 1.0;

/// Two inertias that are joined by a spring and a damper; a constant torque drives the first one.
fn elastic(m: &mut Assembly) {
    let torque = m.add("torque", ConstantTorque::new().tau_constant(1));
    let motor = m.add("motor", Inertia::new().J(1.1).phi(fixed(0)).w(fixed(0)));
    let shaft = m.add("shaft", SpringDamper::new().c(100).d(1));
    let load = m.add("load", Inertia::new().J(2.2).phi(fixed(0)).w(fixed(0)));
    m.chain((torque.flange, motor, shaft, load));
    m.outputs([motor.phi, motor.w, load.phi, load.w]);
    m.stop_time(STOP);
    m.tolerance(1e-11);
}

/// Two inertias that are joined rigidly, driven by a torque that changes with time.
fn rigid(m: &mut Assembly) {
    let sine = m.add("sine", Sine::new().amplitude(10).f(2));
    let torque = m.add("torque", Torque::new());
    let motor = m.add("motor", Inertia::new().J(1).phi(fixed(0)).w(fixed(0)));
    let load = m.add("load", Inertia::new().J(2));
    m.connect(sine.y, torque.tau);
    m.chain((torque.flange, motor, load));
    m.outputs([motor.phi, motor.w, load.phi, load.w]);
    m.stop_time(STOP);
    m.tolerance(1e-11);
}

/// A clutch that sticks and slides between the cut spring and a brake drum.
fn clutched(m: &mut Assembly) {
    let sine = m.add("sine", Sine::new().amplitude(12).f(1));
    let torque = m.add("torque", Torque::new());
    let motor = m.add("motor", Inertia::new().J(1).phi(fixed(0)).w(fixed(3)));
    let shaft = m.add("shaft", SpringDamper::new().c(200).d(2));
    let drum = m.add("drum", Inertia::new().J(0.5).phi(fixed(0)).w(fixed(0)));
    let clutch = m.add("clutch", Clutch::new().fn_max(10));
    let pressure = m.add("pressure", Constant::new().k(0.6));
    let load = m.add("load", Inertia::new().J(2).phi(fixed(0)).w(fixed(0)));
    m.connect(sine.y, torque.tau);
    m.connect(pressure.y, clutch.f_normalized);
    m.chain((torque.flange, motor, shaft, drum, clutch, load));
    m.outputs([motor.phi, motor.w, load.phi, load.w]);
    m.stop_time(STOP);
    m.tolerance(1e-11);
}

/// The largest error of a system in relation to the range of the signals of the whole model.
fn error(whole: &mut Simulation, wiring: &Wiring, method: Method, h: f64) -> f64 {
    let overrides = Overrides { step: Some(h), tolerance: Some(1e-11), ..Overrides::default() };
    let options = SystemOptions { overrides, method, ..SystemOptions::default() };
    let outcome = simulate(wiring, &options, &mut |_| ()).expect("the system starts");
    let table = outcome.table;
    if outcome.failure.is_some() {
        return f64::INFINITY;
    }
    let signals = ["motor.phi", "motor.w", "load.phi", "load.w"];
    let columns = signals.map(|name| {
        let end = format!(".{name}");
        table.names.iter().position(|n| n.ends_with(&end)).expect("an output of a part")
    });
    let exact = exact(whole, &signals, &table.time);
    let ranges: Vec<f64> = (0..signals.len())
        .map(|k| {
            let values = exact.iter().map(|row| row[k]);
            values.clone().fold(f64::MIN, f64::max) - values.fold(f64::MAX, f64::min)
        })
        .collect();
    let mut worst: f64 = 0.0;
    for (row, exact) in table.rows.iter().zip(&exact) {
        for (k, column) in columns.iter().enumerate() {
            let apart = (row[*column] - exact[k]).abs() / ranges[k];
            worst = if apart.is_finite() { worst.max(apart) } else { f64::INFINITY };
        }
    }
    worst
}

/// Values of the whole model at some times.
fn exact(whole: &mut Simulation, signals: &[&str], times: &[f64]) -> Vec<Vec<f64>> {
    whole.reset().expect("a simulation starts again");
    whole.start(Some(1e-12)).expect("the whole model starts");
    times
        .iter()
        .map(|time| {
            if *time > 0.0 {
                whole.run_to(*time).expect("the whole model runs");
            }
            signals.iter().map(|name| whole.read(name).expect("a variable")).collect()
        })
        .collect()
}

/// A row of the table: what the master does, and the order that theory promises.
struct Row {
    words: &'static str,
    method: Method,
    order: f64,
}

fn row(words: &'static str, scheme: Scheme, order: u32, corrects: bool, promised: f64) -> Row {
    let method = Method { scheme, order, corrects, ..Method::default() };
    Row { words, method, order: promised }
}

/// The masters of the table.
fn rows() -> Vec<Row> {
    use Scheme::{GaussSeidel, Iterative, Jacobi};
    vec![
        row("Jacobi, constant inputs", Jacobi, 0, false, 1.0),
        row("Jacobi, constant inputs, linear correction", Jacobi, 0, true, 1.0),
        row("Gauss-Seidel, constant inputs", GaussSeidel, 0, false, 1.0),
        row("Jacobi, linear inputs", Jacobi, 1, false, 2.0),
        row("Gauss-Seidel, linear inputs", GaussSeidel, 1, false, 2.0),
        row("Iteration, linear inputs", Iterative, 1, false, 2.0),
        row("Jacobi, quadratic inputs", Jacobi, 2, false, 3.0),
        row("Gauss-Seidel, quadratic inputs", GaussSeidel, 2, false, 3.0),
        row("Iteration, quadratic inputs", Iterative, 2, false, 3.0),
    ]
}

/// The orders between successive errors.
fn orders(errors: &[f64]) -> Vec<f64> {
    errors.windows(2).map(|pair| (pair[0] / pair[1]).log2()).collect()
}

fn cut(model: fn(&mut Assembly), at: &str) -> (CutSystem, Simulation) {
    let system = coupler::cut(model, &[at]).expect("a cut");
    (system, coupler::simulation(model).expect("a model"))
}

#[test]
fn masters_of_an_elastic_cut_have_the_orders_of_theory() {
    let (system, mut whole) = cut(elastic, "shaft");
    let mut table =
        String::from("| master | 0.01 s | 0.005 s | 0.0025 s | order |\n|---|---|---|---|---|\n");
    let mut wrong = Vec::new();
    for Row { words, method, order } in rows() {
        let errors = STEPS.map(|h| error(&mut whole, &system.wiring, method, h));
        let found = orders(&errors);
        if !found.iter().all(|found| (found - order).abs() < 0.25) {
            wrong.push(format!("{words}: {errors:?}, orders {found:?}, not {order}"));
        }
        let [a, b, c] = errors.map(|error| format!("{error:.1e}"));
        table.push_str(&format!("| {words} | {a} | {b} | {c} | {order} |\n"));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    let path = root().join("docs/coupling.md");
    let text = std::fs::read_to_string(&path).expect("the page on coupling");
    let (before, rest) = text.split_once("<!-- table of orders -->\n").expect("the table's begin");
    let (_, after) = rest.split_once("<!-- end -->").expect("the table's end");
    let written = format!("{before}<!-- table of orders -->\n{table}<!-- end -->{after}");
    if std::env::var_os("COUPLER_BLESS").is_some() {
        std::fs::write(&path, &written).expect("the page is written");
    }
    assert_eq!(written, text, "docs/coupling.md: `cargo xtask bless` writes it");
}

#[test]
fn correction_and_iteration_keep_their_orders_over_a_rigid_cut() {
    let system = coupler::cut(rigid, &["load.flange_a"]).expect("a cut");
    let mut whole = coupler::simulation(rigid).expect("a model");
    // The larger inertia gives the motion, so that the loop gain is below 1.
    assert!(system.notes[0].contains("loop gain -0.5"), "{}", system.notes[0]);
    for (scheme, order, corrects, promised) in [
        (Scheme::Jacobi, 0, true, 1.0),
        (Scheme::Jacobi, 1, true, 2.0),
        (Scheme::Iterative, 1, false, 2.0),
    ] {
        let method = Method { scheme, order, corrects, ..Method::default() };
        let errors = STEPS.map(|h| error(&mut whole, &system.wiring, method, h));
        let found = orders(&errors);
        assert!(
            found.iter().all(|order| (order - promised).abs() < 0.3),
            "{method:?}: {errors:?}, orders {found:?}"
        );
    }
}

#[test]
fn a_spring_can_be_cut_off_at_both_ends() {
    let both = ["shaft.flange_a", "shaft.flange_b"];
    let system = coupler::cut(elastic, &both).expect("a cut into three parts");
    assert_eq!(system.wiring.parts.len(), 3);
    let mut whole = coupler::simulation(elastic).expect("a model");
    let method = Method { order: 2, ..Method::default() };
    let errors = STEPS.map(|h| error(&mut whole, &system.wiring, method, h));
    let found = orders(&errors);
    assert!(found.iter().all(|order| (order - 3.0).abs() < 0.4), "{errors:?}, orders {found:?}");
}

#[test]
fn two_cuts_at_one_connection_are_refused() {
    let both = ["motor.flange_b", "shaft.flange_a"];
    let refused = coupler::cut(elastic, &both).map(|_| ()).expect_err("one connection");
    let sentence = "shaft.flange_a and motor.flange_b are the same connection";
    assert!(refused.to_string().contains(sentence), "{refused}");
}

#[test]
fn state_events_in_a_part_leave_the_order_of_the_step() {
    let (system, mut whole) = cut(clutched, "shaft");
    for (order, least) in [(0, 0.7), (1, 1.3)] {
        let method = Method { order, ..Method::default() };
        // Steps whose ends have no common points with the events.
        let errors = [1.0 / 97.0, 1.0 / 389.0, 1.0 / 1553.0]
            .map(|h| error(&mut whole, &system.wiring, method, h));
        let whole_order = (errors[0] / errors[2]).log2() / 4.0;
        assert!(whole_order > least, "order {order}: {errors:?}, {whole_order}");
    }
}

#[test]
fn the_step_is_chosen_so_that_the_error_follows_the_tolerance() {
    let (system, mut whole) = cut(elastic, "shaft");
    let errors = [1e-3, 1e-4, 1e-5].map(|tolerance| {
        let method = Method { order: 1, tolerance: Some(tolerance), ..Method::default() };
        error(&mut whole, &system.wiring, method, 0.05)
    });
    for pair in errors.windows(2) {
        assert!(pair[1] < 0.4 * pair[0], "{errors:?}");
    }
    assert!(errors[2] < 1e-4, "{errors:?}");
}

#[test]
fn threads_do_not_change_a_bit() {
    let (system, _) = cut(clutched, "shaft");
    let run = |threads: usize| {
        let method = Method { order: 1, corrects: true, threads, ..Method::default() };
        let options = SystemOptions { method, ..SystemOptions::default() };
        simulate(&system.wiring, &options, &mut |_| ()).expect("a run").table
    };
    assert_eq!(run(1), run(2));
}
