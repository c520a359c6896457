//! Runs every FMU in the importers and checkers that are installed, and prints a table:
//! `cargo xtask importers` runs it.

use std::collections::BTreeMap;
use std::io::{IsTerminal, Write, stderr};
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use coupler_tests::Fmu;
use coupler_tests::installed::{Verdict, WAYS, Way};

/// The verdicts, by the indices of FMU and way.
type Verdicts = BTreeMap<(usize, usize), Verdict>;

fn main() -> ExitCode {
    let wanted: Vec<String> = std::env::args().skip(1).collect();
    let mut fmus = Fmu::compiled();
    if let Some(unknown) = wanted.iter().find(|name| fmus.iter().all(|fmu| fmu.name() != *name)) {
        eprintln!("there is no model {unknown}");
        return ExitCode::FAILURE;
    }
    fmus.retain(|fmu| wanted.is_empty() || wanted.iter().any(|name| name == fmu.name()));
    let installed = |way: &'static Way| way.tool.program().map(|program| (way, program));
    let ways: Vec<(&Way, PathBuf)> = WAYS.iter().filter_map(installed).collect();
    let verdicts = run(&fmus, &ways);
    let names: Vec<&str> = ways.iter().map(|(way, _)| way.name).collect();
    print(&fmus, &names, &verdicts);

    let mut unexpected = Vec::new();
    for ((i, j), verdict) in &verdicts {
        let (model, way) = (fmus[*i].name(), ways[*j].0);
        match (way.expected(model), verdict.complaints.first()) {
            (None, Some(first)) => unexpected.push(format!(
                "{model} in {}: {} complaints, the first: {first}",
                way.name,
                verdict.complaints.len()
            )),
            (Some(_), None) => unexpected.push(format!(
                "{model} in {}: complaints are expected, but there are none",
                way.name
            )),
            _ => (),
        }
        if let (Some(limit), Some(apart)) = (way.limit, verdict.difference)
            && (apart.is_nan() || apart > limit)
        {
            unexpected.push(format!("{model} in {}: {apart:.0e} from the harness", way.name));
        }
    }
    unexpected.iter().for_each(|line| println!("{line}"));
    if unexpected.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// Runs every FMU in every way, in parallel on all cores.
fn run(fmus: &[Fmu], ways: &[(&Way, PathBuf)]) -> Verdicts {
    let suits = |(i, j): &(usize, usize)| ways[*j].0.suits(&fmus[*i]);
    let pairs = (0..fmus.len()).flat_map(|i| (0..ways.len()).map(move |j| (i, j)));
    let runs: Vec<(usize, usize)> = pairs.filter(suits).collect();
    let next = AtomicUsize::new(0);
    let work = || {
        let mut verdicts = Verdicts::new();
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            let Some(&(i, j)) = runs.get(number) else { return verdicts };
            let (way, program) = &ways[j];
            show(number, runs.len(), &format!("{} in {}", fmus[i].name(), way.name));
            verdicts.insert((i, j), way.run(program, &fmus[i]));
        }
    };
    let cores = thread::available_parallelism().map_or(1, usize::from);
    let verdicts = thread::scope(|scope| {
        let workers: Vec<_> = (0..cores).map(|_| scope.spawn(work)).collect();
        workers.into_iter().flat_map(|worker| worker.join().expect("a worker")).collect()
    });
    show(runs.len(), runs.len(), "");
    if stderr().is_terminal() {
        eprintln!();
    }
    verdicts
}

/// Shows the progress as a bar, on a terminal.
fn show(done: usize, of: usize, what: &str) {
    if stderr().is_terminal() {
        let bar = "#".repeat(done * 30 / of.max(1));
        eprint!("\r[{bar:30}] {done}/{of} {what:55.55}");
        let _ = stderr().flush();
    }
}

fn print(fmus: &[Fmu], ways: &[&str], verdicts: &Verdicts) {
    println!("the largest difference from the harness over its range; e errors, w warnings");
    let cell = |i: usize, j: usize| verdicts.get(&(i, j)).map(Verdict::cell).unwrap_or_default();
    let width = |j: usize| {
        let cells = (0..fmus.len()).map(|i| cell(i, j).len());
        cells.chain([ways[j].len()]).max().unwrap_or_default()
    };
    let widths: Vec<usize> = (0..ways.len()).map(width).collect();
    let line = |first: &str, cells: Vec<String>| {
        let cells = cells.iter().zip(&widths).map(|(cell, width)| format!("  {cell:width$}"));
        println!("{}", format!("{first:30}{}", cells.collect::<String>()).trim_end());
    };
    line("", ways.iter().map(|way| (*way).to_owned()).collect());
    for (i, fmu) in fmus.iter().enumerate() {
        line(fmu.name(), (0..ways.len()).map(|j| cell(i, j)).collect());
    }
}
