//! Coordinates with their rates, as expressions of the states.

use super::variables::{Numbering, Variables};
use crate::ids::VariableId;
use crate::orientation::Quaternion;
use crate::statements::algebra::linear_form::{Elimination, FormKey, LinearForm, Outcome};
use crate::statements::algebra::numeric::Numeric;
use equations::Ex;
use std::cell::RefCell;
use std::collections::{BTreeMap, HashMap};

/// A coordinate, or a linear form of coordinates, as a function of the states.
///
/// Its second derivative is the sum of `partials` times the accelerations of the independent
/// coordinates, plus `bias`.
#[derive(Clone, Debug)]
pub struct Motion {
    /// Value in rad or m.
    pub q: Ex,
    /// Derivative.
    pub v: Ex,
    /// Derivative of `v` with respect to the speed of each independent coordinate.
    pub partials: BTreeMap<VariableId, Ex>,
    /// Second derivative when the independent speeds are constant.
    pub bias: Ex,
}

impl Motion {
    /// A given motion.
    pub fn prescribed([q, v, a]: [Ex; 3]) -> Self {
        Motion { q, v, partials: BTreeMap::new(), bias: a }
    }

    /// A multiple of the motion.
    pub fn scaled(&self, factor: Ex) -> Motion {
        let mut scaled = Motion::prescribed([factor * self.q, factor * self.v, Ex::zero()]);
        scaled.add_rates(self, factor);
        scaled
    }

    /// Adds `factor` times another motion, but for its value.
    pub fn add(&mut self, other: &Motion, factor: Ex) {
        self.v += factor * other.v;
        self.add_rates(other, factor);
    }

    /// Adds `factor` times the partial speeds and the bias of another motion.
    fn add_rates(&mut self, other: &Motion, factor: Ex) {
        self.bias += factor * other.bias;
        for (&k, &p) in &other.partials {
            let sum = self.partials.get(&k).copied().unwrap_or_else(Ex::zero) + factor * p;
            if sum.is_constant_zero() {
                self.partials.remove(&k);
            } else {
                self.partials.insert(k, sum);
            }
        }
    }

    /// The second derivative, from the accelerations of the independent coordinates.
    pub fn acceleration(&self, independent: &BTreeMap<VariableId, Ex>) -> Ex {
        let known = self.partials.iter().filter_map(|(k, &p)| Some((p, *independent.get(k)?)));
        known.fold(self.bias, |sum, (p, a)| sum + p * a)
    }
}

/// All coordinates.
///
/// There are two bases. Forces and inertias belong to the variables that the elimination leaves,
/// where the mass matrix is sparse. Values belong to the states, which may be differences of
/// variables: the difference of two flanges is then the state itself, not that of two sums.
#[derive(Clone, Debug, Default)]
pub struct Coordinates {
    variables: Variables,
    /// Motions of the variables that the elimination left.
    motions: BTreeMap<VariableId, Motion>,
    /// Start values of quaternions that loops turn, with their values during the motion.
    quaternions: Vec<(Ex, Ex)>,
    /// Variables as linear forms of the states.
    basis: Elimination,
    /// Form, position and speed of each state.
    states: Vec<(LinearForm, [Ex; 2])>,
    /// Positions and speeds of forms since the last change of states and motions: in a long train
    /// each is a sum over many states.
    values: RefCell<HashMap<FormKey, [Ex; 2]>>,
}

impl Coordinates {
    /// No motion is known yet.
    pub fn new(variables: Variables) -> Self {
        Coordinates { variables, ..Coordinates::default() }
    }

    /// How the variables are numbered.
    pub fn numbering(&self) -> Numbering {
        self.variables.numbering
    }

