//! Derivatives whose factors vanish: a voltage is no state where the capacitance is zero.

use super::causality::is_linear;
use super::symbols::{Meaning, Symbols};
use super::system::{Equation, Equations};
use crate::evaluate::Evaluator;
use crate::source::Checked;
use equations::{Ex, differentiate, substitute};
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// The equations that contain a derivative, with the factors of this.
type Factors = BTreeMap<usize, Ex>;

impl Equations {
    /// Removes derivatives that have no factor but zero in any equation. Where that depends on
    /// parameters with the value zero, these become constants instead: then this is called again.
    pub fn drop_vanishing_derivatives(&mut self, evaluator: &Evaluator<'_>) -> Checked<()> {
        let candidates = self.derivatives_without_numbers();
        if candidates.is_empty() {
            return Ok(());
        }
        let definitions = self.definitions();
        for (rate, factors) in candidates {
            let all: Vec<Ex> = factors.values().copied().collect();
            let inside = behind(&all, &definitions, &self.symbols);
            if self.vanish(&all, &inside, &[]) {
                let by = [(self.symbols.ex(rate), Ex::zero())];
                for at in factors.into_keys() {
                    let equation = &mut self.equations[at];
                    let sides = substitute(&[equation.left, equation.right], &by);
                    (equation.left, equation.right) = (sides[0], sides[1]);
                }
                continue;
            }
            let values: Vec<Ex> = all.iter().chain(inside.values()).copied().collect();
            let mut zero = evaluator.parameters_that_are_zero(&values);
            let vanish = |zero: &[Ex]| self.vanish(&all, &inside, zero);
            if !vanish(&zero) {
                continue;
            }
            // Only those without which the factors do not vanish.
            for at in (0..zero.len()).rev() {
                let mut others = zero.clone();
                others.remove(at);
                if vanish(&others) {
                    zero = others;
                }
            }
            for (parameter, at) in zero.into_iter().zip(factors.keys().cycle()) {
                evaluator.need(parameter, &self.equations[*at].span)?;
            }
        }
        Ok(())
    }

    /// The derivatives that occur linearly only, and with factors that are no numbers.
    fn derivatives_without_numbers(&self) -> BTreeMap<usize, Factors> {
        let symbols = &*self.symbols;
        let mut found: BTreeMap<usize, Factors> = BTreeMap::new();
        let mut refused = BTreeSet::new();
        for (at, equation) in self.equations.iter().enumerate() {
            let residual = equation.left - equation.right;
            for rate in symbols.all_of(&[residual]).into_iter().filter(|of| is_rate(symbols, *of)) {
                match factor(equation, residual, symbols, rate) {
                    Some(factor) => drop(found.entry(rate).or_default().insert(at, factor)),
                    None => drop(refused.insert(rate)),
                }
            }
        }
        found.retain(|rate, _| !refused.contains(rate));
        found
    }

    /// The values of variables that equations give explicitly.
    fn definitions(&self) -> HashMap<usize, Ex> {
        let continuous = self.equations.iter().filter(|of| !of.at_events);
        let number = |of: &Equation| self.symbols.number_of(of.left);
        continuous.filter_map(|of| Some((number(of)?, of.right))).collect()
    }

    /// Whether factors vanish where these parameters are zero, because variables with these
    /// definitions do.
    fn vanish(&self, factors: &[Ex], definitions: &BTreeMap<usize, Ex>, parameters: &[Ex]) -> bool {
        let mut zero: Vec<(Ex, Ex)> = parameters.iter().map(|of| (*of, Ex::zero())).collect();
        let mut open: Vec<(usize, Ex)> =
            definitions.iter().map(|(of, value)| (*of, *value)).collect();
        loop {
            let values: Vec<Ex> = open.iter().map(|(_, value)| *value).collect();
            let values = substitute(&values, &zero);
            let before = open.len();
            let mut values = values.into_iter();
            open.retain(|(number, _)| {
                let vanishes = values.next().is_some_and(Ex::is_constant_zero);
                if vanishes {
                    zero.push((self.symbols.ex(*number), Ex::zero()));
                }
                !vanishes
            });
            if open.len() == before {
                break;
            }
        }
        substitute(factors, &zero).into_iter().all(Ex::is_constant_zero)
    }
}

fn is_rate(symbols: &Symbols, number: usize) -> bool {
    matches!(symbols.get(number).meaning, Meaning::Derivative(_))
}

/// The factor of a derivative in an equation; `None` if it is a number, or the equation is not
/// linear.
fn factor(equation: &Equation, residual: Ex, symbols: &Symbols, rate: usize) -> Option<Ex> {
    if equation.at_events || !is_linear(symbols, residual, rate) {
        return None;
    }
    let factor = differentiate(&[residual], &[(symbols.ex(rate), Ex::one())])[0];
    factor.constant_value().is_none().then_some(factor)
}

/// The definitions of the variables on which values depend.
fn behind(
    values: &[Ex],
    definitions: &HashMap<usize, Ex>,
    symbols: &Symbols,
) -> BTreeMap<usize, Ex> {
    let (mut open, mut found) = (symbols.of(values), BTreeMap::new());
    while let Some(number) = open.pop() {
        let Some(&value) = definitions.get(&number) else { continue };
        if found.insert(number, value).is_none() {
            open.extend(symbols.of(&[value]));
        }
    }
    found
}
