//! `fmu build`: builds FMUs of models; it also finds the FMU for a name in other commands.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use anyhow::{Result, anyhow};
use equations::{Booleans, START_PREFIX, StartsAs};

use super::arguments::{BuildOptions, SimulationArguments};
use super::output::{folder, print_line, shown};
use super::sources::{Sources, warn};
use crate::commands::build::{self, ReferenceInputs};
use crate::models::front_end::ModelFile;
use crate::models::{ModelCode, Package, Scene, Traced, Variant};
use crate::own_files::folders;
use fmus::child_process;
use fmus::fmu::{Fmu, read_description};
use fmus::model_description::{Base, ModelDescription, ScalarVariable};
use fmus::platform::Target;

/// Builds FMUs, and prints their paths.
pub fn build(sources: &Sources<'_>, b: &BuildOptions) -> Result<()> {
    if !b.add_platform.is_empty() {
        return extend(sources, b);
    }
    let package = sources.package;
    let every = || package.models.iter().map(|model| model.name.to_owned()).collect();
    let names: Vec<String> = if b.all { every() } else { b.models.clone() };
    if names.is_empty() {
        return Err(anyhow!("{} has no models yet", package.name));
    }
    b.out.as_deref().map_or(Ok(()), folder)?;
    let (booleans, starts) = (b.booleans.map(Booleans::from), b.starts.map(StartsAs::from));
    let variant = Variant {
        booleans: booleans.unwrap_or_default(),
        starts: starts.unwrap_or_default(),
        ..Variant::default()
    };
    let traced = |name: &String| {
        sources.traced(&ModelFile::new(Path::new(name), b.class.as_deref()), variant)
    };
    let models = names.iter().map(traced).collect::<Result<Vec<_>>>()?;
    models.iter().for_each(|model| warn(model, &model.note_at_start()));
    let by_hand = |model: &&Traced| matches!(model.code, ModelCode::HandWritten(_));
    if let Some(model) = models.iter().find(by_hand) {
        if booleans.is_some() {
            return Err(anyhow!(
                "{}: --booleans does not apply to a system written by hand, whose variables have \
                 the types that its text declares",
                model.name
            ));
        }
        if starts.is_some() {
            return Err(anyhow!(
                "{}: --starts does not apply to a system written by hand, whose text declares all \
                 parameters",
                model.name
            ));
        }
    }
    let targets = match &b.target {
        Some(triple) => vec![Target::of_triple(triple)],
        None if b.platform.is_empty() => vec![Target::this_machine()],
        None => targets(b.platform.clone())?,
    };
    if b.with_report && !targets.iter().any(Target::runs_here) {
        let here = Target::this_machine().platform;
        return Err(anyhow!(
            "--with-report simulates the model here, which needs the platform {}",
            here.folder()
        ));
    }
    let mut options = options(package, targets, b.out.clone())?;
    options.report = b.with_report;
    options.reference = match &b.reference_input {
        Some(file) => Some(ReferenceInputs::Table(file.clone())),
        None => b.with_reference.then_some(ReferenceInputs::Constant),
    };
    let is_file = |name: &String| sources.front_end(Path::new(name)).is_some();
    let mut played = names.iter().map(|name| b.interpreted || (is_file(name) && !b.compiled));
    let (interpreted, compiled): (Vec<Traced>, Vec<Traced>) =
        models.into_iter().partition(|_| played.next().unwrap_or_default());
    let mut built = build::compiled(&compiled, &options)?;
    if !interpreted.is_empty() {
        built.extend(build::interpreted(&interpreted, &options)?);
    }
    built.iter().try_for_each(|path| print_line(&shown(path)))
}

