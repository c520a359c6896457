//! The arguments of the command line.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};
use equations::{Booleans, StartsAs};

use crate::commands::view;
use crate::own_files::carried;
use check;
use fmus::fmi::FmuType;
use simulation::run;
use simulation::systems::master::{Method, Scheme};
use simulation::systems::package::is_package;

/// The arguments of the program `fmu`. The help begins with the description of this package.
#[derive(Parser)]
#[command(name = "fmu", version = carried::VERSION, about, arg_required_else_help = true)]
pub struct Cli {
    #[command(subcommand)]
    pub command: Command,
}

#[derive(Subcommand)]
pub enum Command {
    /// Starts a new model: a file of this package, or, in a folder outside it, a package with the
    /// model.
    New(NewOptions),
    /// Builds the FMU of a model.
    Build(BuildOptions),
    /// Simulates a model or an FMU; writes a table and a plot.
    Run(Box<RunOptions>),
    /// Simulates an FMU or a model, and writes its report: a page with plots, events, parameters
    /// and, if the FMU describes them, a diagram that moves and an animation of shapes.
    ///
    /// The page is one file that needs neither a network nor other files.
    Report(Box<ReportOptions>),
    /// Simulates an FMU or a model while a page shows the results: serves a page like a report,
    /// with controls for inputs and parameters, on this machine until Ctrl-C.
    ///
    /// Each open page has its own simulation, in a separate process, which runs as far as the page
    /// plays it.
    #[command(mut_arg("input", |argument| argument.hide(true)))]
    View(Box<ViewOptions>),
    /// Compares a table, or the results of an FMU or model that is simulated first, with a
    /// reference.
    ///
    /// Prints the largest error of each common signal, relative to the range of the reference, the
    /// worst signal first, and draws the worst signal. At an event, where a time has two rows,
    /// every value between the two rows is accepted. Whole numbers are modes: they must have the
    /// same values in the same order, and the largest difference of the instants is printed.
    Compare(Box<CompareOptions>),
    /// Writes a model to a file that other programs can read and write: its components, parameters
    /// and connections. Other commands accept such a file in place of a model's name.
    Export(ExportOptions),
    /// Divides a model at flanges, and writes the FMUs of the parts with the system that joins them
    /// (FILE.ssp, which `fmu run` and other masters simulate), and the FMU of the whole model.
    ///
    /// On one side of a cut an adaptor gives the motion, on the other side the torque or the force.
    /// Where a component is named, the model is cut at one of its flanges; beside a spring no
    /// equation includes both FMUs. Without `--at`, lists the places at which a cut is possible.
    Cut(CutOptions),
    /// Draws tables in one picture.
    ///
    /// A signal that several files contain is drawn with the same axes, one curve for each file,
    /// and signals of different units are in separate panels. The first column of a file is time,
    /// whatever its name is; columns are separated by commas or semicolons. A unit is known if the
    /// head of the column contains it, as in `w [rad/s]`, or if `--fmu` is given. Empty fields, NaN
    /// and infinite values are gaps.
    Plot(PlotOptions),
    /// Checks FMUs of any origin against the rules of FMI 2.0, and systems of FMUs.
    ///
    /// In a system, names, types, causalities and units of connections are checked, and loops and
    /// the largest communication steps are named. The FMUs in it are not checked: they are files
    /// of their own. Options about findings apply to FMUs.
    ///
    /// Reads the archive and its description, then runs the library in a process of its own: it
    /// makes some steps with each interface, and tests the declared capabilities. Simulates the
    /// experiments that an FMU contains by FMI-LS-REF, and compares with their results. Prints a
    /// line for each finding: its severity, the number of the rule, the problem, and how to fix it.
    /// Errors violate the standard, warnings are legal but cause problems in some importers, and
    /// notes cause no problems. The exit code is 1 if there is an error, or if a file cannot be
    /// checked, and otherwise 0.
    Check(CheckOptions),
    /// Lists the players that are found, builds players, or adds players that were built elsewhere.
    ///
    /// A player is the library of interpreted FMUs for a platform. The search for a player begins
    /// in the folders named by the variable COUPLER_PLAYERS, and continues in the folder `players`
    /// beside this program, among the players added by this user, and among the players compiled
    /// for earlier commands.
    Players {
        #[command(subcommand)]
        action: Option<PlayersAction>,
    },
    /// Shows the content of an FMU, or of the FMU that a file with a model would become.
    ///
    /// If the file contains several classes and none is chosen, lists them: the inputs and outputs
    /// of those that can be built, and the reasons why others cannot.
    Inspect {
        /// The FMU, or the file.
        file: PathBuf,
        /// The class in a file that contains several.
        #[arg(long, value_name = "NAME")]
        class: Option<String>,
        /// Shows all variables.
        #[arg(long)]
        all: bool,
    },
    #[command(name = check::test_process::SUBCOMMAND, hide = true)]
    TryLibrary { file: PathBuf, report: PathBuf },
    #[command(name = check::reference_test::SUBCOMMAND, hide = true)]
    TryExperiments { file: PathBuf, report: PathBuf },
    #[command(name = view::SUBCOMMAND, hide = true)]
    RunSession,
}

