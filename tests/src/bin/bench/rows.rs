//! The rows of the table: what is measured, with what it is compared, and the goals.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use coupler_tests::benchmarks::{BENCHMARKS, BenchmarkModel};
use coupler_tests::chains::{CHAINS, Chain};
use coupler_tests::{Fmu, own, target};
use fmu_builder::models::{Traced, camel_case};
use models::MODELS;

use crate::H;
use crate::builds;
use crate::candidate::Candidate;

/// A system written by hand that takes the place of a model: its library, and the value references
/// of the variable that is read and of the model's starts.
struct Yardstick {
    model: &'static str,
    library: &'static str,
    read: u32,
    starts: &'static [u32],
}

const YARDSTICKS: [Yardstick; 4] = [
    Yardstick { model: "Fourbar2", library: "yardstick_fourbar2", read: 0, starts: &[] },
    Yardstick { model: "Drivetrain", library: "yardstick_drivetrain", read: 1, starts: &[2, 3, 1] },
    Yardstick { model: "Chain", library: "yardstick_chain", read: 0, starts: &[] },
    Yardstick { model: "Revolutes", library: "yardstick_revolutes", read: 0, starts: &[] },
];

/// The row of the calls alone.
pub const CALLS: &str = "calls of FMI";

/// The models of the repository that are measured unless others are named.
const SELECTED: [&str; 6] =
    ["Fourbar2", "Fourbar1", "Drivetrain", "CoupledClutches", "EngineV6", "Rectifier"];

/// Systems with circuits and clocks, and the time in s that a simulated second should take at most
/// where a communication step of [`UNIT`] takes [`UNIT_TIME`].
const LIMITS: [(&str, f64); 4] =
    [("Rectifier", 0.1), ("SampledBridge", 0.3), ("PausingBuck", 0.5), ("SampledPlant", 0.04)];

/// A row that stands for the speed of the machine, and the time of its communication step in s on
/// the machine for which the limits were set.
const UNIT: &str = "Fourbar2 by hand";
const UNIT_TIME: f64 = 34e-9;

/// Models that are also measured as tapes.
const PLAYED: [&str; 4] = ["Fourbar1", "Fourbar2", "EngineV6", "CoupledClutches"];

/// The variable that is read after each step, if it is not the first state or output.
const READ: [(&str, &str); 4] = [
    ("Drivetrain", "motor.w"),
    ("ChainOfComponents", CHAINS[0].read),
    ("ChainOfRevolutes", CHAINS[1].read),
    ("StiffChain", CHAINS[2].read),
];

/// What two rows are compared by.
#[derive(Clone, Copy, Debug)]
pub enum Measure {
    /// The time of a communication step.
    Step,
    /// The time of an evaluation of the right-hand side.
    Evaluation,
}

/// The comparison of a row with another one of the same run.
#[derive(Clone, Debug)]
pub struct Comparison {
    /// The other row.
    pub with: String,
    pub measure: Measure,
    /// The ratio is divided by this number, the ratio of the sizes of the models.
    pub size: f64,
    /// The ratio that should not be exceeded.
    pub goal: f64,
}

impl Comparison {
    fn step(with: String, goal: f64) -> Comparison {
        Comparison { with, measure: Measure::Step, size: 1.0, goal }
    }

    /// The goal for the largest ratio. The divisor is, for a system with a limit, the row that
    /// stands for the speed of the machine; for a model, the same system written by
    /// hand; for an engine with assemblies of joints, an engine with single joints; for a free
    /// loop, the same linkage with the minimum number of states; for a played model, the compiled
    /// model; and for a long stiff chain, a short chain (per inertia).
    fn of(name: &str) -> Option<Comparison> {
        if let Some(compiled) = name.strip_suffix(" played") {
            return Some(Comparison::step(compiled.to_owned(), 5.0));
        }
        match name {
            "EngineV6Analytic" => Some(Comparison::step("EngineV6".to_owned(), 1.0)),
            "FreeCrankRocker" | "FreeSpatialLinkage" => Some(Comparison {
                with: name.trim_start_matches("Free").to_owned(),
                measure: Measure::Evaluation,
                size: 1.0,
                goal: 1.5,
            }),
            "StiffChain300" => Some(Comparison {
                with: "StiffChain30".to_owned(),
                measure: Measure::Evaluation,
                size: 10.0,
                goal: 1.1,
            }),
            _ if let Some((_, limit)) = LIMITS.iter().find(|(limited, _)| *limited == name) => {
                Some(Comparison::step(UNIT.to_owned(), limit * H / UNIT_TIME))
            }
            _ => {
                let model = name.trim_end_matches(|c: char| c.is_ascii_digit());
                let by_hand = |y: &Yardstick| y.model == model || y.model == name;
                let known = YARDSTICKS.iter().any(by_hand);
                known.then(|| Comparison::step(by_hand_name(name), 1.25))
            }
        }
    }
}

