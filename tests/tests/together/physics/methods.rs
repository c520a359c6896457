//! Tests that the automatic choice of the method needs little more work than the better method, and
//! that the Jacobian of the implicit one is evaluated as often as it changes.

use std::sync::Arc;

use coupler_tests::chains::stiff_chain;
use coupler_tests::fmu::starts;
use coupler_tests::{own, simulations};
use equations::{Model, Program, select};
use fmu_builder::models::Traced;
use fmu_runtime::Simulation;
use fmu_runtime::simulation::FmuState;
use fmu_runtime::system::Info;
use mechanics::multibody::*;
use mechanics::prelude::*;
use mechanics::rotational;
use models::MODELS;

/// Largest work relative to that of the better method.
const MAX_RATIO: f64 = 1.15;

/// `solver.method` of the implicit method.
const RODAS5P: f64 = 2.0;

/// A robot with six axes. Each has a motor with bearing friction, an elastic gear, and a controller
/// that acts like a spring-damper between the motor and a reference; `stiff` multiplies stiffness
/// and damping of the gears.
fn robot(m: &mut Assembly, stiff: f64) {
    let world = m.add("world", World::new());
    let mut last = world.frame_b;
    for k in 0..6 {
        let name = |what: &str| format!("{what}{}", k + 1);
        let size = 0.75_f64.powi(k);
        let reference = Sine::new().amplitude(0.5 * 105.0).f(0.4 + 0.1 * f64::from(k));
        let reference = m.add(name("reference"), reference);
        let position = m.add(name("position"), rotational::Position::new());
        let controller = rotational::SpringDamper::new().c(20.0 * size).d(0.5 * size);
        let controller = m.add(name("controller"), controller);
        let motor = rotational::Inertia::new().J(1.3e-3 * size).phi(fixed(0.0)).w(fixed(0.0));
        let motor = m.add(name("motor"), motor);
        let bearing = rotational::BearingFriction::new().tau_pos([[0.0, 0.4], [200.0, 0.6]]);
        let bearing = m.add(name("bearing"), bearing);
        let ratio = m.add(name("ratio"), rotational::IdealGear::new().ratio(105.0));
        let gear = rotational::SpringDamper::new().c(8e4 * stiff * size).d(80.0 * stiff * size);
        let gear = m.add(name("gear"), gear);
        let axis = if k % 3 == 0 { Y } else { Z };
        let joint = Revolute::new().n(axis).phi(fixed(0.0)).w(fixed(0.0));
        let joint = m.add(name("joint"), joint);
        let arm = BodyShape::new().r([0.5 * size, 0.0, 0.0]).r_cm([0.25 * size, 0.0, 0.02]);
        let inertia = [0.1, 0.6, 0.6].map(|i| i * size * size * size);
        let arm = m.add(name("arm"), arm.m(15.0 * size).inertia(inertia));
        m.connect(reference.y, position.phi_ref);
        m.connect(position.flange, controller.flange_a);
        m.connect(controller.flange_b, motor.flange_a);
        m.connect(motor.flange_b, bearing.flange_a);
        m.connect(bearing.flange_b, ratio.flange_a);
        m.connect(ratio.flange_b, gear.flange_a);
        m.connect(gear.flange_b, joint.axis);
        m.connect(last, joint.frame_a);
        m.connect(joint.frame_b, arm.frame_a);
        last = arm.frame_b;
    }
}

/// A chain of `n` inertias with stiff springs, whose dampings are multiplied by a factor.
fn chain(n: usize, damping: f64) -> Simulation {
    let mut simulation = own::simulation("stiff_chain", |m| stiff_chain(m, n));
    for spring in 1..n {
        let d = format!("spring{spring}.d");
        let value = simulations::value(&mut simulation, &d);
        simulations::set(&mut simulation, &d, damping * value);
    }
    simulation
}

/// The work of a simulation with a value of `solver.method`.
fn work(simulation: &mut Simulation, start: &FmuState, stop: f64, method: f64) -> f64 {
    simulation.set_fmu_state(start).expect("it is a state of this model");
    simulations::set(simulation, "solver.method", method);
    simulation.start(Some(1e-6)).unwrap_or_else(|error| panic!("{error}"));
    simulations::run_to(simulation, stop);
    simulation.work()
}

