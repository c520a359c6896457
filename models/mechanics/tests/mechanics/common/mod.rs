//! Tools of the tests: models are compiled in the test's process and simulated by the run time.

pub mod account;
pub mod cores;
pub mod counterparts;
pub mod floating;
pub mod linkages;
pub mod random_linkages;
pub mod random_trains;
pub mod wishbones;

use equations::{Interpreter, Model, Program, compile_named};
use fmu_runtime::Simulation;
use fmu_runtime::simulation::Point;
use libraries::translational::MassWithStopAndFriction;
use mechanics::{Assembly, assemble};
use nalgebra::Vector3;
pub use random::Random;
use std::sync::Arc;

/// A mass of 1 kg with friction, far from its stops.
pub fn rough_mass() -> MassWithStopAndFriction {
    let mass = MassWithStopAndFriction::new().m(1).smin(-25).smax(25);
    mass.f_prop(1).f_coulomb(5).f_stribeck(10).fexp(2)
}

/// Relative tolerance of the solver.
pub const TOLERANCE: f64 = 1e-10;

/// The program of an assembly.
pub fn program(text: impl FnOnce(&mut Assembly)) -> Result<Program, String> {
    program_with(text, |_| ())
}

/// The program of an assembly with additions to its equations.
pub fn program_with(
    text: impl FnOnce(&mut Assembly),
    add: impl FnOnce(&mut Model),
) -> Result<Program, String> {
    let program = compile_named("Test", "A test.", |model| match assemble(text, model) {
        Ok(()) => add(model),
        Err(error) => model.refuse(equations::Error::Definition(error.to_string())),
    });
    program.map_err(|error| error.to_string())
}

/// A simulation of a program before its start.
pub fn simulation_of(program: &Program) -> Simulation {
    let simulation = Simulation::of(&Arc::new(program.taped())).expect("no table is in a file");
    simulation.with_aliases(program.aliases())
}

/// A simulation of an assembly before its start.
pub fn simulation(text: impl FnOnce(&mut Assembly)) -> Result<Simulation, String> {
    program(text).map(|program| simulation_of(&program))
}

/// The sentence with which an assembly is refused; empty if it is accepted.
pub fn refusal(text: impl FnOnce(&mut Assembly)) -> String {
    program(text).err().unwrap_or_default()
}

/// The notes to the author of an assembly.
pub fn notes(text: impl FnOnce(&mut Assembly)) -> Vec<String> {
    program(text).expect("the model is sound").notes().to_vec()
}

/// A simulation of an assembly after its start.
pub fn start(text: impl FnOnce(&mut Assembly)) -> Simulation {
    let mut model = simulation(text).expect("the model is sound");
    initialize(&mut model);
    model
}

/// Determines initial values and consistent modes.
pub fn initialize(model: &mut Simulation) {
    model.start(Some(TOLERANCE)).expect("the initial system has a solution");
}

/// Handles an event at the present point, so that new values take effect.
pub fn settle(model: &mut Simulation) {
    run_to(model, model.time());
}

/// Simulates until a time in s.
pub fn run_to(model: &mut Simulation, t: f64) {
    model.run_to(t).unwrap_or_else(|why| panic!("{why}"));
}

/// Simulates for `h` in s.
pub fn step(model: &mut Simulation, h: f64) {
    run_to(model, model.time() + h);
}

/// Simulates until `end`, and calls `after` after every event.
pub fn simulate(model: &mut Simulation, end: f64, mut after: impl FnMut(&mut Simulation)) {
    while model.run_to_event(end).unwrap_or_else(|why| panic!("{why}")) {
        after(model);
    }
}

/// Simulates until `end`; returns the instants of all events.
pub fn events(model: &mut Simulation, end: f64) -> Vec<f64> {
    let mut instants = Vec::new();
    simulate(model, end, |model| instants.push(model.time()));
    instants
}

