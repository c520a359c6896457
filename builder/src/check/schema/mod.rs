//! Compares a document with the schema of modelDescription.xml.

mod tables;
mod value_type;

use crate::finding::{Finding, Severity};
use crate::xml::Element;
use tables::{
    ANNOTATIONS, Attribute, ElementType, ROOT, SCALAR_VARIABLE, SIMPLE_TYPE, TOOL,
    VENDOR_ANNOTATIONS,
};
use value_type::Mismatch;

/// What in a document is against the schema.
pub(super) fn findings(root: &Element) -> Vec<Finding> {
    let mut findings = Vec::new();
    if root.name == ROOT.name {
        element(root, &ROOT, &mut findings);
    } else {
        let text = format!("the root element is <{}>, not <{}>", root.name, ROOT.name);
        findings.push(Finding::error("C002", text));
    }
    findings
}

/// The rule for an attribute of an element.
fn number(element: &str, attribute: &str) -> &'static str {
    match (element, attribute) {
        (_, "fmiVersion") => "C006",
        (_, "modelName" | "guid") => "C007",
        (_, "generationDateAndTime") => "C008",
        (_, "variableNamingConvention") => "C009",
        (_, "numberOfEventIndicators") => "C010",
        ("ModelExchange", _) => "C012",
        ("CoSimulation", _) => "C013",
        ("File", _) => "C017",
        ("Unit", _) => "C018",
        ("BaseUnit", _) => "C019",
        ("DisplayUnit", _) => "C021",
        ("SimpleType", _) => "C025",
        ("Item", _) => "C026",
        ("Category", _) => "C031",
        ("DefaultExperiment", _) => "C032",
        ("Tool", _) => "C033",
        ("ScalarVariable", "name") => "C034",
        (_, "valueReference") => "C035",
        (_, "causality" | "variability") => "C036",
        (_, "initial") => "C040",
        (_, "derivative") => "C047",
        ("Enumeration", "declaredType") => "C030",
        (_, "index") => "C067",
        (_, "dependencies") => "C074",
        ("Real" | "Integer" | "Boolean" | "Enumeration", "start" | "min" | "max") => "C053",
        _ => "C002",
    }
}

/// The rule for a list without items, or for a missing part.
fn lacking(element: &str) -> &'static str {
    match element {
        "Enumeration" => "C026",
        name if name == VENDOR_ANNOTATIONS.name || name == ANNOTATIONS.name => "C033",
        _ => "C003",
    }
}

fn element(element: &Element, rule: &ElementType, findings: &mut Vec<Finding>) {
    attributes(element, rule, findings);
    let mut fault = |number, text: String| {
        findings.push(Finding::error(number, format!("line {}: {text}", element.line)));
    };
    if rule.anything {
        if rule.name == TOOL.name && element.children.len() > 1 {
            fault("C033", "<Tool> holds more than one element".to_owned());
        }
        return;
    }
    if element.has_text {
        fault("C002", format!("<{}> holds text", rule.name));
    }
    let mut rank = 0;
    for inner in &element.children {
        let Some(child) = rule.children.iter().find(|c| c.rule.name == inner.name) else {
            fault("C002", format!("<{}> has no place in <{}>", inner.name, rule.name));
            continue;
        };
        if child.rank < rank {
            fault("C002", format!("<{}> comes too late in <{}>", inner.name, rule.name));
        }
        rank = rank.max(child.rank);
    }
    for child in rule.children {
        let count = element.children.iter().filter(|c| c.name == child.rule.name).count();
        if count < child.least {
            fault(lacking(rule.name), format!("<{}> lacks <{}>", rule.name, child.rule.name));
        }
        if count > child.most {
            let interface = matches!(child.rule.name, "ModelExchange" | "CoSimulation");
            let number = if interface { "C011" } else { "C002" };
            fault(number, format!("<{}> has {count} <{}>", rule.name, child.rule.name));
        }
    }
    choices(element, rule, &mut fault);
    for inner in &element.children {
        if let Some(child) = rule.children.iter().find(|c| c.rule.name == inner.name) {
            self::element(inner, child.rule, findings);
        }
    }
}

fn attributes(element: &Element, rule: &ElementType, findings: &mut Vec<Finding>) {
    let mut fault = |severity, number: &'static str, text: String| {
        let text = format!("line {}: {text}", element.line);
        findings.push(Finding { severity, rule: number.into(), text });
    };
    for Attribute(name, _, required) in rule.attributes {
        if *required && element.attribute(name).is_none() {
            let text = format!("<{}> lacks the attribute {name}", rule.name);
            fault(Severity::Error, number(rule.name, name), text);
        }
    }
    for (name, value) in &element.attributes {
        if name == "xmlns" && !value.is_empty() {
            let text = format!("<{}> is in the namespace `{value}`", rule.name);
            fault(Severity::Error, "C002", text);
        }
        if name.starts_with("xmlns") || name.starts_with("xsi:") {
            continue;
        }
        let Some(Attribute(_, kind, _)) = rule.attributes.iter().find(|a| a.0 == *name) else {
            let text = format!("<{}> has no attribute {name}", rule.name);
            fault(Severity::Error, "C002", text);
            continue;
        };
        let text = |reason: &str| format!("{name}=\"{value}\" of <{}> {reason}", rule.name);
        match value_type::fault(*kind, value) {
            Some(Mismatch::Type(reason)) => {
                fault(Severity::Error, number(rule.name, name), text(&reason));
            }
            Some(Mismatch::NotFinite) => fault(Severity::Error, "C004", text("is not finite")),
            Some(Mismatch::Form(reason)) => {
                fault(Severity::Warning, number(rule.name, name), text(reason));
            }
            None => {}
        }
    }
}

/// What has to be there exactly once, in one of several forms; and names that must not repeat.
fn choices(element: &Element, rule: &ElementType, fault: &mut impl FnMut(&'static str, String)) {
    if rule.name == SCALAR_VARIABLE.name || rule.name == SIMPLE_TYPE.name {
        let types = element.children.iter().filter(|c| c.name != ANNOTATIONS.name).count();
        if types != 1 {
            let number = if rule.name == SIMPLE_TYPE.name { "C025" } else { "C002" };
            fault(number, format!("<{}> has {types} types, not one", rule.name));
        }
    }
    if rule.name == VENDOR_ANNOTATIONS.name || rule.name == ANNOTATIONS.name {
        let names: Vec<_> = element.children.iter().filter_map(|t| t.attribute("name")).collect();
        if let Some(i) = (1..names.len()).find(|i| names[..*i].contains(&names[*i])) {
            fault("C033", format!("<{}> has two tools `{}`", rule.name, names[i]));
        }
    }
}
