//! The program `fmu`: new, build, run, compare, check and inspect.

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Result, anyhow};
use clap::error::ErrorKind;
use clap::{Args, CommandFactory, Parser, Subcommand};
use fmu_builder::check::{self, Finding, report};
use fmu_builder::guard::End;
use fmu_builder::host::Kind;
use fmu_builder::new::Template;
use fmu_builder::{build, compare, csv, files, fmu, guard, inspect, new, plot, run, workspace};
use indicatif::{ProgressBar, ProgressStyle};

/// Builds, runs, compares, checks and inspects FMUs.
#[derive(Parser)]
#[command(name = "fmu", version, about, arg_required_else_help = true)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Starts a new model below models/.
    New {
        /// Its name, in snake case.
        name: String,
        /// Starts with equations instead of components.
        #[arg(long)]
        equations: bool,
    },
    /// Builds the FMU of a model.
    Build(Build),
    /// Simulates a model or an FMU; writes a table and a plot.
    Run(Box<Run>),
    /// Compares a result, or an FMU that is simulated for it, with a reference.
    ///
    /// Prints for each signal that both have the largest error over the range of the reference, the
    /// worst first, and draws the worst. At an event, where a time has two rows, every value from
    /// the first to the second is right. Whole numbers are modes: they must take the same values in
    /// the same order; the largest difference of the instants is printed.
    Compare(Box<Compare>),
    /// Checks FMUs of any origin against the rules of FMI 2.0.
    ///
    /// Reads the archive and its description, then runs the library in a process of its own: some
    /// steps of each interface, and whatever the capability flags promise. Prints a line for each
    /// finding: error, warning or note, the number of the rule, what is wrong, and what to do about
    /// it. Errors violate the standard; warnings are legal, but trouble some importers; notes
    /// trouble nobody. The exit code is 1 if there is an error.
    Check {
        /// The FMUs.
        #[arg(required = true, value_name = "FILE.fmu")]
        files: Vec<PathBuf>,
        /// Does not run the FMUs' libraries.
        #[arg(long)]
        no_run: bool,
        /// Prints all findings as one array of JSON.
        #[arg(long)]
        json: bool,
        /// Prints all findings, however many there are of one rule.
        #[arg(long)]
        all: bool,
        /// Lets the exit code be 1 for warnings and notes too.
        #[arg(long)]
        strict: bool,
    },
    /// Shows what is in an FMU.
    Inspect {
        /// The FMU.
        file: PathBuf,
        /// Shows all variables.
        #[arg(long)]
        all: bool,
    },
    #[command(name = check::child::SUBCOMMAND, hide = true)]
    TryLibrary { file: PathBuf, report: PathBuf },
}

#[derive(Args)]
struct Build {
    /// Models: names of packages below models/, or folders.
    #[arg(required_unless_present = "all", conflicts_with = "all", value_name = "NAME|PATH")]
    models: Vec<String>,
    /// Builds all models of the workspace.
    #[arg(long)]
    all: bool,
    /// The compiler's target to build for.
    #[arg(long, value_name = "TRIPLE")]
    target: Option<String>,
    /// The folder to write to (default: target/fmu).
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
}

/// How a model or an FMU is simulated.
#[derive(Args)]
struct Simulation {
    /// Simulates as Model Exchange, with an integrator of this program.
    #[arg(long, conflicts_with = "cs")]
    me: bool,
    /// Simulates as Co-Simulation (default).
    #[arg(long)]
    cs: bool,
    /// Relative tolerance of the simulation.
    #[arg(long, value_name = "R", allow_negative_numbers = true)]
    tolerance: Option<f64>,
    /// Sets a parameter, start value or input before initialization.
    #[arg(long, value_name = "NAME=VALUE", allow_hyphen_values = true)]
    set: Vec<String>,
    /// Inputs over time: a CSV file with the columns `time` and names of inputs; continuous ones
    /// are linear between the rows, two rows of the same time are a jump.
    #[arg(long, value_name = "FILE.csv")]
    input: Option<PathBuf>,
}

