//! Makes FMUs of traced models: each with a library that is compiled for it, or with the player and
//! a tape.

use std::fs;
use std::path::{Path, PathBuf};

use equations::Program;

use crate::archive::{self, Entry};
use crate::check;
use crate::error::{Error, FileContext};
use crate::fmu::{Fmu, Implementation};
use crate::libraries::compiler::{Compiled, Compiler, Crate};
use crate::libraries::players::Player;
use crate::models::{ModelCode, Traced};
use crate::{documentation, fmi, hand_written, licenses, model_description};

/// Where FMUs are built for and to.
#[derive(Clone, Debug)]
pub struct Options {
    /// The compiler's target; the machine's own unless given.
    pub target: Option<String>,
    /// The folder for FMUs.
    pub out: PathBuf,
    /// The folder for what is compiled.
    pub compiled: PathBuf,
}

/// Builds FMUs with compiled libraries, by one run of cargo; the paths are in the order of the
/// models.
///
/// # Errors
/// There is no compiler, or an FMU would break the rules of FMI.
pub fn compiled(models: &[Traced], options: &Options) -> Result<Vec<PathBuf>, Error> {
    let compiler = Compiler::below(&options.compiled)?;
    let target = options.target.as_deref().unwrap_or(compiler.host());
    let crates: Vec<Crate> = models.iter().map(crate_of).collect();
    // Before the long work, what would prevent its end.
    fs::create_dir_all(&options.out).attempt("create", &options.out)?;
    let built = compiler.compile(&crates, target)?;
    let (platform, extension) = fmi::platform(target);
    let pack = |(model, library): (&Traced, Compiled)| {
        let Compiled { bytes, terms } = library;
        let mut entries = contents(model, &terms)?;
        let file = format!("{}.{extension}", model.code.description().name);
        entries.push(Entry::new(format!("binaries/{platform}/{file}"), bytes));
        write(entries, target == compiler.host(), &options.out)
    };
    models.iter().zip(built).map(pack).collect()
}

/// Builds FMUs of the player and tapes; the paths are in the order of the models. Once there is a
/// player, no other program runs.
///
/// # Errors
/// There is no player, or an FMU would break the rules of FMI.
pub fn interpreted(models: &[Traced], options: &Options) -> Result<Vec<PathBuf>, Error> {
    // Before the long work, what has no program.
    models.iter().try_for_each(|model| model.program().map(|_| ()))?;
    let player = Player::find(&options.compiled, options.target.as_deref())?;
    let runs_here = fmi::this_machine().0.contains(&player.platform);
    let pack = |model: &Traced| {
        let Player { library, platform, extension, terms } = &player;
        let mut entries = contents(model, terms)?;
        let file = format!("{}.{extension}", model.code.description().name);
        entries.push(Entry::new(format!("binaries/{platform}/{file}"), library.as_slice()));
        entries.push(tape(model, model.program()?));
        write(entries, runs_here, &options.out)
    };
    models.iter().map(pack).collect()
}

/// The FMU of a model's tape, which this program plays, or of a system that this program contains:
/// nothing is built or packed.
///
/// # Errors
/// There is no place for its files.
pub fn played(model: &Traced) -> Result<Fmu, Error> {
    let mut entries = contents(model, "")?;
    match &model.code {
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

/// How many bytes of emitted code the compiler works on for seconds: two threads then share them,
/// which costs the one or other call that would be inlined.
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

/// What every FMU of a model has, but for its library.
fn contents(model: &Traced, embedded: &str) -> Result<Vec<Entry>, Error> {
    let description = model.code.description();
    let mut entries = vec![
        Entry::new("modelDescription.xml", model_description::write(description, &model.metadata)?),
        Entry::new("documentation/index.html", documentation::page(description, &model.metadata)),
        Entry::new("model.png", include_bytes!("icon.png")),
        licenses::entry(&model.terms, embedded),
    ];
    if let Some(folder) = &model.resources {
        add_folder(folder, "resources", &mut entries)?;
    }
    let made = model.code.resources().iter();
    entries.extend(made.map(|(file, text)| Entry::new(format!("resources/{file}"), text.as_str())));
    Ok(entries)
}

/// Writes an FMU, unless it breaks rules; `runs_here` lets it show that it makes instances.
fn write(entries: Vec<Entry>, runs_here: bool, folder: &Path) -> Result<PathBuf, Error> {
    let fmu = Fmu::of(&entries, Implementation::Library)?;
    let path = folder.join(format!("{}.fmu", fmu.description.model_name));
    let description = entries.iter().find(|entry| entry.path == "modelDescription.xml");
    let findings = description.map(|entry| check::description(&entry.bytes)).unwrap_or_default();
    check::refuse(&path, findings)?;
    if runs_here {
        check::refuse(&path, check::instantiates(&fmu))?;
    }
    archive::write(&path, entries)?;
    Ok(path)
}

/// Adds the files of a folder and of the folders in it, except hidden ones.
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
