//! Which pins, states and laws of circuits each component gets.

use super::added::Maker;
use super::circuit_part::{CircuitPart, Law, Path, PhysicalPin, StateOfCircuit};
use super::component::Initial;
use super::pins::inside;
use super::placing::local_in;
use super::symbols::Meaning;
use super::system::Equations;
use crate::instance::Instance;
use equations::Ex;
use std::collections::HashMap;
use std::rc::Rc;

impl Maker<'_> {
    /// What the component of an instance contributes to circuits.
    pub(super) fn circuit_part(&self, owner: &Rc<Instance>) -> CircuitPart {
        let (of, circuits) = (self.of, &self.of.circuits);
        let is_own =
            |number: &usize| of.owner_of(*number).is_some_and(|other| other.name == owner.name);
        let pins = of.pins.iter().enumerate();
        let pins =
            pins.filter(|(_, pin)| pin.owner.name == owner.name && of.has_pins(&pin.connector));
        let pins = pins.map(|(number, _)| self.pin(number)).collect();
        let unknowns = circuits.unknowns.iter().copied().filter(|number| is_own(number));
        let unknowns = unknowns.map(|number| (number, self.guess(number))).collect();
        let states = circuits.states.iter().copied().filter(|number| is_own(number));
        let states = states.filter_map(|number| self.state_of_circuit(owner, number)).collect();
        let laws = self.laws.get(&owner.name).cloned().unwrap_or_default();
        CircuitPart { pins, unknowns, states, laws }
    }

    fn pin(&self, number: usize) -> PhysicalPin {
        let pin = &self.of.pins[number];
        let name = &*local_in(&pin.owner, &pin.name).to_owned().leak();
        let pairs = &self.of.circuits.pairs;
        let path = if !self.of.has_pins(&pin.connector) {
            Path::None
        } else if pin.is_inside {
            Path::Inside
        } else if let Some([_, second]) = pairs.iter().find(|[first, _]| *first == number) {
            Path::Pin(*second)
        } else if pairs.iter().any(|[_, second]| *second == number) {
            Path::FromPin
        } else {
            Path::Earth
        };
        let inner = matches!(path, Path::Inside).then(|| &*inside(name).leak());
        let (symbols, is_whole) = (self.of.symbols_of(pin), pin.is_whole());
        PhysicalPin { number, name, is_whole, inner, path, symbols }
    }

    fn guess(&self, number: usize) -> Option<Ex> {
        self.of.unknowns[*self.by_number.get(&number)?].start
    }

    fn state_of_circuit(&self, owner: &Rc<Instance>, number: usize) -> Option<StateOfCircuit> {
        let symbols = &self.of.symbols;
        let rate = symbols.ex(self.rate(number)?);
        let is_of_pin = self.of.circuits.of_pins.contains(&number);
        let Meaning::Variable(full) = symbols.get(number).meaning.clone() else { return None };
        let local = local_in(owner, &full);
        let unknown = self.by_number.get(&number).map(|at| &self.of.unknowns[*at]);
        let name = match is_of_pin {
            true => local.replace(|c: char| !c.is_ascii_alphanumeric(), "_") + "_state",
            false => local.to_owned(),
        };
        let first = match self.initial.get(&number) {
            Some(Initial::Value(value)) => Some(*value),
            _ => None,
        };
        Some(StateOfCircuit {
            number,
            rate,
            name: name.leak(),
            unit: match unknown {
                _ if is_of_pin && self.of.is_potential_of_pin(&full) => "V",
                _ if is_of_pin => "A",
                Some(unknown) => unknown.unit.clone().leak(),
                None => "",
            },
            is_of_pin,
            start: unknown.and_then(|of| of.start),
            fixed: unknown.is_some_and(|of| of.fixed),
            nominal: unknown.and_then(|of| of.nominal),
            first,
        })
    }
}

impl Equations {
    /// The laws of circuits, by the names of their components. Each component has as many laws as
    /// unknowns; laws that the text states come first.
    pub(super) fn laws_of_circuits(&self) -> HashMap<String, Vec<Law>> {
        let circuits = &self.circuits;
        let name = |owner: Option<&Rc<Instance>>| owner.map_or(String::new(), |of| of.name.clone());
        let currents = circuits.with_laws(self).map(|at| self.pins[at].owner.name.clone());
        let others = circuits.unknowns.iter().map(|number| name(self.owner_of(*number)));
        let mut places: HashMap<String, usize> = HashMap::new();
        let mut order: Vec<String> = Vec::new();
        for owner in currents.chain(others) {
            *places.entry(owner.clone()).or_default() += 1;
            order.push(owner);
        }
        let equations = circuits.laws.iter().map(|law| {
            let equation = &self.equations[*law];
            let residual = Law::Equation(equation.left - equation.right);
            (name(circuits.owner_of_law(self, *law)), residual)
        });
        let states = circuits
            .states_of_pins()
            .map(|number| (name(self.owner_of(number)), Law::State(number)));
        let mut laws: HashMap<String, Vec<Law>> = HashMap::new();
        let mut left = Vec::new();
        // The law of a state is at the component that declares it.
        for (owner, law) in states.chain(equations) {
            match places.get_mut(&owner) {
                Some(count) if *count > 0 => {
                    *count -= 1;
                    laws.entry(owner).or_default().push(law);
                }
                _ => left.push(law),
            }
        }
        order.sort();
        order.dedup();
        for owner in order {
            for _ in 0..places[&owner] {
                let Some(law) = left.pop() else { break };
                laws.entry(owner.clone()).or_default().push(law);
            }
        }
        laws
    }
}
