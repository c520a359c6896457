//! `fmu run`: simulates, and writes a table and a plot.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use anyhow::{Result, anyhow};

use super::arguments::RunOptions;
use super::build::find;
use super::output::{
    one_line, print_line, print_warnings, shown, stem, with_progress, writable_plot, writable_table,
};
use super::report as page;
use super::run_system;
use super::sources::Sources;
use crate::commands::plot::{self, Run, Style};
use crate::commands::report;
use crate::models::Scene;
use crate::own_files::folders;
use ::report::Report;
use fmus::csv::number;
use simulation::run::{self, RunOutcome};
use simulation::systems::package::is_package;

/// Simulates a model or an FMU; writes the table and the plot.
pub fn run(sources: &Sources<'_>, r: RunOptions) -> Result<()> {
    // `--plot fourbar2` means the model, not a file to plot into.
    let (model, plot_file) = match (r.model.clone(), r.plot.clone().flatten()) {
        (Some(model), file) => (model, file),
        (None, Some(model)) => (model, None),
        (None, None) => return Err(anyhow!("which model? see fmu run --help")),
    };
    if is_package(Path::new(&model)) {
        return run_system::run(Path::new(&model), &r, plot_file.as_deref());
    }
    if r.master.is_wanted() {
        let model = model.display();
        return Err(anyhow!("{model} is not a system of FMUs (*.ssp): it needs no master"));
    }
    let variables = chosen(r.variables.as_deref())?;
    r.output.as_deref().map_or(Ok(()), writable_table)?;
    plot_file.as_deref().map(Path::new).map_or(Ok(()), writable_plot)?;
    r.report.iter().flatten().try_for_each(|file| page::writable_page(file))?;
    let wanted = if r.report.is_some() { Scene::IfPossible } else { Scene::IfAsked };
    let fmu =
        find(sources, &model, &r.simulation, wanted, variables.as_deref().unwrap_or_default())?;
    let mut options = r.simulation.options_over(&r.times);
    options.variables = variables.as_deref();
    options.step_times = r.realtime;
    let appearance = report::appearance(&fmu);
    let also =
        r.report.is_some().then(|| report::variables(&fmu, &options, &appearance)).transpose()?;
    options.also = also.as_deref();
    options.events = also.is_some();
    let name = stem(&fmu.path);
    let outcome = with_progress(&name, |progress| run::simulate(&fmu, &options, progress))?;
    let written = Written { name: &name, title: &fmu.description.model_name };
    written.write(&r, plot_file.as_deref(), outcome, |outcome| {
        report::of(&fmu, &options, appearance, outcome)
    })
}

/// The files that a run writes.
pub struct Written<'a> {
    /// The stem of their names.
    pub name: &'a str,
    /// The name of what was simulated.
    pub title: &'a str,
}

impl Written<'_> {
    /// Writes table, plot and report of a run, and prints its summary.
    ///
    /// # Errors
    /// If the run failed, or if a file cannot be written.
    pub fn write(
        &self,
        r: &RunOptions,
        plot_file: Option<&OsStr>,
        outcome: RunOutcome,
        report: impl FnOnce(&RunOutcome) -> Report,
    ) -> Result<()> {
        let (name, folder) = (self.name, folders::results());
        let output = r.output.clone().unwrap_or_else(|| folder.join(format!("{name}.csv")));
        let plot_file = plot_file.map_or_else(|| folder.join(format!("{name}.svg")), PathBuf::from);
        outcome.table.write(&output)?;
        if outcome.failure.is_none() {
            print_line(run::summary(self.title, &outcome).trim_end())?;
        }
        print_warnings(&outcome.warnings)?;
        outcome
            .notes
            .iter()
            .try_for_each(|note| print_line(&one_line(&format!("note: {note}"))))?;
        print_line(&shown(&output))?;
        // A run that fails at its first row has nothing to draw.
        if !r.no_plot && !outcome.table.time.is_empty() {
            let title = self.title.to_owned();
            let style = Style { title, time_unit: "s".to_owned(), ..Style::default() };
            let (signals, table) = (outcome.signals.clone(), &outcome.table);
            plot::write(&plot_file, &style, &[Run { label: name.to_owned(), signals, table }])?;
            print_line(&shown(&plot_file))?;
        }
        if let Some(file) = &r.report {
            let file = file.clone().unwrap_or_else(|| folder.join(format!("{name}.html")));
            page::write(&file, &report(&outcome))?;
        }
        let Some(failure) = outcome.failure else { return Ok(()) };
        let table = shown(&output);
        Err(match outcome.table.time.last() {
            Some(end) => anyhow!("{failure}; {table} ends at {} s", number(*end)),
            None => anyhow!("{failure}; {table} has no rows"),
        })
    }
}

/// The names that `--variables` lists; at least one, if it is given.
pub fn chosen(list: Option<&str>) -> Result<Option<Vec<String>>> {
    let chosen = list.map(names);
    match chosen.as_ref().is_some_and(Vec::is_empty) {
        true => Err(anyhow!("--variables names no variable")),
        false => Ok(chosen),
    }
}

/// Splits a list at commas outside brackets and parentheses.
pub fn names(list: &str) -> Vec<String> {
    let mut depth = 0;
    let parts = list.split(|c| {
        match c {
            '(' | '[' => depth += 1,
            ')' | ']' => depth -= 1,
            _ => {}
        }
        c == ',' && depth == 0
    });
    parts.map(|name| name.trim().to_owned()).filter(|name| !name.is_empty()).collect()
}
