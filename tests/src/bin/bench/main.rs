//! Measures every FMU next to the hand-written yardsticks: `cargo xtask bench` runs it.
//!
//! The host is the compiled C harness. A step is fmi2DoStep and fmi2GetReal of one value; each
//! figure is the shortest of several repetitions, and models and yardsticks alternate, so that a
//! slow phase of the machine does not affect one of them alone.

use std::io::IsTerminal;
use std::path::PathBuf;
use std::rc::Rc;

use coupler_tests::chains::{CHAINS, Chain};
use coupler_tests::harness::{bits, quote};
use coupler_tests::runs::SolverWork;
use coupler_tests::{Fmu, Harness, Status, own, target};
use models::MODELS;
use program::SolverCount;

mod builds;
mod evaluations;

/// Communication step in s and relative tolerance of all measurements.
const H: f64 = 1e-3;
const TOLERANCE: f64 = 1e-6;
const ROUNDS: usize = 15;

/// A yardstick: its model, its library, and the value references of the variable that is read and
/// of the model's starts.
struct Yardstick {
    model: &'static str,
    library: &'static str,
    read: u32,
    starts: &'static [u32],
}

const YARDSTICKS: [Yardstick; 2] = [
    Yardstick { model: "Fourbar2", library: "yardstick_fourbar2", read: 0, starts: &[] },
    Yardstick { model: "Drivetrain", library: "yardstick_drivetrain", read: 1, starts: &[2, 3, 1] },
];

/// The yardsticks of the chains, in their order.
const CHAIN_YARDSTICKS: [Yardstick; 2] = [
    Yardstick { model: "Chain", library: "yardstick_chain", read: 0, starts: &[] },
    Yardstick { model: "Revolutes", library: "yardstick_revolutes", read: 0, starts: &[] },
];

/// Models that are also measured as tapes.
const PLAYED: [&str; 4] = ["Fourbar1", "Fourbar2", "EngineV6", "CoupledClutches"];

/// The variable that is read after each step, if it is not the first state.
const READ: [(&str, &str); 4] = [
    ("Drivetrain", "motor.w"),
    ("ChainOfComponents", CHAINS[0].read),
    ("ChainOfRevolutes", CHAINS[1].read),
    ("StiffChain", CHAINS[2].read),
];

/// A model or yardstick that is measured.
struct Candidate {
    name: String,
    /// The FMU, or that of the yardstick's model; its resources exist as long as this value.
    fmu: Rc<Fmu>,
    library: PathBuf,
    guid: String,
    stop: f64,
    /// The value reference that is read after each step.
    read: u32,
    /// Values that are set before initialization, by value reference.
    starts: Vec<(u32, f64)>,
    /// The value of `solver.method`, if it is set.
    method: Option<i32>,
    nanoseconds: f64,
    start: f64,
    /// The value that was read last.
    last: f64,
    /// The work of one simulation.
    work: SolverWork,
}

impl Candidate {
    fn of(fmu: &Rc<Fmu>, library: PathBuf) -> Candidate {
        let reference = |name: &str| fmu.variable(name).value_reference;
        let read = READ.iter().find(|(model, _)| *model == fmu.name());
        Candidate {
            name: fmu.name().to_owned(),
            fmu: Rc::clone(fmu),
            library,
            guid: fmu.description.guid.clone(),
            stop: fmu.stop_time(),
            read: reference(read.map_or(fmu.signals()[0], |(_, name)| name)),
            starts: fmu.starts().iter().map(|(name, v)| (reference(name), *v)).collect(),
            method: None,
            nanoseconds: f64::INFINITY,
            start: f64::INFINITY,
            last: f64::NAN,
            work: SolverWork::default(),
        }
    }

    /// The time of a simulation in ns, divided by its number of evaluations of the right-hand side.
    fn per_evaluation(&self) -> f64 {
        self.nanoseconds * (self.stop / H).floor() / self.work.of(SolverCount::Evaluations) as f64
    }

    /// Measures one simulation.
    fn measure(&mut self) {
        self.simulate(false);
    }

    /// Makes one simulation with logging, whose last message contains the work that was needed.
    fn count(&mut self) {
        self.simulate(true);
    }

