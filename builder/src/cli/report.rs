//! `fmu report`: simulates, and writes a page for the browser.

use std::path::Path;

use anyhow::{Result, anyhow};

use super::arguments::ReportOptions;
use super::build::find;
use super::output::{one_line, print_line, shown, stem, with_progress, writable_report};
use super::run::variables;
use crate::fmu::Fmu;
use crate::models::{Package, Scene};
use crate::run::{self, Experiment, RunOutcome};
use crate::{folders, report};

/// Simulates a model or an FMU; writes the report.
pub fn report(package: &Package, r: ReportOptions) -> Result<()> {
    r.output.as_deref().map_or(Ok(()), writable_report)?;
    let variables = variables(r.variables.as_deref())?;
    let fmu = find(package, &r.model, r.simulation.interpreted, Scene::Always)?;
    let mut options = r.simulation.options();
    options.overrides = r.times.over(options.overrides);
    options.variables = variables.as_deref();
    let name = stem(&fmu.path);
    let file = r.output.unwrap_or_else(|| folders::results().join(format!("{name}.html")));
    let outcome = reported(&fmu, options, &file)?;
    outcome.notes.iter().try_for_each(|note| print_line(&one_line(&format!("note: {note}"))))?;
    outcome.failure.map_or(Ok(()), |failure| Err(anyhow!(failure)))
}

/// Simulates an FMU and writes its report; the outcome has only the variables of the options.
pub fn reported(fmu: &Fmu, options: run::Options<'_>, file: &Path) -> Result<RunOutcome> {
    let experiment = Experiment::of(&fmu.description, &options.overrides)?;
    let selection = report::selection(fmu, options.variables, experiment.steps);
    let set = options.set;
    let options = run::Options { variables: Some(&selection.names), events: true, ..options };
    let name = stem(&fmu.path);
    let mut outcome = with_progress(&name, |progress| run::simulate(fmu, &options, progress))?;
    report::write(file, fmu, &outcome, selection.shown, set)?;
    print_line(&shown(file))?;
    outcome.keep(selection.shown);
    Ok(outcome)
}
