//! The baseline of a check: findings that are known and accepted.

use std::fs;
use std::path::Path;

use serde::{Deserialize, Serialize};

use super::checked::{CheckedFile, JudgedFinding, name};
use fmus::atomic_file;
use fmus::error::{Error, FileContext};
use fmus::finding::{Finding, Remedy, Severity};

/// The version of the file's format.
const SCHEMA: u32 = 1;

/// The accepted findings.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Baseline {
    schema: u32,
    accepted: Vec<AcceptedFinding>,
}

/// An accepted finding.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AcceptedFinding {
    /// The name of the FMU's file, without folders.
    pub file: String,
    /// The name of its severity.
    severity: String,
    /// The number of its rule.
    pub rule: String,
    /// Its text, in which the values of numbers do not matter.
    pub text: String,
}

impl Baseline {
    /// Reads a baseline.
    ///
    /// # Errors
    /// If the file cannot be read, or is not a baseline.
    pub fn read(path: &Path) -> Result<Baseline, Error> {
        let fail = |reason| Error::Content { path: path.to_owned(), reason };
        let text = fs::read_to_string(path).attempt("read", path)?;
        let read: Result<Baseline, _> = serde_json::from_str(&text);
        let baseline = read.map_err(|e| fail(format!("it is not a baseline of findings: {e}")))?;
        if baseline.schema != SCHEMA {
            let reason = format!("its schema is {}, but {SCHEMA} is expected", baseline.schema);
            return Err(fail(reason));
        }
        Ok(baseline)
    }

    /// The baseline that accepts all findings, except that a file is damaged.
    pub fn of(files: &[CheckedFile]) -> Baseline {
        let of_file = |file: &CheckedFile| {
            let path = &file.path;
            let all = file.findings.iter().map(|judged| &judged.finding);
            all.filter(|f| is_acceptable(f)).map(|f| accepted(path, f)).collect()
        };
        let mut accepted: Vec<AcceptedFinding> =
            files.iter().flat_map::<Vec<_>, _>(of_file).collect();
        accepted.sort();
        Baseline { schema: SCHEMA, accepted }
    }

    /// Writes the baseline.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn write(&self, path: &Path) -> Result<(), Error> {
        let text = serde_json::to_string_pretty(self).map_err(|e| Error::Request(e.to_string()))?;
        atomic_file::write(path, format!("{text}\n").as_bytes())
    }

    /// The number of accepted findings.
    pub fn len(&self) -> usize {
        self.accepted.len()
    }

    /// Whether nothing is accepted.
    pub fn is_empty(&self) -> bool {
        self.accepted.is_empty()
    }

    /// Judges the findings of a file, and removes what it accepts: each entry accepts one finding.
    pub fn judge(&mut self, path: &Path, findings: Vec<Finding>) -> Vec<JudgedFinding> {
        let judge = |finding: Finding| {
            let wanted = accepted(path, &finding).without_numbers();
            let is_wanted = |known: &AcceptedFinding| known.without_numbers() == wanted;
            let place =
                self.accepted.iter().position(is_wanted).filter(|_| is_acceptable(&finding));
            place.map(|place| self.accepted.remove(place));
            JudgedFinding { finding, accepted: place.is_some() }
        };
        findings.into_iter().map(judge).collect()
    }

    /// The entries for a file that are left after its findings were judged: they no longer occur.
    pub fn left(&self, path: &Path) -> Vec<&AcceptedFinding> {
        self.accepted.iter().filter(|known| known.file == name(path)).collect()
    }
}

/// Whether a finding can be accepted: of a damaged file nothing else is known.
fn is_acceptable(finding: &Finding) -> bool {
    finding.remedy != Remedy::Replacement
}

fn accepted(path: &Path, finding: &Finding) -> AcceptedFinding {
    let Finding { severity, rule, text, .. } = finding;
    let severity = Severity::name(*severity).to_owned();
    AcceptedFinding {
        file: name(path).into_owned(),
        severity,
        rule: rule.to_string(),
        text: text.clone(),
    }
}

impl AcceptedFinding {
    /// The same finding, whatever the values are: they may change with each version of an FMU.
    fn without_numbers(&self) -> AcceptedFinding {
        AcceptedFinding { text: without_numbers(&self.text), ..self.clone() }
    }
}

/// A text in which each word that is a number is replaced.
pub(crate) fn without_numbers(text: &str) -> String {
    let masked = |word: &str| {
        let number = word.trim_end_matches([',', ';', ':', '.']);
        let end = &word[number.len()..];
        if number.parse::<f64>().is_ok() { format!("#{end}") } else { word.to_owned() }
    };
    text.split(' ').map(masked).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn checked(path: &str, findings: &[Finding]) -> CheckedFile {
        let judge = |finding: &Finding| JudgedFinding { finding: finding.clone(), accepted: false };
        let findings = findings.iter().map(judge).collect();
        let (path, platforms) = (path.into(), Vec::new());
        CheckedFile { path, findings, fault: None, is_unreadable: false, platforms, seconds: 0.0 }
    }

    #[test]
    fn a_baseline_accepts_each_of_its_findings_once_whatever_the_numbers_are() {
        let at = |x: &str| Finding::error("A072", format!("after it x[1] is {x}, not 0.5"));
        let name = Finding::warning("A008", "it exports pump_init");
        let file = tempfile::NamedTempFile::new().unwrap();
        let damage = Finding::damage("it is no archive");
        let all = [at("0.1"), name.clone(), damage.clone()];
        let written = Baseline::of(&[checked("a/Pump.fmu", &all)]);
        assert_eq!(written.len(), 2, "a damaged file cannot be accepted");
        written.write(file.path()).unwrap();
        let mut baseline = Baseline::read(file.path()).unwrap();
        let judged = baseline.judge(Path::new("b/Pump.fmu"), vec![at("1e-9"), at("0.3")]);
        assert_eq!(judged.iter().map(|j| j.accepted).collect::<Vec<_>>(), [true, false]);
        let other = baseline.judge(Path::new("b/Valve.fmu"), vec![name]);
        assert!(!other[0].accepted && baseline.left(Path::new("Valve.fmu")).is_empty());
        let left = baseline.left(Path::new("Pump.fmu"));
        assert!(left.len() == 1 && left[0].rule == "A008", "{left:?}");
    }

    #[test]
    fn a_file_that_is_no_baseline_is_refused_with_a_reason() {
        let file = tempfile::NamedTempFile::new().unwrap();
        let refused = |text: &str| {
            fs::write(file.path(), text).unwrap();
            Baseline::read(file.path()).unwrap_err().to_string()
        };
        let text = refused(r#"{"schema": 2, "accepted": []}"#);
        assert!(text.ends_with(": its schema is 2, but 1 is expected"), "{text}");
        assert!(refused("[]").contains("it is not a baseline of findings: "));
        let missing = Baseline::read(Path::new("/no/baseline")).unwrap_err().to_string();
        assert!(missing.starts_with("cannot read /no/baseline: "), "{missing}");
    }

    #[test]
    fn names_are_no_numbers() {
        let text = "x[2] of p4 is 0.25, not -1e-3: 2 more; inf";
        assert_eq!(without_numbers(text), "x[2] of p4 is #, not #: # more; #");
    }
}