impl Command {
    /// Whether it runs model texts or libraries, which may end their process.
    pub fn runs_foreign_code(&self) -> bool {
        // The libraries of single FMUs are checked in processes of their own.
        let checks_systems = |options: &CheckOptions| options.files.iter().any(|f| is_package(f));
        matches!(self, Command::Check(options) if checks_systems(options))
            || matches!(
                self,
                Command::Build(_)
                    | Command::Run(_)
                    | Command::Report(_)
                    | Command::View(_)
                    | Command::Compare(_)
                    | Command::Cut(_)
                    | Command::Export(_)
            )
    }
}

#[derive(Subcommand)]
pub enum PlayersAction {
    /// Builds players with the compilers of this machine.
    Build {
        /// Their platforms, as for `fmu build` (default: all).
        #[arg(long, value_name = "NAME,..", value_delimiter = ',')]
        platform: Vec<String>,
        /// The folder to write to (default: the folder `players` beside this program).
        #[arg(long, value_name = "DIR")]
        out: Option<PathBuf>,
    },
    /// Copies the players in a folder to those of this user.
    Add {
        /// The folder, as `fmu players build` writes it.
        folder: PathBuf,
    },
}

#[derive(Args)]
pub struct NewOptions {
    /// Its name, in snake case.
    pub name: String,
    /// Starts with equations instead of components.
    #[arg(long)]
    pub equations: bool,
    /// The author of a new package, as a name or `Name <address>` (default: the user of git).
    #[arg(long, value_name = "NAME")]
    pub author: Option<String>,
    /// The licence of a new package, as an SPDX expression such as `MIT OR Apache-2.0` (default:
    /// none is stated). It is not checked whether these licences exist.
    #[arg(long, value_name = "SPDX")]
    pub license: Option<String>,
}

#[derive(Args)]
pub struct ExportOptions {
    /// A model of this package, or a file with a model.
    #[arg(value_name = "MODEL")]
    pub model: String,
    /// The class in a file that contains several.
    #[arg(long, value_name = "NAME")]
    pub class: Option<String>,
    /// The file to write to (default: target/fmu/NAME.json).
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
}

#[derive(Args)]
pub struct CutOptions {
    /// A model of this package, or a file with a model.
    #[arg(value_name = "MODEL")]
    pub model: String,
    /// The class in a file that contains several.
    #[arg(long, value_name = "NAME")]
    pub class: Option<String>,
    /// Where to cut: a flange such as `wheel.flange_a`, or a component; may be repeated.
    #[arg(long, value_name = "FLANGE|COMPONENT")]
    pub at: Vec<String>,
    /// Names of the parts, that of the flange first (default: `part_a`, `part_b`, ...).
    #[arg(long, value_name = "NAME,..", value_delimiter = ',')]
    pub names: Vec<String>,
    /// The folder to write to (default: target/fmu).
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
}