/// Puts players into existing FMUs, and prints their paths.
fn extend(sources: &Sources<'_>, b: &BuildOptions) -> Result<()> {
    let package = sources.package;
    let options = options(package, targets(b.add_platform.clone())?, None)?;
    for file in &b.models {
        let path = Path::new(file);
        if package.model(file).is_ok() && !path.exists() {
            return Err(anyhow!(
                "--add-platform takes files such as {file}.fmu; to build the model {file}, use \
                 --platform"
            ));
        }
        let model = match build::has_tape(path)? {
            true => None,
            false => {
                let description = read_description(path)?;
                let name = description.model_name.clone();
                let of_package = package.models.iter().find(|model| model.fmi_name() == name);
                let model = of_package.ok_or_else(|| {
                    let package = package.name;
                    anyhow!("{file} has no tape, and {package} has no model {name} to make it from")
                })?;
                Some(sources.traced(
                    &ModelFile::new(Path::new(model.name), None),
                    variant_of(&description),
                )?)
            }
        };
        build::extended(path, model.as_ref(), &options)?;
        print_line(&shown(path))?;
    }
    Ok(())
}

/// The choices with which an FMU was built, as far as they matter.
fn variant_of(description: &ModelDescription) -> Variant {
    let variables = &description.variables;
    let local = |v: &ScalarVariable| v.base == Base::Boolean && v.causality == "local";
    let booleans = match variables.iter().any(local) {
        true => Booleans::Boolean,
        false => Booleans::Integer,
    };
    let is_start = |v: &ScalarVariable| {
        let of = v.name.strip_prefix(START_PREFIX);
        v.causality == "parameter"
            && of.is_some_and(|name| variables.iter().any(|other| other.name == name))
    };
    let starts = match variables.iter().any(is_start) {
        true => StartsAs::Parameters,
        false => StartsAs::Variables,
    };
    Variant { booleans, starts, ..Variant::default() }
}

/// The targets for the names of platforms, each once.
pub fn targets(names: Vec<String>) -> Result<Vec<Target>> {
    let mut targets: Vec<Target> = Vec::new();
    for name in names {
        let named = match name.as_str() {
            "all" => Target::all(),
            name => vec![Target::of_folder(name).map_err(|reason| anyhow!(reason))?],
        };
        for target in named {
            if !targets.contains(&target) {
                targets.push(target);
            }
        }
    }
    Ok(targets)
}

/// The options of a build: those of the command line, or else the folders of the workspace.
pub fn options(
    package: &Package,
    targets: Vec<Target>,
    out: Option<PathBuf>,
) -> Result<build::Options> {
    let (out, compiled) =
        (out.unwrap_or_else(folders::results), folders::compiled(&package.source()?));
    Ok(build::Options { targets, out, compiled, report: false, reference: None })
}

/// The FMU in a file, or the FMU of a model, which is built first unless it is interpreted, as
/// models in files always are. Hand-written systems are already part of this program. An FMU with a
/// scene for a report is not kept, because it would replace the FMU that is shipped.
pub fn find(
    sources: &Sources<'_>,
    model: &OsStr,
    simulation: &SimulationArguments,
    scene: Scene,
    variables: &[String],
) -> Result<Fmu> {
    let path = Path::new(model);
    let model = &*model.to_string_lossy();
    let is_model_file = sources.front_end(path).is_some();
    let is_fmu = path.extension().is_some_and(|e| e.eq_ignore_ascii_case("fmu"));
    if is_fmu || (path.is_file() && !is_model_file) {
        if simulation.interpreted {
            return Err(anyhow!("{model} is an FMU: only models can be interpreted"));
        }
        if simulation.class.is_some() {
            return Err(anyhow!("{model} is an FMU: it has no classes"));
        }
        child_process::runs(&format!("the library of {model}"));
        return Ok(Fmu::open(path)?);
    }
    let variant = Variant { scene, ..Variant::default() };
    let file = ModelFile { variables, ..ModelFile::new(path, simulation.class.as_deref()) };
    let traced = sources.traced(&file, variant)?;
    let is_interpreted = simulation.interpreted || is_model_file;
    if is_interpreted || matches!(traced.code, ModelCode::HandWritten(_)) {
        return Ok(build::played(&traced)?);
    }
    let options = options(sources.package, vec![Target::this_machine()], None)?;
    if scene == Scene::IfPossible && traced.code.has_scene() {
        return Ok(build::animated(&traced, &options.compiled)?);
    }
    let built = build::compiled(&[traced], &options)?;
    Ok(Fmu::open(&built[0])?)
}