    fn simulate(&mut self, count: bool) {
        let harness = Harness::load(&self.library);
        let (guid, uri) = (quote(Some(&self.guid)), quote(Some(self.fmu.resources())));
        let call = |command: &str| {
            let answer = harness.call(command);
            let name = &self.name;
            assert_eq!(answer.status(), Status::Ok, "{name}: {command}: {:?}", harness.log());
            answer
        };
        call(&format!("instantiate 0 1 =bench {guid} {uri} 2 0 {}", i32::from(count)));
        call(&format!("setup 0 1 {} {} 0 0", bits(TOLERANCE), bits(0.0)));
        for (reference, value) in &self.starts {
            call(&format!("set_real 0 1 {reference} {}", bits(*value)));
        }
        if let Some(method) = self.method {
            let reference = self.fmu.variable("solver.method").value_reference;
            call(&format!("set_integer 0 1 {reference} {method}"));
        }
        call("enter_initialization 0");
        call("exit_initialization 0");
        let steps = (self.stop / H).floor();
        if count {
            call(&format!("simulate_cs 0 {} {} {steps} 0", bits(0.0), bits(H)));
            call("terminate 0");
            let log = harness.log();
            self.work = SolverWork::logged(&log).expect("the FMU says what work it took");
            return;
        }
        let run = format!("stop_watch 0 {} {} {steps} {}", bits(0.0), bits(H), self.read);
        self.nanoseconds = self.nanoseconds.min(call(&run).reals(0)[0]);
        self.last = call(&format!("get_real 0 1 {}", self.read)).reals(0)[0];
        let start = call(&format!("start_watch 1 {guid} {uri} 10")).reals(0)[0];
        self.start = self.start.min(start);
    }
}

/// The selected FMUs (all, if none is named), each followed by its yardstick.
fn candidates(wanted: &[String]) -> Vec<Candidate> {
    let is_wanted = |name: &str| wanted.is_empty() || wanted.iter().any(|w| w == name);
    let mut all = Vec::new();
    let is_chain = |name: &String| CHAINS.iter().any(|chain| chain.name == name);
    let only_chains = !wanted.is_empty() && wanted.iter().all(is_chain);
    let fmus = if only_chains { Vec::new() } else { Fmu::compiled() };
    for fmu in fmus.into_iter().filter(|fmu| is_wanted(fmu.name())) {
        let yardstick = YARDSTICKS.iter().find(|y| y.model == fmu.name());
        let library = yardstick.map(|y| target().join(format!("release/lib{}.so", y.library)));
        let name = fmu.name().to_owned();
        add(&mut all, &name, &Rc::new(fmu), yardstick.zip(library));
        if PLAYED.contains(&&*name) {
            add(&mut all, &played(&name), &Rc::new(played_fmu(&name)), None);
        }
    }
    for chain in &CHAINS {
        let yardstick = CHAIN_YARDSTICKS.iter().find(|y| y.model == chain.name);
        for &length in chain.lengths.iter().filter(|_| is_wanted(chain.name)) {
            let folder = target().join(format!("bench/{}/{length}", chain.name));
            let fmu = builds::chain(chain, length, &folder);
            let library = yardstick.map(|y| folder.join(format!("lib{}.so", y.library)));
            let first = all.len();
            let name = name_of(chain, length);
            add(&mut all, &name, &Rc::new(fmu), yardstick.zip(library));
            all[first].method = chain.method;
        }
    }
    all
}

/// Adds an FMU and its yardstick.
fn add(all: &mut Vec<Candidate>, name: &str, fmu: &Rc<Fmu>, by: Option<(&Yardstick, PathBuf)>) {
    let library = fmu.library().to_owned();
    let candidate = Candidate { name: name.to_owned(), ..Candidate::of(fmu, library) };
    let values: Vec<f64> = candidate.starts.iter().map(|(_, value)| *value).collect();
    all.push(candidate);
    if let Some((yardstick, library)) = by {
        all.push(Candidate {
            name: by_hand(name),
            guid: "yardstick".to_owned(),
            read: yardstick.read,
            starts: yardstick.starts.iter().copied().zip(values).collect(),
            ..Candidate::of(fmu, library)
        });
    }
}

fn name_of(chain: &Chain, length: usize) -> String {
    format!("{}{length}", chain.name)
}

