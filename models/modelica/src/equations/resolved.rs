//! Values of variables in terms of what no equation determines: potentials of connectors with their
//! derivatives, states, free flows, and variables of our components.

use super::causality::{Solutions, is_linear};
use super::symbols::{Meaning, Symbols};
use crate::instance::Type;
use equations::{Ex, differentiate, substitute};
use mechanics::statements::algebra::graph_search::strongly_connected;
use std::collections::HashMap;

/// Values by the numbers of symbols; there is none of variables that depend on each other in
/// another way than linearly.
#[derive(Debug)]
pub(super) struct Resolved<'s> {
    symbols: &'s Symbols,
    values: HashMap<usize, Option<Ex>>,
    /// The variables that depend on themselves.
    cyclic: Vec<usize>,
}

impl<'s> Resolved<'s> {
    /// Resolves all variables on which some values depend.
    pub fn new(symbols: &'s Symbols, solutions: &Solutions, of: &[Ex]) -> Self {
        let open = |number: &usize| is_open(symbols, solutions, *number);
        let numbers = reachable(symbols, solutions, of);
        let place: HashMap<usize, usize> =
            numbers.iter().enumerate().map(|(at, number)| (*number, at)).collect();
        let uses: Vec<Vec<usize>> = numbers
            .iter()
            .map(|number| {
                let inside = symbols.of(&[solutions.values[number]]);
                inside.iter().filter(|of| open(of)).map(|of| place[of]).collect()
            })
            .collect();
        let mut resolved = Resolved { symbols, values: HashMap::new(), cyclic: Vec::new() };
        for cycle in in_order(&uses) {
            let is_cyclic = cycle.len() > 1 || uses[cycle[0]].contains(&cycle[0]);
            let cycle: Vec<usize> = cycle.into_iter().map(|at| numbers[at]).collect();
            resolved.cyclic.extend(cycle.iter().filter(|_| is_cyclic));
            let values: Option<Vec<Ex>> =
                cycle.iter().map(|number| resolved.of(solutions.values[number])).collect();
            let values = values.and_then(|values| eliminate(symbols, &cycle, values));
            for (at, number) in cycle.iter().enumerate() {
                resolved.values.insert(*number, values.as_ref().map(|values| values[at]));
            }
        }
        resolved
    }

    /// A value in terms of what no equation determines.
    pub fn of(&self, value: Ex) -> Option<Ex> {
        let mut by = Vec::new();
        for number in self.symbols.of(&[value]) {
            match self.values.get(&number) {
                Some(Some(known)) => by.push((self.symbols.ex(number), *known)),
                Some(None) => return None,
                None => {}
            }
        }
        Some(if by.is_empty() { value } else { substitute(&[value], &by)[0] })
    }
}

/// Solves variables on which some values depend, and which depend on themselves linearly.
pub(super) fn solve_cycles(symbols: &Symbols, solutions: &mut Solutions, of: &[Ex]) {
    let resolved = Resolved::new(symbols, solutions, of);
    let solved = resolved.cyclic.iter();
    let solved = solved.filter_map(|number| Some((*number, (*resolved.values.get(number)?)?)));
    let solved: Vec<(usize, Ex)> = solved.collect();
    solutions.values.extend(solved);
}

/// Sets of items that use each other, whatever is used first. Chains without cycles may be long, so
/// they are taken apart before the search for cycles.
fn in_order(uses: &[Vec<usize>]) -> Vec<Vec<usize>> {
    let mut users: Vec<Vec<usize>> = vec![Vec::new(); uses.len()];
    let mut waits: Vec<usize> = uses.iter().map(Vec::len).collect();
    for (item, used) in uses.iter().enumerate() {
        used.iter().for_each(|used| users[*used].push(item));
    }
    let mut ready: Vec<usize> = (0..uses.len()).filter(|item| waits[*item] == 0).collect();
    let mut order = Vec::new();
    while let Some(item) = ready.pop() {
        order.push(vec![item]);
        for user in &users[item] {
            waits[*user] -= 1;
            if waits[*user] == 0 {
                ready.push(*user);
            }
        }
    }
    let rest: Vec<usize> = (0..uses.len()).filter(|item| waits[*item] > 0).collect();
    let place: HashMap<usize, usize> =
        rest.iter().enumerate().map(|(k, item)| (*item, k)).collect();
    let of_rest = |item: &usize| uses[*item].iter().filter_map(|used| place.get(used).copied());
    let inside: Vec<Vec<usize>> = rest.iter().map(|item| of_rest(item).collect()).collect();
    let sets = strongly_connected(&inside).into_iter();
    order.extend(sets.map(|set| set.into_iter().map(|k| rest[k]).collect()));
    order
}

