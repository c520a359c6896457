//! Measures FMUs next to systems written by hand, and the error of results against the work that
//! they need: `cargo xtask bench` runs it.
//!
//! The host is the compiled C harness. A step is fmi2DoStep and fmi2GetReal of one value; each
//! figure is the shortest of several repetitions. Models and yardsticks alternate, so a slow phase
//! of the machine affects both.

use std::collections::BTreeSet;
use std::io::IsTerminal;
use std::process::ExitCode;

use coupler_tests::benchmarks::HEXAPOD_INPUTS;

use crate::candidate::Candidate;

mod accuracy;
mod builds;
mod candidate;
mod evaluations;
mod moving_inputs;
mod report;
mod rows;
mod timing;

/// Communication step in s and relative tolerance of all measurements.
const H: f64 = 1e-3;
const TOLERANCE: f64 = 1e-6;

/// Repetitions unless `--rounds` says otherwise.
const ROUNDS: usize = 15;

/// What is wanted.
struct Options {
    names: Vec<String>,
    flags: BTreeSet<String>,
    rounds: usize,
}

impl Options {
    const FLAGS: [&str; 4] = ["--accuracy", "--all", "--json", "--page"];

    fn read(mut words: impl Iterator<Item = String>) -> Result<Options, String> {
        let mut options = Options { names: Vec::new(), flags: BTreeSet::new(), rounds: ROUNDS };
        while let Some(word) = words.next() {
            match word.as_str() {
                "--rounds" => {
                    let rounds = words.next().and_then(|number| number.parse().ok());
                    options.rounds =
                        rounds.filter(|&n| n > 0).ok_or("--rounds needs a number above zero")?;
                }
                flag if Options::FLAGS.contains(&flag) => _ = options.flags.insert(word),
                flag if flag.starts_with('-') => return Err(format!("unknown option {flag}")),
                _ => options.names.push(word),
            }
        }
        Ok(options)
    }

    fn has(&self, flag: &str) -> bool {
        self.flags.contains(flag)
    }
}

fn main() -> ExitCode {
    let options = match Options::read(std::env::args().skip(1)) {
        Ok(options) => options,
        Err(sentence) => {
            eprintln!("error: {sentence}");
            return ExitCode::FAILURE;
        }
    };
    let known = if options.has("--accuracy") { accuracy::run(&options) } else { speed(&options) };
    if known {
        return ExitCode::SUCCESS;
    }
    eprintln!("error: none of these is measured: {}", options.names.join(", "));
    ExitCode::FAILURE
}

/// Measures speed; false if there is nothing to measure.
fn speed(options: &Options) -> bool {
    let (names, rounds) = (&options.names, options.rounds);
    let mut candidates = rows::candidates(names, options.has("--all"));
    if candidates.is_empty() {
        return false;
    }
    for round in 1..=rounds {
        let count = candidates.len();
        for (i, candidate) in candidates.iter_mut().enumerate() {
            progress(&format!(
                "round {round} of {rounds}, {} of {count}: {}",
                i + 1,
                candidate.name
            ));
            candidate.measure();
        }
    }
    progress("counting the work");
    candidates.iter_mut().for_each(Candidate::count);
    let mut rows = report::rows(&candidates);
    let hexapod = candidates.iter().find(|candidate| candidate.name == "Hexapod");
    if let Some(fmu) = hexapod.and_then(|candidate| candidate.fmu.as_ref()) {
        let times = moving_inputs::measure(fmu, &HEXAPOD_INPUTS, rounds);
        rows.extend(report::moving_inputs("Hexapod", times));
    }
    progress("");
    if options.has("--page") {
        report::write_page("speed", &report::markdown(&rows));
    }
    if options.has("--json") {
        println!("{:#}", report::json(&rows, rounds));
        return true;
    }
    print!("{}", report::text(&rows, rounds));
    print_evaluations(&candidates);
    if options.has("--all") {
        builds::all();
    }
    true
}

/// Shows what is being done: in a terminal on one line, which is overwritten.
fn progress(what: &str) {
    if std::io::stderr().is_terminal() {
        eprint!("\r{what:60}");
        if what.is_empty() {
            eprint!("\r");
        }
    }
}

/// Prints the times of the right-hand side alone, compiled and played.
fn print_evaluations(candidates: &[Candidate]) {
    let fmu_of = |name: &str| candidates.iter().find(|c| c.name == name)?.fmu.as_ref();
    for candidate in candidates {
        let played = format!("{} played", candidate.name);
        let (Some(compiled), Some(tape)) = (fmu_of(&candidate.name), fmu_of(&played)) else {
            continue;
        };
        let [ours, theirs] = [compiled, tape].map(|fmu| evaluations::nanoseconds(fmu));
        let (name, ratio) = (&candidate.name, theirs / ours);
        println!("{name:20} {ours:>8.1} ns/rhs, played {theirs:.1}: {ratio:.1} times");
    }
}
