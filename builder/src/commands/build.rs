//! Makes FMUs from traced models: with a library that is compiled for the model, or with the player
//! and a tape.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use equations::Program;

use crate::commands::report;
use crate::libraries::Compiled;
use crate::libraries::compiler::{Compiler, Crate, Profile};
use crate::libraries::players::{Player, Players};
use crate::libraries::toolchain::{self, Toolchain};
use crate::models::{ModelCode, Traced};
use crate::models::{diagram, documentation, hand_written, licenses, model_description};
use check;
use fmus::archive::{self, Entry};
use fmus::error::{Error, FileContext};
use fmus::fmu::{Fmu, Implementation};
use fmus::platform::{Platform, Target};

mod extended;
mod reference;

pub use extended::{extended, has_tape};

/// The targets of a build, and its folders.
#[derive(Clone, Debug)]
pub struct Options {
    /// What libraries are built for, at least one target.
    pub targets: Vec<Target>,
    /// The folder for FMUs.
    pub out: PathBuf,
    /// The folder for compiled libraries.
    pub compiled: PathBuf,
    /// Whether FMUs contain the report of their default experiment.
    pub report: bool,
    /// Whether FMUs contain the result of their default experiment, with these inputs.
    pub reference: Option<ReferenceInputs>,
}

/// The inputs of the default experiment.
#[derive(Clone, Debug)]
pub enum ReferenceInputs {
    /// Those at the start.
    Constant,
    /// A table over time, which belongs to all models of the build.
    Table(PathBuf),
}

/// Builds FMUs with compiled libraries, by one run of cargo for each target; the paths are in the
/// order of the models.
///
/// # Errors
/// If there is no compiler for a target, or if an FMU would break the rules of FMI.
pub fn compiled(models: &[Traced], options: &Options) -> Result<Vec<PathBuf>, Error> {
    if models.is_empty() {
        return Ok(Vec::new());
    }
    // Problems that would prevent the last step are reported before the long compilation.
    let found = options.targets.iter().try_for_each(|target| Toolchain::find(target).map(|_| ()));
    found.map_err(|error| without_rust(models, error))?;
    let references = references(models, options)?;
    let crates: Vec<Crate> = models.iter().map(crate_of).collect();
    fs::create_dir_all(&options.out).attempt("create", &options.out)?;
    let mut built: Vec<Vec<(&Platform, Compiled)>> = models.iter().map(|_| Vec::new()).collect();
    for target in &options.targets {
        let libraries =
            Compiler::below(&options.compiled, target)?.compile(Profile::Models, &crates)?;
        for (of_model, library) in built.iter_mut().zip(libraries) {
            of_model.push((&target.platform, library));
        }
    }
    let pack = |((model, reference), libraries): (_, Vec<(&Platform, Compiled)>)| {
        let terms = licenses::merged(libraries.iter().map(|(_, library)| library.terms.as_str()));
        let mut entries = with_reference(model, &terms, reference)?;
        let name = &model.code.description().name;
        let entry = |(platform, made): (&Platform, Compiled)| library(platform, name, made.bytes);
        entries.extend(libraries.into_iter().map(entry));
        write(entries, options)
    };
    models.iter().zip(references).zip(built).map(pack).collect()
}

/// The files with the results of the default experiments of models, if they are wanted.
fn references(models: &[Traced], options: &Options) -> Result<Vec<Vec<Entry>>, Error> {
    let of_model = |model: &Traced| match &options.reference {
        None => Ok(Vec::new()),
        Some(ReferenceInputs::Constant) => reference::entries(model, None),
        Some(ReferenceInputs::Table(file)) => reference::entries(model, Some(file)),
    };
    models.iter().map(of_model).collect()
}

/// The contents of the FMU of a model, with the result of its default experiment.
fn with_reference(
    model: &Traced,
    embedded: &str,
    reference: Vec<Entry>,
) -> Result<Vec<Entry>, Error> {
    let mut entries = contents(model, embedded)?;
    if !reference.is_empty() {
        reference::add(reference, &mut entries);
    }
    Ok(entries)
}

