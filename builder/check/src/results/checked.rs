//! The result of a check: the findings for each file, and which of them a baseline accepts.

use std::borrow::Cow;
use std::path::{Path, PathBuf};

use fmus::finding::{Finding, Remedy, Severity};

/// A file with its findings.
#[derive(Clone, Debug)]
pub struct CheckedFile {
    /// The file, as it was named.
    pub path: PathBuf,
    /// Its findings, the worst first.
    pub findings: Vec<JudgedFinding>,
    /// Why nothing can be said about it on this machine.
    pub fault: Option<String>,
    /// Whether it cannot be read as an FMU at all, which is then its only finding.
    pub is_unreadable: bool,
    /// The platforms on which it runs.
    pub platforms: Vec<String>,
    /// The time that the check took, in s.
    pub seconds: f64,
}

/// A finding, and whether a baseline accepts it.
#[derive(Clone, Debug)]
#[allow(missing_docs, reason = "the names are self-explanatory")]
pub struct JudgedFinding {
    pub finding: Finding,
    pub accepted: bool,
}

impl CheckedFile {
    /// The findings that no baseline accepts.
    pub fn new_findings(&self) -> Vec<Finding> {
        let new = self.findings.iter().filter(|judged| !judged.accepted);
        new.map(|judged| judged.finding.clone()).collect()
    }

    /// Why the file is damaged, so that nothing else is known of it.
    pub fn damage(&self) -> Option<&str> {
        let damage = |judged: &&JudgedFinding| judged.finding.remedy == Remedy::Replacement;
        self.findings.iter().find(damage).map(|judged| &*judged.finding.text)
    }

    /// The number of findings that a baseline accepts.
    pub fn count_accepted(&self) -> usize {
        self.findings.iter().filter(|judged| judged.accepted).count()
    }

    /// Whether the file is refused: for a fault, for a new error, or in the strict case for any new
    /// finding.
    pub fn is_refused(&self, strict: bool) -> bool {
        let mut new = self.findings.iter().filter(|judged| !judged.accepted);
        self.fault.is_some() || new.any(|judged| is_refusal(&judged.finding, strict))
    }

    /// The name of the file without its folders.
    pub fn name(&self) -> Cow<'_, str> {
        name(&self.path)
    }
}

/// The name of a file without its folders.
pub(crate) fn name(path: &Path) -> Cow<'_, str> {
    path.file_name().unwrap_or(path.as_os_str()).to_string_lossy()
}

/// Whether a finding refuses an FMU: an error, or in the strict case any finding.
pub(crate) fn is_refusal(finding: &Finding, strict: bool) -> bool {
    strict || finding.severity == Severity::Error
}
