//! The names in the equations of a component, which are compared with those of its declaration.

use super::Contribution;
use crate::declaration::comparison::TWO_VALUES;
use crate::error::Error;
use crate::port::PortId;
use crate::statements::motion::ends::FlangeEnd;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Display;

/// What is known so far of the names in the equations of a component.
#[derive(Debug, Default)]
pub(super) struct NamesInEquations {
    /// The ports that the equations use.
    ports: BTreeSet<&'static str>,
    /// The flanges, and whether they are supports.
    flanges: BTreeMap<&'static str, bool>,
    /// The signals that have a law.
    signals: BTreeSet<&'static str>,
    /// The sentence about the first name that does not agree with the declaration.
    refusal: Option<String>,
}

/// Whether a port is the element of a vector with the number zero.
fn is_before_first(port: &&'static str) -> bool {
    port.ends_with("[0]")
}

impl Contribution<'_> {
    /// Compares the names in the equations, which are complete, with the declaration and with the
    /// connections. `contributed` is the result of the equations; a wrong name explains its error.
    pub(super) fn compare(&mut self, contributed: Result<(), Error>) -> Result<(), Error> {
        if let Some(sentence) = self.names.refusal.take() {
            return Err(Error::Equations(sentence));
        }
        if let Some(port) = self.wiring.connected_ports(self.component).find(is_before_first) {
            let sentence = format!("{}: elements are counted from 1", self.full(port));
            return Err(Error::Connection(sentence));
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
    pub(super) fn refuse_name(&mut self, local: &str, what: impl Display) {
        let sentence = self.declaration.wrong(&self.full(local), what);
        self.names.refusal.get_or_insert(sentence);
    }

    /// Refuses a flange that is taken as a support and as another flange.
    pub(super) fn take_flange(&mut self, port: &'static str, is_support: bool) {
        let before = *self.names.flanges.entry(port).or_insert(is_support);
        if before != is_support {
            self.refuse_name(port, "take this flange as its own support");
        }
    }

    /// Refuses a flange that occurs twice where different ones are related.
    pub(super) fn differ(&mut self, ends: &[FlangeEnd]) {
        let again = ends.iter().enumerate().find(|(k, end)| ends[..*k].contains(end));
        if let Some((_, again)) = again {
            let port = self.structure.flanges.ends[again.end].port.port;
            self.refuse_name(port, "relate this flange to itself");
        }
    }

    /// A port of this component, which its equations use. It is refused if the declaration has no
    /// such port of this kind, which is a type of [`port`](crate::port).
    pub(super) fn declared_port(&mut self, port: &'static str, kind: &str) -> PortId {
        self.check_port(port, kind);
        self.names.ports.insert(port);
        PortId { component: self.component, port }
    }

    /// Refuses a port if the declaration has no such port of this kind.
    pub(super) fn check_port(&mut self, port: &'static str, kind: &str) {
        if let Some(what) = self.declaration.unlisted_port(port, kind) {
            self.refuse_name(port, what);
        }
    }

    /// A port that some components of a family have: `None` if the declaration has no port of this
    /// kind at all.
    pub(super) fn optional_port(&mut self, port: &'static str, kind: &str) -> Option<PortId> {
        self.declaration.lists_kind(port, kind).then(|| self.declared_port(port, kind))
    }

    /// A signal of this component. It is refused if the declaration does not list the variable, or
    /// if it has a law already.
    pub(super) fn declared_signal(&mut self, port: &'static str) -> PortId {
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
    pub(super) fn declared_variable(&mut self, local: &str) -> String {
        let name = self.full(local);
        if !self.model.is_announced(&name) {
            self.refuse_name(local, self.declaration.unlisted_variable());
        }
        name
    }
}
