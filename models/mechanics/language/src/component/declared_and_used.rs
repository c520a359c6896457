//! Comparison of what a component declares with what its equations use: they use no other ports and
//! variables, and every port that is connected.

use super::Contribution;
use crate::declaration::Port;
use crate::error::Error;
use crate::port::PortId;
use crate::statements::laws::signal_view::check_variable;
use std::collections::BTreeSet;

/// The types of ports that carry one connection; others, which components define, consist of these.
const KINDS: [&str; 5] = ["Flange", "TranslationalFlange", "Frame", "HeatPort", "Input"];

/// What is known so far of the names in the equations of a component.
#[derive(Debug, Default)]
pub(super) struct NamesInEquations {
    /// The ports that the equations use.
    ports: BTreeSet<&'static str>,
    /// The sentence about the first name that does not agree with the declaration.
    refusal: Option<String>,
}

impl Contribution<'_> {
    /// Compares the names in the equations, which are complete, with the declaration and with the
    /// connections. `contributed` is the result of the equations; a wrong name explains its error.
    pub(super) fn compare(&mut self, contributed: Result<(), Error>) -> Result<(), Error> {
        if let Some(sentence) = self.names.refusal.take() {
            return Err(Error::Equations(sentence));
        }
        contributed?;
        let mut connected = self.wiring.connected_ports(self.component);
        match connected.find(|port| !self.names.ports.contains(port)) {
            None => Ok(()),
            Some(port) => Err(Error::Connection(format!(
                "{}: this port is connected, but the equations of {} do not use it",
                self.full(port),
                self.declaration.name
            ))),
        }
    }

    /// Refuses the component at the end of its contribution.
    fn refuse_name(&mut self, sentence: String) {
        self.names.refusal.get_or_insert(sentence);
    }

    /// A port of this component, which its equations use. It is refused if the declaration has no
    /// such port of this kind, which is a type of [`port`](crate::port).
    pub(super) fn declared_port(&mut self, port: &'static str, kind: &str) -> PortId {
        if let Some(sentence) = self.undeclared_port(port, kind) {
            self.refuse_name(sentence);
        }
        self.names.ports.insert(port);
        PortId { component: self.component, port }
    }

    /// The sentence about a port of a kind that the declaration does not have.
    fn undeclared_port(&self, port: &'static str, kind: &str) -> Option<String> {
        let ports = self.declaration.ports;
        if ports.iter().any(|declared| is(declared, port, kind)) {
            return None;
        }
        let others = of_kind(ports, kind);
        let others = if others.is_empty() { "none".to_owned() } else { others.join(", ") };
        Some(format!(
            "{}: the equations of {} use this port of type {kind}, but its declaration does not \
             list it; the ports of this type are: {others}",
            self.full(port),
            self.declaration.name
        ))
    }

    /// A port that some components of a family have: `None` if the declaration has no port of this
    /// kind at all.
    pub(super) fn optional_port(&mut self, port: &'static str, kind: &str) -> Option<PortId> {
        let ports = self.declaration.ports;
        let some = ports.iter().any(|own| is(own, port, kind) || element_kind(own) == kind);
        some.then(|| self.declared_port(port, kind))
    }

    /// Whether the declaration lists a variable of this name.
    pub(crate) fn declares_variable(&self, local: &str) -> bool {
        self.declaration.variables.iter().any(|variable| variable.name == local)
    }

    /// The full name of a variable of this component. The model is refused if its declaration does
    /// not list the variable.
    pub(super) fn declared_variable(&mut self, local: &str) -> String {
        let name = self.full(local);
        check_variable(self.model, &name);
        name
    }
}

/// Whether a declared port, or an element of it, has this name and this kind.
fn is(declared: &Port, name: &str, kind: &str) -> bool {
    let (own, element) = (element_kind(declared), name.split_once('[').map(|(of, _)| of));
    let known = KINDS.contains(&own);
    let named = declared.name == name || (element == Some(declared.name) && own != declared.kind);
    if known { own == kind && named } else { element.unwrap_or(name) == declared.name }
}

/// The names of the ports of a kind, or that may contain some.
fn of_kind(ports: &'static [Port], kind: &str) -> Vec<&'static str> {
    let may = |port: &&Port| element_kind(port) == kind || !KINDS.contains(&element_kind(port));
    ports.iter().filter(may).map(|port| port.name).collect()
}

/// The kind of a port, or that of the elements of a vector of ports.
fn element_kind(declared: &Port) -> &'static str {
    let kind = declared.kind.trim_start_matches('[');
    kind.split_once(';').map_or(kind, |(element, _)| element)
}