    /// Adds a state that is a linear form of variables; those of high `rank` stay free longest.
    pub fn add_state(
        &mut self,
        form: &LinearForm,
        [q, v]: [Ex; 2],
        rank: impl Fn(VariableId) -> usize,
        numeric: &Numeric,
    ) {
        self.values.get_mut().clear();
        let variable = self.numbering().state(self.states.len());
        self.states.push((form.clone(), [q, v]));
        let mut equation = form.clone();
        equation.add(&LinearForm::variable(variable), Ex::from(-1.0));
        let first = self.numbering().state(0);
        let rank = |k: VariableId| if k >= first { usize::MAX } else { rank(k) };
        let outcome = self.basis.relate(&equation, rank, numeric);
        debug_assert!(matches!(outcome, Outcome::Eliminated(k) if k < first), "independent states");
    }

    /// The motions of the variables that the elimination left, as far as they are known.
    pub fn motions(&self) -> &BTreeMap<VariableId, Motion> {
        &self.motions
    }

    /// The start values of quaternions that loops turn, with their values during the motion.
    pub fn quaternions(&self) -> impl Iterator<Item = (Ex, Ex)> + '_ {
        self.quaternions.iter().copied()
    }

    /// Sets a quaternion that a loop turns, by its start values.
    pub fn set_quaternion(&mut self, start: Quaternion, value: Quaternion) {
        self.quaternions.extend(start.into_iter().zip(value));
    }

    /// Sets the motion of a variable that the elimination left.
    pub fn set_motion(&mut self, variable: VariableId, motion: Motion) {
        self.values.get_mut().clear();
        self.motions.insert(variable, motion);
    }

    /// Changes all motions.
    pub fn change_motions(&mut self, change: impl FnMut(&mut Motion)) {
        self.values.get_mut().clear();
        self.motions.values_mut().for_each(change);
    }

    /// Position and speed of a form of variables that the elimination left.
    fn value(&self, form: &LinearForm) -> [Ex; 2] {
        let key = form.key();
        let known = self.values.borrow().get(&key).copied();
        known.unwrap_or_else(|| {
            let value = self.calc_value(form);
            self.values.borrow_mut().insert(key, value);
            value
        })
    }

    fn calc_value(&self, form: &LinearForm) -> [Ex; 2] {
        // A state is itself: parameters in the forms would cancel up to rounding errors only.
        for (of_state, [q, v]) in &self.states {
            match form.multiple_of(of_state) {
                Some(1.0) if form.constant.key() == of_state.constant.key() => return [*q, *v],
                Some(sign) => {
                    return [(*q - of_state.constant) * sign + form.constant, *v * sign];
                }
                None => {}
            }
        }
        let mut form = self.basis.reduce(form);
        let at = |v: VariableId| match self.numbering().state_of(v) {
            Some(state) => self.states[state].1,
            None => self.motions.get(&v).map_or([Ex::zero(); 2], |m| [m.q, m.v]),
        };
        let q = form.value(|v| at(v)[0]);
        form.constant = Ex::zero();
        [q, form.value(|v| at(v)[1])]
    }

    /// The motion of a variable that is a linear form of states.
    pub fn independent(&self, v: VariableId) -> Motion {
        let [q, v_] = self.value(&LinearForm::variable(v));
        Motion { q, v: v_, partials: BTreeMap::from([(v, Ex::one())]), bias: Ex::zero() }
    }

    /// The motion of a linear form of variables.
    pub fn motion(&self, form: &LinearForm) -> Motion {
        let reduced = self.variables.elimination.reduce(form);
        // Violations are zero, so that a state is the same without them.
        let mut valued = reduced.clone();
        valued.terms.retain(|&v, _| !self.numbering().is_violation(v));
        let [q, v] = self.value(&valued);
        let mut motion = Motion { q, v, partials: BTreeMap::new(), bias: Ex::zero() };
        for (k, &c) in &reduced.terms {
            if let Some(m) = self.motions.get(k) {
                motion.add_rates(m, c);
            }
        }
        motion
    }

    /// The motion of one variable.
    pub fn variable(&self, v: VariableId) -> Motion {
        self.motion(&LinearForm::variable(v))
    }
}
