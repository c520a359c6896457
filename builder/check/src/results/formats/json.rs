//! The results of a check as JSON.

use serde::Serialize;

use super::{TOOL, VERSION};
use crate::results::baseline::AcceptedFinding;
use crate::results::checked::{CheckedFile, JudgedFinding};

/// The version of the format; it grows if something is removed or changes its meaning.
const SCHEMA: u32 = 1;

#[derive(Serialize)]
struct Document<'a> {
    schema: u32,
    tool: &'static str,
    version: &'static str,
    files: Vec<FileResult<'a>>,
    no_longer_found: &'a [AcceptedFinding],
}

#[derive(Serialize)]
struct FileResult<'a> {
    file: String,
    refused: bool,
    fault: Option<&'a str>,
    platforms: &'a [String],
    findings: Vec<FindingResult<'a>>,
}

#[derive(Serialize)]
struct FindingResult<'a> {
    severity: &'static str,
    rule: &'a str,
    text: &'a str,
    fix: Option<&'static str>,
    accepted: bool,
}

/// A document with the findings of all files, and the entries of the baseline that no longer occur.
pub fn json(
    files: &[CheckedFile],
    strict: bool,
    no_longer_found: &[AcceptedFinding],
) -> serde_json::Value {
    let files = files.iter().map(|file| FileResult {
        file: file.path.to_string_lossy().into_owned(),
        refused: file.is_refused(strict),
        fault: file.fault.as_deref(),
        platforms: &file.platforms,
        findings: file.findings.iter().map(finding).collect(),
    });
    let files = files.collect();
    let document =
        Document { schema: SCHEMA, tool: TOOL, version: VERSION, files, no_longer_found };
    serde_json::json!(document)
}

fn finding(judged: &JudgedFinding) -> FindingResult<'_> {
    let JudgedFinding { finding, accepted } = judged;
    FindingResult {
        severity: finding.severity.name(),
        rule: &finding.rule,
        text: &finding.text,
        fix: finding.fix(),
        accepted: *accepted,
    }
}