/// The measured systems whose names are wanted: those of the table if none is named, and all models
/// of the repository too if `all` is set.
pub fn candidates(names: &[String], all: bool) -> Vec<Candidate> {
    let named = |name: &str| names.iter().any(|n| n == name);
    let table = names.is_empty();
    let is_model = |name: &str| named(name) || all || table && SELECTED.contains(&name);
    let models: Vec<Traced> = MODELS
        .models
        .iter()
        .filter(|model| is_model(&camel_case(model.name)))
        .map(|model| MODELS.trace(model).unwrap_or_else(|error| panic!("{error}")))
        .collect();
    let benchmarks = BENCHMARKS.iter().filter(|model| table || all || named(model.name));
    let traced: Vec<Traced> =
        models.into_iter().chain(benchmarks.map(BenchmarkModel::traced)).collect();
    let folder = target().join("bench/models");
    let compiled = own::compiled(&traced, &folder);
    let mut fmus: BTreeMap<String, Fmu> =
        compiled.into_iter().map(|fmu| (fmu.name().to_owned(), fmu)).collect();
    let in_order = SELECTED.into_iter().chain(BENCHMARKS.iter().map(|model| model.name));
    let mut order: Vec<String> = in_order.map(str::to_owned).collect();
    order.extend(fmus.keys().filter(|name| !order.contains(name)).cloned().collect::<Vec<_>>());
    let mut found = Vec::new();
    if table || all || named(CALLS) {
        found.push(Candidate::of_library(CALLS, release("yardstick_calls")));
    }
    for name in order {
        let Some(fmu) = fmus.remove(&name) else { continue };
        add(&mut found, &name, Rc::new(fmu), &name, |yardstick| release(yardstick.library));
        if PLAYED.contains(&&*name) {
            let of_model = |traced: &&Traced| camel_case(&traced.name) == name;
            let traced = traced.iter().find(of_model).expect("it was compiled");
            let tape = own::interpreted(traced, &target().join("bench/played"));
            add(&mut found, &format!("{name} played"), Rc::new(tape), "", |_| PathBuf::new());
        }
    }
    for chain in CHAINS.iter().filter(|chain| table || all || named(chain.name)) {
        chain.lengths.iter().for_each(|&length| add_chain(&mut found, chain, length));
    }
    found
}

/// A library of the target folder.
fn release(library: &str) -> PathBuf {
    target().join(format!("release/lib{library}.so"))
}

fn add_chain(found: &mut Vec<Candidate>, chain: &Chain, length: usize) {
    let folder = target().join(format!("bench/{}/{length}", chain.name));
    let fmu = Rc::new(builds::chain(chain, length, &folder));
    let first = found.len();
    let name = format!("{}{length}", chain.name);
    let library = |yardstick: &Yardstick| library_in(&folder, yardstick.library);
    add(found, &name, fmu, chain.name, library);
    found[first].method = chain.method;
    found[first].parts = Some((length, chain.part));
}

fn library_in(folder: &Path, library: &str) -> PathBuf {
    folder.join(format!("lib{library}.so"))
}

/// Adds an FMU, and the yardstick of the model, if there is one, from its library.
fn add(
    found: &mut Vec<Candidate>,
    name: &str,
    fmu: Rc<Fmu>,
    model: &str,
    library: impl Fn(&Yardstick) -> PathBuf,
) {
    let read = READ.iter().find(|(model, _)| *model == fmu.name());
    let read = read.map_or(fmu.signals()[0], |(_, name)| name).to_owned();
    let candidate =
        Candidate { comparison: Comparison::of(name), ..Candidate::of_fmu(name, fmu, &read) };
    let starts: Vec<f64> = candidate.starts.iter().map(|(_, value)| *value).collect();
    let stop = candidate.stop;
    found.push(candidate);
    if let Some(yardstick) = YARDSTICKS.iter().find(|y| y.model == model) {
        found.push(Candidate {
            read: yardstick.read,
            starts: yardstick.starts.iter().copied().zip(starts).collect(),
            stop,
            ..Candidate::of_library(&by_hand_name(name), library(yardstick))
        });
    }
}

fn by_hand_name(name: &str) -> String {
    format!("{name} by hand")
}
