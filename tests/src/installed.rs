//! Importers and checkers that are installed on the machine: running FMUs in them, and reading
//! their messages.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use fmu_builder::compare::instants;
use fmu_builder::model_description::Base;

use crate::curves::{Columns, TimeSeries, distance, largest, of_columns};
use crate::fmu_program::within;
use crate::python::both;
use crate::{Fmu, FmuType, Harness, openmodelica};

/// Maximum time of a program, after which it is ended; OpenModelica compiles C code.
const LIMIT: Duration = Duration::from_secs(600);

/// The number of steps for importers that need it; it is the default of the compliance checker.
const STEPS: usize = 500;

/// Accuracy of event times in solvers, relative to the duration of the experiment.
const NEAR: f64 = 1e-5;

/// A program, which `cargo xtask importers` searches for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tool {
    /// The FMU Compliance Checker.
    FmuCheck,
    /// The importer of the Reference FMUs.
    Fmusim,
    /// OMSimulator.
    OmSimulator,
    /// The compiler of OpenModelica.
    OpenModelica,
    /// VDMCheck.
    VdmCheck,
}

impl Tool {
    /// Its path, if it is installed.
    pub fn program(self) -> Option<PathBuf> {
        let variable = match self {
            Tool::FmuCheck => "FMUCHECK",
            Tool::Fmusim => "FMUSIM",
            Tool::OmSimulator => "OMSIMULATOR",
            Tool::OpenModelica => "OMC",
            Tool::VdmCheck => "VDMCHECK",
        };
        std::env::var_os(variable).map(PathBuf::from)
    }

    /// The warnings and errors in its output.
    pub fn complaints(self, text: &str) -> Vec<String> {
        let begins = |line: &&str, words: &[&str]| words.iter().any(|word| line.starts_with(word));
        let found: Vec<&str> = match self {
            Tool::FmuCheck => compliance_complaints(text),
            // It prints nothing else.
            Tool::Fmusim => text.lines().collect(),
            Tool::OmSimulator => {
                text.lines().filter(|line| begins(line, &["warning:", "error:"])).collect()
            }
            Tool::OpenModelica => text.lines().filter(|line| is_of_omc(line)).collect(),
            Tool::VdmCheck => {
                text.lines().filter(|line| line.trim() != "No errors found.").collect()
            }
        };
        found.into_iter().map(str::to_owned).collect()
    }
}

/// Whether a line of OpenModelica's compiler, or of the simulation that it made, is a complaint.
fn is_of_omc(line: &str) -> bool {
    // It warns of each FMU with states that it uses an extension of Modelica, and of the original
    // Modelica library.
    let usual = [
        "reinitInAlgorithms",
        "ModelicaServices",
        // Without a network, `loadModel` looks in vain for newer libraries.
        "libraries.openmodelica.org",
        // Tunable parameters have no equation.
        "initial conditions are not fully specified",
    ];
    let level = ["Error:", "Warning:", "| error   |", "| warning |", "| assert"];
    level.iter().any(|level| line.contains(level)) && !usual.iter().any(|text| line.contains(text))
}

/// Lines of the compliance checker with levels of problems, and counts in its summary that are not
/// zero.
fn compliance_complaints(text: &str) -> Vec<&str> {
    let counts = |line: &&str| line.trim_end().to_lowercase().ends_with("(s)");
    let bad = |line: &&str| {
        ["[WARNING]", "[ERROR]", "[FATAL]"].iter().any(|level| line.contains(level))
            || counts(line) && !line.trim_start().starts_with("0 ")
    };
    let mut found: Vec<&str> = text.lines().filter(bad).collect();
    if text.lines().filter(counts).count() != 3 {
        found.push("[ERROR] no summary of three counts");
    }
    found
}

/// A way to run FMUs in a program.
pub struct Way {
    /// Its name in the table.
    pub name: &'static str,
    /// The program.
    pub tool: Tool,
    /// The interface; if it is `None`, only the description is read.
    pub fmu_type: Option<FmuType>,
    /// The number of steps of the default experiment, if it is not the program's own choice.
    steps: Option<usize>,
    /// Whether Real inputs rise by one during the experiment; otherwise they are constant.
    inputs: bool,
    /// The largest allowed difference from the harness, relative to the range of a signal; `None`
    /// if the importer's own method causes differences.
    pub limit: Option<f64>,
}