fn played(model: &str) -> String {
    format!("{model} played")
}

/// The FMU of a model's tape.
fn played_fmu(name: &str) -> Fmu {
    let model = MODELS.model(name).expect("a model");
    let traced = MODELS.trace(model).unwrap_or_else(|error| panic!("{error}"));
    own::interpreted(&traced, &target().join("bench/played"))
}

fn by_hand(model: &str) -> String {
    format!("{model} by hand")
}

fn main() {
    let wanted: Vec<String> = std::env::args().skip(1).collect();
    let mut candidates = candidates(&wanted);
    for round in 1..=ROUNDS {
        if std::io::stderr().is_terminal() {
            eprint!("\rround {round} of {ROUNDS} ");
        }
        candidates.iter_mut().for_each(Candidate::measure);
    }
    if std::io::stderr().is_terminal() {
        eprintln!();
    }
    candidates.iter_mut().for_each(Candidate::count);
    print(&candidates);
    print_growth(&candidates);
    print_evaluations(&candidates);
    if wanted.is_empty() {
        builds::all();
    }
}

fn print(candidates: &[Candidate]) {
    println!("tolerance {TOLERANCE:e}, communication step {H} s, shortest of {ROUNDS} runs");
    println!(
        "{:20} {:>8} {:>6} {:>8} {:>6} {:>6} {:>6} {:>9} {:>11} {:>11}",
        "",
        "ns/step",
        "ratio",
        "ns/rhs",
        "steps",
        "rhs",
        "events",
        "start us",
        "library kB",
        "last value"
    );
    for candidate in candidates {
        let of = |name: &str| candidates.iter().find(|c| c.name == name);
        let compiled = candidate.name.strip_suffix(" played").and_then(of);
        let yardstick = compiled.or_else(|| of(&by_hand(&candidate.name)));
        let ratio = yardstick.map(|c| format!("{:.2}", candidate.nanoseconds / c.nanoseconds));
        let work = candidate.work;
        let size = std::fs::metadata(&candidate.library).map_or(0, |m| m.len());
        println!(
            "{:20} {:>8.1} {:>6} {:>8.1} {:>6} {:>6} {:>6} {:>9.1} {:>11.0} {:>11.6}",
            candidate.name,
            candidate.nanoseconds,
            ratio.unwrap_or_default(),
            candidate.per_evaluation(),
            work.of(SolverCount::Steps),
            work.of(SolverCount::Evaluations),
            work.of(SolverCount::StateEvents),
            candidate.start / 1e3,
            size as f64 / 1e3,
            candidate.last,
        );
    }
}

/// Prints how the time of the chains grows with their length: nanoseconds per step and per
/// evaluation of the right-hand side, both per part of the chain.
fn print_growth(candidates: &[Candidate]) {
    for chain in &CHAINS {
        for &length in chain.lengths {
            let name = name_of(chain, length);
            let find = |name: &str| candidates.iter().find(|c| c.name == name);
            let Some(model) = find(&name) else { continue };
            let each = |value: f64| value / length as f64;
            let part = chain.part;
            let (step, evaluation) = (each(model.nanoseconds), each(model.per_evaluation()));
            print!("{name:20} {step:>8.2} ns/step/{part}, {evaluation:.1} ns/rhs/{part}");
            match find(&by_hand(&name)) {
                Some(yardstick) => println!(
                    "; by hand {:.2}, {:.1}",
                    each(yardstick.nanoseconds),
                    each(yardstick.per_evaluation()),
                ),
                None => println!(),
            }
        }
    }
}

/// Prints the times of the right-hand side alone, compiled and played.
fn print_evaluations(candidates: &[Candidate]) {
    for candidate in candidates.iter().filter(|c| PLAYED.contains(&&*c.name)) {
        let Some(tape) = candidates.iter().find(|c| c.name == played(&candidate.name)) else {
            continue;
        };
        let [ours, theirs] = [candidate, tape].map(|c| evaluations::nanoseconds(&c.fmu));
        let (name, ratio) = (&candidate.name, theirs / ours);
        println!("{name:20} {ours:>8.1} ns/rhs, played {theirs:.1}: {ratio:.1} times");
    }
}
