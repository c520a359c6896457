//! Variables that are positions or speeds of connectors: they have start values, and may be states.

use super::causality::Solutions;
use super::resolved::{Form, Resolved};
use super::rigid::of_potentials;
use super::system::{Equations, Unknown};
use crate::instance::Type;
use equations::Ex;
use mechanics::start::StateSelect;
use std::collections::{BTreeSet, HashMap};

/// The variables that are sums of positions of connectors with fixed factors, or of their speeds.
#[derive(Debug, Default)]
pub(super) struct Forms {
    /// By the numbers of symbols: how often the positions are differentiated, and the sum.
    pub by_number: HashMap<usize, (usize, Form)>,
}

/// A position of connectors, with the numbers of the unknowns that are the position and its
/// derivative.
#[derive(Clone, Debug)]
pub(super) struct Position {
    /// The ports with their factors, and what is added.
    pub form: Form,
    /// The position and the speed.
    pub variables: [Option<usize>; 2],
    /// Whether flows depend on the speed.
    pub damped: bool,
}

impl Forms {
    /// Finds them among the variables that equations determine.
    pub fn find(of: &Equations, solutions: &Solutions) -> Forms {
        let mut forms = Forms::default();
        if of.ports.is_empty() {
            return forms;
        }
        let symbols = &*of.symbols;
        let is_candidate = |unknown: &&Unknown| {
            matches!(unknown.variable.kind, Type::Real) && of.port_of_flow(&unknown.name).is_none()
        };
        let values: Vec<(usize, Ex)> = of
            .unknowns
            .iter()
            .filter(is_candidate)
            .filter_map(|unknown| symbols.variable(&unknown.name))
            .filter_map(|number| Some((number, *solutions.values.get(&number)?)))
            .collect();
        let roots: Vec<Ex> = values.iter().map(|(_, value)| *value).collect();
        let resolved = Resolved::new(symbols, solutions, &roots);
        let orders = [0, 1].map(|order| of_potentials(of, order));
        for (number, value) in values {
            let Some(value) = resolved.of(value) else { continue };
            for (order, potentials) in orders.iter().enumerate() {
                let Some(form) = Form::of(symbols, value, potentials) else { continue };
                let is_rest =
                    symbols.are_fixed(&[form.rest]) && (order == 0 || form.rest.is_constant_zero());
                let is_of_flanges =
                    form.terms.iter().all(|(port, _)| of.ports[*port].kind.domain().is_some());
                if is_rest && is_of_flanges {
                    forms.by_number.insert(number, (order, form));
                }
            }
        }
        forms
    }
}

/// Whether two sums have the same terms.
fn is_same(a: &Form, b: &Form) -> bool {
    let key = |form: &Form| -> Vec<_> {
        form.terms.iter().map(|(port, factor)| (*port, factor.key())).collect()
    };
    key(a) == key(b)
}

/// The positions that have start values, preferences, or initial equations, or along which flows
/// depend on speeds.
pub(super) fn choose(
    of: &Equations,
    solutions: &Solutions,
    forms: &Forms,
    has_condition: &dyn Fn(usize) -> bool,
) -> Vec<Position> {
    let mut positions: Vec<Position> = Vec::new();
    for order in [0, 1] {
        for (at, unknown) in of.unknowns.iter().enumerate() {
            let Some(number) = of.symbols.variable(&unknown.name) else { continue };
            let Some((of_order, form)) = forms.by_number.get(&number) else { continue };
            let is_wanted =
                unknown.start.is_some() || unknown.select.is_some() || has_condition(number);
            if *of_order != order || !is_wanted {
                continue;
            }
            let known = positions.iter_mut().find(|known| {
                let [position, speed] = known.variables;
                let place = if order == 0 { position } else { speed };
                let owner = position.or(speed).map(|at| &of.unknowns[at].owner.name);
                place.is_none() && owner == Some(&unknown.owner.name) && is_same(&known.form, form)
            });
            match known {
                Some(known) => known.variables[order] = Some(at),
                None => {
                    let mut variables = [None; 2];
                    variables[order] = Some(at);
                    positions.push(Position { form: form.clone(), variables, damped: false });
                }
            }
        }
    }
    mark_damped(of, solutions, &mut positions);
    positions
}

/// Notes the positions along whose speeds flows act; the relative position of two connectors is one
/// even if the text does not name it, because it is a state where nothing has inertia.
fn mark_damped(of: &Equations, solutions: &Solutions, positions: &mut Vec<Position>) {
    let symbols = &*of.symbols;
    let speeds = of_potentials(of, 1);
    for at in 0..of.ports.len() {
        let Some(number) = symbols.variable(&of.ports[at].flow) else { continue };
        let Some(flow) = solutions.values.get(&number).copied() else { continue };
        let flow = Resolved::new(symbols, solutions, &[flow]).of(flow);
        let Some(flow) = flow else { continue };
        let inside = symbols.of(&[flow]);
        let ports: BTreeSet<usize> =
            inside.iter().filter_map(|number| speeds.get(number).copied()).collect();
        let mut is_known = false;
        for position in positions.iter_mut() {
            let mut terms = position.form.terms.iter();
            if position.form.terms.iter().any(|(port, _)| *port == at)
                && terms.all(|(port, _)| ports.contains(port))
            {
                position.damped = true;
                is_known = true;
            }
        }
        let is_pair = ports.contains(&at) && ports.len() <= 2 && is_of_one_domain(of, &ports);
        if is_pair && !is_known {
            let signs = [-1.0, 1.0].into_iter().skip(2 - ports.len());
            let terms = ports.into_iter().zip(signs.map(Ex::from)).collect();
            let form = Form { terms, rest: Ex::zero() };
            positions.push(Position { form, variables: [None; 2], damped: true });
        }
    }
}

/// Whether ports are flanges of one domain.
fn is_of_one_domain(of: &Equations, ports: &BTreeSet<usize>) -> bool {
    let mut domains = ports.iter().map(|port| of.ports[*port].kind.domain().map(|of| of.port));
    let first = domains.next().flatten();
    first.is_some() && domains.all(|domain| domain == first)
}

impl Unknown {
    /// Its preference as a state: a guess alone makes it none.
    pub(super) fn preference(&self) -> StateSelect {
        match self.select {
            Some(select) => select,
            None if self.fixed => StateSelect::Default,
            None => StateSelect::Avoid,
        }
    }
}
