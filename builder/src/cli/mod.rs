//! The command line of the program `fmu`: new, build, run, compare, check and inspect.

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Result, anyhow};
use clap::error::ErrorKind;
use clap::{CommandFactory, Parser};
use indicatif::{ProgressBar, ProgressStyle};

use crate::check::{self, report};
use crate::child_process::{self, End};
use crate::finding::Finding;
use crate::fmu::Fmu;
use crate::models::{Code, Package, Traced};
use crate::new::{self, Facade, Template};
use crate::{build, compare, csv, files, folders, inspect, plot, run};

mod arguments;

use arguments::{BuildOptions, Cli, Command, CompareOptions, RunOptions};

/// Runs the program with the models of a package, which depend on a facade; its arguments are those
/// of the process.
pub fn run(package: &Package, facade: &Facade) -> ExitCode {
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(e) if !e.use_stderr() => return status(e.print().map_err(Into::into)),
        Err(e) if e.kind() == ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand => {
            // Nothing was asked for: the help is the answer, but nothing was done either.
            drop(e.print());
            return ExitCode::FAILURE;
        }
        Err(e) => return status(Err(anyhow!(usage(&e.to_string())))),
    };
    if let Err(error) = package.check() {
        return status(Err(error.into()));
    }
    status(match cli.command {
        Command::New { name, equations } => new_model(package, facade, &name, equations),
        Command::Build(options) => build(package, &options),
        Command::Run(_) | Command::Compare(_) if !child_process::is_child() => return guarded(),
        Command::Run(options) => return in_child(|| simulate(package, *options)),
        Command::Compare(options) => return in_child(|| compared(package, *options)),
        Command::Check { files, no_run, json, all, strict } => {
            check(&files, no_run, json, all, strict)
        }
        Command::Inspect { file, all } => {
            inspect::report(&file, all).map_err(Into::into).and_then(|text| say(text.trim_end()))
        }
        Command::TryLibrary { file, report } => {
            check::trial_process::report(&file, &report).map_err(Into::into)
        }
    })
}

/// The exit code of a child that does the same; where the library ends it, a sentence says so.
fn guarded() -> ExitCode {
    status(match child_process::run() {
        Ok(End::Own { success: true }) => return ExitCode::SUCCESS,
        Ok(End::Own { success: false }) => return ExitCode::FAILURE,
        Ok(End::Library(end)) => Err(anyhow!("the library of the FMU ended its process: {end}")),
        Err(error) => Err(error.into()),
    })
}

/// Does what a child was started for, and says that it came to its end.
fn in_child(work: impl FnOnce() -> Result<()>) -> ExitCode {
    child_process::follow_parent();
    let code = status(work());
    child_process::done(code == ExitCode::SUCCESS);
    code
}

/// The exit code; a failure is one sentence on the standard error.
fn status(result: Result<()>) -> ExitCode {
    let Err(error) = result else { return ExitCode::SUCCESS };
    if error.downcast_ref::<io::Error>().is_some_and(|e| e.kind() == io::ErrorKind::BrokenPipe) {
        // Whoever reads has seen enough.
        return ExitCode::SUCCESS;
    }
    // Where the standard error is closed, the exit code has to do.
    let _ = writeln!(io::stderr(), "fmu: {}", one_line(&error.to_string()));
    ExitCode::FAILURE
}

/// A text on one line that does nothing to a terminal.
fn one_line(text: &str) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    line.replace(char::is_control, "\u{fffd}")
}

/// What the command line's parser complains about, with the command whose help helps.
fn usage(text: &str) -> String {
    let text = text.trim_start_matches("error:");
    let end = text.find("\n\n").unwrap_or(text.len());
    let wanted = std::env::args().nth(1).unwrap_or_default();
    let known = Cli::command().get_subcommands().any(|c| c.get_name() == wanted);
    let command = if known { format!("{wanted} ") } else { String::new() };
    format!("{}; see fmu {command}--help", text[..end].trim())
}

fn say(line: &str) -> Result<()> {
    Ok(writeln!(io::stdout(), "{line}")?)
}

/// In the workspace of the package a model of it, elsewhere a package.
fn new_model(package: &Package, facade: &Facade, name: &str, equations: bool) -> Result<()> {
    let template = if equations { Template::Equations } else { Template::Components };
    let here = std::env::current_dir()?;
    let own = folders::workspace(Path::new(package.folder));
    if own.is_some() && folders::workspace(&here) == own {
        say(&shown(&new::model(package, name, template)?))?;
        return say(&format!("try: fmu run {name}"));
    }
    let folder = new::package(&here, name, template, facade)?;
    say(&shown(&folder))?;
    say(&format!("try: cd {name} && cargo run -- run {name}"))
}