#[derive(Args)]
pub struct CheckOptions {
    /// The FMUs, and systems of FMUs.
    #[arg(required = true, value_name = "FILE.fmu|FILE.ssp")]
    pub files: Vec<PathBuf>,
    /// Does not run the FMUs' libraries.
    #[arg(long)]
    pub no_run: bool,
    /// The format of the output: lines of text, or a document with all findings as JSON, as SARIF
    /// 2.1.0 or as JUnit XML.
    #[arg(long, value_enum, default_value_t = FormatOption::Text, value_name = "FORMAT")]
    pub format: FormatOption,
    /// Accepts the findings in this file, and says which of them no longer occur.
    #[arg(long, value_name = "FILE.json")]
    pub baseline: Option<PathBuf>,
    /// Writes all findings to this file, for `--baseline`; the exit code is then 0, unless a file
    /// is damaged or cannot be checked.
    #[arg(long, value_name = "FILE.json", conflicts_with = "baseline")]
    pub write_baseline: Option<PathBuf>,
    /// Prints all findings as lines, however many there are of one rule.
    #[arg(long)]
    pub all: bool,
    /// Sets the exit code to 1 for warnings and notes too.
    #[arg(long)]
    pub strict: bool,
}

/// The values of `--format`.
#[derive(Clone, Copy, PartialEq, ValueEnum)]
#[allow(missing_docs, reason = "the names are self-explanatory")]
pub enum FormatOption {
    Text,
    Json,
    Sarif,
    Junit,
}

/// The values of `--booleans`.
#[derive(Clone, Copy, ValueEnum)]
pub enum BooleansOption {
    /// 0 and 1.
    Integer,
    /// False and true.
    Boolean,
}

impl From<BooleansOption> for Booleans {
    fn from(option: BooleansOption) -> Booleans {
        match option {
            BooleansOption::Integer => Booleans::Integer,
            BooleansOption::Boolean => Booleans::Boolean,
        }
    }
}

/// The values of `--starts`.
#[derive(Clone, Copy, ValueEnum)]
pub enum StartsOption {
    /// Start values of the variables themselves.
    Variables,
    /// Parameters `start.NAME`.
    Parameters,
}

impl From<StartsOption> for StartsAs {
    fn from(option: StartsOption) -> StartsAs {
        match option {
            StartsOption::Variables => StartsAs::Variables,
            StartsOption::Parameters => StartsAs::Parameters,
        }
    }
}

