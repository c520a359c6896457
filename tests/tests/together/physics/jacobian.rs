//! Tests that columns of the Jacobian are kept only while they are the same.

use std::sync::Arc;

use coupler_tests::fmu::starts;
use coupler_tests::{own, simulations};
use equations::{Ex, Model, Program, select};
use fmu_builder::models::Traced;
use fmu_runtime::Simulation;
use fmu_runtime::system::Info;
use models::MODELS;

/// `solver.method` of the implicit method.
const RODAS5P: f64 = 2.0;

/// The bits of the states of a model at some times, with Rodas5P; if `always`, the whole Jacobian
/// is evaluated in every step.
fn states(traced: &Traced, program: &Program, always: bool) -> Vec<u64> {
    let mut taped = program.taped();
    if always {
        let info = Info { lasting_columns: &[], time_dependent: true, ..*taped.info };
        taped.info = Box::leak(Box::new(info));
    }
    let states: Vec<&str> = taped.info.states.iter().map(|state| state.name).collect();
    let stop = 0.2 * taped.info.stop_time;
    let simulation = simulations::of_code(&Arc::new(taped), traced);
    let mut simulation = simulation.with_aliases(program.aliases());
    let mut values = starts(&traced.code.description().name).to_vec();
    values.push(("solver.method", RODAS5P));
    simulations::start(&mut simulation, Some(1e-4), &values);
    let table = simulations::table(&mut simulation, 0.25 * stop, stop, &states);
    table.rows.iter().flatten().map(|value| value.to_bits()).collect()
}

#[test]
fn columns_of_the_jacobian_are_kept_only_while_they_are_the_same() {
    let (mut some, mut all) = (0, 0);
    for model in MODELS.models {
        let traced = MODELS.trace(model).unwrap_or_else(|error| panic!("{error}"));
        let Ok(program) = traced.program() else { continue };
        let info = program.taped().info;
        let lasting = info.lasting_columns.len();
        some += u32::from(lasting > 0 && lasting < info.states.len());
        all += u32::from(lasting > 0 && lasting == info.states.len());
        let [kept, always] = [false, true].map(|always| states(&traced, program, always));
        assert!(kept == always, "{}: {lasting} columns are kept", model.name);
    }
    println!("models of which all columns are kept: {all}, some: {some}");
    assert!(all >= 5 && some >= 5, "{all} {some}");
}

/// A stiff system that is linear between events; its rates are a tunable parameter and a mode,
/// which depends on the solution of a nonlinear block.
fn relay(m: &mut Model) {
    let rate = m.parameter("rate", 50.0).tunable().done();
    let x = m.state("x", 1.0).done();
    let v = m.state("v", 0.0).done();
    let z = Ex::symbol();
    let root = m.newton("root", &[z], &[z + 0.3 * z.sin() - x], &[x])[0];
    let below = m.relation("below", 0.4 - root).done();
    m.derivative(x, v - rate * x);
    m.derivative(v, select(below, 40.0, -200.0) * v + rate * (1.0 - x));
    m.output("y", root).done();
}

#[test]
fn kept_columns_follow_parameters_and_restored_states() {
    let run = |simulation: &mut Simulation, rate: Option<f64>| {
        rate.into_iter().for_each(|rate| simulations::set(simulation, "rate", rate));
        simulations::run_to(simulation, 0.1);
        let read = ["x", "v", "y", "solver.steps", "solver.newton_iterations"];
        simulations::values(simulation, read).map(f64::to_bits)
    };
    let started = || {
        let mut simulation = own::simulation("relay", relay);
        simulations::start(&mut simulation, Some(1e-6), &[("solver.method", RODAS5P)]);
        simulations::run_to(&mut simulation, 0.01);
        simulation
    };
    let rates = [None, Some(500.0), Some(5.0)];
    let expected = rates.map(|rate| run(&mut started(), rate));
    assert!(expected[0] != expected[1] && expected[1] != expected[2]);
    // One simulation returns to the state at 0.01 s each time; other simulations begin at this
    // state.
    let mut simulation = started();
    let state = simulation.fmu_state();
    for (rate, expected) in rates.iter().zip(&expected).chain(rates.iter().zip(&expected).rev()) {
        let mut other = own::simulation("relay", relay);
        simulations::start(&mut other, Some(1e-6), &[("solver.method", RODAS5P)]);
        for simulation in [&mut simulation, &mut other] {
            simulation.set_fmu_state(&state).expect("it is a state of this model");
            assert_eq!(run(simulation, *rate), *expected, "{rate:?}");
        }
    }
}
