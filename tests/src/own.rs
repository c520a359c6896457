//! Models that only one test uses, with their simulations and FMUs.

use std::path::Path;

use equations::{Language, Program, compile_named};
use fmu_builder::build;
use fmu_builder::models::{Traced, camel_case};
use fmu_builder::platform::Target;
use fmu_runtime::Simulation;

use crate::{Fmu, simulations, target};

/// The program of a model text.
pub fn program<L: Language>(name: &str, text: impl FnOnce(&mut L)) -> Program {
    let program = compile_named(&camel_case(name), "A model of a test.", |m| L::trace(text, m));
    program.unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// A model text, traced.
pub fn traced<L: Language>(name: &str, text: impl FnOnce(&mut L)) -> Traced {
    Traced::of(name, program(name, text))
}

/// A simulation of a model text before its start.
pub fn simulation<L: Language>(name: &str, text: impl FnOnce(&mut L)) -> Simulation {
    simulations::of(&traced(name, text))
}

/// Builds the FMUs of programs in a folder, with compiled libraries.
pub fn compiled_all(programs: Vec<(String, Program)>, folder: &Path) -> Vec<Fmu> {
    let traced = programs.into_iter().map(|(name, program)| Traced::of(&name, program));
    compiled(&traced.collect::<Vec<_>>(), folder)
}

/// Builds the FMUs of models in a folder, with compiled libraries.
pub fn compiled(models: &[Traced], folder: &Path) -> Vec<Fmu> {
    let built = build::compiled(models, &options(folder));
    let built = built.unwrap_or_else(|error| panic!("{error}"));
    built.iter().map(|path| Fmu::open(path)).collect()
}

/// Builds the FMU of a model's tape in a folder.
pub fn interpreted(model: &Traced, folder: &Path) -> Fmu {
    let built = build::interpreted(std::slice::from_ref(model), &options(folder));
    Fmu::open(&built.unwrap_or_else(|error| panic!("{error}"))[0])
}

/// The sentence with which a model is refused for players.
pub fn refused_by_players(model: &Traced, folder: &Path) -> String {
    let built = build::interpreted(std::slice::from_ref(model), &options(folder));
    built.err().map(|error| error.to_string()).unwrap_or_default()
}

fn options(folder: &Path) -> build::Options {
    let (out, compiled) = (folder.to_owned(), target().join("libraries"));
    build::Options {
        targets: vec![Target::this_machine()],
        out,
        compiled,
        report: false,
        reference: None,
    }
}