#[derive(Args)]
pub struct BuildOptions {
    /// Models of this package, or files with models, which are interpreted unless `--compiled` is
    /// given.
    #[arg(required_unless_present = "all", conflicts_with = "all", value_name = "NAME|FILE")]
    pub models: Vec<String>,
    /// The class in a file that contains several.
    #[arg(long, value_name = "NAME", conflicts_with = "all")]
    pub class: Option<String>,
    /// Builds all models of this package.
    #[arg(long)]
    pub all: bool,
    /// Packs a player and the model's tape, without compiling the model. The FMU is slower than a
    /// compiled one, but has the same results.
    #[arg(long)]
    pub interpreted: bool,
    /// Compiles models in files too, which needs the tools of Rust.
    #[arg(long, conflicts_with = "interpreted")]
    pub compiled: bool,
    /// The type of Boolean local variables in the FMU: Integer, which every importer reads
    /// (default), or Boolean, which OpenModelica 1.27.0 reads wrongly.
    #[arg(long, value_enum, value_name = "TYPE")]
    pub booleans: Option<BooleansOption>,
    /// How initial values of variables are set: as start values of the variables themselves
    /// (default), or as parameters `start.NAME`, for importers such as libcosim that set nothing
    /// but parameters and inputs.
    #[arg(long, value_enum, value_name = "HOW")]
    pub starts: Option<StartsOption>,
    /// Platforms whose libraries the FMU contains: `linux64`, `win64`, `aarch64-linux`, `darwin64`,
    /// `aarch64-darwin`, or `all` (default: this machine).
    #[arg(long, value_name = "NAME,..", value_delimiter = ',', conflicts_with = "target")]
    pub platform: Vec<String>,
    /// Puts players for these platforms into existing FMUs (FILE.fmu instead of NAME).
    #[arg(
        long,
        value_name = "NAME,..",
        value_delimiter = ',',
        conflicts_with_all = ["all", "class", "interpreted", "compiled", "booleans", "starts", "platform", "target", "out", "with_report", "with_reference", "reference_input"]
    )]
    pub add_platform: Vec<String>,
    /// Simulates the default experiment, and packs its report into the FMU:
    /// documentation/report.html.
    #[arg(long)]
    pub with_report: bool,
    /// Simulates the default experiment with a relative tolerance of 1e-10, and packs its result
    /// into the FMU, as FMI-LS-REF describes it: extra/org.fmi-standard.fmi-ls-ref.
    #[arg(long)]
    pub with_reference: bool,
    /// Inputs over time for the default experiment of `--with-reference`, as `fmu run --input`
    /// reads them (default: constant inputs).
    #[arg(long, value_name = "FILE.csv", requires = "with_reference")]
    pub reference_input: Option<PathBuf>,
    /// The compiler's target to build for, if it is not that of a platform.
    #[arg(long, value_name = "TRIPLE")]
    pub target: Option<String>,
    /// The folder to write to (default: target/fmu).
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
}

/// How a model or an FMU is simulated.
#[derive(Args)]
pub struct SimulationArguments {
    /// Simulates a model without compiling it or writing an FMU.
    #[arg(long)]
    pub interpreted: bool,
    /// The class in a file that contains several.
    #[arg(long, value_name = "NAME")]
    pub class: Option<String>,
    /// Simulates as Model Exchange, with an integrator of `fmu`.
    #[arg(long, conflicts_with = "cs")]
    pub me: bool,
    /// Simulates as Co-Simulation (default).
    #[arg(long)]
    pub cs: bool,
    /// Relative tolerance of the simulation.
    #[arg(long, value_name = "R", allow_negative_numbers = true, value_parser = pure_number)]
    pub tolerance: Option<f64>,
    /// Sets a parameter, start value or input before initialization.
    #[arg(long, value_name = "NAME=VALUE", allow_hyphen_values = true)]
    pub set: Vec<String>,
    /// Inputs over time: a CSV file with the columns `time` and names of inputs; continuous inputs
    /// are linear between the rows, and two rows with the same time are a jump.
    #[arg(long, value_name = "FILE.csv")]
    pub input: Option<PathBuf>,
}

impl SimulationArguments {
    /// Whether any of these options is given.
    pub fn is_wanted(&self) -> bool {
        let SimulationArguments { interpreted, class, me, cs, tolerance, set, input } = self;
        *interpreted
            || class.is_some()
            || *me
            || *cs
            || tolerance.is_some()
            || !set.is_empty()
            || input.is_some()
    }

