//! Numbers behind expressions at build time: for ranks, signs and the first assembly.

use equations::{Evaluation, Ex, Leaf, Model};
use std::collections::BTreeMap;

/// Values of leaves: parameters at their defaults, and all values that were set.
#[derive(Clone, Debug, Default)]
pub struct Numeric {
    parameters: Vec<f64>,
    values: BTreeMap<Leaf, f64>,
}

impl Numeric {
    /// All parameters and start values at their defaults.
    pub fn new(model: &Model) -> Self {
        Numeric { parameters: model.parameter_values(), values: BTreeMap::new() }
    }

    /// Parameters, start values, inputs and discrete variables at their defaults.
    pub fn at_start(model: &Model) -> Self {
        let values = model.defaults().into_iter().collect();
        Numeric { parameters: model.parameter_values(), values }
    }

    /// Gives a leaf a value.
    pub fn set(&mut self, leaf: Ex, value: f64) {
        if let Some(leaf) = leaf.as_leaf() {
            self.set_leaf(leaf, value);
        }
    }

    /// Gives a leaf a value, where a truth value is 1 if it is true.
    pub fn set_leaf(&mut self, leaf: Leaf, value: f64) {
        self.values.insert(leaf, value);
    }

    /// The value that a leaf was given; NaN if it was given none.
    pub fn get(&self, leaf: Leaf) -> f64 {
        self.values.get(&leaf).copied().unwrap_or(f64::NAN)
    }

    /// Gives a parameter or a start value another value.
    pub fn set_parameter(&mut self, slot: Ex, value: f64) {
        if let Some(Leaf::Parameter(i)) = slot.as_leaf()
            && let Some(known) = self.parameters.get_mut(i as usize)
        {
            *known = value;
        }
    }

    /// The values of expressions; NaN where something is unknown.
    pub fn all(&self, roots: &[Ex]) -> Vec<f64> {
        self.all_with(roots, |_, value| value)
    }

    /// The values of expressions where leaves have the values that `of` makes of their own ones.
    pub fn all_with(&self, roots: &[Ex], mut of: impl FnMut(Leaf, f64) -> f64) -> Vec<f64> {
        let leaf = &mut |leaf: Leaf| of(leaf, self.leaf(leaf));
        equations::evaluate(roots, leaf).unwrap_or_else(|_| vec![f64::NAN; roots.len()])
    }

    /// The values of expressions that are evaluated many times; NaN where something is unknown.
    pub fn all_of(&self, evaluation: &mut Evaluation) -> Vec<f64> {
        let values = evaluation.values(&mut |leaf| self.leaf(leaf));
        values.unwrap_or_else(|_| vec![f64::NAN; evaluation.roots()])
    }

    /// As [`Numeric::all_of`]; `None` where one is not finite.
    pub fn finite(&self, evaluation: &mut Evaluation) -> Option<Vec<f64>> {
        let values = self.all_of(evaluation);
        values.iter().all(|value| value.is_finite()).then_some(values)
    }

    fn leaf(&self, leaf: Leaf) -> f64 {
        match leaf {
            Leaf::Parameter(i) => self.parameters.get(i as usize).copied().unwrap_or(f64::NAN),
            Leaf::Time => 0.0,
            Leaf::Initial => 1.0,
            other => self.values.get(&other).copied().unwrap_or(f64::NAN),
        }
    }

    /// The value of one expression.
    pub fn one(&self, root: Ex) -> f64 {
        self.all(&[root])[0]
    }
}