impl Simulation {
    /// Whether anything of it is asked for.
    fn is_wanted(&self) -> bool {
        let Simulation { me, cs, tolerance, set, input } = self;
        *me || *cs || tolerance.is_some() || !set.is_empty() || input.is_some()
    }

    fn options(&self) -> run::Options<'_> {
        let kind = match (self.me, self.cs) {
            (true, _) => Some(Kind::ModelExchange),
            (_, true) => Some(Kind::CoSimulation),
            _ => None,
        };
        run::Options {
            kind,
            wishes: run::Wishes { tolerance: self.tolerance, ..run::Wishes::default() },
            set: &self.set,
            input: self.input.as_deref(),
            ..run::Options::default()
        }
    }
}

#[derive(Args)]
struct Run {
    /// A model, which is built first, or an FMU.
    #[arg(value_name = "NAME|FILE.fmu", required_unless_present = "plot")]
    model: Option<String>,
    #[command(flatten)]
    simulation: Simulation,
    /// Communication step in s.
    #[arg(long, value_name = "H", allow_negative_numbers = true)]
    step: Option<f64>,
    /// Start time in s.
    #[arg(long, value_name = "T", allow_negative_numbers = true)]
    start: Option<f64>,
    /// Stop time in s.
    #[arg(long, value_name = "T", allow_negative_numbers = true)]
    stop: Option<f64>,
    /// Where the results go (default: target/fmu/NAME.csv).
    #[arg(long, value_name = "FILE.csv")]
    output: Option<PathBuf>,
    /// What to record, separated by commas (default: the outputs, else the states).
    #[arg(long, value_name = "A,B,C")]
    variables: Option<String>,
    /// Where the plot goes (default: target/fmu/NAME.svg).
    #[arg(long, value_name = "FILE.svg", num_args = 0..=1, conflicts_with = "no_plot")]
    plot: Option<Option<String>>,
    /// Draws no plot.
    #[arg(long)]
    no_plot: bool,
}

#[derive(Args)]
struct Compare {
    /// A table, or an FMU or a model to be simulated with the times of the reference.
    #[arg(value_name = "RESULT.csv|NAME|FILE.fmu")]
    result: String,
    /// The reference: a CSV file with the columns `time` and names of variables.
    #[arg(value_name = "REFERENCE.csv")]
    reference: PathBuf,
    #[command(flatten)]
    simulation: Simulation,
    /// Lets the exit code be 1 if an error is more than this part of a range, modes differ, or a
    /// part of the reference is missing.
    #[arg(long, value_name = "E", allow_negative_numbers = true)]
    limit: Option<f64>,
    /// Where the plot of the worst signal goes (default: target/fmu/NAME.worst.svg).
    #[arg(long, value_name = "FILE.svg", conflicts_with = "no_plot")]
    plot: Option<PathBuf>,
    /// Draws no plot.
    #[arg(long)]
    no_plot: bool,
}

fn main() -> ExitCode {
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
    status(match cli.command {
        Command::New { name, equations } => start(&name, equations),
        Command::Build(options) => build(options),
        Command::Run(_) | Command::Compare(_) if !guard::is_child() => return guarded(),
        Command::Run(options) => return in_child(|| simulate(*options)),
        Command::Compare(options) => return in_child(|| compared(*options)),
        Command::Check { files, no_run, json, all, strict } => {
            check(&files, no_run, json, all, strict)
        }
        Command::Inspect { file, all } => {
            inspect::report(&file, all).map_err(Into::into).and_then(|text| say(text.trim_end()))
        }
        Command::TryLibrary { file, report } => {
            check::child::report(&file, &report).map_err(Into::into)
        }
    })
}

/// The exit code of a child that does the same; where the library ends it, a sentence says so.
fn guarded() -> ExitCode {
    status(match guard::run() {
        Ok(End::Own { success: true }) => return ExitCode::SUCCESS,
        Ok(End::Own { success: false }) => return ExitCode::FAILURE,
        Ok(End::Library(end)) => Err(anyhow!("the library of the FMU ended its process: {end}")),
        Err(error) => Err(error.into()),
    })
}

