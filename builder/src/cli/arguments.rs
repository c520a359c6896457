//! The arguments of the command line.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand};

use crate::check;
use crate::fmi::FmuType;
use crate::run;

/// Builds, runs, compares, checks and inspects FMUs.
#[derive(Parser)]
#[command(name = "fmu", version, about, arg_required_else_help = true)]
pub struct Cli {
    #[command(subcommand)]
    pub command: Command,
}

#[derive(Subcommand)]
pub enum Command {
    /// Starts a new model: a file of this package, or in a folder elsewhere a package with it.
    New(NewOptions),
    /// Builds the FMU of a model.
    Build(BuildOptions),
    /// Simulates a model or an FMU; writes a table and a plot.
    Run(Box<RunOptions>),
    /// Compares a result, or an FMU that is simulated for it, with a reference.
    ///
    /// Prints for each signal that both have the largest error over the range of the reference, the
    /// worst first, and draws the worst. At an event, where a time has two rows, every value from
    /// the first to the second is right. Whole numbers are modes: they must take the same values in
    /// the same order; the largest difference of the instants is printed.
    Compare(Box<CompareOptions>),
    /// Checks FMUs of any origin against the rules of FMI 2.0.
    ///
    /// Reads the archive and its description, then runs the library in a process of its own: some
    /// steps of each interface, and whatever the capability flags promise. Prints a line for each
    /// finding: error, warning or note, the number of the rule, what is wrong, and what to do about
    /// it. Errors violate the standard; warnings are legal, but trouble some importers; notes
    /// trouble nobody. The exit code is 1 if there is an error.
    Check(CheckOptions),
    /// Shows what is in an FMU.
    Inspect {
        /// The FMU.
        file: PathBuf,
        /// Shows all variables.
        #[arg(long)]
        all: bool,
    },
    #[command(name = check::trial_process::SUBCOMMAND, hide = true)]
    TryLibrary { file: PathBuf, report: PathBuf },
}

impl Command {
    /// Whether it runs texts of models or libraries, which may end their process.
    pub fn runs_foreign_code(&self) -> bool {
        matches!(self, Command::Build(_) | Command::Run(_) | Command::Compare(_))
    }
}

#[derive(Args)]
pub struct NewOptions {
    /// Its name, in snake case.
    pub name: String,
    /// Starts with equations instead of components.
    #[arg(long)]
    pub equations: bool,
    /// The author of a new package, as `Name <address>` (default: who git says that you are).
    #[arg(long, value_name = "NAME")]
    pub author: Option<String>,
    /// The licence of a new package, as an SPDX expression (default: none is stated).
    #[arg(long, value_name = "SPDX")]
    pub license: Option<String>,
}

#[derive(Args)]
pub struct CheckOptions {
    /// The FMUs.
    #[arg(required = true, value_name = "FILE.fmu")]
    pub files: Vec<PathBuf>,
    /// Does not run the FMUs' libraries.
    #[arg(long)]
    pub no_run: bool,
    /// Prints all findings as one array of JSON.
    #[arg(long)]
    pub json: bool,
    /// Prints all findings, however many there are of one rule.
    #[arg(long)]
    pub all: bool,
    /// Lets the exit code be 1 for warnings and notes too.
    #[arg(long)]
    pub strict: bool,
}

#[derive(Args)]
pub struct BuildOptions {
    /// Models of this package.
    #[arg(required_unless_present = "all", conflicts_with = "all", value_name = "NAME")]
    pub models: Vec<String>,
    /// Builds all models of this package.
    #[arg(long)]
    pub all: bool,
    /// Packs a player and the model's tape: nothing is compiled. The FMU is slower than a compiled
    /// one, with the same results.
    #[arg(long)]
    pub interpreted: bool,
    /// The compiler's target to build for.
    #[arg(long, value_name = "TRIPLE")]
    pub target: Option<String>,
    /// The folder to write to (default: target/fmu).
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
}

