//! Runs single FMUs in the Rust importer `fmi` and prints the results, one line of JSON per FMU.
//!
//! Arguments, jobs and lines are those of `tests/python/importers.py`.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::{env, fs};

use anyhow::{Context, Error, Result, bail};
use fmi::EventFlags;
use fmi::fmi2::import::Fmi2Import;
use fmi::fmi2::instance::{CoSimulation, Common, ModelExchange};
use fmi::traits::FmiImport;
use serde::Deserialize;
use serde_json::json;

/// Values at communication points, from the first step on.
type Rows = Vec<Vec<f64>>;

/// A simulation to be run.
#[derive(Deserialize)]
struct Job {
    fmu: PathBuf,
    /// Communication step in s.
    step: f64,
    steps: usize,
    tolerance: f64,
    /// The numbers of steps of two runs by Euler's method.
    euler: [usize; 2],
    starts: BTreeMap<String, f64>,
    variables: Vec<String>,
}

impl Job {
    fn open(&self) -> Result<Fmi2Import> {
        fmi::import::from_path(&self.fmu).map_err(message)
    }

    /// The value references of names.
    fn references<'a>(
        import: &Fmi2Import,
        names: impl IntoIterator<Item = &'a String>,
    ) -> Result<Vec<u32>> {
        let of = |name: &String| import.model_description().model_variable_by_name(name);
        names.into_iter().map(|name| Ok(of(name).map_err(message)?.value_reference)).collect()
    }

    fn initialize(&self, import: &Fmi2Import, instance: &mut impl Common) -> Result<()> {
        Common::setup_experiment(instance, Some(self.tolerance), 0.0, None).map_err(message)?;
        let references = Self::references(import, self.starts.keys())?;
        let values: Vec<f64> = self.starts.values().copied().collect();
        instance.set_real(&references, &values).map_err(message)?;
        Common::enter_initialization_mode(instance).map_err(message)?;
        Common::exit_initialization_mode(instance).map_err(message)?;
        Ok(())
    }

    fn values(&self, import: &Fmi2Import, instance: &mut impl Common) -> Result<Vec<f64>> {
        let references = Self::references(import, &self.variables)?;
        let mut values = vec![0.0; references.len()];
        instance.get_real(&references, &mut values).map_err(message)?;
        Ok(values)
    }

    fn co_simulation(&self) -> Result<Rows> {
        let import = self.open()?;
        let mut instance = import.instantiate_cs("cs", false, true).map_err(message)?;
        self.initialize(&import, &mut instance)?;
        let mut rows = Vec::new();
        for i in 0..self.steps {
            let (t, next) = (i as f64 * self.step, (i + 1) as f64 * self.step);
            instance.do_step(t, next - t, true).map_err(message)?;
            rows.push(self.values(&import, &mut instance)?);
        }
        Common::terminate(&mut instance).map_err(message)?;
        Ok(rows)
    }

    /// The end of two runs by Euler's method, extrapolated to steps of length zero: this removes
    /// the method's error of first order, but not the error of events, which are noticed only at
    /// the end of a step.
    fn euler(&self) -> Result<Rows> {
        let import = self.open()?;
        let description = import.model_description();
        let sizes = (description.num_states(), description.num_event_indicators());
        let end = |steps: usize| {
            let mut instance = import.instantiate_me("me", false, true).map_err(message)?;
            self.initialize(&import, &mut instance)?;
            integrate(&mut instance, sizes, self.steps as f64 * self.step / steps as f64, steps)?;
            self.values(&import, &mut instance)
        };
        let [coarse, fine] = self.euler;
        let (coarse, fine) = (end(coarse)?, end(fine)?);
        Ok(vec![coarse.iter().zip(&fine).map(|(coarse, fine)| 2.0 * fine - coarse).collect()])
    }
}

/// Integrates by the explicit Euler method: steps end at time events, and state events come at the
/// ends of steps. `sizes` are the numbers of states and event indicators.
fn integrate(
    instance: &mut impl ModelExchange,
    sizes: (usize, usize),
    h: f64,
    steps: usize,
) -> Result<()> {
    let (mut x, mut dx) = (vec![0.0; sizes.0], vec![0.0; sizes.0]);
    let (mut z, mut z0) = (vec![0.0; sizes.1], vec![0.0; sizes.1]);
    let (mut t, mut next_event) = (0.0, iterate(instance)?);
    instance.get_event_indicators(&mut z0).map_err(message)?;
    let mut i = 1;
    while i <= steps {
        let end = (i as f64 * h).min(next_event);
        instance.get_continuous_states(&mut x).map_err(message)?;
        instance.get_derivatives(&mut dx).map_err(message)?;
        x.iter_mut().zip(&dx).for_each(|(x, d)| *x += (end - t) * d);
        t = end;
        instance.set_time(t).map_err(message)?;
        instance.set_continuous_states(&x).map_err(message)?;
        let (mut enter, mut terminate) = (false, false);
        instance.completed_integrator_step(true, &mut enter, &mut terminate).map_err(message)?;
        instance.get_event_indicators(&mut z).map_err(message)?;
        let crossed = z.iter().zip(&z0).any(|(a, b)| (*a > 0.0) != (*b > 0.0));
        if crossed || enter || t >= next_event {
            instance.enter_event_mode().map_err(message)?;
            next_event = iterate(instance)?;
            instance.get_event_indicators(&mut z).map_err(message)?;
        }
        std::mem::swap(&mut z, &mut z0);
        i += usize::from(t >= i as f64 * h);
    }
    Ok(())
}

/// Iterates an event; returns the time of the next time event in s.
fn iterate(instance: &mut impl ModelExchange) -> Result<f64> {
    let mut flags = EventFlags { discrete_states_need_update: true, ..EventFlags::default() };
    while flags.discrete_states_need_update {
        instance.new_discrete_states(&mut flags).map_err(message)?;
    }
    instance.enter_continuous_time_mode().map_err(message)?;
    Ok(flags.next_event_time.unwrap_or(f64::INFINITY))
}

/// The importer's message about a failure.
fn message(error: impl std::fmt::Debug) -> Error {
    Error::msg(format!("{error:?}"))
}

fn main() -> Result<()> {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let [function, file] = &arguments[..] else { bail!("wanted: a function and a file of jobs") };
    let function = match function.as_str() {
        "co_simulation" => Job::co_simulation,
        "euler" => Job::euler,
        _ => bail!("there is no function {function}"),
    };
    let text = fs::read_to_string(file).with_context(|| format!("{file} cannot be read"))?;
    let jobs: Vec<Job> = serde_json::from_str(&text).context("the jobs cannot be read")?;
    for job in jobs {
        match function(&job) {
            Ok(rows) => println!("{}", json!({ "rows": rows })),
            Err(error) => println!("{}", json!({ "error": error.to_string() })),
        }
    }
    Ok(())
}
