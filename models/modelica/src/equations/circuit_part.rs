//! What a component with pins contributes to circuits: branches, unknowns, states and laws.

use super::Equations;
use super::added::Maker;
use super::component::{Initial, Reader};
use super::physical::Reading;
use super::pins::inside;
use super::placing::local_in;
use super::symbols::Meaning;
use crate::instance::Instance;
use equations::{Ex, substitute};
use mechanics::component::{BranchId, Contribution};
use mechanics::start::Start;
use mechanics::statements::motion::ends::PinEnd;
use std::collections::HashMap;
use std::rc::Rc;

/// The part of a component in circuits.
#[derive(Clone, Debug, Default)]
pub(super) struct CircuitPart {
    /// Its pins.
    pub pins: Vec<PhysicalPin>,
    /// Unknowns besides currents: their symbols, and guesses.
    unknowns: Vec<(usize, Option<Ex>)>,
    /// Variables that may be states.
    states: Vec<StateOfCircuit>,
    /// As many laws as the component has unknowns.
    laws: Vec<Law>,
}

/// A pin.
#[derive(Clone, Debug)]
pub(super) struct PhysicalPin {
    /// Its number among all pins of the model.
    pub number: usize,
    /// Its name in the component.
    pub name: &'static str,
    /// Whether circuits publish its variables.
    is_whole: bool,
    /// The name of the pin inside of the component, if the current flows on to it.
    pub inner: Option<&'static str>,
    /// Where the current goes.
    path: Path,
    /// The symbols of potential and current.
    symbols: [Option<usize>; 2],
}

/// Where the current that enters a component goes.
#[derive(Clone, Copy, Debug)]
enum Path {
    /// There is none.
    None,
    /// To the pin inside of the component.
    Inside,
    /// Laws say whence currents come.
    Earth,
    /// To the pin with this number.
    Pin(usize),
    /// It comes from another pin.
    FromPin,
}

/// A variable that may be a state of the circuit.
#[derive(Clone, Debug)]
struct StateOfCircuit {
    /// Its symbol.
    number: usize,
    /// The symbol of its derivative.
    rate: Ex,
    name: &'static str,
    unit: &'static str,
    /// Whether it is a potential or a current, which has a value of its own.
    is_of_pin: bool,
    start: Option<Ex>,
    fixed: bool,
    nominal: Option<f64>,
    /// Its value at the start if an initial equation gives it.
    first: Option<Ex>,
}

/// A residual that vanishes.
#[derive(Clone, Copy, Debug)]
pub(super) enum Law {
    /// The difference of two sides.
    Equation(Ex),
    /// A potential or a current is the state with this symbol.
    State(usize),
}

impl CircuitPart {
    /// The values that its laws compute.
    pub fn values(&self) -> impl Iterator<Item = Ex> {
        let laws = self.laws.iter().filter_map(|law| match law {
            Law::Equation(residual) => Some(*residual),
            Law::State(_) => None,
        });
        let states = self.states.iter();
        laws.chain(states.flat_map(|state| [Some(state.rate), state.first]).flatten())
    }

