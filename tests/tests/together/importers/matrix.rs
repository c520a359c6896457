//! Tests every model in every importer, and writes the table of differences from the C harness.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::Write as _;
use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use coupler_tests::curves::{distance, largest};
use coupler_tests::installed::{EXPECTED, Expected};
use coupler_tests::python::{both, packages, program};
use coupler_tests::runs::{Habit, Run, span};
use coupler_tests::{ADVICE, Fmu, FmuType, Harness, root, target};
use serde_json::{Value, json};

use super::{coarse, euler, openmodelica};

/// Communication steps of a run.
const STEPS: usize = 200;

/// The reference with which an importer's run is compared.
#[derive(Clone, Copy, PartialEq)]
enum Beside {
    /// The harness at the same communication points; like the importer, it may set the stop time.
    Steps { told_the_end: bool },
    /// The harness with a tolerance of 1e-10; inputs may move.
    Exact { waves: bool },
    /// The end of a short run at a tolerance of 1e-10; inputs may move.
    End { waves: bool },
}

/// The caller of the FMU.
#[derive(Clone, Copy)]
enum Caller {
    /// A function of the script for importers of Python.
    Python(&'static str),
    /// A function of the program for the crate `fmi`.
    Rust(&'static str),
    /// The harness, with the habits of an importer.
    Imitating(Habit),
}

/// An importer: its name in the table, its reference, and the largest allowed difference without
/// and with events.
struct Importer {
    name: &'static str,
    caller: Caller,
    beside: Beside,
    limits: [f64; 2],
}

impl Importer {
    /// The largest allowed difference.
    fn limit(&self, fmu: &Fmu) -> f64 {
        self.limits[usize::from(fmu.description.number_of_event_indicators > 0)]
    }
}

const CO_SIMULATION: Beside = Beside::Steps { told_the_end: false };

const IMPORTERS: &[Importer] = &[
    Importer {
        name: "FMPy",
        caller: Caller::Python("fmpy_cs"),
        beside: Beside::Steps { told_the_end: true },
        limits: [0.0, 0.0],
    },
    Importer {
        name: "fmi",
        caller: Caller::Rust("co_simulation"),
        beside: CO_SIMULATION,
        limits: [0.0, 0.0],
    },
    // These measure time in units of their own, for example in whole nanoseconds.
    Importer {
        name: "libcosim",
        caller: Caller::Python("libcosim"),
        beside: CO_SIMULATION,
        limits: [1e-12, 1e-12],
    },
    Importer {
        name: "Ecos",
        caller: Caller::Python("ecos"),
        beside: CO_SIMULATION,
        limits: [1e-12, 1e-12],
    },
    Importer {
        name: "fmucontainer",
        caller: Caller::Python("fmucontainer"),
        beside: CO_SIMULATION,
        limits: [1e-12, 1e-12],
    },
    Importer {
        name: "FMPy, CVode",
        caller: Caller::Python("fmpy_cvode"),
        beside: Beside::Exact { waves: false },
        limits: [1e-4, 1e-4],
    },
    // With Euler's method an event comes at the end of a step, up to a step too late. Extrapolation
    // multiplies the resulting error by three.
    Importer {
        name: "FMPy, Euler",
        caller: Caller::Python("fmpy_euler"),
        beside: Beside::End { waves: false },
        limits: [1e-4, 2e-3],
    },
    Importer {
        name: "fmi, Euler",
        caller: Caller::Rust("euler"),
        beside: Beside::End { waves: false },
        limits: [1e-4, 2e-3],
    },
    Importer {
        name: "as the standard",
        caller: Caller::Imitating(Habit::Standard),
        beside: Beside::Exact { waves: true },
        limits: [1e-4, 1e-4],
    },
    Importer {
        name: "as OpenModelica",
        caller: Caller::Imitating(Habit::OpenModelica),
        beside: Beside::Exact { waves: true },
        limits: [1e-4, 1e-4],
    },
    Importer {
        name: "as the pseudocode",
        caller: Caller::Imitating(Habit::Pseudocode),
        beside: Beside::Exact { waves: true },
        limits: [1e-4, 1e-4],
    },
    Importer {
        name: "as fmusim",
        caller: Caller::Imitating(Habit::Fmusim),
        beside: Beside::Exact { waves: true },
        limits: [1e-4, 2e-3],
    },
    Importer {
        name: "as fmuCheck, Euler",
        caller: Caller::Imitating(Habit::FmuCheck),
        beside: Beside::End { waves: true },
        limits: [1e-4, 2e-3],
    },
];

/// A model, and how it runs.
struct Subject {
    fmu: Fmu,
    /// The communication step in s: a whole number of nanoseconds. It avoids round instants, at
    /// which a model may have an event, so that two correct results can differ.
    step: f64,
    /// The steps of two short runs by Euler's method, unless the model is stiff.
    euler: Option<[usize; 2]>,
}

impl Subject {
    fn new(fmu: Fmu) -> Subject {
        let step = (0.997 * span(&fmu) / STEPS as f64 * 1e9).round() / 1e9;
        Subject { step, euler: euler::steps(&fmu), fmu }
    }
}

/// The rows of the harness at the communication points, from the first step on.
fn harness(fmu: &Fmu, run: &Run, told_the_end: bool) -> Vec<Vec<f64>> {
    let harness = Harness::new(fmu);
    let instance = harness.instantiate(fmu, FmuType::CoSimulation);
    instance.setup(run.tolerance, 0.0, told_the_end.then_some(run.stop));
    run.starts.iter().for_each(|(name, value)| instance.set(name, *value));
    instance.then("enter_initialization").then("exit_initialization");
    run.steps_of(&instance).rows.split_off(1)
}

/// A run with a number of communication steps; moving inputs turn at some of its points.
fn run(fmu: &Fmu, tolerance: f64, h: f64, steps: usize, waves: bool) -> Run<'static> {
    let waves = waves.then_some(40.0 * h);
    let stop = h * steps as f64;
    Run { tolerance: Some(tolerance), h, stop, starts: fmu.starts(), record: &[], waves }
}

fn reference(subject: &Subject, beside: Beside) -> Vec<Vec<f64>> {
    let fmu = &subject.fmu;
    let run = match beside {
        Beside::Steps { .. } => run(fmu, fmu.tolerance(), subject.step, STEPS, false),
        Beside::Exact { waves: false } => run(fmu, 1e-10, subject.step, STEPS, false),
        Beside::Exact { waves: true } => run(fmu, 1e-10, subject.step, STEPS, true),
        Beside::End { waves } => run(fmu, 1e-10, euler::end(fmu) / 50.0, 50, waves),
    };
    harness(fmu, &run, beside == Beside::Steps { told_the_end: true })
}

/// The script for importers of Python.
fn script() -> Command {
    let mut command = program("python");
    // Ecos finds its other programs there.
    command.arg(root().join("tests/python/importers.py"));
    command.env("LD_LIBRARY_PATH", packages().join("../.."));
    command
}

/// The program for the crate `fmi`.
fn rust_importer() -> Command {
    let path = target().join("rust_importer/debug/rust_importer");
    assert!(path.is_file(), "{} is missing: {ADVICE}", path.display());
    Command::new(path)
}

/// The results of a function of the script or of the program for every FMU.
fn answers(
    subjects: &[&Subject],
    mut importer: Command,
    function: &str,
    beside: Beside,
) -> Vec<Vec<Vec<f64>>> {
    let job = |subject: &&Subject| {
        let fmu = &subject.fmu;
        let (step, steps) = if matches!(beside, Beside::End { .. }) {
            (euler::end(fmu), 1)
        } else {
            (subject.step, STEPS)
        };
        let starts: BTreeMap<&str, f64> = fmu.starts().iter().copied().collect();
        json!({
            "fmu": fmu.path, "step": step, "steps": steps, "tolerance": fmu.tolerance(),
            "euler": subject.euler.unwrap_or_default(),
            "starts": starts, "variables": fmu.signals(),
        })
    };
    let jobs: Vec<Value> = subjects.iter().map(job).collect();
    let mut file = tempfile::NamedTempFile::new().expect("a temporary file");
    write!(file, "{}", Value::Array(jobs)).expect("the jobs are written");
    let output = importer.arg(function).arg(file.path()).output().expect("the importer starts");
    assert!(output.status.success(), "{function}: {}", both(&output));
    let text = String::from_utf8_lossy(&output.stdout);
    let rows = |(Subject { fmu, .. }, line): (&&Subject, &str)| {
        let answer: Value = serde_json::from_str(line).expect("an object of JSON");
        assert!(answer["error"].is_null(), "{} in {function}: {}", fmu.name(), answer["error"]);
        let number = |v: &Value| v.as_f64().expect("a number");
        let row = |v: &Value| v.as_array().expect("a row").iter().map(number).collect();
        answer["rows"].as_array().expect("rows").iter().map(row).collect()
    };
    let all: Vec<Vec<Vec<f64>>> = subjects.iter().zip(text.lines()).map(rows).collect();
    assert_eq!(all.len(), subjects.len(), "{function} answers for every FMU");
    all
}

/// The results of the harness in Model Exchange with the habits of an importer. For Euler's method
/// only the end is computed, extrapolated to steps of length zero.
fn imitating(subject: &Subject, habit: Habit) -> Vec<Vec<f64>> {
    let fmu = &subject.fmu;
    if habit != Habit::FmuCheck {
        return run(fmu, 1e-10, subject.step, STEPS, true)
            .imitating(fmu, habit)
            .0
            .rows
            .split_off(1);
    }
    let [coarse, fine] = subject.euler.unwrap_or_default().map(|steps| {
        let whole = run(fmu, 1e-10, euler::end(fmu) / 50.0, 50, true);
        let run = Run { h: euler::end(fmu) / steps as f64, ..whole };
        run.imitating(fmu, habit).0.rows.pop().expect("the last row")
    });
    vec![coarse.iter().zip(&fine).map(|(coarse, fine)| 2.0 * fine - coarse).collect()]
}

/// The largest difference of any signal; if only the end of a run is known, the difference there.
fn apart(rows: &[Vec<f64>], reference: &[Vec<f64>], name: &str) -> f64 {
    let known = reference.len() - rows.len();
    assert!(known == 0 || rows.len() == 1, "{name}: {} communication points", rows.len());
    let rows: Vec<&Vec<f64>> = reference[..known].iter().chain(rows).collect();
    let difference = |i: usize| {
        let column: Vec<f64> = rows.iter().map(|row| row[i]).collect();
        distance(&column, &reference.iter().map(|row| row[i]).collect::<Vec<f64>>())
    };
    largest((0..reference[0].len()).map(difference))
}

/// The differences of one importer, FMU by FMU; `None` for Euler's method and a stiff model.
fn differences(subjects: &[Subject], importer: &Importer) -> Vec<Option<f64>> {
    let beside = importer.beside;
    let is_possible =
        |subject: &&Subject| !matches!(beside, Beside::End { .. }) || subject.euler.is_some();
    let possible: Vec<&Subject> = subjects.iter().filter(is_possible).collect();
    let found = match importer.caller {
        Caller::Python(function) => answers(&possible, script(), function, beside),
        Caller::Rust(function) => answers(&possible, rust_importer(), function, beside),
        Caller::Imitating(habit) => {
            possible.iter().map(|subject| imitating(subject, habit)).collect()
        }
    };
    let mut found = found.into_iter();
    let difference = |subject: &Subject| {
        let rows = is_possible(&subject).then(|| found.next()).flatten()?;
        Some(apart(&rows, &reference(subject, beside), subject.fmu.name()))
    };
    subjects.iter().map(difference).collect()
}

fn document(subjects: &[Subject], table: &[Vec<Option<f64>>]) -> String {
    let mut text = String::from(INTRODUCTION);
    text.push_str("\n| model |");
    IMPORTERS.iter().for_each(|importer| {
        let _ = write!(text, " {} |", importer.name);
    });
    let _ = writeln!(text, "\n|---|{}", "---|".repeat(IMPORTERS.len()));
    for (i, subject) in subjects.iter().enumerate() {
        let cells = table.iter().map(|column| match column[i] {
            None => " stiff |".to_owned(),
            Some(0.0) => " 0 |".to_owned(),
            Some(apart) => format!(" {apart:.0e} |"),
        });
        let _ = writeln!(text, "| {} |{}", subject.fmu.name(), cells.collect::<String>());
    }
    text
}

/// The complaints of foreign programs that have a reason.
fn expectations() -> String {
    let mut text = String::from(EXPECTATIONS);
    for Expected { model, ways, why } in EXPECTED {
        let _ = writeln!(text, "* {model} ({}): {why}.", ways.join("; "));
    }
    text
}

const EXPECTATIONS: &str = "
## Warnings and errors that are expected

fmuCheck uses the explicit Euler method, which diverges if its steps (500 or 100 in the default experiment) are too
long. The FMU then returns fmi2Discard with a message that names the state, and fmuCheck warns that the simulation
ends early.

";

const STARTS: &str = "
## Start values as parameters

Start values of states and of other variables belong to variables of causality `local` or `output`, as Modelica has
them. Some importers set nothing but parameters and inputs: libcosim until October 2023 refuses a system with other
initial values, and later releases warn of them in systems of SSP. With `fmu build --starts parameters`, each start
value that is an initial value is a fixed parameter `start.NAME` (`start.J1.w`), and the variable itself is
`initial = \"calculated\"`. Guesses remain start values of their variables. Results are the same to the bit. It is no
default, because it changes the names by which all other importers set start values, and adds parameters.
";

const INTRODUCTION: &str = "\
# Importers

The tests simulate every model in every importer below. They compare the results with those of the *harness*, a C
program that calls the FMU as the standard prescribes. The table shows the largest difference of any state or
output, divided by the range of its curve. A test checks that these differences are within limits;
`cargo xtask bless` writes this page.

* **Co-Simulation** over the default experiment in 200 steps (the first five columns): FMPy, the crate `fmi`,
  libcosim, Ecos, and a container that fmucontainer makes and FMPy runs. 0 means that all bits are equal. libcosim,
  Ecos and the container represent time in other units, so their communication points differ by rounding. The steps
  are a little shorter than a 200th, so that round instants with events are no communication points. Of a model with
  very many events, the first 6000 are simulated.
* **Model Exchange:** FMPy with CVode at tolerance 1e-10 over the same time, and Euler's method in FMPy and in the
  crate `fmi` over the first tenth of the experiment (at most 0.3 s). The results of Euler's method are extrapolated
  from two runs to step size zero, the second one with twice as many steps: at least 2000, twice as many as there are
  events, and so many that no step exceeds the inverse of the largest eigenvalue (for RotationalFriction, whose
  clutch hardly turns in this time, 50 000). A model is *stiff* if these are more than 50 000: explicit methods are
  not for it. Euler's method handles a state event at the end of a step, so models with events have an additional
  error of the order of the step size.
* **\"as ...\":** the harness imitates the calls of an importer, with triangular waves as inputs. The first one makes
  the calls that the standard prescribes. OpenModelica's `importFMU` sets all parameters after initialization, does
  not leave Event Mode before the first event, calls `fmi2CompletedIntegratorStep` at every trial point, and
  `fmi2NewDiscreteStates` once for each event. The pseudocode of FMI 2.0 before 2.0.2 uses only the last result of an
  event iteration. fmusim calls `fmi2CompletedIntegratorStep` only at communication points and events. These four
  integrate with the method of Dormand and Prince at tolerance 1e-8, or where that one needs many steps because the
  equations are stiff with the linearly implicit method RODAS, with trial points and a root search that goes back in
  time. The imitation of the FMU Compliance Checker (fmuCheck) uses Euler's method; its results are extrapolated as
  above.
* The real fmusim restarts its solver, CVode, only if states or nominal values change. When it finds an event, CVode
  has already integrated beyond it in the old mode, and continues from there. Curves whose slope changes at an event
  can therefore be wrong by 100 % (eddy-current brakes, Brake). No FMU can prevent this. The imitation does not do
  this, so the table does not show it.
* `cargo xtask importers` runs the real fmuCheck, fmusim, OMSimulator, VDMCheck and OpenModelica with their
  interfaces, if they are installed (on PATH, or named by `FMUCHECK`, `FMUSIM`, `OMSIMULATOR`, `VDMCHECK`, `OMC`).
  `cargo xtask test` also runs fmuCheck. They must not print any warning or error except those at the end of this page.
* PyFMI 2.21 with Assimulo 3.8 was tried by hand in November 2026. It simulates all models. The differences are at
  most 4e-5 in Co-Simulation. In Model Exchange, with CVode at tolerance 1e-7, they are at most 1e-4 for 54 models
  and 6e-3 for the others, and decrease with the tolerance. Simulink has not been tried.

In all runs except those with triangular waves, inputs are constant. If a curve is almost constant, the difference
is divided by its magnitude instead of its range. InitSpringConstant, InverseInertia and SpringDamper hardly move
without inputs, so their rows are not significant.
";

// FMI: A019, A039, A067, A087, B003, B019, B023, B029
#[test]
fn every_model_gives_its_curves_in_every_importer() {
    let subjects: Vec<Subject> = Fmu::compiled().into_iter().map(Subject::new).collect();
    // Two workers, each of which takes the next importer.
    let next = AtomicUsize::new(0);
    let work = || {
        let mut done = BTreeMap::new();
        while let Some(importer) = IMPORTERS.get(next.fetch_add(1, Ordering::Relaxed)) {
            done.insert(importer.name, differences(&subjects, importer));
        }
        done
    };
    let mut columns = thread::scope(|scope| {
        let other = scope.spawn(work);
        let mut columns = work();
        columns.extend(other.join().expect("the other worker"));
        columns
    });
    let table: Vec<Vec<Option<f64>>> =
        IMPORTERS.iter().filter_map(|importer| columns.remove(importer.name)).collect();

    let mut far = Vec::new();
    for (importer, column) in IMPORTERS.iter().zip(&table) {
        for (Subject { fmu, .. }, apart) in subjects.iter().zip(column) {
            if apart.is_some_and(|apart| apart.is_nan() || apart > importer.limit(fmu)) {
                far.push(format!("{} in {}: {apart:?}", fmu.name(), importer.name));
            }
        }
    }
    assert!(far.is_empty(), "too far from the harness:\n{}", far.join("\n"));

    let path = root().join("docs/importers.md");
    let text = document(&subjects, &table)
        + openmodelica::DOCUMENT
        + STARTS
        + &coarse::document(subjects.iter().map(|subject| &subject.fmu))
        + &expectations();
    if std::env::var_os("COUPLER_BLESS").is_some() {
        std::fs::write(&path, &text).expect("the document is written");
    }
    // Figures depend on the machine; models, importers and texts do not.
    let written = std::fs::read_to_string(&path).unwrap_or_default();
    let frame = |text: &str| -> Vec<String> {
        let first = |line: &str| line.split('|').nth(1).unwrap_or(line).to_owned();
        let (above, table) = text.split_once("|---|").unwrap_or((text, ""));
        above.lines().map(str::to_owned).chain(table.lines().map(first)).collect()
    };
    assert_eq!(frame(&written), frame(&text), "docs/importers.md: `cargo xtask bless` writes it");
}
