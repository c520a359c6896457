//! Linear forms of angles, and their elimination by the linear relations of a drive train.

use crate::ids::VariableId;
use crate::statements::algebra::numeric::Numeric;
use equations::{Ex, Key};
use std::cell::RefCell;
use std::collections::BTreeMap;

/// A sum of coefficients times variables, plus a constant.
#[derive(Clone, Debug)]
pub struct LinearForm {
    /// Coefficients by variable; none is the constant zero.
    pub terms: BTreeMap<VariableId, Ex>,
    /// The constant.
    pub constant: Ex,
}

/// Identifies a form, as a key of maps: forms that are built in the same way have the same key.
pub type FormKey = (Vec<(VariableId, Key)>, Key);

impl LinearForm {
    /// The key of the form.
    pub fn key(&self) -> FormKey {
        (self.terms.iter().map(|(&v, &c)| (v, c.key())).collect(), self.constant.key())
    }

    /// A constant.
    pub fn constant(value: Ex) -> Self {
        LinearForm { terms: BTreeMap::new(), constant: value }
    }

    /// One variable.
    pub fn variable(v: VariableId) -> Self {
        LinearForm { terms: BTreeMap::from([(v, Ex::one())]), constant: Ex::zero() }
    }

    /// Adds `factor` times another form.
    pub fn add(&mut self, other: &LinearForm, factor: Ex) {
        self.constant += factor * other.constant;
        for (&v, &c) in &other.terms {
            let sum = self.terms.get(&v).copied().unwrap_or_else(Ex::zero) + factor * c;
            if sum.is_constant_zero() {
                self.terms.remove(&v);
            } else {
                self.terms.insert(v, sum);
            }
        }
    }

    /// The difference of two forms.
    pub fn minus(&self, other: &LinearForm) -> LinearForm {
        let mut d = self.clone();
        d.add(other, Ex::from(-1.0));
        d
    }

    /// 1 or -1 if the terms are those of another form, or the opposite of them.
    pub fn multiple_of(&self, other: &LinearForm) -> Option<f64> {
        let same = |sign: f64| {
            let scaled = other.terms.iter().map(|(&v, &c)| (v, (c * sign).key()));
            self.terms.iter().map(|(&v, &c)| (v, c.key())).eq(scaled)
        };
        if self.terms.is_empty() || !self.terms.keys().eq(other.terms.keys()) {
            return None;
        }
        [1.0, -1.0].into_iter().find(|&sign| same(sign))
    }

    /// The value, from the values of the variables.
    pub fn value(&self, variable: impl Fn(VariableId) -> Ex) -> Ex {
        self.terms.iter().fold(self.constant, |sum, (&v, &c)| sum + c * variable(v))
    }

    /// The form solved for one of its variables when it equals `value`.
    fn solved_for(&self, v: VariableId, value: Ex) -> LinearForm {
        let pivot = self.terms[&v];
        let mut solved = LinearForm::constant(Ex::zero());
        if pivot.constant_value() == Some(-1.0) {
            solved.constant = self.constant - value;
            solved.terms.extend(self.terms.iter().filter(|t| *t.0 != v).map(|(&k, &c)| (k, c)));
        } else {
            let divide = |c: Ex| if pivot.constant_value() == Some(1.0) { c } else { c / pivot };
            solved.constant = divide(value - self.constant);
            let others = self.terms.iter().filter(|t| *t.0 != v);
            solved.terms.extend(others.map(|(&k, &c)| (k, divide(-c))));
        }
        solved
    }
}

/// The result of using a linear relation in an elimination.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Outcome {
    /// It determines this variable as a form of the others.
    Eliminated(VariableId),
    /// It follows from the earlier ones.
    Redundant,
    /// It contradicts the earlier ones, by this much.
    Contradiction(f64),
}

/// Variables of which some are linear forms of the others.
#[derive(Clone, Debug, Default)]
pub struct Elimination {
    /// Forms of the eliminated variables. Reading a form inserts the variables that were eliminated
    /// later.
    forms: RefCell<BTreeMap<VariableId, LinearForm>>,
}

impl Elimination {
    /// The form in variables that are still free.
    pub fn reduce(&self, form: &LinearForm) -> LinearForm {
        let mut reduced = LinearForm::constant(form.constant);
        for (&v, &c) in &form.terms {
            let value = self.variable(v);
            reduced.add(&value, c);
        }
        reduced
    }

    /// A variable in terms of those that are still free.
    pub fn variable(&self, v: VariableId) -> LinearForm {
        let (form, is_free) = {
            let forms = self.forms.borrow();
            let Some(form) = forms.get(&v) else { return LinearForm::variable(v) };
            (form.clone(), !form.terms.keys().any(|k| forms.contains_key(k)))
        };
        if is_free {
            return form;
        }
        let reduced = self.reduce(&form);
        self.forms.borrow_mut().insert(v, reduced.clone());
        reduced
    }

    /// Uses the relation `form = 0`.
    ///
    /// Among the variables of the least `rank` the one with the simplest coefficient is eliminated:
    /// one that needs no division, else the largest.
    pub fn relate(
        &mut self,
        form: &LinearForm,
        rank: impl Fn(VariableId) -> usize,
        numeric: &Numeric,
    ) -> Outcome {
        let reduced = self.reduce(form);
        let values: Vec<(VariableId, f64)> =
            reduced.terms.iter().map(|(&v, &c)| (v, numeric.one(c))).collect();
        let simple =
            |v: VariableId| reduced.terms[&v].constant_value().is_some_and(|c| c.abs() == 1.0);
        let pivot = values.iter().filter(|(_, c)| c.abs() > 1e-12).min_by(|a, b| {
            (rank(a.0), !simple(a.0))
                .cmp(&(rank(b.0), !simple(b.0)))
                .then(b.1.abs().total_cmp(&a.1.abs()))
                .then(b.0.cmp(&a.0))
        });
        let Some(&(v, _)) = pivot else {
            let left = numeric.one(reduced.constant);
            let redundant = left.abs() <= 1e-9;
            return if redundant { Outcome::Redundant } else { Outcome::Contradiction(left) };
        };
        self.forms.get_mut().insert(v, reduced.solved_for(v, Ex::zero()));
        Outcome::Eliminated(v)
    }
}
