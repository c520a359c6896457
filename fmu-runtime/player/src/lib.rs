//! The library of an FMU whose program is a tape: the run time without a model.
//!
//! One library, which exports [`Player`], plays every model. `fmi2Instantiate` reads the one file
//! `*.tape` in the FMU's folder of resources; a program is read once and shared by all its
//! instances.

mod programs;

use fmu_runtime::equations::{LoadedModel, ModelLoader};
use fmu_runtime::fmi2::Functions;
use fmu_runtime::resources;
use program::MAX_FILE;
use std::ffi::CStr;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// The extension of the names of tape files.
pub const EXTENSION: &str = "tape";

/// The folder with the sources of this crate, for those who compile them again.
pub const FOLDER: &str = fmu_runtime::kernels::folder!();

/// Finds the model of an FMU in its folder of resources.
pub struct Player;

impl ModelLoader for Player {
    fn model(location: Option<&CStr>) -> Result<LoadedModel, String> {
        let folder = resources::folder(location, "a tape")?;
        let path = tape_in(&folder)?;
        let place = path.display().to_string();
        let named = |reason: String| format!("{place}: {reason}");
        let bytes = resources::read(&path, MAX_FILE).map_err(|error| named(error.to_string()))?;
        let model = programs::program(&bytes).map_err(|refused| named(refused.to_string()))?;
        Ok(LoadedModel { model, place })
    }
}

/// The functions of the player, for a host in the same process.
pub fn functions() -> Functions {
    fmu_runtime::abi::functions::<Player>()
}

/// The only tape in a folder.
fn tape_in(folder: &Path) -> Result<PathBuf, String> {
    let named = |reason: &dyn std::fmt::Display| format!("{}: {reason}", folder.display());
    let unreadable = |error: io::Error| match error.kind() {
        io::ErrorKind::NotFound => named(&"there is no such folder, and therefore no tape"),
        _ => named(&error),
    };
    let mut tapes = Vec::new();
    for entry in fs::read_dir(folder).map_err(unreadable)? {
        let path = entry.map_err(unreadable)?.path();
        if path.extension().is_some_and(|extension| extension == EXTENSION) && path.is_file() {
            tapes.push(path);
        }
    }
    tapes.sort();
    match &tapes[..] {
        [tape] => Ok(tape.clone()),
        [] => Err(named(&format_args!("there is no file *.{EXTENSION}"))),
        [first, second, ..] => {
            let name = |path: &Path| path.file_name().unwrap_or_default().display().to_string();
            let (first, second) = (name(first), name(second));
            Err(named(&format_args!("there are several tapes, {first} and {second}")))
        }
    }
}

/// The code in the README compiles and runs.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
mod readme {}