const fn way(name: &'static str, tool: Tool, fmu_type: Option<FmuType>) -> Way {
    Way { name, tool, fmu_type, steps: None, inputs: false, limit: None }
}

/// Differences that rounding of communication points may cause.
const SAME: Option<f64> = Some(1e-5);
const CS: Option<FmuType> = Some(FmuType::CoSimulation);
const ME: Option<FmuType> = Some(FmuType::ModelExchange);

/// All ways.
pub const WAYS: &[Way] = &[
    way("fmuCheck xml", Tool::FmuCheck, None),
    Way { limit: SAME, ..way("fmuCheck cs", Tool::FmuCheck, CS) },
    Way { steps: Some(100), limit: SAME, ..way("fmuCheck cs, 100 steps", Tool::FmuCheck, CS) },
    Way { inputs: true, ..way("fmuCheck cs, inputs", Tool::FmuCheck, CS) },
    way("fmuCheck me", Tool::FmuCheck, ME),
    Way { steps: Some(100), ..way("fmuCheck me, 100 steps", Tool::FmuCheck, ME) },
    Way { inputs: true, ..way("fmuCheck me, inputs", Tool::FmuCheck, ME) },
    Way { steps: Some(STEPS), limit: SAME, ..way("fmusim cs", Tool::Fmusim, CS) },
    Way { steps: Some(STEPS), ..way("fmusim me", Tool::Fmusim, ME) },
    Way { steps: Some(STEPS), ..way("OMSimulator cs", Tool::OmSimulator, CS) },
    Way { steps: Some(STEPS), ..way("OMSimulator me", Tool::OmSimulator, ME) },
    Way { steps: Some(STEPS), ..way("OpenModelica me", Tool::OpenModelica, ME) },
    way("VDMCheck", Tool::VdmCheck, None),
];

/// The result of running an FMU in a way.
#[derive(Debug, Default)]
pub struct Verdict {
    /// Warnings and errors.
    pub complaints: Vec<String>,
    /// The largest difference of any signal from the harness, relative to its range, if there are
    /// results.
    pub difference: Option<f64>,
}

impl Verdict {
    /// The cell of the table: the numbers of errors and warnings, and the difference.
    pub fn cell(&self) -> String {
        let errors = self.complaints.iter().filter(|text| is_error(text)).count();
        let warnings = self.complaints.len() - errors;
        let count = |n: usize, letter| (n > 0).then(|| format!("{n}{letter}"));
        let difference = self.difference.map(|apart| match apart {
            0.0 => "0".to_owned(),
            apart => format!("{apart:.0e}"),
        });
        let words: Vec<String> =
            [count(errors, 'e'), count(warnings, 'w'), difference].into_iter().flatten().collect();
        if words.is_empty() { "ok".to_owned() } else { words.join(" ") }
    }
}

fn is_error(complaint: &str) -> bool {
    !["[WARNING]", "warning", "Warning"].iter().any(|level| complaint.contains(level))
}

/// Expected complaints that the FMU does not cause; `docs/importers.md` quotes them.
pub struct Expected {
    /// The model.
    pub model: &'static str,
    /// The names of the ways.
    pub ways: &'static [&'static str],
    /// The reason for them.
    pub why: &'static str,
}

/// Steps with which Euler's method is unstable.
const EULER: &[&str] = &["fmuCheck me", "fmuCheck me, 100 steps"];
const EULER_100: &[&str] = &["fmuCheck me, 100 steps"];