fn build(package: &Package, b: &BuildOptions) -> Result<()> {
    let every = || package.models.iter().map(|model| model.name.to_owned()).collect();
    let names: Vec<String> = if b.all { every() } else { b.models.clone() };
    if names.is_empty() {
        return Err(anyhow!("{} has no models yet", package.name));
    }
    let models = names.iter().map(|name| traced(package, name)).collect::<Result<Vec<_>>>()?;
    let options = options(package, b.target.clone(), b.out.clone());
    let make = if b.interpreted { build::interpreted } else { build::compiled };
    let built = make(&models, &options)?;
    built.iter().try_for_each(|path| say(&shown(path)))
}

/// Where FMUs of a package are built to, unless it is said.
fn options(package: &Package, target: Option<String>, out: Option<PathBuf>) -> build::Options {
    let compiled = folders::compiled(Path::new(package.folder));
    build::Options { target, out: out.unwrap_or_else(folders::results), compiled }
}

/// A model of a package, traced; what is no mistake but should be known is said.
fn traced(package: &Package, name: &str) -> Result<Traced> {
    let traced = package.trace(package.model(name)?)?;
    for note in traced.code.notes() {
        // Where the standard error is closed, nobody misses it.
        let _ = writeln!(io::stderr(), "warning: {}: {note}", traced.name);
    }
    Ok(traced)
}

fn check(files: &[PathBuf], no_run: bool, json: bool, all: bool, strict: bool) -> Result<()> {
    let program = std::env::current_exe()?;
    let (mut objects, mut faults) = (Vec::new(), Vec::new());
    for file in files {
        let shown = file.display();
        let findings = match check::file(file, (!no_run).then_some(&program)) {
            Ok(findings) => findings,
            Err(error) => {
                let text = error.to_string();
                objects.push(Finding::error("D001", text.as_str()).to_json(file));
                faults.push(text);
                continue;
            }
        };
        let summary = format!("{shown}: {}", report::summary(&findings));
        if json {
            objects.extend(findings.iter().map(|finding| finding.to_json(file)));
        } else {
            let place = if files.len() > 1 { format!("{shown}: ") } else { String::new() };
            let lines = report::lines(&findings, all);
            lines.iter().try_for_each(|line| say(&one_line(&format!("{place}{line}"))))?;
        }
        if report::refuses(&findings, strict) {
            faults.push(summary);
        } else if !json {
            say(&summary)?;
        }
    }
    if json {
        say(&serde_json::to_string_pretty(&objects)?)?;
    }
    if faults.is_empty() { Ok(()) } else { Err(anyhow!(faults.join("; "))) }
}

/// The FMU of a file, or that of a model, which is built first unless it is interpreted; a system
/// written by hand is in this program already.
fn find(package: &Package, model: &str, interpreted: bool) -> Result<Fmu> {
    let path = Path::new(model);
    let is_fmu = path.extension().is_some_and(|e| e.eq_ignore_ascii_case("fmu"));
    if is_fmu || path.is_file() {
        if interpreted {
            return Err(anyhow!("{model} is an FMU: only models can be interpreted"));
        }
        return Ok(Fmu::open(path)?);
    }
    let traced = traced(package, model)?;
    if interpreted || matches!(traced.code, Code::HandWritten(_)) {
        return Ok(build::played(&traced)?);
    }
    let built = build::compiled(&[traced], &options(package, None, None))?;
    Ok(Fmu::open(&built[0])?)
}

fn simulate(package: &Package, r: RunOptions) -> Result<()> {
    // `--plot fourbar2` means the model, not a file to plot into.
    let (model, plot_file) = match (r.model, r.plot.flatten()) {
        (Some(model), file) => (model, file),
        (None, Some(model)) => (model, None),
        (None, None) => return Err(anyhow!("which model? see fmu run --help")),
    };
    let variables: Option<Vec<String>> = r.variables.as_deref().map(names);
    if variables.as_ref().is_some_and(Vec::is_empty) {
        return Err(anyhow!("--variables names no variable"));
    }
    for file in r.output.iter().map(PathBuf::as_path).chain(plot_file.as_deref().map(Path::new)) {
        writable(file)?;
    }
    let fmu = find(package, &model, r.simulation.interpreted)?;
    let folder = folders::results();
    let mut options = r.simulation.options();
    options.overrides =
        run::Overrides { start: r.start, stop: r.stop, step: r.step, ..options.overrides };
    options.variables = variables.as_deref();
    let name = stem(&fmu.path);
    let outcome = with_progress(&name, |progress| run::simulate(&fmu, &options, progress))?;
    let output = r.output.unwrap_or_else(|| folder.join(format!("{name}.csv")));
    let title = &fmu.description.model_name;
    let plot_file = plot_file.map_or_else(|| folder.join(format!("{name}.svg")), PathBuf::from);
    outcome.table.write(&output)?;
    if outcome.failure.is_none() {
        say(run::summary(title, &outcome).trim_end())?;
    }
    outcome.notes.iter().try_for_each(|note| say(&one_line(&format!("note: {note}"))))?;
    say(&shown(&output))?;
    // A run that fails at its first row leaves nothing to draw.
    if !r.no_plot && !outcome.table.time.is_empty() {
        plot::write(&plot_file, title, &outcome.signals, &outcome.table)?;
        say(&shown(&plot_file))?;
    }
    outcome.failure.map_or(Ok(()), |failure| Err(failure.into()))
}