/// How a model or an FMU is simulated.
#[derive(Args)]
pub struct SimulationArguments {
    /// Simulates a model at once: nothing is compiled, and no FMU is written.
    #[arg(long)]
    pub interpreted: bool,
    /// Simulates as Model Exchange, with an integrator of this program.
    #[arg(long, conflicts_with = "cs")]
    pub me: bool,
    /// Simulates as Co-Simulation (default).
    #[arg(long)]
    pub cs: bool,
    /// Relative tolerance of the simulation.
    #[arg(long, value_name = "R", allow_negative_numbers = true)]
    pub tolerance: Option<f64>,
    /// Sets a parameter, start value or input before initialization.
    #[arg(long, value_name = "NAME=VALUE", allow_hyphen_values = true)]
    pub set: Vec<String>,
    /// Inputs over time: a CSV file with the columns `time` and names of inputs; continuous ones
    /// are linear between the rows, two rows of the same time are a jump.
    #[arg(long, value_name = "FILE.csv")]
    pub input: Option<PathBuf>,
}

impl SimulationArguments {
    /// Whether anything of it is asked for.
    pub fn is_wanted(&self) -> bool {
        let SimulationArguments { interpreted, me, cs, tolerance, set, input } = self;
        *interpreted || *me || *cs || tolerance.is_some() || !set.is_empty() || input.is_some()
    }

    pub fn options(&self) -> run::Options<'_> {
        let fmu_type = match (self.me, self.cs) {
            (true, _) => Some(FmuType::ModelExchange),
            (_, true) => Some(FmuType::CoSimulation),
            _ => None,
        };
        run::Options {
            fmu_type,
            overrides: run::Overrides { tolerance: self.tolerance, ..run::Overrides::default() },
            set: &self.set,
            input: self.input.as_deref(),
            ..run::Options::default()
        }
    }
}

#[derive(Args)]
pub struct RunOptions {
    /// A model, which is built first, or an FMU.
    #[arg(value_name = "NAME|FILE.fmu", required_unless_present = "plot")]
    pub model: Option<String>,
    #[command(flatten)]
    pub simulation: SimulationArguments,
    /// Communication step in s.
    #[arg(long, value_name = "H", allow_negative_numbers = true)]
    pub step: Option<f64>,
    /// Start time in s.
    #[arg(long, value_name = "T", allow_negative_numbers = true)]
    pub start: Option<f64>,
    /// Stop time in s.
    #[arg(long, value_name = "T", allow_negative_numbers = true)]
    pub stop: Option<f64>,
    /// Where the results go (default: target/fmu/NAME.csv).
    #[arg(long, value_name = "FILE.csv")]
    pub output: Option<PathBuf>,
    /// What to record, separated by commas (default: the outputs, else the states).
    #[arg(long, value_name = "A,B,C")]
    pub variables: Option<String>,
    /// Where the plot goes (default: target/fmu/NAME.svg).
    #[arg(long, value_name = "FILE.svg", num_args = 0..=1, conflicts_with = "no_plot")]
    pub plot: Option<Option<String>>,
    /// Draws no plot.
    #[arg(long)]
    pub no_plot: bool,
}

#[derive(Args)]
pub struct CompareOptions {
    /// A table, or an FMU or a model to be simulated with the times of the reference.
    #[arg(value_name = "RESULT.csv|NAME|FILE.fmu")]
    pub result: String,
    /// The reference: a CSV file with the columns `time` and names of variables.
    #[arg(value_name = "REFERENCE.csv")]
    pub reference: PathBuf,
    #[command(flatten)]
    pub simulation: SimulationArguments,
    /// Lets the exit code be 1 if an error is more than this part of a range, modes differ, or a
    /// part of the reference is missing.
    #[arg(long, value_name = "E", allow_negative_numbers = true)]
    pub limit: Option<f64>,
    /// Where the plot of the worst signal goes (default: target/fmu/NAME.worst.svg).
    #[arg(long, value_name = "FILE.svg", conflicts_with = "no_plot")]
    pub plot: Option<PathBuf>,
    /// Draws no plot.
    #[arg(long)]
    pub no_plot: bool,
}
