//! Which equations circuits solve, and for which variables: those that potentials and currents of
//! pins need all together, while others follow from what is known, or from the solution.

use super::causality::is_linear;
use super::connectors::Pin;
use super::symbols::{Meaning, Symbols};
use super::system::{Circuits, Equation, Equations, Unknown};
use crate::instance::{Instance, Type};
use crate::source::{Complaint, Complaints};
use equations::{Ex, differentiate, substitute};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::rc::Rc;

/// How far the search has come with an equation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fate {
    /// It is one of the circuit, as far as is known.
    Open,
    /// It determines a variable by itself, or is of a type that circuits do not have.
    Apart,
}

struct Search<'s> {
    of: &'s Equations,
    symbols: &'s Symbols,
    /// What may be unknown in each equation.
    inside: Vec<Vec<usize>>,
    fates: Vec<Fate>,
    /// The unknowns that have a value without the circuit.
    known: BTreeSet<usize>,
    /// The equations that give unknowns values without the circuit.
    definitions: HashMap<usize, usize>,
    /// Those that are known if the circuit has them as states.
    states: BTreeSet<usize>,
    of_pins: BTreeSet<usize>,
}

/// Finds the equations of circuits.
pub(super) fn find(of: &Equations) -> Result<Circuits, Complaints> {
    if !of.pins.iter().any(|pin| of.has_pins(&pin.connector)) {
        return Ok(Circuits::default());
    }
    let mut search = Search::new(of);
    search.find_known();
    search.assume_states();
    search.find_known();
    search.find_outputs();
    let found = search.circuits();
    check(of, &found)?;
    Ok(found)
}

impl<'s> Search<'s> {
    fn new(of: &'s Equations) -> Self {
        let symbols = &*of.symbols;
        let of_pins: BTreeSet<usize> =
            of.pins.iter().flat_map(|pin| of.symbols_of(pin)).flatten().collect();
        let left = |equation: &Equation| symbols.number_of(equation.left);
        let at_events: BTreeSet<usize> =
            of.equations.iter().filter(|of| of.at_events).filter_map(left).collect();
        let is_free =
            |unknown: &&Unknown| !unknown.is_input && matches!(unknown.variable.kind, Type::Real);
        let own = of.unknowns.iter().filter(is_free);
        let own = own.filter_map(|unknown| symbols.variable(&unknown.name));
        let mut nodes: BTreeSet<usize> = own.filter(|number| !at_events.contains(number)).collect();
        nodes.extend(&of_pins);
        let rates = nodes.iter().filter_map(|number| symbols.find(&Meaning::Derivative(*number)));
        let rates: Vec<usize> = rates.collect();
        nodes.extend(rates);
        let is_apart = |of: &Equation| of.at_events || !matches!(of.kind, Type::Real);
        let contents = |of: &Equation| {
            let inside = symbols.of(&[of.left, of.right]);
            inside.into_iter().filter(|number| nodes.contains(number)).collect()
        };
        Search {
            of,
            symbols,
            inside: of.equations.iter().map(contents).collect(),
            fates: of
                .equations
                .iter()
                .map(|of| if is_apart(of) { Fate::Apart } else { Fate::Open })
                .collect(),
            known: BTreeSet::new(),
            definitions: HashMap::new(),
            states: BTreeSet::new(),
            of_pins,
        }
    }

    /// The variable of which a symbol is the derivative.
    fn variable_of(&self, rate: usize) -> Option<usize> {
        match self.symbols.get(rate).meaning {
            Meaning::Derivative(of) => Some(of),
            _ => None,
        }
    }

    fn is_known(&self, number: usize) -> bool {
        self.known.contains(&number)
            || self.states.contains(&number) && !self.of_pins.contains(&number)
            || self.variable_of(number).is_some_and(|of| self.known.contains(&of))
    }

    fn open(&self) -> impl Iterator<Item = usize> {
        (0..self.fates.len()).filter(|at| self.fates[*at] == Fate::Open)
    }

    fn unknown_in(&self, equation: usize) -> Vec<usize> {
        let inside = self.inside[equation].iter().copied();
        inside.filter(|number| !self.is_known(*number)).collect()
    }

    /// Finds variables whose equation contains no other unknown, one after the other.
    fn find_known(&mut self) {
        let mut users: HashMap<usize, Vec<usize>> = HashMap::new();
        for (at, inside) in self.inside.iter().enumerate() {
            for number in inside {
                let of = self.variable_of(*number).unwrap_or(*number);
                users.entry(*number).or_default().push(at);
                users.entry(of).or_default().push(at);
            }
        }
        let mut waiting: Vec<usize> = self.open().collect();
        while let Some(equation) = waiting.pop() {
            let [number] = self.unknown_in(equation)[..] else { continue };
            let is_rate_of_pin =
                self.variable_of(number).is_some_and(|of| self.of_pins.contains(&of));
            let is_fixed = self.of_pins.contains(&number) || is_rate_of_pin;
            // Without states, a derivative says nothing.
            let is_early = self.variable_of(number).is_some() && self.states.is_empty();
            if self.fates[equation] == Fate::Apart || is_fixed || is_early {
                continue;
            }
            if self.solves(equation, number, true) {
                self.fates[equation] = Fate::Apart;
                self.known.insert(number);
                self.definitions.insert(number, equation);
                waiting.extend(users.get(&number).into_iter().flatten());
            }
        }
    }

