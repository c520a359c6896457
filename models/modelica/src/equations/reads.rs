//! What equations read: which symbols, where their values are, and which of them are kept between
//! events.

use super::added::{Maker, Place, find};
use super::component::Initial;
use super::placing::Part;
use super::symbols::Meaning;
use super::system::Reinit;
use crate::instance::Type;
use crate::source::{Checked, Complaint};
use equations::{Ex, Leaf, depends_on};
use std::collections::{BTreeSet, HashMap};

impl Maker<'_> {
    /// Whether a variable changes at events only.
    pub(super) fn changes_at_events(&self, number: usize) -> bool {
        let variable = self.of.symbols.get(number).variable.clone();
        self.solutions.at_events.contains(&number)
            || variable.is_some_and(|of| !matches!(of.kind, Type::Real))
    }

    /// Which symbols are read.
    pub(super) fn find_used(&mut self) {
        let symbols = &self.of.symbols;
        let mut roots: Vec<Ex> = Vec::new();
        roots.extend(self.rigid.constraints.iter().map(|constraint| constraint.rest));
        for (number, unknown) in self.determined() {
            let port = self.of.port_of_flow(&unknown.name);
            if let Some(applied) = port.and_then(|port| self.rigid.applied.get(&port)) {
                roots.push(*applied);
                continue;
            }
            match self.solutions.states.contains(&number) {
                true => roots
                    .extend(self.rate(number).and_then(|rate| self.solutions.values.get(&rate))),
                false => roots.extend(self.solutions.values.get(&number)),
            }
        }
        let circuits = &self.of.circuits;
        let sides = |law: &usize| [self.of.equations[*law].left, self.of.equations[*law].right];
        roots.extend(circuits.laws.iter().flat_map(sides));
        let rates = circuits.states.iter().filter_map(|state| self.rate(*state));
        roots.extend(rates.map(|rate| symbols.ex(rate)));
        for (_, reinit) in &self.of.reinits {
            roots.extend(reinit.values(symbols));
        }
        let assertions = self.of.assertions.iter();
        let conditions = assertions.flat_map(|(_, assertion)| assertion.conditions());
        roots.extend(conditions.map(|condition| condition.as_ex()));
        roots.extend(self.of.terminations.iter().map(|(_, when)| when.as_ex()));
        roots.extend(self.starts.values());
        roots.extend(self.conditions.iter().map(|(.., value)| *value));
        roots.extend(self.residuals.iter().map(|(_, residual)| *residual));
        for initial in self.initial.values() {
            if let Initial::Value(value) = initial {
                roots.push(*value);
            }
        }
        let (mut open, mut used) = (symbols.all_needed_by(&roots), BTreeSet::new());
        while let Some(number) = open.pop() {
            if used.insert(number)
                && matches!(symbols.get(number).meaning, Meaning::Derivative(_))
                && let Some(value) = self.solutions.values.get(&number)
            {
                open.extend(symbols.all_needed_by(&[*value]));
            }
        }
        self.used = used;
    }

    /// The number of the value before events, if it is read.
    pub(super) fn before(&self, number: usize) -> Option<usize> {
        let before = self.of.symbols.find(&Meaning::Pre(number));
        before.filter(|before| self.used.contains(before))
    }

    /// Whether the value of a variable is kept between events: it is read before events, or a whole
    /// number or a truth value follows from values at events.
    pub(super) fn is_memory(&self, number: usize, value: Ex) -> bool {
        let symbols = &self.of.symbols;
        let is_relation =
            |number: &usize| matches!(symbols.get(*number).meaning, Meaning::Relation(_));
        let kind = symbols.get(number).variable.as_ref().map(|of| of.kind.clone());
        let is_whole = !matches!(kind, Some(Type::Real));
        let is_read_before = self.before(number).is_some() && self.changes(number)[1];
        is_read_before || is_whole && !symbols.of(&[value]).iter().all(is_relation)
    }

    /// How a variable changes: whether smoothly between events, and whether at events. What
    /// `reinit` changes was read before. Signals of our components count as smooth.
    pub(super) fn changes(&self, number: usize) -> [bool; 2] {
        let symbols = &self.of.symbols;
        let (mut open, mut seen) = (vec![number], BTreeSet::new());
        let [mut smoothly, mut at_events] = [false, false];
        while let Some(number) = open.pop() {
            if !seen.insert(number) {
                continue;
            }
            let symbol = symbols.get(number).clone();
            match &symbol.meaning {
                Meaning::Variable(_) if !self.changes_at_events(number) => {}
                Meaning::Derivative(_) | Meaning::Delay(_) => {
                    [smoothly, at_events] = [true, true];
                    continue;
                }
                _ => {
                    at_events = true;
                    continue;
                }
            }
            let at = self.by_number.get(&number);
            let is_input = at.is_some_and(|at| self.of.unknowns[*at].is_input);
            match self.solutions.values.get(&number) {
                _ if self.solutions.states.contains(&number)
                    || self.of.circuits.states.contains(&number)
                    || is_input =>
                {
                    smoothly = true;
                }
                Some(value) => {
                    smoothly |= depends_on(&[*value], Ex::leaf(Leaf::Time));
                    open.extend(symbols.of(&[*value]));
                }
                None if at.is_none() => smoothly = true,
                None => [smoothly, at_events] = [true, true],
            }
        }
        [smoothly, at_events]
    }

    /// Refuses what has no value.
    pub(super) fn check(&self) -> Checked<()> {
        let symbols = &self.of.symbols;
        for number in &self.used {
            let symbol = symbols.get(*number).clone();
            let Meaning::Pre(of) = symbol.meaning else { continue };
            let is_discrete = self.solutions.states.contains(&of) || self.changes_at_events(of);
            let is_own = is_discrete && self.by_number.contains_key(&of);
            let is_given_anew = self.foreign_reinits().any(|(_, reinit)| reinit.state == of);
            if !is_own && !is_given_anew && self.changes(of) == [true, true] {
                let sentence = "only variables that do not jump, and variables of equations that \
                                change at events only, have a value before the event here";
                return Err(Complaint::at(&symbol.span, sentence));
            }
        }
        for (number, unknown) in self.determined() {
            let begins_free =
                self.solutions.states.contains(&number) || self.changes_at_events(number);
            let begins_free = begins_free
                || self.of.circuits.states.contains(&number)
                || self.part_of(number, unknown) == Part::Given;
            let is_real = matches!(unknown.variable.kind, Type::Real);
            if unknown.fixed && !begins_free && !is_real {
                let sentence = format!(
                    "{} is no state, so it cannot begin at a value (fixed = true)",
                    unknown.name
                );
                return Err(Complaint::at(&unknown.variable.span, sentence));
            }
        }
        for (_, Reinit { state, .. }) in &self.of.reinits {
            if self.by_number.contains_key(state) && !self.solutions.states.contains(state) {
                let sentence = "only a state can get a new value by reinit";
                return Err(Complaint::at(&symbols.get(*state).span, sentence));
            }
        }
        Ok(())
    }

    /// The places of variables of our components, and of inputs of the model.
    pub(super) fn place_foreign(&mut self) -> Checked<()> {
        let symbols = &self.of.symbols;
        let (mut foreign, mut inputs) = (HashMap::new(), Vec::new());
        for number in &self.used {
            if self.is_mechanical(*number)? {
                continue;
            }
            let symbol = symbols.get(*number).clone();
            let twice = symbols.twice_differentiated(*number);
            let own = match (&twice, &symbol.meaning) {
                (Some(name), _) => symbols.variable(name),
                (None, Meaning::Derivative(of) | Meaning::Pre(of)) => Some(*of),
                (None, _) => Some(*number),
            };
            let is_input = |at: &usize| self.of.unknowns[*at].is_input;
            let unknown = own.and_then(|own| self.by_number.get(&own));
            let at = |sentence: String| Complaint::at(&symbol.span, sentence);
            if unknown.is_some_and(|at| !is_input(at)) {
                if twice.is_some() {
                    let sentence = "a second derivative; a variable that is the first one helps";
                    return Err(at(sentence.to_owned()));
                }
                continue;
            }
            // A state is at an event what it was before.
            let meaning = match symbol.meaning {
                Meaning::Pre(of) => symbols.get(of).meaning.clone(),
                meaning => meaning,
            };
            let place = match &meaning {
                Meaning::Variable(name) => self.find(name).ok_or_else(|| {
                    at(format!("{name} is no variable that a component of the model publishes"))
                })?,
                Meaning::Derivative(of) => {
                    let (name, which) = match twice {
                        Some(name) => (name, "second derivative"),
                        None => match symbols.get(*of).meaning.clone() {
                            Meaning::Variable(name) => (name, "derivative"),
                            _ => continue,
                        },
                    };
                    let rates = self.of.names_read(*number).into_iter();
                    let mut rates = rates.filter(|_| unknown.is_none());
                    rates
                        .find_map(|rate| self.find(&rate))
                        .ok_or_else(|| at(format!("the {which} of {name} is not known")))?
                }
                _ => continue,
            };
            match place {
                Place::Variable(place) => {
                    foreign.insert(*number, place);
                }
                Place::Input(input) => inputs.push((*number, input, symbol.span.clone())),
            }
        }
        self.places.borrow_mut().extend(&foreign);
        (self.foreign, self.inputs) = (foreign, inputs);
        Ok(())
    }

    /// A variable of one of our components, or an input of the model.
    pub(super) fn find(&self, name: &str) -> Option<Place> {
        if let Some(input) = self.of.input(name, self.ports) {
            return Some(Place::Variable(input.id()));
        }
        find(name, self.ports)
    }
}
