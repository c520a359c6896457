//! A finding of a check: the broken rule, its severity, and how to fix it.

use std::borrow::Cow;
use std::fmt;

use serde::{Deserialize, Serialize};

mod fixes;
pub mod requirements;

/// The severity of a finding.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Severity {
    /// The standard is violated.
    Error,
    /// It is legal, but some importers cannot handle it.
    Warning,
    /// It is legal, but something that users expect is missing, OpenModelica does not import the
    /// FMU, or a part of the library test was omitted.
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

/// What is to be done about a finding.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Remedy {
    /// The fix for the rule.
    OfRule,
    /// The file is damaged, or is no archive: it must be replaced.
    Replacement,
    /// Nothing: the file has no fault.
    None,
}

/// A rule that an FMU breaks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// Its severity.
    pub severity: Severity,
    /// The number of the rule.
    pub rule: Cow<'static, str>,
    /// The problem and its place.
    pub text: String,
    /// What is to be done.
    pub remedy: Remedy,
}

impl Finding {
    /// A finding of a rule.
    pub fn new(severity: Severity, rule: Cow<'static, str>, text: String) -> Finding {
        Finding { severity, rule, text, remedy: Remedy::OfRule }
    }

    /// D001 for a file of which at least a part cannot be read.
    pub fn damage(text: impl Into<String>) -> Finding {
        Finding::error("D001", text).of_damage()
    }

    /// The same finding of a damaged file.
    pub fn of_damage(self) -> Finding {
        Finding { remedy: Remedy::Replacement, ..self }
    }

    /// A violation of the standard.
    pub fn error(rule: &'static str, text: impl Into<String>) -> Finding {
        Finding::new(Severity::Error, rule.into(), text.into())
    }

    /// A finding about something legal that some importers cannot handle.
    pub fn warning(rule: &'static str, text: impl Into<String>) -> Finding {
        Finding::new(Severity::Warning, rule.into(), text.into())
    }

    /// A finding about something that only users may need.
    pub fn note(rule: &'static str, text: impl Into<String>) -> Finding {
        Finding::new(Severity::Note, rule.into(), text.into())
    }

    /// The finding about an FMU of another version of the standard, to which no rule applies.
    pub fn other_version(version: &str) -> Finding {
        let text = format!("FMI {version}: fmu check reads FMI 2.0 only");
        Finding { remedy: Remedy::None, ..Finding::error("C006", text) }
    }

    /// How to fix it.
    pub fn fix(&self) -> Option<&'static str> {
        match self.remedy {
            Remedy::OfRule => fixes::fix(&self.rule),
            Remedy::Replacement => Some(fixes::DAMAGE),
            Remedy::None => None,
        }
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let severity = self.severity.name();
        write!(f, "{severity} {} {}", self.rule, self.text)?;
        self.fix().map_or(Ok(()), |fix| write!(f, "; fix: {fix}"))
    }
}