    /// Takes variables with a derivative as known.
    fn assume_states(&mut self) {
        let inside: BTreeSet<usize> = self.inside.iter().flatten().copied().collect();
        let rates = inside.into_iter().filter_map(|number| self.variable_of(number));
        self.states = rates.filter(|number| !self.known.contains(number)).collect();
    }

    /// Whether an equation can be solved for a symbol; with `any_factor`, also by a division by
    /// something that varies.
    fn solves(&self, equation: usize, number: usize, any_factor: bool) -> bool {
        let of = &self.of.equations[equation];
        let sides = [(of.left, of.right), (of.right, of.left)];
        let sides = &sides[..if of.assigns { 1 } else { 2 }];
        let is_side = |(side, other): &(Ex, Ex)| {
            self.symbols.number_of(*side) == Some(number)
                && !self.symbols.all_of(&[*other]).contains(&number)
        };
        if sides.iter().any(is_side) {
            return true;
        }
        let residual = of.left - of.right;
        if of.assigns || !is_linear(self.symbols, residual, number) {
            return false;
        }
        let factor = differentiate(&[residual], &[(self.symbols.ex(number), Ex::one())])[0];
        any_factor
            || factor.constant_value().is_some()
            || self.variable_of(number).is_some() && self.symbols.are_fixed(&[factor])
    }

    /// Puts equations apart that alone contain a variable, which so follows from the solution.
    fn find_outputs(&mut self) {
        loop {
            let mut users: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
            for equation in self.open().collect::<Vec<_>>() {
                for number in self.unknown_in(equation) {
                    users.entry(number).or_default().push(equation);
                }
            }
            let mut changed = false;
            for (number, equations) in users {
                let [equation] = equations[..] else { continue };
                let of = self.variable_of(number).unwrap_or(number);
                if self.of_pins.contains(&of) || self.fates[equation] == Fate::Apart {
                    continue;
                }
                if self.solves(equation, number, false) {
                    self.fates[equation] = Fate::Apart;
                    self.known.insert(number);
                    changed = true;
                }
            }
            if !changed {
                return;
            }
        }
    }

    /// The states on which the values of variables depend. One that `reinit` changes is no state
    /// of a circuit.
    fn states_behind(&self, numbers: &[usize]) -> Vec<usize> {
        let is_free =
            |number: usize| !self.of.reinits.iter().any(|(_, reinit)| reinit.state == number);
        let (mut open, mut seen) = (numbers.to_vec(), BTreeSet::new());
        let mut found = Vec::new();
        while let Some(number) = open.pop() {
            if !seen.insert(number) {
                continue;
            }
            if self.states.contains(&number) && is_free(number) {
                found.push(number);
            }
            if let Some(equation) = self.definitions.get(&number) {
                open.extend(&self.inside[*equation]);
            }
        }
        found
    }

    /// The open equations that belong together with pins.
    fn circuits(self) -> Circuits {
        let open: Vec<usize> = self.open().collect();
        let mut found = Circuits { of_pins: self.of_pins.clone(), ..Circuits::default() };
        let mut reached: BTreeSet<usize> = self.of_pins.clone();
        loop {
            let before = found.laws.len();
            for equation in &open {
                let unknown = self.unknown_in(*equation);
                let inside = &self.inside[*equation];
                let states = self.states_behind(inside);
                // An equation without unknowns constrains states.
                let belongs = match unknown.is_empty() {
                    true => states.iter().any(|state| found.states.contains(state)),
                    false => unknown.iter().any(|number| reached.contains(number)),
                };
                if belongs && found.laws.insert(*equation) {
                    reached.extend(&unknown);
                    found.states.extend(states);
                }
            }
            if found.laws.len() == before {
                break;
            }
        }
        let of_pin = |number: &usize| self.of_pins.contains(number);
        found.unknowns = reached.into_iter().filter(|number| !of_pin(number)).collect();
        let rates = found.unknowns.iter().filter_map(|number| self.variable_of(*number));
        found.states.extend(rates.collect::<Vec<_>>());
        found.states.extend(self.states.iter().filter(|state| of_pin(state)));
        found.equations.clone_from(&found.laws);
        found.pair(self.of);
        found
    }
}