fn stem(path: &Path) -> String {
    path.file_stem().unwrap_or_default().to_string_lossy().into_owned()
}

/// Shows how far a work is, as it says itself from 0 to 1.
fn with_progress<T>(
    name: &str,
    work: impl FnOnce(&mut dyn FnMut(f64)) -> Result<T, crate::Error>,
) -> Result<T> {
    let bar = ProgressBar::new(1000).with_message(name.to_owned());
    bar.set_style(ProgressStyle::with_template("{msg} [{bar:40}] {percent}% {eta}")?);
    let mut shown_part = 0;
    let done = work(&mut |part| {
        let part = (part * 1000.0) as u64;
        if part > shown_part {
            shown_part = part;
            bar.set_position(part);
        }
    });
    bar.finish_and_clear();
    Ok(done?)
}

fn compared(package: &Package, c: CompareOptions) -> Result<()> {
    c.plot.as_deref().map_or(Ok(()), writable)?;
    if let Some(limit) = c.limit.filter(|limit| !(limit.is_finite() && *limit >= 0.0)) {
        return Err(anyhow!("the limit must be a part of a range, 0 or more, not {limit}"));
    }
    let reference = csv::Table::read(&c.reference)?;
    let is_table = Path::new(&c.result).extension().is_some_and(|e| e.eq_ignore_ascii_case("csv"));
    let folder = folders::results();
    let (compared, description, path);
    if is_table {
        if c.simulation.is_wanted() {
            return Err(anyhow!("{} is a table: there is nothing to simulate", c.result));
        }
        path = PathBuf::from(&c.result);
        description = None;
        compared = compare::tables(csv::Table::read(&path)?, &reference)?;
    } else {
        let fmu = find(package, &c.result, c.simulation.interpreted)?;
        path = fmu.path.clone();
        let options = c.simulation.options();
        compared = with_progress(&stem(&path), |progress| {
            compare::fmu(&fmu, &reference, &options, progress)
        })?;
        description = Some(fmu.description);
    }
    let title = format!("{} beside {}", shown(&path), shown(&c.reference));
    say(&title)?;
    say(compare::text(&compared).trim_end())?;
    compared.notes.iter().try_for_each(|note| say(&one_line(&format!("note: {note}"))))?;
    if !c.no_plot {
        let variable = |name: &str| description.as_ref().and_then(|d| d.variable(name));
        let unit = |name: &str| variable(name).and_then(|v| v.attributes.unit.as_deref());
        let file_name = |path: &Path| path.file_name().unwrap_or_default().display().to_string();
        let title = format!("{} beside {}", file_name(&path), file_name(&c.reference));
        if let Some(text) = compare::picture(&title, &compared, &reference, unit)? {
            let file = c.plot.unwrap_or_else(|| folder.join(format!("{}.worst.svg", stem(&path))));
            files::write(&file, text.as_bytes())?;
            say(&shown(&file))?;
        }
    }
    match c.limit {
        Some(limit) if compared.exceeds(limit) => Err(anyhow!(
            "{title}: an error is more than {limit:e} of its range, modes differ, or a part is \
             missing"
        )),
        _ => Ok(()),
    }
}

/// Refuses a file that cannot be written where it is wanted.
fn writable(file: &Path) -> Result<()> {
    let folder = file.parent().filter(|f| !f.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let reason = match file {
        _ if file.is_dir() => "it is a folder".to_owned(),
        _ if !folder.is_dir() => format!("there is no folder {}", folder.display()),
        _ => return Ok(()),
    };
    Err(anyhow!("cannot write {}: {reason}", file.display()))
}

/// A path as seen from the current folder.
fn shown(path: &Path) -> String {
    let here = std::env::current_dir().unwrap_or_default();
    path.strip_prefix(&here).unwrap_or(path).display().to_string()
}

/// Splits a list at commas outside of brackets and parentheses.
fn names(list: &str) -> Vec<String> {
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
