//! The results of a check as SARIF 2.1.0, the format of platforms that show results of analyses.

use std::collections::BTreeMap;

use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use super::{TOOL, VERSION};
use crate::results::baseline::without_numbers;
use crate::results::checked::{CheckedFile, JudgedFinding};
use fmus::finding::requirements;

const SCHEMA: &str = "https://json.schemastore.org/sarif-2.1.0.json";

/// A log with one run, in which accepted findings are suppressed.
pub fn sarif(files: &[CheckedFile]) -> Value {
    let all = || files.iter().flat_map(|file| file.findings.iter().map(move |f| (file, f)));
    // The first fix of each rule; a damaged file has another one, which is in its message.
    let mut rules: BTreeMap<&str, Option<&str>> = BTreeMap::new();
    for (_, judged) in all() {
        rules.entry(&judged.finding.rule).or_insert_with(|| judged.finding.fix());
    }
    let places: BTreeMap<&str, usize> =
        rules.keys().enumerate().map(|(place, rule)| (*rule, place)).collect();
    let mut seen = BTreeMap::<String, usize>::new();
    let mut results = Vec::new();
    for (file, judged) in all() {
        let fingerprint = fingerprint(file, judged);
        let count = seen.entry(fingerprint.clone()).or_default();
        *count += 1;
        let known_by = format!("{fingerprint}:{count}");
        results.push(result(file, judged, (places[&*judged.finding.rule], &known_by)));
    }
    let rules: Vec<Value> = rules.into_iter().map(|(rule, fix)| descriptor(rule, fix)).collect();
    let faults = files.iter().filter_map(|file| file.fault.as_ref());
    let faults: Vec<Value> =
        faults.map(|fault| json!({"level": "error", "message": {"text": fault}})).collect();
    json!({
        "$schema": SCHEMA,
        "version": "2.1.0",
        "runs": [{
            "tool": {"driver": {"name": TOOL, "semanticVersion": VERSION, "rules": rules}},
            "invocations": [{
                "executionSuccessful": faults.is_empty(),
                "toolExecutionNotifications": faults,
            }],
            "results": results,
        }],
    })
}

fn descriptor(rule: &str, fix: Option<&str>) -> Value {
    let sentence = requirements::sentence(rule).unwrap_or(rule);
    let mut descriptor = json!({"id": rule, "shortDescription": {"text": sentence}});
    if let Some(fix) = fix {
        descriptor["help"] = json!({"text": format!("Fix: {fix}.")});
    }
    descriptor
}

/// The result about a finding, with the place of its rule and its fingerprint.
fn result(file: &CheckedFile, judged: &JudgedFinding, (place, known_by): (usize, &str)) -> Value {
    let finding = &judged.finding;
    let text = match finding.fix() {
        Some(fix) => format!("{}; fix: {fix}", finding.text),
        None => finding.text.clone(),
    };
    // Viewers place a result in a line, also that of an archive, which has none.
    let location = json!({"physicalLocation": {
        "artifactLocation": {"uri": uri(file)},
        "region": {"startLine": 1},
    }});
    let mut result = json!({
        "ruleId": finding.rule,
        "ruleIndex": place,
        "level": finding.severity.name(),
        "message": {"text": text},
        "locations": [location],
        // GitHub would otherwise take the first line of the FMU, which differs in each version.
        "partialFingerprints": {"primaryLocationLineHash": known_by},
    });
    if judged.accepted {
        result["suppressions"] = json!([{"kind": "external", "status": "accepted"}]);
    }
    result
}

/// The path of a file as a reference: relative to the current folder, unless it is absolute.
fn uri(file: &CheckedFile) -> String {
    let path = file.path.to_string_lossy().replace('\\', "/");
    let encoded = |byte: u8| match byte {
        b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' => {
            char::from(byte).to_string()
        }
        _ => format!("%{byte:02X}"),
    };
    let path: String = path.trim_start_matches("./").bytes().map(encoded).collect();
    if path.starts_with('/') { format!("file://{path}") } else { path }
}

/// A text by which viewers know a finding again, in another run and about another version.
fn fingerprint(file: &CheckedFile, judged: &JudgedFinding) -> String {
    let (name, text) = (file.name(), without_numbers(&judged.finding.text));
    let hash = Sha256::digest(format!("{name}\n{}\n{text}", judged.finding.rule));
    hash.iter().take(16).map(|byte| format!("{byte:02x}")).collect()
}
