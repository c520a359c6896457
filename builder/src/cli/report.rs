//! `fmu report`: simulates, and writes a page with plots, events and an animation.

use std::path::Path;

use anyhow::{Result, anyhow};

use super::arguments::{PageArguments, ReportOptions};
use super::build::find;
use super::output::{one_line, print_line, print_warnings, shown, stem, with_progress, writable};
use super::run::chosen;
use super::sources::Sources;
use crate::commands::report;
use crate::models::Scene;
use crate::own_files::folders;
use simulation::run;

/// Simulates a model or an FMU; writes its report.
pub fn report(sources: &Sources<'_>, r: &ReportOptions) -> Result<()> {
    r.output.as_deref().map_or(Ok(()), writable_page)?;
    let PageArguments { model, simulation, times, variables } = &r.page;
    let shown_first = chosen(variables.as_deref())?;
    let fmu = find(
        sources,
        model,
        simulation,
        Scene::IfPossible,
        shown_first.as_deref().unwrap_or_default(),
    )?;
    let appearance = report::appearance(&fmu);
    let mut options = simulation.options_over(times);
    options.variables = shown_first.as_deref();
    let also = report::variables(&fmu, &options, &appearance)?;
    options.also = Some(&also);
    options.events = true;
    let name = stem(&fmu.path);
    let outcome = with_progress(&name, |progress| run::simulate(&fmu, &options, progress))?;
    let default = || folders::results().join(format!("{name}.html"));
    let file = r.output.clone().unwrap_or_else(default);
    write(&file, &report::of(&fmu, &options, appearance, &outcome))?;
    print_warnings(&outcome.warnings)?;
    outcome.failure.map_or(Ok(()), |failure| Err(failure.into()))
}

/// Writes a report, and prints its path.
pub fn write(file: &Path, report: &::report::Report) -> Result<()> {
    let remark = report::write(file, report)?;
    print_line(&shown(file))?;
    remark.map_or(Ok(()), |remark| print_line(&one_line(&format!("note: {remark}"))))
}

/// Refuses a file for a report with the extension of another format.
pub fn writable_page(file: &Path) -> Result<()> {
    if !file.extension().is_some_and(|e| e.eq_ignore_ascii_case("html")) {
        return Err(anyhow!("{}: a report's name ends in .html", file.display()));
    }
    writable(file)
}