impl Circuits {
    /// Finds pins whose currents have the sum zero, so that one branch leads from one to the other.
    fn pair(&mut self, of: &Equations) {
        let symbols = &*of.symbols;
        let pins = of.pins.iter().enumerate().filter(|(_, pin)| !pin.is_inside);
        let number = |pin: &Pin| symbols.variable(&pin.current);
        let by_current: BTreeMap<usize, usize> =
            pins.filter_map(|(at, pin)| Some((number(pin)?, at))).collect();
        let mut paired: BTreeSet<usize> = BTreeSet::new();
        for law in self.laws.clone() {
            let residual = of.equations[law].left - of.equations[law].right;
            let [a, b] = symbols.all_of(&[residual])[..] else { continue };
            let (Some(first), Some(second)) = (by_current.get(&a), by_current.get(&b)) else {
                continue;
            };
            let seeds = [a, b].map(|number| (symbols.ex(number), Ex::one()));
            let [f, g] = seeds.map(|seed| differentiate(&[residual], &[seed])[0].constant_value());
            let zero = [a, b].map(|number| (symbols.ex(number), Ex::zero()));
            let is_balance = f.is_some_and(|f| f != 0.0)
                && f == g
                && substitute(&[residual], &zero)[0].is_constant_zero();
            let is_free = !paired.contains(first) && !paired.contains(second);
            let is_own = of.pins[*first].owner.name == of.pins[*second].owner.name;
            if is_balance
                && is_free
                && is_own
                && !(self.states.contains(&a) || self.states.contains(&b))
            {
                paired.extend([*first, *second]);
                self.laws.remove(&law);
                self.pairs.push([*first, *second]);
            }
        }
    }

    /// The pins whose currents are unknowns with a law among the equations.
    pub fn with_laws<'a>(&'a self, of: &'a Equations) -> impl Iterator<Item = usize> + 'a {
        (0..of.pins.len()).filter(|at| {
            let pin = &of.pins[*at];
            let follows = self.pairs.iter().any(|[_, second]| second == at);
            of.has_pins(&pin.connector) && !pin.is_inside && !follows
        })
    }

    /// The potentials and currents that are states: each has one more law.
    pub fn states_of_pins(&self) -> impl Iterator<Item = usize> + '_ {
        self.states.intersection(&self.of_pins).copied()
    }

    /// The component to which a law belongs: that of an unknown in it.
    pub fn owner_of_law<'a>(&self, of: &'a Equations, law: usize) -> Option<&'a Rc<Instance>> {
        let equation = &of.equations[law];
        let inside = of.symbols.all_of(&[equation.left, equation.right]);
        inside.into_iter().find_map(|number| of.owner_of(number))
    }
}

/// The name of a component.
fn name(owner: Option<&Rc<Instance>>) -> &str {
    owner.map_or("", |owner| owner.name.as_str())
}

impl Equations {
    /// The component in which a variable or the variable of a derivative is declared.
    pub(super) fn owner_of(&self, number: usize) -> Option<&Rc<Instance>> {
        let symbol = self.symbols.get(number).clone();
        match &symbol.meaning {
            Meaning::Variable(name) => match self.by_name.get(name) {
                Some(at) => Some(&self.unknowns[*at].owner),
                None => self.pin_of(name).map(|pin| &pin.owner),
            },
            Meaning::Derivative(of) => self.owner_of(*of),
            _ => None,
        }
    }
}

/// Refuses too many or too few equations, for each component of its own.
fn check(of: &Equations, found: &Circuits) -> Result<(), Complaints> {
    let currents = found.with_laws(of).filter_map(|at| of.symbols_of(&of.pins[at])[1]);
    let unknowns: Vec<usize> = found.unknowns.iter().copied().chain(currents).collect();
    let balances: Vec<usize> = found.states_of_pins().collect();
    if found.laws.len() + balances.len() == unknowns.len() {
        return Ok(());
    }
    let mut of_owner: BTreeMap<&str, (Vec<usize>, usize)> = BTreeMap::new();
    for number in unknowns {
        of_owner.entry(name(of.owner_of(number))).or_default().0.push(number);
    }
    for law in &found.laws {
        let entry = of_owner.entry(name(found.owner_of_law(of, *law))).or_default();
        entry.1 += 1;
    }
    let complaint = |(owner, (unknowns, laws)): (&str, (Vec<usize>, usize))| {
        let more = balances.iter().filter(|number| name(of.owner_of(**number)) == owner).count();
        if unknowns.len() == laws + more {
            return None;
        }
        let owner = if owner.is_empty() { "the model" } else { owner };
        let names: Vec<String> = unknowns.iter().map(|number| of.text_of(*number)).collect();
        let (count, names) = (laws + more, names.join(", "));
        // Its declaration is the place.
        Some(Complaint::general(format!(
            "{owner} has {count} equations for {} unknown variables of a circuit: {names}",
            unknowns.len()
        )))
    };
    Err(of_owner.into_iter().filter_map(complaint).collect())
}

impl Equations {
    /// The name of a variable, or of its derivative.
    fn text_of(&self, number: usize) -> String {
        match &self.symbols.get(number).meaning {
            Meaning::Variable(name) => name.to_string(),
            Meaning::Derivative(of) => format!("der({})", self.text_of(*of)),
            _ => String::new(),
        }
    }
}
