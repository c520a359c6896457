//! A small laboratory for tests: models traced here, interpreted, and integrated at a fixed step.
#![allow(dead_code, reason = "every test uses a part of it")]

pub mod cores;
pub mod counterparts;
pub mod events;
pub mod floating;
pub mod floors;
pub mod linkages;
pub mod motion;
pub mod trains;
pub mod wishbones;

use equations::{Interpreter, RelationKind, compile_named};
use mechanics::{Assembly, assemble};
use nalgebra::Vector3;
pub use random::Random;

/// The interpreter of an assembly.
pub fn interpret(text: impl FnOnce(&mut Assembly)) -> Result<Interpreter, String> {
    let program = compile_named("Test", "A test.", |model| {
        if let Err(error) = assemble(text, model) {
            model.refuse(equations::Error::Definition(error.to_string()));
        }
    });
    program.map(Interpreter::new).map_err(|error| error.to_string())
}

/// The sentence with which an assembly is refused; empty if it is not.
pub fn refusal(text: impl FnOnce(&mut Assembly)) -> String {
    interpret(text).err().unwrap_or_default()
}

/// Initial values with all modes settled, after the end of initialization.
pub fn start(text: impl FnOnce(&mut Assembly)) -> Interpreter {
    let mut model = interpret(text).expect("the model is sound");
    initialize(&mut model);
    model
}

/// Initial values with all modes settled, as in the run time.
pub fn initialize(model: &mut Interpreter) {
    model.start().expect("the initial system has a solution");
    model.initial = false;
    settle(model);
}

/// Event iteration as in the run time; gives the largest number of sweeps over the relations in one
/// iteration.
pub fn settle(model: &mut Interpreter) -> usize {
    model.settle().unwrap_or_else(|why| panic!("t={}: {why}", model.t))
}

/// One step of the classical Runge-Kutta method; the modes stay.
pub fn step(model: &mut Interpreter, h: f64) {
    try_step(model, h).expect("evaluation succeeds");
}

/// The same, or what cannot be evaluated.
pub fn try_step(model: &mut Interpreter, h: f64) -> Result<(), equations::Failure> {
    let (t, x) = (model.t, model.x.clone());
    let slope = |model: &mut Interpreter, at: f64, from: &[f64], by: f64| {
        model.t = t + at * h;
        model.x = x.iter().zip(from).map(|(x, k)| x + by * h * k).collect();
        model.climb()?;
        Ok::<Vec<f64>, equations::Failure>(model.dx.clone())
    };
    let zero = vec![0.0; x.len()];
    let k1 = slope(model, 0.0, &zero, 0.0)?;
    let k2 = slope(model, 0.5, &k1, 0.5)?;
    let k3 = slope(model, 0.5, &k2, 0.5)?;
    let k4 = slope(model, 1.0, &k3, 1.0)?;
    for i in 0..x.len() {
        model.x[i] = x[i] + h / 6.0 * (k1[i] + 2.0 * k2[i] + 2.0 * k3[i] + k4[i]);
    }
    model.climb()?;
    model.anchor = model.z.clone();
    Ok(())
}

/// Steps for `seconds` by steps of `h`; the modes stay.
pub fn run(model: &mut Interpreter, seconds: f64, h: f64) {
    for _ in 0..(seconds / h).round() as usize {
        step(model, h);
    }
}

/// Simulates until `end` by steps of at most `h`, with events located to rounding; calls `after`
/// every event.
pub fn simulate(
    model: &mut Interpreter,
    end: f64,
    h: f64,
    mut after: impl FnMut(&mut Interpreter),
) {
    while model.t < end {
        let (t, x, anchor) = (model.t, model.x.clone(), model.anchor.clone());
        let due = events::next_event(model);
        let mut h = h.min(end - t).min(due - t);
        step(model, h);
        let mut event = model.t >= due;
        if has_event(model) {
            let (mut before, mut at) = (0.0, h);
            for _ in 0..60 {
                h = 0.5 * (before + at);
                (model.t, model.x, model.anchor) = (t, x.clone(), anchor.clone());
                step(model, h);
                if has_event(model) {
                    at = h;
                } else {
                    before = h;
                }
            }
            (model.t, model.x, model.anchor) = (t, x, anchor);
            step(model, at);
            event = true;
        }
        if event {
            settle(model);
            after(model);
        }
    }
}

/// Whether a state relation has left the band in which it keeps its value.
pub fn has_event(model: &mut Interpreter) -> bool {
    model.climb().expect("evaluation succeeds");
    model.relations().expect("evaluation succeeds");
    let kinds = model.program().relation_kinds();
    let left = |k: usize| if model.r[k] { model.d[k] < -1e-10 } else { model.d[k] > 1e-10 };
    (0..kinds.len()).any(|k| kinds[k] == RelationKind::State && left(k))
}

/// The value of a variable.
pub fn value(model: &mut Interpreter, name: &str) -> f64 {
    model.value_of(name).unwrap_or_else(|| panic!("{name}: no such variable"))
}

/// The value of a vector.
pub fn vector(model: &mut Interpreter, name: &str) -> Vector3<f64> {
    Vector3::from_fn(|k, _| value(model, &format!("{name}[{}]", k + 1)))
}

/// Kinetic plus potential energy in J.
pub fn energy(model: &mut Interpreter) -> f64 {
    value(model, "energy.kinetic") + value(model, "energy.potential")
}

/// Change of the energy in W along the motion, by central differences.
pub fn energy_rate(model: &mut Interpreter) -> f64 {
    let h = 1e-5;
    model.climb().unwrap();
    let (t, x, dx) = (model.t, model.x.clone(), model.dx.clone());
    let mut at = |s: f64| {
        model.t = t + s;
        model.x = x.iter().zip(&dx).map(|(x, dx)| x + s * dx).collect();
        model.climb().unwrap();
        energy(model)
    };
    let rate = (at(h) - at(-h)) / (2.0 * h);
    (model.t, model.x) = (t, x);
    model.climb().unwrap();
    rate
}

/// The seeds of random models: those of the environment variable `COUPLER_SEEDS`, as in
/// `300..5000`, or some.
pub fn seeds(some: &[u64]) -> Vec<u64> {
    let Ok(text) = std::env::var("COUPLER_SEEDS") else { return some.to_vec() };
    let number = |text: &str| text.parse().expect("COUPLER_SEEDS is like 300..5000");
    let (first, end) = text.split_once("..").expect("COUPLER_SEEDS is like 300..5000");
    (number(first)..number(end)).collect()
}
