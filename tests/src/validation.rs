//! Comparison of models with published results by the methods of `fmu compare`, for the tests and
//! for the report.

use fmu_builder::build;
use fmu_builder::compare::{self, Deviation, ModeComparison};
use fmu_builder::fmu::Fmu;
use fmu_builder::model_description::Base;
use fmu_builder::run::{self, Options, Overrides};

use crate::curves::{Columns, TimeSeries};
use crate::runs::SolverWork;
use crate::simulations::traced;

/// The largest allowed error of a constant signal, relative to its value or to one: the tolerance
/// of the published simulations.
const CONSTANT_LIMIT: f64 = 1e-6;

/// The comparison of a model with published results.
#[derive(Clone, Debug)]
pub struct PublishedComparison {
    /// Relative tolerance of the simulation.
    pub tolerance: f64,
    /// Real columns, in their order.
    pub signals: Vec<Deviation>,
    /// Integer and Boolean columns.
    pub modes: Vec<ModeComparison>,
}

/// The largest allowed error of a signal if `limit` is that of signals that are not constant.
pub fn limit_of(signal: &Deviation, limit: f64) -> f64 {
    if signal.range.is_some() { limit } else { CONSTANT_LIMIT }
}

/// A model of the repository, by its FMI name, as an FMU that this process plays.
pub fn played(model: &str) -> Fmu {
    build::played(&traced(model)).unwrap_or_else(|error| panic!("{error}"))
}

/// The relative tolerance of an FMU's default experiment.
pub fn tolerance(fmu: &Fmu) -> f64 {
    fmu.description.experiment.tolerance.expect("a default experiment with tolerance")
}

/// The published columns that are not Real in the FMU, which are modes.
pub fn modes<'a>(fmu: &Fmu, reference: &'a TimeSeries) -> Vec<&'a str> {
    let names = reference.names.iter().map(String::as_str);
    let is_mode = |name: &&str| {
        let variable = fmu.description.variable(name);
        variable.unwrap_or_else(|| panic!("there is no variable {name}")).base != Base::Real
    };
    names.filter(is_mode).collect()
}

/// Simulates an FMU and compares it with published results, whole curves or quoted figures.
pub fn compare(fmu: &Fmu, reference: &TimeSeries, tolerance: f64) -> PublishedComparison {
    let options = options(tolerance, None);
    let compared = compare::fmu(fmu, reference, &options, &mut |_| ());
    let mut compared = compared.unwrap_or_else(|error| panic!("{error}"));
    assert!(compared.complete && compared.notes.is_empty(), "{:?}", compared.notes);
    compared.signals.sort_by_key(|signal| reference.index(&signal.name));
    PublishedComparison { tolerance, signals: compared.signals, modes: compared.modes }
}

/// The work of a simulation until a time in s.
pub fn work(fmu: &Fmu, tolerance: f64, stop: f64) -> SolverWork {
    let options = Options { rows: Some(&[0.0, stop]), ..options(tolerance, Some(stop)) };
    let outcome = run::simulate(fmu, &options, &mut |_| ());
    let outcome = outcome.unwrap_or_else(|error| panic!("{error}"));
    let message = outcome.work.as_deref().and_then(SolverWork::parse);
    message.expect("the FMU logs its work when it is terminated")
}

fn options(tolerance: f64, stop: Option<f64>) -> Options<'static> {
    let overrides = Overrides { tolerance: Some(tolerance), stop, ..Overrides::default() };
    Options { overrides, ..Options::default() }
}