/// Does what a child was started for, and says that it came to its end.
fn in_child(work: impl FnOnce() -> Result<()>) -> ExitCode {
    guard::follow_parent();
    let code = status(work());
    guard::done(code == ExitCode::SUCCESS);
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
    format!("{}; see cargo fmu {command}--help", text[..end].trim())
}

fn say(line: &str) -> Result<()> {
    Ok(writeln!(io::stdout(), "{line}")?)
}

fn start(name: &str, equations: bool) -> Result<()> {
    let template = if equations { Template::Equations } else { Template::Components };
    let folder = new::model(name, template)?;
    say(&shown(&folder))?;
    say(&format!("its text is src/model.rs; try: cargo fmu run {name}"))
}

fn build(b: Build) -> Result<()> {
    let options = build::Options { target: b.target, out: b.out };
    let built = if b.all { build::all(&options) } else { build::models(&b.models, &options) }?;
    built.iter().try_for_each(|path| say(&shown(path)))
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

/// The folder for results: that of the workspace, else the present one.
fn results_folder() -> PathBuf {
    workspace::Workspace::locate(None).map_or_else(|_| PathBuf::new(), |w| w.fmu_folder())
}

/// The FMU to run, and the folder for its results.
fn find(model: &str) -> Result<(PathBuf, PathBuf)> {
    let path = Path::new(model);
    let is_fmu = path.extension().is_some_and(|e| e.eq_ignore_ascii_case("fmu"));
    if is_fmu || path.is_file() {
        return Ok((path.to_owned(), results_folder()));
    }
    let built = build::model(model, &build::Options::default())?;
    let folder = built.parent().map(Path::to_owned).unwrap_or_default();
    Ok((built, folder))
}

fn simulate(r: Run) -> Result<()> {
    // `--plot fourbar2` means the model, not a file to plot into.
    let (model, plot_file) = match (r.model, r.plot.flatten()) {
        (Some(model), file) => (model, file),
        (None, Some(model)) => (model, None),
        (None, None) => return Err(anyhow!("which model? see cargo fmu run --help")),
    };
    let variables: Option<Vec<String>> = r.variables.as_deref().map(names);
    if variables.as_ref().is_some_and(Vec::is_empty) {
        return Err(anyhow!("--variables names no variable"));
    }
    for file in r.output.iter().map(PathBuf::as_path).chain(plot_file.as_deref().map(Path::new)) {
        writable(file)?;
    }
    let (path, folder) = find(&model)?;
    let fmu = fmu::Fmu::open(&path)?;
    let mut options = r.simulation.options();
    options.wishes = run::Wishes { start: r.start, stop: r.stop, step: r.step, ..options.wishes };
    options.variables = variables.as_deref();
    let name = stem(&path);
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
    work: impl FnOnce(&mut dyn FnMut(f64)) -> Result<T, fmu_builder::Error>,
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

fn compared(c: Compare) -> Result<()> {
    c.plot.as_deref().map_or(Ok(()), writable)?;
    if let Some(limit) = c.limit.filter(|limit| !(limit.is_finite() && *limit >= 0.0)) {
        return Err(anyhow!("the limit must be a part of a range, 0 or more, not {limit}"));
    }
    let reference = csv::Table::read(&c.reference)?;
    let is_table = Path::new(&c.result).extension().is_some_and(|e| e.eq_ignore_ascii_case("csv"));
    let (compared, description, path, folder);
    if is_table {
        if c.simulation.is_wanted() {
            return Err(anyhow!("{} is a table: there is nothing to simulate", c.result));
        }
        (path, folder) = (PathBuf::from(&c.result), results_folder());
        description = None;
        compared = compare::tables(csv::Table::read(&path)?, &reference)?;
    } else {
        (path, folder) = find(&c.result)?;
        let fmu = fmu::Fmu::open(&path)?;
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
