//! Compares a document with the schema of modelDescription.xml.

mod element_types;
mod value_type;

use std::collections::BTreeSet;

use element_types::{
    ANNOTATIONS, Attribute, ElementType, ROOT, SCALAR_VARIABLE, SIMPLE_TYPE, TOOL,
    VENDOR_ANNOTATIONS,
};
use fmus::finding::{Finding, Severity};
use fmus::xml::Element;
use value_type::Mismatch;

/// The violations of the schema in a document.
pub(crate) fn findings(root: &Element) -> Vec<Finding> {
    let mut findings = Vec::new();
    if root.name == ROOT.name {
        element(root, &ROOT, &mut findings);
    } else {
        let text = format!("the root element is <{}>, not <{}>", root.name, ROOT.name);
        findings.push(Finding::error("C002", text));
    }
    findings
}

/// Whether a part of the description occurs twice.
pub(crate) fn repeats_parts(root: &Element) -> bool {
    let names = root.children.iter().map(|child| &child.name);
    names.clone().collect::<BTreeSet<_>>().len() < names.count()
}

/// The rule for an attribute of an element.
fn rule_for_attribute(element: &str, attribute: &str) -> &'static str {
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

/// The rule for an element that lacks a child, such as a list without items.
fn rule_for_missing_child(element: &str) -> &'static str {
    match element {
        "Enumeration" => "C026",
        name if name == VENDOR_ANNOTATIONS.name || name == ANNOTATIONS.name => "C033",
        _ => "C003",
    }
}

fn element(element: &Element, element_type: &ElementType, findings: &mut Vec<Finding>) {
    attributes(element, element_type, findings);
    let mut fault = |number, text: String| {
        findings.push(Finding::error(number, format!("line {}: {text}", element.line)));
    };
    if element_type.anything {
        if element_type.name == TOOL.name && element.children.len() > 1 {
            fault("C033", "<Tool> holds more than one element".to_owned());
        }
        return;
    }
    if element.has_text {
        fault("C002", format!("<{}> holds text", element_type.name));
    }
    let mut rank = 0;
    for inner in &element.children {
        let Some(child) = element_type.children.iter().find(|c| c.element_type.name == inner.name)
        else {
            fault("C002", format!("<{}> has no place in <{}>", inner.name, element_type.name));
            continue;
        };
        if child.rank < rank {
            fault("C002", format!("<{}> comes too late in <{}>", inner.name, element_type.name));
        }
        rank = rank.max(child.rank);
    }
    for child in element_type.children {
        let count = element.children.iter().filter(|c| c.name == child.element_type.name).count();
        if count < child.least {
            fault(
                rule_for_missing_child(element_type.name),
                format!("<{}> lacks <{}>", element_type.name, child.element_type.name),
            );
        }
        if count > child.most {
            let interface = matches!(child.element_type.name, "ModelExchange" | "CoSimulation");
            let number = if interface { "C011" } else { "C002" };
            fault(
                number,
                format!("<{}> has {count} <{}>", element_type.name, child.element_type.name),
            );
        }
    }
    choices(element, element_type, &mut fault);
    for inner in &element.children {
        if let Some(child) =
            element_type.children.iter().find(|c| c.element_type.name == inner.name)
        {
            self::element(inner, child.element_type, findings);
        }
    }
}

fn attributes(element: &Element, element_type: &ElementType, findings: &mut Vec<Finding>) {
    let mut fault = |severity, number: &'static str, text: String| {
        let text = format!("line {}: {text}", element.line);
        findings.push(Finding::new(severity, number.into(), text));
    };
    for Attribute { name, required, .. } in element_type.attributes {
        if *required && element.attribute(name).is_none() {
            let text = format!("<{}> lacks the attribute {name}", element_type.name);
            fault(Severity::Error, rule_for_attribute(element_type.name, name), text);
        }
    }
    for (name, value) in &element.attributes {
        if name == "xmlns" && !value.is_empty() {
            let text = format!("<{}> is in the namespace `{value}`", element_type.name);
            fault(Severity::Error, "C002", text);
        }
        if name.starts_with("xmlns") || name.starts_with("xsi:") {
            continue;
        }
        let Some(attribute) = element_type.attributes.iter().find(|a| a.name == *name) else {
            let text = format!("<{}> has no attribute {name}", element_type.name);
            fault(Severity::Error, "C002", text);
            continue;
        };
        let text = |reason: &str| format!("{name}=\"{value}\" of <{}> {reason}", element_type.name);
        match value_type::fault(attribute.value_type, value) {
            Some(Mismatch::Type(reason)) => {
                fault(Severity::Error, rule_for_attribute(element_type.name, name), text(&reason));
            }
            Some(Mismatch::NotFinite) => fault(Severity::Error, "C004", text("is not finite")),
            Some(Mismatch::Form(reason)) => {
                fault(Severity::Warning, rule_for_attribute(element_type.name, name), text(reason));
            }
            None => {}
        }
    }
}

/// Checks elements that must occur exactly once in one of several forms, and names that must be
/// unique.
fn choices(
    element: &Element,
    element_type: &ElementType,
    fault: &mut impl FnMut(&'static str, String),
) {
    if element_type.name == SCALAR_VARIABLE.name || element_type.name == SIMPLE_TYPE.name {
        let types = element.children.iter().filter(|c| c.name != ANNOTATIONS.name).count();
        if types != 1 {
            let number = if element_type.name == SIMPLE_TYPE.name { "C025" } else { "C002" };
            fault(number, format!("<{}> has {types} types, not one", element_type.name));
        }
    }
    if element_type.name == VENDOR_ANNOTATIONS.name || element_type.name == ANNOTATIONS.name {
        let names: Vec<_> = element.children.iter().filter_map(|t| t.attribute("name")).collect();
        if let Some(i) = (1..names.len()).find(|i| names[..*i].contains(&names[*i])) {
            fault("C033", format!("<{}> has two tools `{}`", element_type.name, names[i]));
        }
    }
}
