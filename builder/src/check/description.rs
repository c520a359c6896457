//! All rules for modelDescription.xml, by number.

use super::{Finding, Severity, definitions, schema, structure, variables};
use crate::read::ModelDescription;
use crate::tree;

/// A rule: its number, how bad breaking it is, and what finds the faults.
type Rule = (&'static str, Severity, fn(&ModelDescription) -> Vec<String>);

const RULES: &[Rule] = &[
    ("X05", Severity::Error, definitions::guid),
    ("X07", Severity::Error, definitions::interfaces),
    ("X08", Severity::Error, definitions::identifiers),
    ("X10", Severity::Error, definitions::unit_names),
    ("X11", Severity::Error, definitions::unit_factors),
    ("X12", Severity::Error, definitions::display_factors),
    ("X13", Severity::Error, definitions::type_units),
    ("X13", Severity::Error, variables::units),
    ("X14", Severity::Error, definitions::type_names),
    ("X15", Severity::Error, definitions::capabilities),
    ("X16", Severity::Error, definitions::items),
    ("X17", Severity::Error, definitions::type_limits),
    ("X17", Severity::Error, variables::ranges),
    ("X18", Severity::Error, variables::declared_types),
    ("X19", Severity::Error, variables::enumeration_starts),
    ("X20", Severity::Error, variables::unique_names),
    ("X21", Severity::Error, variables::causality_and_variability),
    ("X22", Severity::Error, variables::initials),
    ("X23", Severity::Error, variables::starts),
    ("X24", Severity::Error, variables::independent),
    ("X25", Severity::Error, variables::states),
    ("X26", Severity::Error, variables::derivatives),
    ("X27", Severity::Error, variables::multiple_sets),
    ("X29", Severity::Error, variables::grammar),
    ("X30", Severity::Warning, variables::array_order),
    ("X31", Severity::Error, structure::indices),
    ("X32", Severity::Error, structure::outputs),
    ("X33", Severity::Error, structure::derivatives),
    ("X34", Severity::Error, structure::initial_unknowns),
    ("X35", Severity::Error, structure::dependencies),
    ("X36", Severity::Error, structure::dependency_kinds),
    ("X40", Severity::Error, definitions::categories),
    ("X41", Severity::Error, definitions::experiment),
    ("X41", Severity::Warning, definitions::experiment_complete),
    ("X50", Severity::Error, variables::aliases),
    ("X57", Severity::Error, variables::reinit),
];

/// The rules that the bytes of a modelDescription.xml break.
pub fn description(bytes: &[u8]) -> Vec<Finding> {
    let Ok(text) = std::str::from_utf8(bytes) else {
        return vec![Finding::error("X01", "modelDescription.xml is not UTF-8")];
    };
    let mut findings = declaration(text);
    let tree = match tree::parse(text.trim_start_matches('\u{feff}')) {
        Ok(tree) => tree,
        Err(reason) => {
            findings.push(Finding::error("X02", reason));
            return findings;
        }
    };
    let against_schema = schema::findings(&tree);
    match ModelDescription::from_tree(&tree) {
        Ok(d) => {
            findings.extend(against_schema);
            for (rule, severity, faults) in RULES {
                let found = faults(&d).into_iter();
                findings.extend(found.map(|text| Finding {
                    severity: *severity,
                    rule: (*rule).into(),
                    text,
                }));
            }
        }
        Err(reason) if against_schema.is_empty() => findings.push(Finding::error("X02", reason)),
        Err(_) => findings.extend(against_schema),
    }
    findings
}

/// X01: the first line declares UTF-8, and there is no mark before it.
fn declaration(text: &str) -> Vec<Finding> {
    let mut findings = Vec::new();
    if text.starts_with('\u{feff}') {
        findings.push(Finding::error("X01", "modelDescription.xml begins with a byte order mark"));
    }
    let first = text.trim_start_matches('\u{feff}').split_once("?>").map_or("", |(d, _)| d);
    let lower = first.to_ascii_lowercase();
    if !first.starts_with("<?xml") || !lower.contains("utf-8") {
        findings.push(Finding::error("X01", "modelDescription.xml does not declare UTF-8"));
    }
    findings
}
