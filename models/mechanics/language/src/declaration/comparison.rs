//! Comparison of what a component declares with what its equations use: they use no other ports and
//! variables, and every port that is connected.

use super::facts::{Declaration, Port};
use std::fmt::Display;

/// The types of ports that carry one connection; others, which components define, consist of these.
const KINDS: [&str; 8] = [
    "Flange",
    "TranslationalFlange",
    "Frame",
    "HeatPort",
    "Pin",
    "Input",
    "BooleanInput",
    "IntegerInput",
];

/// What is wrong with a variable that is a signal and is published as well, or a signal twice.
pub(crate) const TWO_VALUES: &str = "give this variable two values";

/// What is wrong with a variable that the declaration lists without need.
pub(crate) const MISSING: &str = "do not publish this variable, which its declaration lists";

impl Declaration {
    /// The sentence about a name of an instance, such as `filter.y`: what is wrong with it in the
    /// equations.
    pub(crate) fn wrong(&self, name: &str, what: impl Display) -> String {
        format!("{name}: the equations of {} {what}", self.name)
    }

    /// Whether it lists a port of this name and kind, which is a type of [`port`](crate::port).
    fn lists_port(&self, port: &str, kind: &str) -> bool {
        self.ports.iter().any(|declared| is(declared, port, kind))
    }

    /// Whether it lists the port, or other ports of this kind.
    pub(crate) fn lists_kind(&self, port: &str, kind: &str) -> bool {
        let mut ports = self.ports.iter();
        self.lists_port(port, kind) || ports.any(|declared| element_kind(declared) == kind)
    }

    /// What is wrong with a port that the equations use as one of this kind.
    pub(crate) fn unlisted_port(&self, port: &str, kind: &str) -> Option<String> {
        if self.lists_port(port, kind) {
            return None;
        }
        Some(match self.ports.iter().find(|declared| declared.name == port) {
            Some(declared) => {
                format!(
                    "use this port as one of type {kind}, but it is declared as {}",
                    declared.kind
                )
            }
            None => format!(
                "use this port of type {kind}, but its declaration does not list it; the ports of \
                 this type are: {}",
                in_a_row(of_kind(self.ports, kind))
            ),
        })
    }

    /// The type of the signal that an input takes: `Real`, `Integer` or `Boolean`; `None` if it
    /// takes any.
    pub fn type_of_input(&self, port: &str) -> Option<&'static str> {
        let kinds = ["Input", "IntegerInput", "BooleanInput"];
        let declared = self.ports.iter().find(|declared| {
            let kind = element_kind(declared);
            kinds.contains(&kind) && is(declared, port, kind)
        })?;
        match element_kind(declared) {
            "Input" => Some("Real"),
            kind => kind.strip_suffix("Input"),
        }
    }

    /// The type of a variable: `Real`, `Integer` or `Boolean`; `None` if the declaration does not
    /// list it, as variables of connectors.
    pub fn type_of_variable(&self, name: &str) -> Option<&'static str> {
        let array = name.split_once('[').map(|(array, _)| array);
        let mut variables = self.variables.iter();
        let of = variables.find(|of| of.name == name || Some(of.name) == array)?;
        Some(match of.kind {
            "Integer" => "Integer",
            "Boolean" | "[Boolean]" => "Boolean",
            _ => "Real",
        })
    }

    /// What is wrong with a variable that the equations publish without a line in the declaration.
    pub(crate) fn unlisted_variable(&self) -> String {
        let listed = self.variables.iter().map(|variable| variable.name);
        format!(
            "publish this variable, but its declaration does not list it; the variables are: {}",
            in_a_row(listed)
        )
    }
}

/// Names in a sentence.
fn in_a_row(names: impl IntoIterator<Item = &'static str>) -> String {
    let names: Vec<&str> = names.into_iter().collect();
    if names.is_empty() { "none".to_owned() } else { names.join(", ") }
}

/// Whether a declared port, or an element of it, has this name and this kind.
fn is(declared: &Port, name: &str, kind: &str) -> bool {
    let (own, element) = (element_kind(declared), name.split_once('[').map(|(of, _)| of));
    let known = KINDS.contains(&own);
    let named = declared.name == name || (element == Some(declared.name) && own != declared.kind);
    if known { own == kind && named } else { element.unwrap_or(name) == declared.name }
}

/// The names of the ports of a kind, or that may contain some.
fn of_kind(ports: &'static [Port], kind: &str) -> impl Iterator<Item = &'static str> {
    let may =
        move |port: &&Port| element_kind(port) == kind || !KINDS.contains(&element_kind(port));
    ports.iter().filter(may).map(|port| port.name)
}

/// The kind of a port, or that of the elements of a vector of ports: `[Input; 3]`, `[Input]`.
fn element_kind(declared: &Port) -> &'static str {
    let kind = declared.kind.trim_start_matches('[').trim_end_matches(']');
    kind.split_once(';').map_or(kind, |(element, _)| element)
}
