//! The rules for modelDescription.xml, by number.

use std::collections::HashMap;

use super::{aliases, definitions, model_structure, model_variables, openmodelica, schema};
use fmus::finding::{Finding, Severity};
use fmus::model_description::ModelDescription;
use fmus::wording::MAX_NAMES;
use fmus::xml;

/// A rule: its number, its severity, and the function that finds violations.
type Rule = (&'static str, Severity, fn(&ModelDescription) -> Vec<String>);

const RULES: &[Rule] = &[
    ("C007", Severity::Error, definitions::guid),
    ("C007", Severity::Warning, definitions::model_name),
    ("C011", Severity::Error, definitions::interfaces),
    ("C014", Severity::Error, definitions::identifiers),
    ("C015", Severity::Error, definitions::capabilities),
    ("C018", Severity::Error, definitions::unit_names),
    ("C020", Severity::Warning, definitions::unit_factors),
    ("C021", Severity::Error, definitions::display_names),
    ("C021", Severity::Warning, definitions::display_factors),
    ("C022", Severity::Error, definitions::type_units),
    ("C022", Severity::Error, model_variables::units),
    ("C023", Severity::Error, definitions::type_display_units_without_unit),
    ("C023", Severity::Warning, definitions::type_display_units),
    ("C023", Severity::Error, model_variables::display_units_without_unit),
    ("C023", Severity::Warning, model_variables::display_units),
    ("C025", Severity::Error, definitions::type_names),
    ("C027", Severity::Error, definitions::items),
    ("C028", Severity::Error, definitions::type_limits),
    ("C028", Severity::Error, model_variables::ordered_limits),
    ("C029", Severity::Error, model_variables::declared_types),
    ("C029", Severity::Warning, model_variables::narrower_than_types),
    ("C030", Severity::Error, model_variables::enumeration_starts),
    ("C031", Severity::Error, definitions::categories),
    ("C032", Severity::Warning, definitions::experiment),
    ("C032", Severity::Note, definitions::experiment_complete),
    ("C034", Severity::Error, model_variables::unique_names),
    ("C035", Severity::Warning, aliases::kinds),
    ("C037", Severity::Error, model_variables::causality_and_variability),
    ("C038", Severity::Error, model_variables::continuous),
    ("C039", Severity::Error, model_variables::parameters),
    ("C040", Severity::Error, model_variables::initials),
    ("C041", Severity::Error, model_variables::initials_of_inputs),
    ("C042", Severity::Error, model_variables::missing_starts),
    ("C043", Severity::Error, model_variables::unwanted_starts),
    ("C044", Severity::Error, model_variables::start_values),
    ("C045", Severity::Error, model_variables::independent),
    ("C046", Severity::Error, model_variables::states),
    ("C046", Severity::Warning, model_variables::ignored_states),
    ("C047", Severity::Error, model_variables::derivatives),
    ("C047", Severity::Warning, model_variables::odd_derivatives),
    ("C048", Severity::Error, model_variables::reinit),
    ("C049", Severity::Error, model_variables::multiple_sets),
    ("C056", Severity::Error, aliases::settable),
    ("C057", Severity::Error, aliases::starts),
    ("C058", Severity::Error, aliases::constants),
    ("C059", Severity::Error, aliases::units),
    ("C062", Severity::Error, model_variables::plain_names),
    ("C063", Severity::Error, model_variables::quoted_names),
    ("C064", Severity::Error, model_variables::derivative_names),
    ("C064", Severity::Warning, model_variables::derivatives_of_others),
    ("C065", Severity::Warning, model_variables::array_order),
    ("C066", Severity::Error, model_variables::one_line),
    ("C066", Severity::Warning, model_variables::visible),
    ("C067", Severity::Error, model_structure::indices),
    ("C068", Severity::Error, model_structure::outputs),
    ("C069", Severity::Error, model_structure::derivatives),
    ("C069", Severity::Warning, model_structure::ignored_derivatives),
    ("C069", Severity::Warning, model_structure::odd_derivatives),
    ("C072", Severity::Error, model_structure::initial_unknowns),
    ("C072", Severity::Warning, model_structure::ignored_initial_unknowns),
    ("C073", Severity::Error, model_structure::initial_order),
    ("C074", Severity::Error, model_structure::dependency_order),
    ("C074", Severity::Warning, model_structure::dependency_blanks),
    ("C075", Severity::Error, model_structure::dependencies),
    ("C076", Severity::Error, model_structure::initial_dependencies),
    ("C078", Severity::Error, model_structure::dependency_kinds),
    ("E001", Severity::Note, openmodelica::constants),
    ("E002", Severity::Note, openmodelica::names),
    ("E003", Severity::Note, openmodelica::words),
];

/// Rules whose faults have one cause in all places where the reason is the same: a name, a missing
/// definition, a wrong list, or a limit of an importer.
const ONE_CAUSE: &[&str] = &["C014", "C022", "C023", "C029", "C075", "C076", "E001"];

/// Rules for a set of aliases, and the rules that the same set breaks if it breaks them.
const CONSEQUENCES: &[(&str, &[&str])] =
    &[("C056", &["C057", "C059"]), ("C057", &["C059"]), ("C058", &["C057", "C059"])];

/// The place and the reason of a fault, which is written `place: reason`.
fn parts(fault: &str) -> (&str, &str) {
    fault.rsplit_once(": ").unwrap_or(("", fault))
}

/// One finding for each reason, with the first places.
pub(crate) fn by_reason(findings: Vec<Finding>) -> Vec<Finding> {
    let key = |f: &Finding| (f.severity, f.rule.clone(), f.remedy, parts(&f.text).1.to_owned());
    let mut reasons: Vec<(Finding, Vec<String>)> = Vec::new();
    let mut known = HashMap::new();
    for finding in findings {
        let place = parts(&finding.text).0.to_owned();
        let number = *known.entry(key(&finding)).or_insert(reasons.len());
        match reasons.get_mut(number) {
            Some((_, places)) => places.push(place),
            None => reasons.push((finding, vec![place])),
        }
    }
    let merge = |(finding, places): (Finding, Vec<String>)| {
        if places.len() < 2 {
            return finding;
        }
        let (first, more) = places.split_at(places.len().min(MAX_NAMES));
        let (first, reason) = (first.join(", "), parts(&finding.text).1);
        let text = match more.len() {
            0 => format!("{first}: {reason}"),
            more => format!("{first} and {more} more: {reason}"),
        };
        Finding { text, ..finding }
    };
    reasons.into_iter().map(merge).collect()
}

/// Keeps one finding for each set of aliases.
fn drop_consequences(findings: &mut Vec<Finding>) {
    let all = findings.clone();
    findings.retain(|finding| {
        let explains = |(cause, rules): &(&str, &[&str])| {
            let place = parts(&finding.text).0;
            let same = |other: &Finding| other.rule == *cause && parts(&other.text).0 == place;
            rules.contains(&&*finding.rule) && all.iter().any(same)
        };
        !CONSEQUENCES.iter().any(explains)
    });
}

/// The rules that the bytes of a modelDescription.xml break.
pub fn description(bytes: &[u8]) -> Vec<Finding> {
    let Ok(text) = std::str::from_utf8(bytes) else {
        return vec![Finding::error("C001", "modelDescription.xml is not UTF-8")];
    };
    let mut findings = declaration(text);
    let tree = match xml::parse(text.trim_start_matches('\u{feff}')) {
        Ok(tree) => tree,
        Err(reason) => {
            let finding = Finding::error("C001", reason);
            // A text in UTF-16 has zeros.
            let is_cut_off =
                !text.contains('\0') && !text.trim_end().ends_with("</fmiModelDescription>");
            findings.push(if is_cut_off { finding.of_damage() } else { finding });
            return findings;
        }
    };
    let is_other = |v: &&str| v.starts_with(|c: char| c.is_ascii_digit() && c != '2');
    let version = tree.attribute("fmiVersion").filter(is_other);
    if let Some(version) = version.filter(|_| tree.name == "fmiModelDescription") {
        return vec![Finding::other_version(version)];
    }
    let against_schema = schema::findings(&tree);
    match ModelDescription::from_tree(&tree) {
        Ok(d) => {
            findings.extend(against_schema);
            // If an element occurs twice, it is not clear what the description says.
            if schema::repeats_parts(&tree) {
                return findings;
            }
            for (rule, severity, faults) in RULES {
                let finding = |text| Finding::new(*severity, (*rule).into(), text);
                let found: Vec<Finding> = faults(&d).into_iter().map(finding).collect();
                let one_cause = ONE_CAUSE.contains(rule);
                findings.extend(if one_cause { by_reason(found) } else { found });
            }
            drop_consequences(&mut findings);
        }
        Err(reason) if against_schema.is_empty() => findings.push(Finding::error("C002", reason)),
        Err(_) => findings.extend(against_schema),
    }
    findings
}

/// C001: the first line declares UTF-8, and no byte order mark precedes it.
fn declaration(text: &str) -> Vec<Finding> {
    let mut findings = Vec::new();
    if text.starts_with('\u{feff}') {
        let text = "modelDescription.xml begins with a byte order mark";
        findings.push(Finding::warning("C001", text));
    }
    let first = text.trim_start_matches('\u{feff}').split_once("?>").map_or("", |(d, _)| d);
    let lower = first.to_ascii_lowercase();
    if !first.starts_with("<?xml") || !lower.contains("utf-8") {
        findings.push(Finding::error("C001", "modelDescription.xml does not declare UTF-8"));
    }
    findings
}