    /// The options of a simulation with these times.
    pub fn options_over(&self, times: &TimeArguments) -> run::Options<'_> {
        let &TimeArguments { step, start, stop } = times;
        let mut options = self.options();
        options.overrides = run::Overrides { start, stop, step, ..options.overrides };
        options
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

/// The times of a simulation.
#[derive(Args)]
pub struct TimeArguments {
    /// Communication step in s.
    #[arg(long, value_name = "H", allow_negative_numbers = true, value_parser = seconds)]
    pub step: Option<f64>,
    /// Start time in s.
    #[arg(long, value_name = "T", allow_negative_numbers = true, value_parser = seconds)]
    pub start: Option<f64>,
    /// Stop time in s.
    #[arg(long, value_name = "T", allow_negative_numbers = true, value_parser = seconds)]
    pub stop: Option<f64>,
}

/// What is simulated for a page, and what it shows.
#[derive(Args)]
pub struct PageArguments {
    /// An FMU, or a model, which is built first: a name, or a file that is interpreted.
    #[arg(value_name = "FILE.fmu|NAME|FILE")]
    pub model: OsString,
    #[command(flatten)]
    pub simulation: SimulationArguments,
    #[command(flatten)]
    pub times: TimeArguments,
    /// The variables whose curves are shown at first, separated by commas (default: the outputs, or
    /// else the states).
    #[arg(long, value_name = "A,B,C")]
    pub variables: Option<String>,
}

#[derive(Args)]
pub struct ReportOptions {
    #[command(flatten)]
    pub page: PageArguments,
    /// The file for the report (default: target/fmu/NAME.html).
    #[arg(long, value_name = "FILE.html")]
    pub output: Option<PathBuf>,
}

#[derive(Args)]
pub struct ViewOptions {
    #[command(flatten)]
    pub page: PageArguments,
    /// The port to listen on (default: any free port).
    #[arg(long, value_name = "PORT")]
    pub port: Option<u16>,
}

#[derive(Args)]
pub struct RunOptions {
    /// A model, which is built first, an FMU, a system of FMUs, or a file with a model, which is
    /// interpreted.
    #[arg(value_name = "NAME|FILE.fmu|FILE.ssp|FILE", required_unless_present = "plot")]
    pub model: Option<OsString>,
    #[command(flatten)]
    pub simulation: SimulationArguments,
    #[command(flatten)]
    pub times: TimeArguments,
    /// The file for the results (default: target/fmu/NAME.csv).
    #[arg(long, value_name = "FILE.csv")]
    pub output: Option<PathBuf>,
    /// The variables to record, separated by commas (default: the outputs, or else the states).
    #[arg(long, value_name = "A,B,C")]
    pub variables: Option<String>,
    /// The file for the plot (default: target/fmu/NAME.svg).
    #[arg(long, value_name = "FILE.svg|FILE.png", num_args = 0..=1, conflicts_with = "no_plot")]
    pub plot: Option<Option<OsString>>,
    /// Draws no plot.
    #[arg(long)]
    pub no_plot: bool,
    /// Writes a report too: a page with plots, events, parameters and an animation (default:
    /// target/fmu/NAME.html).
    #[arg(long, value_name = "FILE.html", num_args = 0..=1)]
    pub report: Option<Option<PathBuf>>,
    /// Prints how long communication steps take: median, 99 %, 99.9 % and the longest one.
    #[arg(long, conflicts_with = "me")]
    pub realtime: bool,
    #[command(flatten)]
    pub master: MasterArguments,
}

/// How the FMUs of a system are joined.
#[derive(Args, Default)]
#[command(next_help_heading = "Options for systems (FILE.ssp)")]
pub struct MasterArguments {
    /// How the FMUs exchange values: all make a step at the same time (default), one after the
    /// other, or again until inputs and outputs agree, which needs FMUs that can roll back.
    #[arg(long, value_enum, value_name = "SCHEME")]
    pub master: Option<SchemeOption>,
    /// The order of the polynomials of inputs within a step: 0 (constant), 1 or 2 (default: the
    /// highest one for which all FMUs interpolate inputs and give derivatives of outputs).
    #[arg(long, value_name = "ORDER", value_parser = clap::value_parser!(u32).range(0..=2))]
    pub order: Option<u32>,
    /// Corrects inputs by directional derivatives at communication points (default: if an FMU
    /// passes inputs directly to outputs, and all give derivatives), or not.
    #[arg(long, value_name = "BOOL", num_args = 0..=1, default_missing_value = "true")]
    pub correct: Option<bool>,
    /// Chooses steps by this relative error of inputs; `--step` is then the largest step.
    #[arg(long, value_name = "R", allow_negative_numbers = true, value_parser = pure_number)]
    pub coupling_error: Option<f64>,
    /// The number of threads (default: 1); the results do not depend on it.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    pub threads: Option<u16>,
}

/// The values of `--master`.
#[derive(Clone, Copy, ValueEnum)]
pub enum SchemeOption {
    /// All FMUs at the same time.
    Jacobi,
    /// One after the other.
    GaussSeidel,
    /// Again until inputs and outputs agree.
    Iterative,
}

impl MasterArguments {
    /// Whether any of these options is given.
    pub fn is_wanted(&self) -> bool {
        let MasterArguments { master, order, correct, coupling_error, threads } = self;
        master.is_some()
            || order.is_some()
            || correct.is_some()
            || coupling_error.is_some()
            || threads.is_some()
    }

