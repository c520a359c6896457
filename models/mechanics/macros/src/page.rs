//! What the page of a component in Rust's documentation says besides the author's text.

use crate::component::Component;
use crate::entry::{Port, Text, Variable};
use crate::written::shape;

/// The class in Modelica and the sections of the page, for the place after the first paragraph.
pub fn overview(component: &Component) -> String {
    let equations = Text::of(&component.attributes).0.iter().any(|line| line == "# Equations");
    let sections = [
        ("equations", equations),
        ("ports", component.ports().next().is_some()),
        ("parts", !component.own.parts.is_empty()),
        ("variables", component.variables().next().is_some()),
    ];
    let links = sections.iter().filter(|(_, is_there)| *is_there);
    let links: Vec<String> = links.map(|(name, _)| format!("[{name}](#{name})")).collect();
    let class = match component.class.as_str() {
        "" => String::new(),
        class => format!("Modelica class: `{class}`. "),
    };
    let below = if links.is_empty() { "" } else { "Below: " };
    format!("{class}{below}{}", links.join(", "))
}

/// The tables of ports, parts and variables, for the end of the page.
pub fn tables(component: &Component) -> String {
    let ports: String = component.ports().map(row).collect();
    let parts: String = component.own.parts.iter().map(row).collect();
    let variables: String = component.variables().map(|Variable(entry)| row(entry)).collect();
    let mut tables = String::new();
    for (name, rows) in [("Ports", ports), ("Parts", parts), ("Variables", variables)] {
        if !rows.is_empty() {
            tables += &format!("\n# {name}\n\n| | kind | unit | |\n|---|---|---|---|\n{rows}");
        }
    }
    tables
}

fn row(entry: &Port) -> String {
    let Port { text, name, kind, unit, .. } = entry;
    let kind = shape(kind);
    let unit = if unit == "1" { "" } else { unit };
    let text = text.summary().replace('|', "\\|");
    format!("| `{}` | `{kind}` | {unit} | {text} |\n", name.field)
}
