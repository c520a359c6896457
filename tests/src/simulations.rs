//! Simulations of models in this process, on their tapes and without FMUs.

use fmu_builder::models::Traced;
use fmu_runtime::Simulation;
use fmu_runtime::equations::RunnableModel;
use models::MODELS;

use crate::curves::TimeSeries;

/// A model of the repository, by its FMI name.
pub fn traced(name: &str) -> Traced {
    let traced = MODELS.model(name).and_then(|model| MODELS.trace(model));
    traced.unwrap_or_else(|error| panic!("{error}"))
}

/// A simulation of a model of the repository, by its FMI name, before its start.
pub fn named(name: &str) -> Simulation {
    of(&traced(name))
}

/// A simulation of a traced model before its start.
pub fn of(model: &Traced) -> Simulation {
    model.simulation().unwrap_or_else(|error| panic!("{error}"))
}

/// A simulation of the code of a traced model, with its files, before its start.
pub fn of_code(code: &dyn RunnableModel, model: &Traced) -> Simulation {
    let simulation = match &model.resources {
        Some(folder) => Simulation::with_resources(code, folder),
        None => Simulation::of(code),
    };
    simulation.unwrap_or_else(|error| panic!("{}: {error}", model.name))
}

/// Starts at 0 s with values that are set; a simulation that was started before is reset first.
pub fn start(simulation: &mut Simulation, tolerance: Option<f64>, values: &[(&str, f64)]) {
    simulation.reset().unwrap_or_else(|error| panic!("{error}"));
    values.iter().for_each(|(name, value)| set(simulation, name, *value));
    simulation.start(tolerance).unwrap_or_else(|error| panic!("{error}"));
}

/// Sets a variable.
pub fn set(simulation: &mut Simulation, name: &str, value: f64) {
    simulation.set(name, value).unwrap_or_else(|error| panic!("{error}"));
}

/// Simulates to a time in s.
pub fn run_to(simulation: &mut Simulation, t: f64) {
    simulation.run_to(t).unwrap_or_else(|error| panic!("{error}"));
}

/// The value of a variable.
pub fn value(simulation: &mut Simulation, name: &str) -> f64 {
    simulation.read(name).unwrap_or_else(|error| panic!("{error}"))
}

/// The values of several variables.
pub fn values<const N: usize>(simulation: &mut Simulation, names: [&str; N]) -> [f64; N] {
    names.map(|name| value(simulation, name))
}

/// The values of variables at the start and after each communication step of `h` in s; the last
/// step does not pass `stop`.
pub fn table(simulation: &mut Simulation, h: f64, stop: f64, record: &[&str]) -> TimeSeries {
    let names = record.iter().map(|name| (*name).to_owned()).collect();
    let mut table = TimeSeries { names, ..TimeSeries::default() };
    let steps = (stop / h * (1.0 + 1e-12)).floor() as u32;
    for t in (0..=steps).map(|step| f64::from(step) * h) {
        if t > 0.0 {
            run_to(simulation, t);
        }
        table.time.push(t);
        table.rows.push(record.iter().map(|name| value(simulation, name)).collect());
    }
    table
}