    /// The names of its pins, also of those inside of it.
    pub fn names_of_pins(&self) -> impl Iterator<Item = &'static str> {
        self.pins.iter().flat_map(|pin| [Some(pin.name), pin.inner]).flatten()
    }

    /// States everything.
    pub fn contribute(&self, c: &mut Contribution<'_>, reader: &Rc<Reader>) {
        let mut branches = self.branches(c, reader);
        for (number, guess) in &self.unknowns {
            let branch = c.circuit_unknown();
            let guess = guess.map(|guess| substitute(&[guess], c.model_parameters())[0]);
            if let Some(guess) = guess.and_then(|guess| c.number(guess)) {
                c.guess_unknown(branch, guess);
            }
            reader.ends.note(*number, Reading::Unknown(branch, 1.0));
            branches.push(branch);
        }
        let states: HashMap<usize, _> =
            self.states.iter().map(|state| (state.number, state.contribute(c, reader))).collect();
        for (branch, law) in branches.into_iter().zip(self.laws.iter().copied()) {
            let (reader, states) = (Rc::clone(reader), states.clone());
            c.law(move |e| {
                let residual = match law {
                    Law::Equation(residual) => reader.value(e, residual)?,
                    Law::State(number) => {
                        let state = e.circuit_state(states[&number]);
                        reader.value(e, reader.symbol_of(number))? - state
                    }
                };
                e.set_branch_law(branch, residual);
                Ok(())
            });
        }
    }

    /// The branches of its pins whose laws are among the laws of the component.
    fn branches(&self, c: &mut Contribution<'_>, reader: &Rc<Reader>) -> Vec<BranchId> {
        let ends: HashMap<usize, _> =
            self.pins.iter().map(|pin| (pin.number, pin.end(c))).collect();
        let mut branches = Vec::new();
        for pin in &self.pins {
            let end = ends[&pin.number];
            let [potential, current] = pin.symbols;
            if let Some(potential) = potential {
                reader.ends.note(potential, Reading::Potential(end));
            }
            let other = match pin.path {
                Path::None | Path::FromPin => continue,
                Path::Inside => c.inner_pin(pin.inner.unwrap_or_default()),
                Path::Earth => c.earth(),
                Path::Pin(other) => ends[&other],
            };
            let branch = c.branch(end, other);
            if let Some(current) = current {
                reader.ends.note(current, Reading::Unknown(branch, 1.0));
            }
            if let Path::Inside = pin.path {
                c.law(move |e| {
                    let voltage = e.voltage(branch);
                    e.set_branch_law(branch, voltage);
                    Ok(())
                });
                continue;
            }
            branches.push(branch);
            let second = match pin.path {
                Path::Pin(other) => self.pins.iter().find(|pin| pin.number == other),
                _ => None,
            };
            if let Some(current) = second.and_then(|pin| pin.symbols[1]) {
                reader.ends.note(current, Reading::Unknown(branch, -1.0));
            }
        }
        branches
    }
}

impl PhysicalPin {
    fn end(&self, c: &mut Contribution<'_>) -> PinEnd {
        match self.is_whole {
            true => c.pin(self.name),
            false => c.inner_pin(self.name),
        }
    }
}

impl StateOfCircuit {
    fn contribute(
        &self,
        c: &mut Contribution<'_>,
        reader: &Rc<Reader>,
    ) -> mechanics::component::CircuitStateId {
        let start = self.start.map(|start| substitute(&[start], c.model_parameters())[0]);
        let number = start.and_then(|start| c.number(start)).unwrap_or(0.0);
        let is_number = start.is_none_or(|start| start.constant_value().is_some());
        let first = self.first.or(self.start.filter(|_| !is_number));
        let fixed = self.fixed || self.first.is_some();
        let given = fixed || self.start.is_some();
        let mut variable =
            c.named_start_variable(self.name, self.unit, Start { value: number, fixed, given });
        variable.nominal = self.nominal.unwrap_or(1.0);
        let state = c.circuit_state(variable);
        if !self.is_of_pin {
            reader.ends.note(self.number, Reading::CircuitState(state));
            c.signal(self.name, move |e| Ok(e.circuit_state(state)));
        }
        let (reader, rate) = (Rc::clone(reader), self.rate);
        c.law(move |e| {
            let rate = reader.value(e, rate)?;
            e.set_circuit_rate(state, rate);
            if let Some(first) = first {
                let first = reader.value(e, first)?;
                e.set_circuit_start(state, first);
            }
            Ok(())
        });
        state
    }
}

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
        let path = if !self.of.has_current(&pin.connector) {
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
                _ if is_of_pin => {
                    if full.ends_with(".v") {
                        "V"
                    } else {
                        "A"
                    }
                }
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
    /// The laws of circuits, by the names of the components that state them: each component has as
    /// many as unknowns, first those that its text states.
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
