//! What a component with pins contributes to circuits: branches, unknowns, states and laws.

use super::reader::{Reader, Reading};
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
    pub unknowns: Vec<(usize, Option<Ex>)>,
    /// Variables that may be states.
    pub states: Vec<StateOfCircuit>,
    /// As many laws as the component has unknowns.
    pub laws: Vec<Law>,
}

/// A pin.
#[derive(Clone, Debug)]
pub(super) struct PhysicalPin {
    /// Its number among all pins of the model.
    pub number: usize,
    /// Its name in the component.
    pub name: &'static str,
    /// Whether circuits publish its variables.
    pub is_whole: bool,
    /// The name of the pin inside of the component, if the current flows on to it.
    pub inner: Option<&'static str>,
    /// Where the current goes.
    pub path: Path,
    /// The symbols of potential and current.
    pub symbols: [Option<usize>; 2],
}

/// Where the current that enters a component goes.
#[derive(Clone, Copy, Debug)]
pub(super) enum Path {
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
pub(super) struct StateOfCircuit {
    /// Its symbol.
    pub number: usize,
    /// The symbol of its derivative.
    pub rate: Ex,
    pub name: &'static str,
    pub unit: &'static str,
    /// Whether it is a potential or a current, which has a value of its own.
    pub is_of_pin: bool,
    pub start: Option<Ex>,
    pub fixed: bool,
    pub nominal: Option<f64>,
    /// Its value at the start if an initial equation gives it.
    pub first: Option<Ex>,
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