#[test]
fn the_choice_of_the_method_is_nearly_as_good_as_the_better_method() {
    let robot = |stiff| own::simulation("robot", |m: &mut Assembly| robot(m, stiff));
    let named = |name: &'static str| {
        let mut simulation = simulations::named(name);
        starts(name)
            .iter()
            .for_each(|(name, value)| simulations::set(&mut simulation, name, *value));
        simulation
    };
    let models = [
        ("robot", robot(1.0), 0.3),
        ("robot with stiff gears", robot(10.0), 0.3),
        ("robot with gears that are stiffer still", robot(25.0), 0.3),
        ("robot with very stiff gears", robot(1000.0), 0.03),
        ("short chain", chain(6, 1.0), 0.02),
        ("chain", chain(30, 1.0), 0.02),
        ("chain of elastic springs", chain(12, 1e-2), 0.2),
        ("chain of very elastic springs", chain(12, 1e-4), 0.2),
        ("vehicle", named("Vehicle"), 2.0),
        ("actuated drive", named("ActuatedDrive"), 2.0),
        ("coupled clutches", named("CoupledClutches"), 1.5),
        ("test bench", named("TestBench"), 1.0),
        ("drive train", named("Drivetrain"), 1.0),
    ];
    let (mut bad, mut stiff) = (Vec::new(), 0);
    for (name, mut simulation, stop) in models {
        let start = simulation.fmu_state();
        let mut work = |method| work(&mut simulation, &start, stop, method);
        let [auto, tsit5, rodas5p] = [0.0, 1.0, RODAS5P].map(&mut work);
        let ratio = auto / tsit5.min(rodas5p);
        println!("{name}: {ratio:.3} (Auto {auto:.0}, Tsit5 {tsit5:.0}, Rodas5P {rodas5p:.0})");
        if ratio > MAX_RATIO {
            bad.push((name, ratio));
        }
        stiff += u32::from(rodas5p < tsit5);
    }
    assert!(bad.is_empty(), "{bad:?}");
    assert!((3..=9).contains(&stiff), "{stiff} models are stiff");
}

/// The bits of the states of a model at some times, with Rodas5P; if `always`, the whole Jacobian
/// is evaluated in every step.
fn states(traced: &Traced, program: &Program, always: bool) -> Vec<u64> {
    let mut program = program.taped();
    if always {
        let info = Info { lasting_columns: &[], time_dependent: true, ..*program.info };
        program.info = Box::leak(Box::new(info));
    }
    let states: Vec<&str> = program.info.states.iter().map(|state| state.name).collect();
    let stop = 0.2 * program.info.stop_time;
    let mut simulation = simulations::of_code(&Arc::new(program), traced);
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

/// A stiff system that is linear between events; its rates are a tunable parameter and a mode.
fn relay(m: &mut Model) {
    let rate = m.parameter("rate", 50.0).tunable().done();
    let x = m.state("x", 1.0).done();
    let v = m.state("v", 0.0).done();
    let below = m.relation("below", 0.5 - x).done();
    m.derivative(x, v - rate * x);
    m.derivative(v, select(below, 40.0, -200.0) * v + rate * (1.0 - x));
    m.output("y", x).done();
}

#[test]
fn kept_columns_follow_parameters_and_restored_states() {
    let run = |simulation: &mut Simulation, rate: Option<f64>| {
        rate.into_iter().for_each(|rate| simulations::set(simulation, "rate", rate));
        simulations::run_to(simulation, 0.1);
        simulations::values(simulation, ["x", "v"]).map(f64::to_bits)
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
    // One simulation that returns to its state at 0.01 s each time.
    let mut simulation = started();
    let state = simulation.fmu_state();
    for (rate, expected) in rates.iter().zip(&expected).chain(rates.iter().zip(&expected).rev()) {
        simulation.set_fmu_state(&state).expect("it is a state of this model");
        assert_eq!(run(&mut simulation, *rate), *expected, "{rate:?}");
    }
}
