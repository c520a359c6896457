//! Units of signals: connected signals have the same unit, where it is known.

use crate::error::Error;
use crate::ids::{ComponentId, List};
use crate::port::{Connection, PortId, full_name};
use equations::Model;
use std::collections::{BTreeMap, BTreeSet};

/// The units of ports, as components declare them.
#[derive(Debug, Default)]
pub struct Units {
    /// Units of inputs, and of outputs that are not published under their own name.
    pub of: BTreeMap<PortId, String>,
    /// Inputs of blocks with the output that has the same unit, for blocks that accept any unit.
    pub passed: Vec<(PortId, PortId)>,
}

impl Units {
    /// Refuses connections of signals with inputs that take another unit.
    pub fn check(
        &self,
        connections: &[Connection],
        names: &List<ComponentId, String>,
        model: &Model,
    ) -> Result<(), Error> {
        let Some(Mismatch { sentence, wanted }) =
            self.mismatches(connections, names, model).into_iter().next()
        else {
            return Ok(());
        };
        let advice = |wanted| format!("; a Gain that converts says so: .unit(\"{wanted}\")");
        Err(Error::Connection(sentence + &wanted.map(advice).unwrap_or_default()))
    }

    /// Signals that are connected with inputs in another unit.
    pub fn mismatches(
        &self,
        connections: &[Connection],
        names: &List<ComponentId, String>,
        model: &Model,
    ) -> Vec<Mismatch> {
        let sources = connections.iter().filter_map(|connection| match *connection {
            Connection::Signal { from, to } => Some((to, from)),
            _ => None,
        });
        let signals = SignalUnits { units: self, sources: sources.collect(), names, model };
        let mut mismatches = signals.of_blocks();
        for (&to, &from) in &signals.sources {
            let (Some((from, unit)), Some(wanted)) = (signals.origin(from), signals.known(to))
            else {
                continue;
            };
            if !model.same_unit(unit, wanted) {
                let (from, to) = (signals.name(from), signals.name(to));
                let sentence = format!("{from} is in {unit}, but {to} takes {wanted}");
                mismatches.push(Mismatch { sentence, wanted: Some(wanted.to_owned()) });
            }
        }
        mismatches
    }
}

/// A signal in another unit than an input.
#[derive(Clone, Debug)]
pub struct Mismatch {
    /// What is connected.
    pub sentence: String,
    /// The unit of the input, if the signal could be converted before.
    pub wanted: Option<String>,
}

/// The signals of a model with the known units.
struct SignalUnits<'a> {
    units: &'a Units,
    /// The source of each input.
    sources: BTreeMap<PortId, PortId>,
    names: &'a List<ComponentId, String>,
    model: &'a Model,
}

impl SignalUnits<'_> {
    fn name(&self, port: PortId) -> String {
        full_name(&self.names[port.component], port.port)
    }

    /// The unit of a port, if it is known; numbers without unit fit every unit.
    fn known(&self, port: PortId) -> Option<&str> {
        let own = self.units.of.get(&port).map(String::as_str);
        let unit = own.or_else(|| self.model.unit_of(&self.name(port)));
        unit.filter(|unit| *unit != "1")
    }

    /// Where the unit of a signal comes from, through blocks that do not change it.
    fn origin(&self, port: PortId) -> Option<(PortId, &str)> {
        let (mut open, mut seen) = (vec![port], BTreeSet::new());
        while let Some(port) = open.pop() {
            if let Some(unit) = self.known(port) {
                return Some((port, unit));
            }
            if seen.insert(port) {
                let passed = self.units.passed.iter().filter(|(_, output)| *output == port);
                open.extend(passed.filter_map(|(input, _)| self.sources.get(input)));
            }
        }
        None
    }

    /// Inputs in different units where a block needs the same.
    fn of_blocks(&self) -> Vec<Mismatch> {
        let mut mismatches = Vec::new();
        let mut first: BTreeMap<PortId, (PortId, &str)> = BTreeMap::new();
        for (input, output) in &self.units.passed {
            let source = self.sources.get(input).and_then(|&source| self.origin(source));
            let Some((from, unit)) = source else { continue };
            let &mut (other, of_other) = first.entry(*output).or_insert((from, unit));
            if !self.model.same_unit(unit, of_other) {
                let (from, other) = (self.name(from), self.name(other));
                let block = &self.names[output.component];
                let sentence = format!("{block}: {other} is in {of_other}, but {from} in {unit}");
                mismatches.push(Mismatch { sentence, wanted: None });
            }
        }
        mismatches
    }
}
