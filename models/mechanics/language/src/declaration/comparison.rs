//! Comparison of what a component declares with what its equations use: they use no other ports and
//! variables, and every port that is connected.

use super::{Declaration, Port};
use crate::component::Contribution;
use crate::error::Error;
use crate::port::PortId;
use crate::statements::motion::ends::FlangeEnd;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Display;

/// The types of ports that carry one connection; others, which components define, consist of these.
const KINDS: [&str; 5] = ["Flange", "TranslationalFlange", "Frame", "HeatPort", "Input"];

impl Declaration {
    /// The sentence about a name of an instance, such as `filter.y`: what is wrong in the equations.
    pub(crate) fn wrong(&self, name: &str, what: impl Display) -> String {
        format!("{name}: the equations of {} {what}", self.name)
    }

    /// What is wrong with a port that the equations use as one of this kind.
    fn unlisted_port(&self, port: &str, kind: &str) -> Option<String> {
        if self.ports.iter().any(|declared| is(declared, port, kind)) {
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

    /// What is wrong with a variable that the equations publish without a line in the declaration.
    pub(crate) fn unlisted_variable(&self) -> String {
        let listed = self.variables.iter().map(|variable| variable.name);
        format!(
            "publish this variable, but its declaration does not list it; the variables are: {}",
            in_a_row(listed)
        )
    }
}

/// What is wrong with a variable that is a signal and is published as well, or a signal twice.
pub(crate) const TWO_VALUES: &str = "give this variable two values";

/// What is wrong with a variable that the declaration lists without need.
pub(crate) const MISSING: &str = "do not publish this variable, which its declaration lists";

/// What is known so far of the names in the equations of a component.
#[derive(Debug, Default)]
pub(crate) struct NamesInEquations {
    /// The ports that the equations use.
    ports: BTreeSet<&'static str>,
    /// The flanges, and whether they are supports.
    flanges: BTreeMap<&'static str, bool>,
    /// The signals that have a law.
    signals: BTreeSet<&'static str>,
    /// The sentence about the first name that does not agree with the declaration.
    refusal: Option<String>,
}

impl Contribution<'_> {
    /// Compares the names in the equations, which are complete, with the declaration and with the
    /// connections. `contributed` is the result of the equations; a wrong name explains its error.
    pub(crate) fn compare(&mut self, contributed: Result<(), Error>) -> Result<(), Error> {
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

    /// Refuses the component at the end of its contribution: what is wrong with a name in its
    /// equations.
    pub(crate) fn refuse_name(&mut self, local: &str, what: impl Display) {
        let sentence = self.declaration.wrong(&self.full(local), what);
        self.names.refusal.get_or_insert(sentence);
    }

    /// Refuses a flange that is taken as a support and as another flange.
    pub(crate) fn take_flange(&mut self, port: &'static str, is_support: bool) {
        let before = *self.names.flanges.entry(port).or_insert(is_support);
        if before != is_support {
            self.refuse_name(port, "take this flange as its own support");
        }
    }

    /// Refuses a flange that occurs twice where different ones are related.
    pub(crate) fn differ(&mut self, ends: &[FlangeEnd]) {
        let again = ends.iter().enumerate().find(|(k, end)| ends[..*k].contains(end));
        if let Some((_, again)) = again {
            let port = self.structure.flanges.ends[again.end].port.port;
            self.refuse_name(port, "relate this flange to itself");
        }
    }

    /// A port of this component, which its equations use. It is refused if the declaration has no
    /// such port of this kind, which is a type of [`port`](crate::port).
    pub(crate) fn declared_port(&mut self, port: &'static str, kind: &str) -> PortId {
        self.check_port(port, kind);
        self.names.ports.insert(port);
        PortId { component: self.component, port }
    }

    /// Refuses a port if the declaration has no such port of this kind.
    pub(crate) fn check_port(&mut self, port: &'static str, kind: &str) {
        if let Some(what) = self.declaration.unlisted_port(port, kind) {
            self.refuse_name(port, what);
        }
    }

    /// A port that some components of a family have: `None` if the declaration has no port of this
    /// kind at all.
    pub(crate) fn optional_port(&mut self, port: &'static str, kind: &str) -> Option<PortId> {
        let ports = self.declaration.ports;
        let some = ports.iter().any(|own| is(own, port, kind) || element_kind(own) == kind);
        some.then(|| self.declared_port(port, kind))
    }

    /// A signal of this component. It is refused if the declaration does not list the variable, or
    /// if it has a law already.
    pub(crate) fn declared_signal(&mut self, port: &'static str) -> PortId {
        self.declared_variable(port);
        if !self.names.signals.insert(port) {
            self.refuse_name(port, TWO_VALUES);
        }
        PortId { component: self.component, port }
    }

    /// Whether the declaration lists a variable of this name.
    pub(crate) fn declares_variable(&self, local: &str) -> bool {
        self.declaration.variables.iter().any(|variable| variable.name == local)
    }

    /// The full name of a variable of this component, which is refused if its declaration does not
    /// list the variable.
    pub(crate) fn declared_variable(&mut self, local: &str) -> String {
        let name = self.full(local);
        if !self.model.is_announced(&name) {
            self.refuse_name(local, self.declaration.unlisted_variable());
        }
        name
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

/// The kind of a port, or that of the elements of a vector of ports.
fn element_kind(declared: &Port) -> &'static str {
    let kind = declared.kind.trim_start_matches('[');
    kind.split_once(';').map_or(kind, |(element, _)| element)
}