/// All expected complaints.
pub const EXPECTED: &[Expected] = &[
    Expected {
        model: "BevelGear1d",
        ways: EULER,
        why: "close to a singular position its eigenvalues reach 3400 rad/s; steps of 20 us are \
              short enough",
    },
    Expected {
        model: "BouncingSpherical",
        ways: EULER,
        why: "an undamped rotation at up to 10 rad/s, which steps of 20 ms amplify by e^19 in \
              total; 10 ms are short enough",
    },
    Expected {
        model: "ForceAndTorque",
        ways: EULER_100,
        why: "a rotation at up to 67 rad/s; steps of 10 ms are too long, 2 ms short enough",
    },
    Expected {
        model: "ImpulseBouncingBall",
        ways: EULER_100,
        why: "a rotation at 12 rad/s, hardly damped; steps of 100 ms are too long, 20 ms short \
              enough",
    },
    Expected {
        model: "LossyGearDemo2",
        ways: &["fmusim me"],
        why: "fmusim does not restart its solver when the bearing sticks; a speed of 0.01 rad/s \
              remains, for which no relations of the gear are consistent",
    },
    Expected {
        model: "RollingWheel",
        ways: EULER_100,
        why: "a wheel that falls over turns at up to 100 rad/s; steps of 40 ms are too long, 8 ms \
              short enough",
    },
    Expected {
        model: "Surfaces",
        ways: EULER,
        why: "contacts with eigenvalues of (-346 ± 200i) rad/s; steps must be shorter than 4.3 ms",
    },
    Expected {
        model: "TestBench",
        ways: EULER,
        why: "a shaft with eigenvalues of (-16 ± 80i) rad/s; steps must be shorter than 4.7 ms",
    },
    Expected {
        model: "ThreeSprings",
        ways: EULER_100,
        why: "an undamped oscillation at 6.6 rad/s, which steps of 100 ms amplify by e^14 in \
              total; 20 ms are short enough",
    },
];

impl Way {
    /// Whether an FMU can be run in this way.
    pub fn suits(&self, fmu: &Fmu) -> bool {
        !self.inputs || !inputs(fmu).is_empty()
    }