/// The FMU of a model with a scene, with a library for this machine and without an archive.
///
/// The code with a scene differs from the code without it. With one crate name for both, each build
/// would compile again what the other build had replaced, so the crate with a scene has its own
/// name.
///
/// # Errors
/// As [`compiled`].
pub fn animated(model: &Traced, compiled: &Path) -> Result<Fmu, Error> {
    let target = Target::this_machine();
    let mut crate_of_model = crate_of(model);
    // Names of models have no hyphens.
    crate_of_model.name.push_str("-scene");
    let compiler = Compiler::below(compiled, &target);
    let compiler = compiler.map_err(|error| without_rust(std::slice::from_ref(model), error))?;
    let built = compiler.compile(Profile::Models, &[crate_of_model])?;
    let mut entries = contents(model, "")?;
    let name = &model.code.description().name;
    let entry = |made: Compiled| library(&target.platform, name, made.bytes);
    entries.extend(built.into_iter().map(entry));
    checked(&entries, true)
}

/// Builds FMUs of players and tapes; the paths are in the order of the models. No other program
/// runs, except to compile a player once.
///
/// # Errors
/// If there is no player for a target, or if an FMU would break the rules of FMI.
pub fn interpreted(models: &[Traced], options: &Options) -> Result<Vec<PathBuf>, Error> {
    // Systems without a program are reported before the player is compiled.
    models.iter().try_for_each(|model| model.program().map(|_| ()))?;
    let references = references(models, options)?;
    let players = players(&options.targets, &options.compiled)?;
    let terms = licenses::merged(players.iter().map(|player| player.terms.as_str()));
    let pack = |(model, reference): (&Traced, Vec<Entry>)| {
        let mut entries = with_reference(model, &terms, reference)?;
        let name = &model.code.description().name;
        let entry = |player: &Player| library(&player.platform, name, player.library.as_slice());
        entries.extend(players.iter().map(entry));
        entries.push(tape(model, model.program()?));
        write(entries, options)
    };
    models.iter().zip(references).map(pack).collect()
}

/// The error that there is no toolchain; without Rust, it says what is possible.
fn without_rust(models: &[Traced], error: Error) -> Error {
    let has_tapes = models.iter().all(|model| model.program().is_ok());
    match error {
        Error::Build(reason) if has_tapes && !toolchain::has_rust() => {
            Error::Build(format!("{reason} (--interpreted needs none)"))
        }
        other => other,
    }
}

/// The players for targets.
fn players(targets: &[Target], compiled: &Path) -> Result<Vec<Player>, Error> {
    let players = Players::of(compiled);
    targets.iter().map(|target| players.find(target)).collect()
}

/// The library of a model for a platform.
fn library(platform: &Platform, name: &str, bytes: impl Into<Vec<u8>>) -> Entry {
    Entry::new(format!("binaries/{}/{}", platform.folder(), platform.file(name)), bytes)
}

/// The FMU of a model's tape, which this process plays, or of a system that this program contains;
/// nothing is built or packed.
///
/// # Errors
/// If there is no folder for its files.
pub fn played(model: &Traced) -> Result<Fmu, Error> {
    let mut entries = contents(model, "")?;
    match &model.code {
        ModelCode::Program(program) if program.controllers().next().is_some() => {
            let taped: &'static Arc<_> = Box::leak(Box::new(Arc::new(program.taped())));
            Fmu::of(&entries, Implementation::Here(taped))
        }
        ModelCode::Program(program) => {
            entries.push(tape(model, program));
            Fmu::of(&entries, Implementation::Tape)
        }
        ModelCode::HandWritten(described) => {
            Fmu::of(&entries, Implementation::Here(described.model))
        }
    }
}

fn tape(model: &Traced, program: &Program) -> Entry {
    let name = &model.code.description().name;
    let path = format!("resources/{name}.{}", player::EXTENSION);
    Entry::new(path, program.taped().to_bytes())
}

