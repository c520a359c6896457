//! Measures the time from model texts to FMUs.

use std::fs;
use std::path::Path;
use std::time::Instant;

use coupler_tests::chains::Chain;
use coupler_tests::{Fmu, own, target};
use fmu_builder::build::{self, Options};
use fmu_builder::models::Traced;
use fmu_builder::platform::Target;
use mechanics::Assembly;
use models::MODELS;

/// Builds the FMU of a chain; prints the times from the text to the tape, and to both FMUs.
pub fn chain(chain: &Chain, length: usize, folder: &Path) -> Fmu {
    let name = format!("{}{length}", chain.name);
    let begin = Instant::now();
    let program = own::program(chain.model, |m: &mut Assembly| (chain.text)(m, length));
    let instructions = program.taped().tape.code.len();
    let to_tape = begin.elapsed().as_secs_f64();
    let programs = vec![(chain.model.to_owned(), program)];
    let fmu = own::compiled_all(programs, folder).remove(0);
    let to_library = begin.elapsed().as_secs_f64();
    eprintln!(
        "{name}: tape of {instructions} instructions in {to_tape:.2} s, FMU in {to_library:.1} s"
    );
    fmu
}

/// Prints the times for all models: each as a tape, and all of them compiled.
pub fn all() {
    let folder = target().join("bench/builds");
    // Libraries that were compiled before would not be compiled again.
    let _ = fs::remove_dir_all(&folder);
    let compiled = folder.join("libraries");
    let options = |out: &str| {
        let (targets, out) = (vec![Target::this_machine()], folder.join(out));
        Options { targets, out, compiled: compiled.clone(), report: false, reference: None }
    };
    let traced = |name: &str| {
        let model = MODELS.model(name).expect("a model");
        MODELS.trace(model).unwrap_or_else(|error| panic!("{error}"))
    };
    let interpreted = |models: &[Traced]| {
        build::interpreted(models, &options("interpreted")).expect("FMUs of tapes")
    };
    interpreted(&[traced("first")]);
    let mut times: Vec<(f64, &str)> = Vec::new();
    for model in MODELS.models {
        let begin = Instant::now();
        interpreted(&[traced(model.name)]);
        times.push((begin.elapsed().as_secs_f64(), model.name));
    }
    times.sort_by(|a, b| b.0.total_cmp(&a.0));
    let sum: f64 = times.iter().map(|(time, _)| time).sum();
    let [(first, slowest), (second, next), ..] = times[..] else { unreachable!("many models") };
    println!(
        "FMUs of tapes from their texts: {} in {sum:.1} s; {slowest} {first:.2} s, {next} {second:.2} s",
        times.len()
    );
    build::compiled(&[traced("first")], &options("compiled")).expect("the dependencies");
    let begin = Instant::now();
    let all: Vec<Traced> = MODELS.models.iter().map(|model| traced(model.name)).collect();
    build::compiled(&all, &options("compiled")).expect("compiled FMUs");
    println!("compiled FMUs: {} in {:.0} s", all.len(), begin.elapsed().as_secs_f64());
}
