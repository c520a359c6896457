//! Measures every FMU next to the hand-written yardsticks: `cargo xtask bench` runs it.
//!
//! The host is the compiled C harness. A step is fmi2DoStep and fmi2GetReal of one value; each figure
//! is the shortest of several repetitions, and models and yardsticks take turns, so that a slow
//! moment of the machine does not hit one of them alone.

use std::path::PathBuf;

use coupler_tests::harness::{bits, quote};
use coupler_tests::{Fmu, Harness, Status, target};

/// Communication step in s and relative tolerance of all measurements.
const H: f64 = 1e-3;
const TOLERANCE: f64 = 1e-6;
const ROUNDS: usize = 15;

/// Something to measure.
struct Candidate {
    name: String,
    library: PathBuf,
    guid: String,
    stop: f64,
    /// The value reference that is read after each step.
    reference: u32,
    /// Boolean inputs that are set to true and Real inputs to their value, by value reference.
    booleans: Vec<u32>,
    reals: Vec<(u32, f64)>,
    nanoseconds: f64,
    start: f64,
}

/// The models that have a yardstick: `tests/yardsticks/<name>`.
const YARDSTICKS: [&str; 1] = ["Fourbar2"];

fn candidates(wanted: &[String]) -> Vec<Candidate> {
    let mut all = Vec::new();
    for fmu in Fmu::all() {
        if !wanted.is_empty() && !wanted.iter().any(|w| w == fmu.name()) {
            continue;
        }
        // The unpacked library must outlive the FMU.
        let library = target().join("bench").join(format!("{}.so", fmu.name()));
        std::fs::create_dir_all(target().join("bench")).expect("a folder for libraries");
        std::fs::copy(fmu.library(), &library).expect("a copy of the library");
        let signals = fmu.signals();
        let first = fmu.variable(signals[0]).value_reference;
        let candidate = |name: String, library, guid| Candidate {
            name,
            library,
            guid,
            stop: fmu.stop_time(),
            reference: first,
            booleans: Vec::new(),
            reals: Vec::new(),
            nanoseconds: f64::INFINITY,
            start: f64::INFINITY,
        };
        all.push(candidate(fmu.name().to_owned(), library, fmu.description.guid.clone()));
        if YARDSTICKS.contains(&fmu.name()) {
            let file = format!("release/libyardstick_{}.so", fmu.name().to_lowercase());
            let library = target().join(file);
            let mut yardstick =
                candidate(format!("{} by hand", fmu.name()), library, "yardstick".to_owned());
            yardstick.reference = 0;
            all.push(yardstick);
        }
    }
    all
}

/// One simulation of a candidate, timed.
fn measure(candidate: &mut Candidate) {
    let harness = Harness::load(&candidate.library);
    let guid = quote(Some(&candidate.guid));
    let call = |command: &str| {
        let answer = harness.call(command);
        let name = &candidate.name;
        assert_eq!(answer.status(), Status::Ok, "{name}: {command}: {:?}", harness.log());
        answer
    };
    call(&format!("instantiate 0 1 =bench {guid} - 2 0 0"));
    call(&format!("setup 0 1 {} {} 0 0", bits(TOLERANCE), bits(0.0)));
    candidate.booleans.iter().for_each(|vr| {
        call(&format!("set_boolean 0 1 {vr} 1"));
    });
    candidate.reals.iter().for_each(|(vr, value)| {
        call(&format!("set_real 0 1 {vr} {}", bits(*value)));
    });
    call("enter_initialization 0");
    call("exit_initialization 0");
    let steps = (candidate.stop / H).floor();
    let run = format!("stop_watch 0 {} {} {steps} {}", bits(0.0), bits(H), candidate.reference);
    candidate.nanoseconds = candidate.nanoseconds.min(call(&run).reals(0)[0]);
    let start = call(&format!("start_watch 1 {guid} 50")).reals(0)[0];
    candidate.start = candidate.start.min(start);
}

fn main() {
    let wanted: Vec<String> = std::env::args().skip(1).collect();
    let mut candidates = candidates(&wanted);
    for round in 1..=ROUNDS {
        eprint!("\rround {round} of {ROUNDS}");
        candidates.iter_mut().for_each(measure);
    }
    eprintln!();
    println!("tolerance {TOLERANCE:e}, communication step {H} s, shortest of {ROUNDS} runs");
    println!("{:24} {:>9} {:>7} {:>10} {:>12}", "", "ns/step", "ratio", "start us", "library kB");
    for candidate in &candidates {
        let yardstick = format!("{} by hand", candidate.name);
        let by_hand = candidates.iter().find(|c| c.name == yardstick);
        let ratio = by_hand.map(|c| format!("{:.2}", candidate.nanoseconds / c.nanoseconds));
        let size = std::fs::metadata(&candidate.library).map_or(0, |m| m.len());
        println!(
            "{:24} {:>9.1} {:>7} {:>10.1} {:>12.0}",
            candidate.name,
            candidate.nanoseconds,
            ratio.unwrap_or_default(),
            candidate.start / 1e3,
            size as f64 / 1e3,
        );
    }
}