/// Emitted code above this size, in bytes, takes the compiler several seconds. It is then compiled
/// in two units in parallel, at the cost of a few calls that are not inlined.
const LARGE: usize = 500_000;

/// The crate of a model: its equations, exported as an FMU.
fn crate_of(model: &Traced) -> Crate {
    let text = match &model.code {
        ModelCode::Program(program) => {
            format!("{}\nfmu_runtime::export!(Model);\n", equations::emit(program))
        }
        ModelCode::HandWritten(described) => hand_written::library(described),
    };
    let units = if text.len() < LARGE { 1 } else { 2 };
    Crate { name: model.name.clone(), text, dependencies: &["fmu-runtime"], units }
}

/// The contents of every FMU of a model, except for its library.
fn contents(model: &Traced, embedded: &str) -> Result<Vec<Entry>, Error> {
    let description = model.code.description();
    let diagram = model.code.diagram();
    let page = documentation::page(description, &model.metadata, diagram.as_ref());
    let mut entries = vec![
        Entry::new("modelDescription.xml", model_description::write(description, &model.metadata)?),
        Entry::new(documentation::FILE, page),
        Entry::new("model.png", include_bytes!("icon.png")),
        licenses::entry(&model.terms, embedded),
    ];
    if let Some(diagram) = &diagram {
        let text = diagram.text().map_err(Error::Build)?;
        entries.push(Entry::new(diagram::FILE, text));
    }
    if let Some(folder) = &model.resources {
        add_folder(folder, "resources", &mut entries)?;
    }
    let made = model.code.resources().iter();
    entries.extend(made.map(|(file, text)| Entry::new(format!("resources/{file}"), text.as_str())));
    Ok(entries)
}

/// Writes an FMU unless it breaks rules. If this machine is among the targets, the check also
/// creates instances.
fn write(mut entries: Vec<Entry>, options: &Options) -> Result<PathBuf, Error> {
    let runs_here = options.targets.iter().any(Target::runs_here);
    let fmu = checked(&entries, runs_here)?;
    let path = options.out.join(format!("{}.fmu", fmu.description.model_name));
    if options.report {
        add_report(&fmu, &mut entries)?;
    }
    archive::write(&path, entries)?;
    Ok(path)
}

/// The FMU of files, unless it breaks rules. If it runs here, it must make instances.
fn checked(entries: &[Entry], runs_here: bool) -> Result<Fmu, Error> {
    let fmu = Fmu::of(entries, Implementation::Library)?;
    let description = entries.iter().find(|entry| entry.path == "modelDescription.xml");
    let findings = description.map(|entry| check::description(&entry.bytes)).unwrap_or_default();
    let name = Path::new(&fmu.description.model_name);
    check::refuse(name, findings)?;
    if runs_here {
        check::refuse(name, check::instantiates(&fmu))?;
    }
    Ok(fmu)
}

/// Adds the report of the default experiment, and a link to it.
fn add_report(fmu: &Fmu, entries: &mut Vec<Entry>) -> Result<(), Error> {
    let page = report::lasting(fmu)?;
    let text = "Report of this experiment";
    for entry in entries.iter_mut().filter(|entry| entry.path == documentation::FILE) {
        let page = String::from_utf8_lossy(&entry.bytes);
        entry.bytes = documentation::linked(&page, "report.html", text).into_bytes();
    }
    entries.push(Entry::new(documentation::REPORT, page));
    Ok(())
}

/// Adds the files of a folder and of its subfolders, except hidden ones.
fn add_folder(folder: &Path, prefix: &str, entries: &mut Vec<Entry>) -> Result<(), Error> {
    for entry in fs::read_dir(folder).attempt("read", folder)? {
        let path = entry.attempt("read", folder)?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if name.starts_with('.') {
            continue;
        }
        let inside = format!("{prefix}/{name}");
        if path.is_dir() {
            add_folder(&path, &inside, entries)?;
        } else {
            entries.push(Entry::new(inside, fs::read(&path).attempt("read", &path)?));
        }
    }
    Ok(())
}
