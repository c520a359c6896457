//! Checks FMUs against the rules of FMI 2.0, each with its number.

use std::fs;
use std::path::{Path, PathBuf};

use crate::archive::unpack;
use crate::error::{Error, FileContext};
use crate::finding::{Finding, Severity};
use crate::fmi::FmuType;
use crate::fmu::Fmu;
use crate::model_description::ModelDescription;

mod additions;
mod aliases;
mod binary;
mod content;
mod definitions;
mod files;
mod model_structure;
mod model_variables;
mod rules;
mod schema;
mod source_files;
mod structured_names;
pub mod summary;
mod symbols;
#[cfg(test)]
mod tests;
pub mod trial;
pub mod trial_process;
mod zip;

pub use binary::{Interfaces, library};
pub use rules::description;

/// The rules that an FMU breaks, the worst first, by number. Its library is run by the program
/// `fmu`, in a process of its own, if that program is given.
///
/// # Errors
/// The file cannot be read, or is not an archive at all.
pub fn file(path: &Path, program: Option<&Path>) -> Result<Vec<Finding>, Error> {
    let mut findings = unsorted(path, program)?;
    findings.sort_by(|a, b| (a.severity, &a.rule).cmp(&(b.severity, &b.rule)));
    Ok(findings)
}

fn unsorted(path: &Path, program: Option<&Path>) -> Result<Vec<Finding>, Error> {
    let mut archive = unpack::open(path)?;
    let bytes = fs::read(path).attempt("read", path)?;
    let mut findings = zip::findings(&bytes);
    if path.extension().is_none_or(|e| e != "fmu") {
        findings.push(Finding::error("D001", "the name of the archive does not end in .fmu"));
    }
    let (files, unreadable) = files::read(&mut archive);
    let complete = unreadable.is_empty();
    findings.extend(unreadable);
    let Some(description) = files.get("modelDescription.xml") else { return Ok(findings) };
    findings.extend(self::description(description));
    let parsed = std::str::from_utf8(description).ok();
    let Some(Ok(parsed)) = parsed.map(ModelDescription::parse) else { return Ok(findings) };
    // An entry that cannot be read may be what seems to be missing.
    if complete {
        findings.extend(content::findings(&files, &parsed));
    }
    findings
        .extend(program.map(|program| trial_process::trial(program, path)).into_iter().flatten());
    Ok(findings)
}

/// Refuses a file that is being built if it violates the standard, or if its library cannot run
/// where it should.
///
/// # Errors
/// What is wrong with it.
pub fn refuse(path: &Path, mut findings: Vec<Finding>) -> Result<(), Error> {
    findings.retain(|f| f.severity == Severity::Error || f.rule == "D010");
    if findings.is_empty() {
        return Ok(());
    }
    Err(Error::Rejected { path: path.to_owned(), findings })
}

/// Folders of the machine that built a library and are named in it.
pub fn build_paths(library: &[u8], folders: &[(PathBuf, &'static str)]) -> Vec<Finding> {
    let named = |folder: &Path| {
        let name = folder.as_os_str().as_encoded_bytes();
        // A root or a folder right below it may well occur by chance.
        folder.components().count() > 2 && library.windows(name.len()).any(|w| w == name)
    };
    folders
        .iter()
        .filter(|(folder, _)| named(folder))
        .map(|(folder, _)| {
            Finding::error("D010", format!("the library names the folder {}", folder.display()))
        })
        .collect()
}

/// Whether an FMU makes instances of both types.
pub fn instantiates(fmu: &Fmu) -> Vec<Finding> {
    let (name, guid) = (&fmu.description.model_name, &fmu.description.guid);
    let mut findings = Vec::new();
    for fmu_type in [FmuType::ModelExchange, FmuType::CoSimulation] {
        let instance = fmu.load(fmu_type).and_then(|library| {
            let made = library.instantiate(name, fmu_type, guid, &fmu.resources(), false);
            made.map(|_| ()).map_err(Into::into)
        });
        if let Err(reason) = instance {
            findings.push(Finding::error("A012", format!("{fmu_type}: {reason}")));
        }
    }
    findings
}
