//! The models that commands know: those of the package, and files in the languages of front ends.

use std::io::{self, Write};
use std::path::Path;
use std::time::Duration;

use anyhow::{Result, anyhow};

use super::output::{one_line, quotation, remark, with_notice};
use crate::models::front_end::{FileModel, FrontEnd, FrontEnds, ModelFile};
use crate::models::{ModelCode, Package, Traced, Variant};
use fmus::child_process::{self, LIBRARY};

/// Where commands find models.
#[derive(Clone, Copy)]
pub struct Sources<'a> {
    /// The package, whose models have names.
    pub package: &'a Package,
    /// The languages of files.
    pub front_ends: FrontEnds<'a>,
}

impl<'a> Sources<'a> {
    /// The front end for the model with this name, usually that of a file. A name of a model of the
    /// package is that model, also if a folder has it.
    pub fn front_end(&self, name: &Path) -> Option<&'a dyn FrontEnd> {
        let mut front_ends = self.front_ends.iter().copied();
        let found = front_ends.find(|front_end| front_end.accepts(name));
        found.filter(|_| name.to_str().is_none_or(|name| self.package.model(name).is_err()))
    }

    /// A model, traced: a file, or a model of the package with a name. Its notes are printed as
    /// warnings.
    pub fn traced(&self, model: &ModelFile<'_>, variant: Variant) -> Result<Traced> {
        let name = model.path.to_string_lossy();
        let traced = match self.front_end(model.path) {
            Some(front_end) => of_file(front_end, model, variant)?,
            None if model.class.is_some() => return Err(not_a_file(&name)),
            None => self.of_package(&name, variant)?,
        };
        warn(&traced, traced.code.notes());
        Ok(traced)
    }

    fn of_package(&self, name: &str, variant: Variant) -> Result<Traced> {
        let model = self.package.model(name)?;
        child_process::runs(&format!("the text of the model {}", model.name));
        let name = model.name;
        let notice = format!(
            "{name}: evaluating the model text src/{name}.rs takes longer than {} s; Ctrl-C ends it",
            PATIENCE.as_secs()
        );
        let traced = with_notice(PATIENCE, notice, || self.package.trace_as(model, variant))?;
        match traced.code {
            ModelCode::Program(_) => child_process::runs(LIBRARY),
            ModelCode::HandWritten(_) => child_process::runs(&format!("the system {}", model.name)),
        }
        Ok(traced)
    }
}

/// The model of a file, traced.
fn of_file(front_end: &dyn FrontEnd, file: &ModelFile<'_>, variant: Variant) -> Result<Traced> {
    let path = file.path.display();
    let notice =
        format!("compiling {path} takes longer than {} s; Ctrl-C ends it", PATIENCE.as_secs());
    let traced = with_notice(PATIENCE, notice, || {
        let model = read(front_end, file)?;
        model.trace_as(variant).map_err(failure)
    })?;
    child_process::runs(LIBRARY);
    Ok(traced)
}

/// The model of a file.
pub fn read(front_end: &dyn FrontEnd, file: &ModelFile<'_>) -> Result<FileModel> {
    front_end.read(file).map_err(failure)
}

/// The error that a class is wanted of a model of the package.
pub fn not_a_file(name: &str) -> anyhow::Error {
    anyhow!("--class is for files: {name} is the name of a model")
}

/// Prints all lines but the last one, which is the error. Lines that begin with a blank are quoted
/// from a file.
pub fn failure(mut lines: Vec<String>) -> anyhow::Error {
    let last = lines.pop().unwrap_or_default();
    for line in &lines {
        match line.starts_with(' ') {
            true => quotation(line),
            false => remark(line),
        }
    }
    anyhow!(last)
}

/// Prints notes about a model.
pub fn warn<'a>(model: &Traced, notes: impl IntoIterator<Item = &'a String>) {
    for note in notes {
        // A closed standard error is not a failure.
        let _ = writeln!(io::stderr(), "{}", one_line(&format!("warning: {}: {note}", model.name)));
    }
}

/// The time after which a model text that is still being evaluated is announced: it may not end.
const PATIENCE: Duration = Duration::from_secs(10);
