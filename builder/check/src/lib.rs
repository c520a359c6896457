//! Checks FMUs against the numbered rules of FMI 2.0.

use std::fs;
use std::path::{Path, PathBuf};

use fmus::archive::unpack;
use fmus::error::{Error, FileContext};
use fmus::finding::{Finding, Remedy, Severity};
use fmus::fmi::FmuType;
use fmus::fmu::Fmu;
use fmus::model_description::ModelDescription;

mod archive;
mod calls;
mod description;
mod results;
#[cfg(test)]
mod tests;

pub use archive::binary::{Interfaces, library};
pub use calls::{library_test, reference_test, test_process};
pub use description::rules::description;
pub use results::{baseline, checked, formats, summary};

use crate::archive::{content, files, related_files, zip};

/// The rules that an FMU breaks, sorted by severity (errors first) and number. If the program `fmu`
/// is given, it runs the library in a process of its own.
///
/// # Errors
/// If the file cannot be read, or is not an archive.
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
    let (files, unreadable, complete) = files::read(&mut archive);
    findings.extend(unreadable);
    let Some(description) = files.get("modelDescription.xml") else { return Ok(findings) };
    let of_description = self::description(description);
    if let [other] = &of_description[..]
        && other.remedy == Remedy::None
    {
        // The rules of this version say nothing about the archive either.
        return Ok(of_description);
    }
    findings.extend(of_description);
    let parsed = std::str::from_utf8(description).ok();
    let Some(Ok(parsed)) = parsed.map(ModelDescription::parse) else { return Ok(findings) };
    // If an entry cannot be read, a file may only seem to be missing, and nothing can be unpacked.
    if complete {
        let found = content::findings(&files, &parsed);
        // A test of a damaged library would report the same fault again.
        let whole = found.iter().all(|finding| finding.remedy != Remedy::Replacement);
        add(&mut findings, found);
        if let Some(program) = program.filter(|_| whole) {
            let of_library = test_process::test(program, path)?;
            let is_sound = of_library.iter().all(|found| found.severity != Severity::Error);
            add(&mut findings, of_library);
            // An experiment would fail for the same reasons.
            if is_sound && related_files::can_be_compared(&files, &findings) {
                add(&mut findings, reference_test::test(program, path)?);
            }
        }
    }
    Ok(findings)
}

/// Adds findings, except those that follow from an error that is known.
fn add(findings: &mut Vec<Finding>, more: Vec<Finding>) {
    let more: Vec<Finding> = more.into_iter().filter(|found| !is_known(found, findings)).collect();
    findings.extend(more);
}

/// Rules about archives and descriptions, and the rule that a library seems to break then.
const CONSEQUENCES: [(&str, &str); 6] = [
    ("D001", "D001"),
    ("D002", "D001"),
    ("D004", "D001"),
    ("C007", "A012"),
    ("C014", "D008"),
    ("C014", "D009"),
];

/// Whether a finding about a library follows from an error of the archive or the description.
fn is_known(found: &Finding, of_file: &[Finding]) -> bool {
    let explains = |(cause, rule): &(&str, &str)| {
        let is_cause = |f: &Finding| f.severity == Severity::Error && f.rule == *cause;
        found.rule == *rule && of_file.iter().any(is_cause)
    };
    CONSEQUENCES.iter().any(explains)
}

/// Refuses a new FMU that violates the standard, or whose library cannot run on its target.
///
/// # Errors
/// If it is refused; the error contains the broken rules.
pub fn refuse(path: &Path, mut findings: Vec<Finding>) -> Result<(), Error> {
    findings.retain(|f| f.severity == Severity::Error || f.rule == "D010");
    if findings.is_empty() {
        return Ok(());
    }
    Err(Error::Rejected { path: path.to_owned(), findings })
}

/// Findings about folders of the building machine whose names a library contains.
pub fn build_paths(library: &[u8], folders: &[(PathBuf, &'static str)]) -> Vec<Finding> {
    let named = |folder: &Path| {
        let name = folder.as_os_str().as_encoded_bytes();
        // The name of a root, or of a folder directly below it, may occur by chance.
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

/// Checks that an FMU makes instances of both types.
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