    /// The method, where that of the system is not the one that is wanted.
    pub fn method(&self, of_system: Method) -> Method {
        Method {
            scheme: match self.master {
                None => of_system.scheme,
                Some(SchemeOption::Jacobi) => Scheme::Jacobi,
                Some(SchemeOption::GaussSeidel) => Scheme::GaussSeidel,
                Some(SchemeOption::Iterative) => Scheme::Iterative,
            },
            order: self.order.unwrap_or(of_system.order),
            corrects: self.correct.unwrap_or(of_system.corrects),
            tolerance: self.coupling_error,
            threads: self.threads.map_or(1, usize::from),
        }
    }
}

#[derive(Args)]
pub struct CompareOptions {
    /// A table, or an FMU or a model to be simulated with the times of the reference: a name, or a
    /// file.
    #[arg(value_name = "RESULT.csv|NAME|FILE.fmu|FILE")]
    pub result: OsString,
    /// The reference: a CSV file with the columns `time` and names of variables.
    #[arg(value_name = "REFERENCE.csv")]
    pub reference: PathBuf,
    #[command(flatten)]
    pub simulation: SimulationArguments,
    /// Sets the exit code to 1 if an error exceeds this fraction of a signal's range, modes differ,
    /// or a part of the reference is missing.
    #[arg(long, value_name = "E", allow_negative_numbers = true, value_parser = pure_number)]
    pub limit: Option<f64>,
    /// The file for the plot of the worst signal (default: target/fmu/NAME.worst.svg).
    #[arg(long, value_name = "FILE.svg|FILE.png", conflicts_with = "no_plot")]
    pub plot: Option<PathBuf>,
    /// Draws no plot.
    #[arg(long)]
    pub no_plot: bool,
}

#[derive(Args)]
pub struct PlotOptions {
    /// The tables, as `fmu run` and other tools write them.
    #[arg(required = true, value_name = "FILE.csv")]
    pub files: Vec<PathBuf>,
    /// The signals to draw, separated by commas, however many panels they need (default: all that
    /// fit into eight panels).
    #[arg(long, value_name = "A,B,C")]
    pub signals: Option<String>,
    /// The file for the picture (default: target/fmu/NAME.plot.svg).
    #[arg(long, value_name = "FILE.svg|FILE.png")]
    pub output: Option<PathBuf>,
    /// The FMU whose variables are drawn; its description states the units, and which variables are
    /// discrete.
    #[arg(long, value_name = "FILE.fmu")]
    pub fmu: Option<PathBuf>,
    /// The title (default: the name of the model of `--fmu`, or else the names of the files).
    #[arg(long, value_name = "TEXT")]
    pub title: Option<String>,
    /// Width and height in pixels, such as 960x480 (default: a width of 960, and a height that
    /// depends on the number of panels).
    #[arg(long, value_name = "WxH")]
    pub size: Option<String>,
}

/// The value of an option in s.
fn seconds(text: &str) -> Result<f64, String> {
    text.parse().map_err(|_| "a number of s is expected, such as 0.01".to_owned())
}

/// The value of an option without unit.
fn pure_number(text: &str) -> Result<f64, String> {
    text.parse().map_err(|_| "a number without unit is expected, such as 1e-6".to_owned())
}
