//! Derivatives whose factors vanish: a voltage is no state where the capacitance is zero.

use super::symbols::{Meaning, Symbols};
use super::system::{Equation, Equations};
use crate::evaluate::Evaluator;
use crate::source::Checked;
use equations::{Ex, differentiate, substitute};
use std::collections::HashMap;

/// How many definitions may lead from a factor to the parameters.
const MOST_DEFINITIONS: usize = 50;

impl Equations {
    /// Removes derivatives from equations in which their factors vanish because of constants.
    /// Parameters with the value zero on which that depends become constants: then this is called
    /// again.
    pub fn drop_vanishing_derivatives(&mut self, evaluator: &Evaluator<'_>) -> Checked<()> {
        let symbols = &*self.symbols;
        let parameters = evaluator.parameters.borrow();
        let zero = parameters.iter().filter(|parameter| parameter.value == 0.0);
        let zero: Vec<(Ex, Ex)> = zero.map(|of| (of.symbol, Ex::zero())).collect();
        drop(parameters);
        let mut definitions: Option<HashMap<usize, Ex>> = None;
        let mut dropped = Vec::new();
        for (at, equation) in self.equations.iter().enumerate() {
            for (rate, factor) in varying_factors(equation, symbols) {
                let known = definitions.get_or_insert_with(|| self.definitions());
                let factor = expanded(factor, known, symbols);
                if factor.is_constant_zero() {
                    dropped.push((at, rate));
                } else if substitute(&[factor], &zero)[0].is_constant_zero() {
                    let inside = evaluator.parameters_in(factor);
                    let inside =
                        inside.into_iter().map(|k| evaluator.parameters.borrow()[k].symbol);
                    let vanishing: Vec<Ex> = inside
                        .filter(|symbol| zero.iter().any(|(of, _)| of.key() == symbol.key()))
                        .collect();
                    for symbol in vanishing {
                        evaluator.need(symbol, &equation.span)?;
                    }
                }
            }
        }
        for (at, rate) in dropped {
            let by = [(self.symbols.ex(rate), Ex::zero())];
            let equation = &mut self.equations[at];
            let sides = substitute(&[equation.left, equation.right], &by);
            (equation.left, equation.right) = (sides[0], sides[1]);
        }
        Ok(())
    }

    /// The values of variables that equations give explicitly.
    fn definitions(&self) -> HashMap<usize, Ex> {
        let mut found = HashMap::new();
        for Equation { left, right, at_events, .. } in &self.equations {
            if let Some(number) = self.symbols.number_of(*left).filter(|_| !at_events) {
                found.insert(number, *right);
            }
        }
        found
    }
}

/// The derivatives in an equation whose factors are no numbers, with these.
fn varying_factors(equation: &Equation, symbols: &Symbols) -> Vec<(usize, Ex)> {
    let residual = equation.left - equation.right;
    let is_rate = |number: &usize| matches!(symbols.get(*number).meaning, Meaning::Derivative(_));
    let rates = symbols.of(&[residual]).into_iter().filter(is_rate);
    let factor = |rate| (rate, differentiate(&[residual], &[(symbols.ex(rate), Ex::one())])[0]);
    let all = rates.map(factor);
    all.filter(|(_, factor)| factor.constant_value().is_none()).collect()
}

/// A factor with the values of variables that are given explicitly.
fn expanded(factor: Ex, definitions: &HashMap<usize, Ex>, symbols: &Symbols) -> Ex {
    let mut factor = factor;
    for _ in 0..MOST_DEFINITIONS {
        let inside = symbols.of(&[factor]).into_iter();
        let known: Vec<(Ex, Ex)> = inside
            .filter_map(|number| Some((symbols.ex(number), *definitions.get(&number)?)))
            .collect();
        if known.is_empty() || factor.is_constant_zero() {
            break;
        }
        factor = substitute(&[factor], &known)[0];
    }
    factor
}
