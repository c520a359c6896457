//! The command line of the program `fmu`: the arguments, and a file for each command.

use std::process::ExitCode;

use anyhow::{Result, anyhow};
use clap::error::ErrorKind;
use clap::{CommandFactory, Parser};

use crate::commands::compare as comparison;
use crate::commands::new::Facade;
use crate::models::Package;
use crate::models::front_end::FrontEnds;
use fmus::child_process::{self, ChildEnd};

mod arguments;
mod build;
mod check_files;
mod compare;
mod cut;
mod export;
mod inspect;
mod new;
mod output;
mod players;
mod plot;
mod report;
mod run;
mod run_system;
mod sources;
mod view;

use arguments::{Cli, Command};
use output::status;
use sources::Sources;

/// Runs the program with the models of a package, which depend on a facade, with files in the
/// languages of front ends, and with the arguments of the process.
pub fn run(package: &Package, front_ends: FrontEnds<'_>, facade: &Facade) -> ExitCode {
    let sources = &Sources { package, front_ends };
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(e) if !e.use_stderr() => return status(e.print().map_err(Into::into)),
        Err(e) if e.kind() == ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand => {
            // Without a command, the help is printed, and the exit code is that of a failure.
            drop(e.print());
            return ExitCode::FAILURE;
        }
        Err(e) => return status(Err(anyhow!(usage(&e.to_string())))),
    };
    if let Err(error) = package.check() {
        return status(Err(error.into()));
    }
    // Foreign code runs in a child.
    if cli.command.runs_foreign_code() && !child_process::is_child() {
        return status_of_child();
    }
    match cli.command {
        Command::New(options) => status(new::new(package, facade, &options)),
        Command::Build(options) => in_child(|| build::build(sources, &options)),
        Command::Run(options) => in_child(|| run::run(sources, *options)),
        Command::Report(options) => in_child(|| report::report(sources, &options)),
        Command::View(options) => in_child(|| view::view(sources, &options)),
        Command::Compare(options) => in_child(|| compare::compare(sources, *options)),
        Command::Cut(options) => in_child(|| cut::cut(sources, &options)),
        Command::Export(options) => in_child(|| export::export(sources, &options)),
        Command::Plot(options) => status(plot::plot(&options)),
        Command::Check(options) if child_process::is_child() => {
            in_child(|| check_files::check(&options))
        }
        Command::Check(options) => status(check_files::check(&options)),
        Command::Players { action } => status(players::players(package, action)),
        Command::Inspect { file, class, all } => {
            status(inspect::inspect(sources, &file, class.as_deref(), all))
        }
        Command::TryLibrary { file, report } => {
            status(check::test_process::report(&file, &report).map_err(Into::into))
        }
        Command::TryExperiments { file, report } => {
            let simulate = &mut comparison::experiment;
            status(check::reference_test::report(&file, &report, simulate).map_err(Into::into))
        }
        Command::RunSession => {
            status(crate::commands::view::run_session(package).map_err(Into::into))
        }
    }
}

/// Runs the command in a child and returns its exit code; an error if foreign code ended it.
fn status_of_child() -> ExitCode {
    status(match child_process::run() {
        Ok(ChildEnd::Own { success: true }) => return ExitCode::SUCCESS,
        Ok(ChildEnd::Own { success: false }) => return ExitCode::FAILURE,
        Ok(ChildEnd::Foreign { code, status }) => {
            Err(anyhow!("{code} ended its process: {status}"))
        }
        Err(error) => Err(error.into()),
    })
}

/// Does the work of a child, and reports its end to the parent.
fn in_child(work: impl FnOnce() -> Result<()>) -> ExitCode {
    if let Err(error) = child_process::make_folder() {
        return status(Err(error.into()));
    }
    child_process::follow_parent();
    let code = status(work());
    child_process::done(code == ExitCode::SUCCESS);
    code
}

/// The message of the command line's parser, with the command for help.
fn usage(text: &str) -> String {
    let text = text.trim_start_matches("error:");
    let end = text.find("\n\n").unwrap_or(text.len());
    let wanted = std::env::args_os().nth(1).unwrap_or_default();
    let known = Cli::command().get_subcommands().any(|c| c.get_name() == wanted);
    let command = if known { format!("{} ", wanted.display()) } else { String::new() };
    format!("{}; see fmu {command}--help", text[..end].trim())
}