/// An interpreter of a program at the present point of its simulation.
pub fn interpreter_at(program: &Program, model: &Simulation) -> Interpreter {
    let mut interpreter = Interpreter::new(program.clone());
    follow(&mut interpreter, model);
    interpreter
}

/// Moves an interpreter to the present point of a simulation.
pub fn follow(interpreter: &mut Interpreter, model: &Simulation) {
    let Point { t, p, c, m, r, x, u, anchor } = model.point();
    (interpreter.t, interpreter.initial) = (t, false);
    interpreter.p.copy_from_slice(p);
    interpreter.c.copy_from_slice(c);
    interpreter.m.copy_from_slice(m);
    interpreter.r.copy_from_slice(r);
    interpreter.x.copy_from_slice(x);
    interpreter.u.copy_from_slice(u);
    interpreter.anchor.copy_from_slice(anchor);
}

/// Sets the states at the present time, without a change of modes.
pub fn set_states(model: &mut Simulation, x: &[f64]) {
    model.move_to(model.time(), x).unwrap_or_else(|why| panic!("{why}"));
}

/// The numbers of unknowns of the nonlinear blocks of an assembly.
pub fn unknowns(text: impl FnOnce(&mut Assembly)) -> Vec<usize> {
    let program = program(text).expect("the model is sound");
    program.blocks().into_iter().map(|(_, unknowns)| unknowns).collect()
}

/// Whether a model has nonlinear blocks during the motion.
pub fn has_blocks(model: &Simulation) -> bool {
    model.info().blocks.iter().any(|block| block.size > 0)
}

/// The value of a variable.
pub fn value(model: &mut Simulation, name: &str) -> f64 {
    model.read(name).unwrap_or_else(|why| panic!("{why}"))
}

/// The value of a vector.
pub fn vector(model: &mut Simulation, name: &str) -> Vector3<f64> {
    Vector3::from_fn(|k, _| value(model, &format!("{name}[{}]", k + 1)))
}

/// The derivatives of the states.
pub fn derivatives(model: &mut Simulation) -> Vec<f64> {
    model.derivatives().unwrap_or_else(|why| panic!("{why}"))
}

/// Kinetic plus potential energy in J.
pub fn energy(model: &mut Simulation) -> f64 {
    value(model, "energy.kinetic") + value(model, "energy.potential")
}

/// The values that are read at times before and after the present one (in s), along the tangent of
/// the motion and without a change of modes.
pub fn along<T>(
    model: &mut Simulation,
    times: &[f64],
    mut read: impl FnMut(&mut Simulation) -> T,
) -> Vec<T> {
    let (t, x, dx) = (model.time(), model.continuous_states().to_vec(), derivatives(model));
    let move_by = |model: &mut Simulation, s: f64| {
        let x: Vec<f64> = x.iter().zip(&dx).map(|(x, dx)| x + s * dx).collect();
        model.move_to(t + s, &x).unwrap_or_else(|why| panic!("{why}"));
    };
    let mut look = |s: &f64| {
        move_by(model, *s);
        read(model)
    };
    let found = times.iter().map(&mut look).collect();
    move_by(model, 0.0);
    found
}

/// The rate of change of the energy in W along the motion, by central differences.
pub fn energy_rate(model: &mut Simulation) -> f64 {
    let h = 1e-5;
    let energies = along(model, &[h, -h], energy);
    (energies[0] - energies[1]) / (2.0 * h)
}

/// The seeds of random models: the range in the environment variable `COUPLER_SEEDS`, such as
/// `300..5000`, or else those in `some`.
pub fn seeds(some: &[u64]) -> Vec<u64> {
    let Ok(text) = std::env::var("COUPLER_SEEDS") else { return some.to_vec() };
    let number = |text: &str| text.parse().expect("COUPLER_SEEDS is like 300..5000");
    let (first, end) = text.split_once("..").expect("COUPLER_SEEDS is like 300..5000");
    (number(first)..number(end)).collect()
}