/// Whether a symbol is replaced by its value: it is no state and changes between events.
fn is_open(symbols: &Symbols, solutions: &Solutions, number: usize) -> bool {
    let symbol = symbols.get(number);
    let is_real = symbol.variable.as_ref().is_none_or(|of| matches!(of.kind, Type::Real));
    let is_free = match symbol.meaning {
        Meaning::Variable(_) => !solutions.at_events.contains(&number),
        Meaning::Derivative(_) => true,
        _ => false,
    };
    is_real && is_free && solutions.values.contains_key(&number)
}

/// The symbols that values lead to and that have a value.
fn reachable(symbols: &Symbols, solutions: &Solutions, of: &[Ex]) -> Vec<usize> {
    let (mut found, mut seen) = (Vec::new(), std::collections::BTreeSet::new());
    let mut open = symbols.of(of);
    while let Some(number) = open.pop() {
        if is_open(symbols, solutions, number) && seen.insert(number) {
            found.push(number);
            open.extend(symbols.of(&[solutions.values[&number]]));
        }
    }
    found
}

/// Solves variables that depend on each other linearly, one after the other.
fn eliminate(symbols: &Symbols, cycle: &[usize], mut values: Vec<Ex>) -> Option<Vec<Ex>> {
    let symbol: Vec<Ex> = cycle.iter().map(|number| symbols.ex(*number)).collect();
    for at in 0..cycle.len() {
        let earlier: Vec<(Ex, Ex)> = (0..at).map(|k| (symbol[k], values[k])).collect();
        let value = substitute(&[values[at]], &earlier)[0];
        values[at] = value;
        if symbols.all_of(&[value]).contains(&cycle[at]) {
            let residual = value - symbol[at];
            if !is_linear(symbols, residual, cycle[at]) {
                return None;
            }
            let factor = differentiate(&[residual], &[(symbol[at], Ex::one())])[0];
            values[at] = -substitute(&[residual], &[(symbol[at], Ex::zero())])[0] / factor;
        }
        // The variables before it no longer depend on it.
        let (solved, rest) = values.split_at_mut(at);
        for earlier in solved {
            *earlier = substitute(&[*earlier], &[(symbol[at], rest[0])])[0];
        }
    }
    Some(values)
}

/// A sum of values of ports with fixed factors, and the rest.
#[derive(Clone, Debug)]
pub(super) struct Form {
    /// The ports with their factors.
    pub terms: Vec<(usize, Ex)>,
    /// The rest.
    pub rest: Ex,
}

impl Form {
    /// A value as a sum over `symbols`, each of which belongs to a port; `None` if it is no such
    /// sum or has no term.
    pub fn of(symbols: &Symbols, value: Ex, of: &HashMap<usize, usize>) -> Option<Form> {
        let inside = symbols.all_of(&[value]);
        let mut terms: Vec<(usize, Ex)> = Vec::new();
        let mut rest = value;
        for number in inside.into_iter().filter(|number| of.contains_key(number)) {
            if !is_linear(symbols, value, number) {
                return None;
            }
            let symbol = symbols.ex(number);
            let factor = differentiate(&[value], &[(symbol, Ex::one())])[0];
            if !symbols.are_fixed(&[factor]) {
                return None;
            }
            rest = substitute(&[rest], &[(symbol, Ex::zero())])[0];
            terms.push((of[&number], factor));
        }
        terms.sort_by_key(|(port, _)| *port);
        (!terms.is_empty()).then_some(Form { terms, rest })
    }
}
