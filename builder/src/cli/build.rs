//! `fmu build`: builds FMUs of models; it also finds the FMU for a name in other commands.

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Result, anyhow};

use super::arguments::BuildOptions;
use super::output::{folder, print_line, shown, with_notice};
use crate::child_process;
use crate::fmu::Fmu;
use crate::models::{ModelCode, Package, Scene, Traced};
use crate::{build, folders};

/// Builds FMUs, and prints their paths.
pub fn build(package: &Package, b: &BuildOptions) -> Result<()> {
    let every = || package.models.iter().map(|model| model.name.to_owned()).collect();
    let names: Vec<String> = if b.all { every() } else { b.models.clone() };
    if names.is_empty() {
        return Err(anyhow!("{} has no models yet", package.name));
    }
    b.out.as_deref().map_or(Ok(()), folder)?;
    let models = names
        .iter()
        .map(|name| traced(package, name, Scene::IfAsked))
        .collect::<Result<Vec<_>>>()?;
    let options = options(package, b.target.clone(), b.out.clone());
    let make = if b.interpreted { build::interpreted } else { build::compiled };
    let built = make(&models, &options)?;
    built.iter().try_for_each(|path| print_line(&shown(path)))
}

/// The options of a build: those of the command line, or else the folders of the workspace.
fn options(package: &Package, target: Option<String>, out: Option<PathBuf>) -> build::Options {
    let compiled = folders::compiled(Path::new(package.folder));
    build::Options { target, out: out.unwrap_or_else(folders::results), compiled }
}

/// A model of a package, traced; its notes are printed as warnings.
fn traced(package: &Package, name: &str, scene: Scene) -> Result<Traced> {
    let model = package.model(name)?;
    child_process::runs(&format!("the text of the model {}", model.name));
    let name = model.name;
    let notice = format!(
        "{name}: evaluating the model text src/{name}.rs takes longer than {} s; Ctrl-C ends it",
        PATIENCE.as_secs()
    );
    let traced = with_notice(PATIENCE, notice, || package.trace_with(model, scene))?;
    match traced.code {
        ModelCode::Program(_) => child_process::runs(LIBRARY),
        ModelCode::HandWritten(_) => child_process::runs(&format!("the system {}", model.name)),
    }
    for note in traced.code.notes() {
        // A closed standard error is not a failure.
        let _ = writeln!(io::stderr(), "warning: {}: {note}", traced.name);
    }
    Ok(traced)
}

/// The time after which a model text that is still being evaluated is announced: it may not end.
const PATIENCE: Duration = Duration::from_secs(10);

/// The code that runs when the FMU is used.
const LIBRARY: &str = "the library of the FMU";

/// The FMU in a file, or that of a model, which is built first unless it is interpreted.
/// Hand-written systems are already part of this program. An FMU with a scene that its text does
/// not ask for has a folder of its own, so that it never replaces the one of `fmu build`.
pub fn find(package: &Package, model: &str, interpreted: bool, scene: Scene) -> Result<Fmu> {
    let path = Path::new(model);
    let is_fmu = path.extension().is_some_and(|e| e.eq_ignore_ascii_case("fmu"));
    if is_fmu || path.is_file() {
        if interpreted {
            return Err(anyhow!("{model} is an FMU: only models can be interpreted"));
        }
        child_process::runs(LIBRARY);
        return Ok(Fmu::open(path)?);
    }
    let traced = traced(package, model, scene)?;
    if interpreted || matches!(traced.code, ModelCode::HandWritten(_)) {
        return Ok(build::played(&traced)?);
    }
    let out = (scene == Scene::Always).then(|| folders::results().join("with-scene"));
    let built = build::compiled(&[traced], &options(package, None, out))?;
    Ok(Fmu::open(&built[0])?)
}
