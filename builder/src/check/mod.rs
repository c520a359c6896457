//! Checks FMUs against the rules of FMI 2.0, each with its number.

use std::borrow::Cow;
use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::entries;
use crate::error::{Attempt, Error};
use crate::fmu::Fmu;
use crate::host::Kind;
use crate::read::ModelDescription;

mod additions;
mod aliases;
mod archive;
mod binary;
pub mod child;
mod content;
mod definitions;
mod description;
mod mends;
mod names;
pub mod report;
mod schema;
mod sources;
mod structure;
mod symbols;
#[cfg(test)]
mod tests;
pub mod trial;
mod variables;

pub(crate) use binary::listed;
pub use binary::{Interfaces, library};
pub(crate) use definitions::is_c_identifier;
pub use description::description;

/// How bad a finding is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Severity {
    /// The standard is violated.
    Error,
    /// Legal, but some importer stumbles over it.
    Warning,
    /// Legal and no trouble, but a person misses something.
    Note,
}

impl Severity {
    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Severity::Error => "error",
            Severity::Warning => "warning",
            Severity::Note => "note",
        }
    }
}

/// A rule that an FMU breaks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// How bad it is.
    pub severity: Severity,
    /// The number of the rule.
    pub rule: Cow<'static, str>,
    /// What is wrong, and where.
    pub text: String,
}

impl Finding {
    /// A violation of the standard.
    pub fn error(rule: &'static str, text: impl Into<String>) -> Finding {
        Finding { severity: Severity::Error, rule: rule.into(), text: text.into() }
    }

    /// Something legal that some importer stumbles over.
    pub fn warning(rule: &'static str, text: impl Into<String>) -> Finding {
        Finding { severity: Severity::Warning, rule: rule.into(), text: text.into() }
    }

    /// Something that only a person misses.
    pub fn note(rule: &'static str, text: impl Into<String>) -> Finding {
        Finding { severity: Severity::Note, rule: rule.into(), text: text.into() }
    }

    /// What to do about it.
    pub fn mend(&self) -> Option<&'static str> {
        mends::mend(&self.rule)
    }

    /// As an object of JSON, with the texts `file`, `severity`, `rule`, `text` and `mend`.
    pub fn to_json(&self, file: &Path) -> serde_json::Value {
        let (rule, text, mend) = (&self.rule, &self.text, self.mend());
        serde_json::json!({
            "file": file.to_string_lossy(),
            "severity": self.severity.name(),
            "rule": rule,
            "text": text,
            "mend": mend,
        })
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let severity = self.severity.name();
        write!(f, "{severity} {} {}", self.rule, self.text)?;
        self.mend().map_or(Ok(()), |mend| write!(f, "; mend: {mend}"))
    }
}

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
    let mut zip = entries::open(path)?;
    let bytes = fs::read(path).attempt("read", path)?;
    let mut findings = archive::findings(&bytes);
    if path.extension().is_none_or(|e| e != "fmu") {
        findings.push(Finding::error("D001", "the name of the archive does not end in .fmu"));
    }
    let (files, unreadable) = content::read(&mut zip);
    let complete = unreadable.is_empty();
    findings.extend(unreadable);
    let Some(description) = files.get("modelDescription.xml") else { return Ok(findings) };
    findings.extend(self::description(description));
    let parsed = std::str::from_utf8(description).ok();
    let Some(Ok(parsed)) = parsed.map(ModelDescription::parse) else { return Ok(findings) };
    // Of what cannot be read nobody knows whether it is missing.
    if complete {
        findings.extend(content::findings(&files, &parsed));
    }
    findings.extend(program.map(|program| child::trial(program, path)).into_iter().flatten());
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

/// Whether an FMU makes instances of both kinds.
pub fn instantiates(fmu: &Fmu) -> Vec<Finding> {
    let (name, guid) = (&fmu.description.model_name, &fmu.description.guid);
    let mut findings = Vec::new();
    for kind in [Kind::ModelExchange, Kind::CoSimulation] {
        let instance = fmu.load(kind).and_then(|library| {
            let made = library.instantiate(name, kind, guid, &fmu.resources(), false);
            made.map(|_| ()).map_err(Into::into)
        });
        if let Err(reason) = instance {
            findings.push(Finding::error("A012", format!("{kind}: {reason}")));
        }
    }
    findings
}