    /// The expected complaints about a model, if there are any.
    pub fn expected(&self, model: &str) -> Option<&'static Expected> {
        EXPECTED.iter().find(|e| e.model == model && e.ways.contains(&self.name))
    }

    /// Runs the FMU in a folder of its own for the files that the program writes.
    pub fn run(&self, program: &Path, fmu: &Fmu) -> Verdict {
        let folder = tempfile::tempdir().expect("a temporary folder");
        // OpenModelica adds an ending to the name that it is given.
        let ending = if self.tool == Tool::OpenModelica { "_res.csv" } else { ".csv" };
        let results = folder.path().join(format!("results{ending}"));
        let mut command = self.command(program, fmu, folder.path(), &results);
        let Some(output) = within(command.current_dir(folder.path()), LIMIT) else {
            let text = format!("no end within {} s", LIMIT.as_secs());
            return Verdict { complaints: vec![text], difference: None };
        };
        let mut complaints = self.tool.complaints(&both(&output));
        let text = std::fs::read_to_string(&results).unwrap_or_default();
        let difference = self.fmu_type.and_then(|fmu_type| self.difference(fmu_type, fmu, &text));
        if complaints.is_empty() && !output.status.success() {
            complaints.push(format!("it ended with {}", output.status));
        } else if complaints.is_empty() && self.fmu_type.is_some() && difference.is_none() {
            complaints.push("there are no results up to the end".to_owned());
        }
        Verdict { complaints, difference }
    }

    fn command(&self, program: &Path, fmu: &Fmu, folder: &Path, results: &Path) -> Command {
        let mut command = Command::new(program);
        let fmu_type = if self.fmu_type == ME { "me" } else { "cs" };
        let step = self.steps.map(|steps| format!("{}", fmu.stop_time() / steps as f64));
        match self.tool {
            Tool::FmuCheck => {
                command.args(["-l", "5", "-f", "-k", self.fmu_type.map_or("xml", |_| fmu_type)]);
                command.args(step.iter().flat_map(|step| ["-h", step]));
                if self.inputs {
                    let file = folder.join("inputs.csv");
                    std::fs::write(&file, ramps(fmu).text()).expect("inputs are written");
                    command.arg("-i").arg(file);
                }
                command.arg("-t").arg(folder).arg("-o").arg(results).arg(&fmu.path);
            }
            Tool::Fmusim => {
                // The importer's own tolerance is used: with smaller tolerances CVode fails,
                // because the importer does not restart it where derivatives jump.
                command.args(["--interface-type", fmu_type, "--solver", "cvode", "--logging-on"]);
                command.args(step.iter().flat_map(|step| ["--output-interval", step]));
                command.args(fmu.signals().iter().flat_map(|name| ["--output-variable", name]));
                command.args(["--log-level", "warning", "--output-file"]).arg(results);
                command.arg(&fmu.path);
            }
            Tool::OmSimulator => {
                command.arg(&fmu.path).arg(format!("--mode={fmu_type}"));
                command.args(step.map(|step| format!("--stepSize={step}")));
                if self.fmu_type == ME {
                    command.arg("--tolerance=1e-7");
                }
                // Every run writes its settings to this folder.
                command.env("HOME", folder).env("XDG_CONFIG_HOME", folder);
                command.arg(format!("--intervals={STEPS}"));
                command.arg(format!("--resultFile={}", results.display()));
                command.arg(format!("--tempDir={}", folder.display()));
            }
            Tool::OpenModelica => {
                let script = folder.join("simulate.mos");
                let text = openmodelica::script(&fmu.path, folder, fmu.stop_time(), STEPS);
                std::fs::write(&script, text).expect("the script is written");
                command.arg(script);
            }
            Tool::VdmCheck => {
                command.arg(&fmu.path);
            }
        }
        command
    }

    /// The difference of its results from those of the harness at the same times.
    fn difference(&self, fmu_type: FmuType, fmu: &Fmu, text: &str) -> Option<f64> {
        let names = fmu.signals();
        let table = match self.tool {
            Tool::OpenModelica => {
                let imported: Vec<String> =
                    names.iter().map(|name| openmodelica::imported_name(name)).collect();
                of_columns(text, &imported.iter().map(String::as_str).collect::<Vec<&str>>())?
            }
            _ => of_columns(text, &names)?,
        };
        // Solvers locate an event up to a tolerance, so values shortly before or after are
        // accepted.
        let near = if fmu_type == FmuType::ModelExchange { NEAR * fmu.stop_time() } else { 0.0 };
        let mut times = vec![0.0];
        let mut rows: Vec<&[f64]> = vec![table.rows.first()?];
        for (t, of_instant) in instants(&table) {
            if t > times[times.len() - 1] + 3.0 * near {
                times.push(t);
                rows.push(&table.rows[of_instant.end - 1]);
            }
        }
        if times[times.len() - 1] + 1e-3 * fmu.stop_time() < fmu.stop_time() {
            return None;
        }
        let [before, after] = self.reference(fmu, &times, near);
        let apart = |i: usize| {
            let here: Vec<f64> = rows.iter().map(|row| row[i]).collect();
            let sides = before.iter().zip(&after).map(|(a, b)| (a[i].min(b[i]), a[i].max(b[i])));
            let nearest = here.iter().zip(sides).map(|(v, (low, high))| v.max(low).min(high));
            distance(&here, &nearest.collect::<Vec<f64>>())
        };
        Some(largest((0..names.len()).map(apart)))
    }

    /// The signals in Co-Simulation shortly before and after some times, the first of which is the
    /// start.
    fn reference(&self, fmu: &Fmu, times: &[f64], near: f64) -> [Vec<Vec<f64>>; 2] {
        let harness = Harness::new(fmu);
        let instance = harness.instantiate(fmu, FmuType::CoSimulation);
        instance.start(Some(if near > 0.0 { 1e-10 } else { fmu.tolerance() }), &[]);
        let references = fmu.reals(fmu.signals());
        let mut now = 0.0;
        let mut at = |t: f64| {
            if self.inputs {
                let share = now / fmu.stop_time();
                inputs(fmu).iter().for_each(|(name, start)| instance.set(name, start + share));
            }
            if t > now {
                instance.step(now, t - now);
                now = t;
            }
            instance.reals(&references)
        };
        let sides = times.iter().map(|t| (at(t - near), at(t + near)));
        let (before, after) = sides.unzip();
        [before, after]
    }
}

/// The names and starts of Real inputs.
fn inputs(fmu: &Fmu) -> Vec<(&str, f64)> {
    let names = fmu.names(Base::Real, &["input"]);
    let start = |name: &str| fmu.variable(name).start_number().unwrap_or(0.0);
    names.into_iter().map(|name| (name, start(name))).collect()
}

/// Inputs that rise by one during the default experiment.
fn ramps(fmu: &Fmu) -> TimeSeries {
    let inputs = inputs(fmu);
    let row = |rise: f64| inputs.iter().map(|(_, start)| start + rise).collect();
    TimeSeries {
        names: inputs.iter().map(|(name, _)| (*name).to_owned()).collect(),
        time: vec![0.0, fmu.stop_time()],
        rows: vec![row(0.0), row(1.0)],
    }
}
