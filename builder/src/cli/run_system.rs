//! `fmu run` for systems: simulates the FMUs of a system together.

use std::ffi::OsStr;
use std::path::Path;

use anyhow::{Result, anyhow};

use super::arguments::RunOptions;
use super::output::{print_warnings, stem, with_progress, writable_plot, writable_table};
use super::report as page;
use super::run::{Written, chosen};
use crate::commands::systems::{self, open};
use simulation::run::Overrides;
use simulation::systems::master::{SystemOptions, plan, simulate, suitable};

/// Simulates a system; writes the table, the plot and, if wanted, the report.
pub fn run(path: &Path, r: &RunOptions, plot_file: Option<&OsStr>) -> Result<()> {
    refuse_options(path, r)?;
    let variables = chosen(r.variables.as_deref())?;
    r.output.as_deref().map_or(Ok(()), writable_table)?;
    plot_file.map(Path::new).map_or(Ok(()), writable_plot)?;
    r.report.iter().flatten().try_for_each(|file| page::writable_page(file))?;
    let wiring = open(path)?;
    let times = &r.times;
    let mut options = SystemOptions {
        overrides: Overrides {
            start: times.start,
            stop: times.stop,
            step: times.step,
            tolerance: r.simulation.tolerance,
        },
        set: &r.simulation.set,
        variables: variables.as_deref(),
        also: None,
        method: r.master.method(suitable(&wiring)),
    };
    let also = r.report.is_some().then(|| systems::variables(&wiring));
    options.also = also.as_deref();
    let step = plan(&wiring, &options.overrides)?.step;
    if let Some(warning) = systems::unstable(&wiring, &options, step) {
        print_warnings(&[warning])?;
    }
    let name = stem(path);
    let outcome = with_progress(&name, |progress| simulate(&wiring, &options, progress))?;
    let written = Written { name: &name, title: &wiring.name };
    written.write(r, plot_file, outcome, |outcome| systems::report(&wiring, &options, outcome))
}

/// Refuses options that have no meaning for a system.
fn refuse_options(path: &Path, r: &RunOptions) -> Result<()> {
    let s = &r.simulation;
    let given = [
        (s.me, "--me", "the FMUs of a system are simulated as Co-Simulation"),
        (s.interpreted, "--interpreted", "the FMUs of a system are built already"),
        (s.class.is_some(), "--class", "a system has no classes"),
        (s.input.is_some(), "--input", "tables of inputs belong to a single FMU"),
        (r.realtime, "--realtime", "the times of steps belong to a single FMU"),
    ];
    match given.iter().find(|(given, ..)| *given) {
        Some((_, option, reason)) => {
            Err(anyhow!("{}: {option} is not possible: {reason}", path.display()))
        }
        None => Ok(()),
    }
}
