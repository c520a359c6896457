//! `fmu view`: serves a page whose simulation runs while it is watched.

use anyhow::{Result, anyhow};

use super::arguments::{PageArguments, ViewOptions};
use super::build::find;
use super::output::print_line;
use super::run::chosen;
use super::sources::Sources;
use crate::commands::report;
use crate::commands::view::{Code, Launch, View, serve};
use crate::models::Scene;
use fmus::child_process;

/// Serves the page of a model or an FMU until the process ends.
pub fn view(sources: &Sources<'_>, v: &ViewOptions) -> Result<()> {
    let PageArguments { model, simulation, times, variables } = &v.page;
    if simulation.input.is_some() {
        return Err(anyhow!("--input is not for fmu view: its page sets the inputs"));
    }
    let shown_first = chosen(variables.as_deref())?;
    let fmu = find(
        sources,
        model,
        simulation,
        Scene::IfPossible,
        shown_first.as_deref().unwrap_or_default(),
    )?;
    let mut options = simulation.options_over(times);
    options.variables = shown_first.as_deref();
    let appearance = report::appearance(&fmu);
    let variables = report::variables(&fmu, &options, &appearance)?;
    let report = report::live(&fmu, &options, appearance, &variables)?;
    let launch = Launch::new(&fmu, Code::of(&fmu, &model.to_string_lossy()), &options, variables);
    child_process::runs("the server");
    let view = View { description: fmu.description.clone(), report, launch };
    let announce = |address: &str| print_line(&format!("{address} (Ctrl-C ends it)"));
    match serve(view, v.port, announce)? {}
}
