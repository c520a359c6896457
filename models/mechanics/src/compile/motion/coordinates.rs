//! Coordinates with their rates, as expressions of the states.

use crate::compile::algebra::linear_form::{Elimination, FormKey, Linear, Outcome};
use crate::compile::algebra::numeric::Numeric;
use crate::compile::contributions::Structure;
use equations::Ex;
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
    pub partials: BTreeMap<usize, Ex>,
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
    pub fn acceleration(&self, independent: &BTreeMap<usize, Ex>) -> Ex {
        let known = self.partials.iter().filter_map(|(k, &p)| Some((p, *independent.get(k)?)));
        known.fold(self.bias, |sum, (p, a)| sum + p * a)
    }
}

/// The numbers of the variables: flange nodes, coordinates of joints, drives, violations, then the
/// states.
#[derive(Clone, Copy, Debug, Default)]
pub struct Numbering {
    flanges: usize,
    coordinates: usize,
    drives: usize,
    relations: usize,
}

impl Numbering {
    /// The variable of a coordinate of the mechanism.
    pub fn coordinate(self, coordinate: usize) -> usize {
        self.flanges + coordinate
    }

    /// The coordinate of a variable.
    pub fn coordinate_of(self, variable: usize) -> Option<usize> {
        variable.checked_sub(self.flanges).filter(|&c| c < self.coordinates)
    }

    /// The variable of a drive: its position is prescribed.
    pub fn drive(self, drive: usize) -> usize {
        self.flanges + self.coordinates + drive
    }

    /// The variables of all drives.
    pub fn drives(self) -> std::ops::Range<usize> {
        self.drive(0)..self.violation(0)
    }

    /// The variable of a reaction: the violation of a relation, always zero. Its generalised force
    /// is the reaction.
    pub fn violation(self, relation: usize) -> usize {
        self.drive(self.drives) + relation
    }

    /// Whether a variable is no freedom: that of a drive, or the violation of a relation.
    pub fn is_given(self, variable: usize) -> bool {
        self.drives().contains(&variable) || self.is_violation(variable)
    }

    /// Whether a variable is the violation of a relation.
    pub fn is_violation(self, variable: usize) -> bool {
        (self.violation(0)..self.state(0)).contains(&variable)
    }

    fn state(self, state: usize) -> usize {
        self.violation(self.relations) + state
    }

    /// Rank in an elimination: flanges go first, then other coordinates; the rest never.
    pub fn rank(self, variable: usize) -> usize {
        if variable < self.flanges { 0 } else { 1 + usize::from(variable >= self.drive(0)) }
    }
}

/// All coordinates.
///
/// There are two bases. Forces and inertias belong to the variables that the elimination leaves,
/// where the mass matrix is sparse. Values belong to the states, which may be differences of
/// variables: the difference of two flanges is then the state itself, not that of two sums.
#[derive(Clone, Debug, Default)]
pub struct Coordinates {
    numbering: Numbering,
    /// Linear relations between variables.
    pub elimination: Elimination,
    /// Motions of the variables that the elimination left.
    motions: BTreeMap<usize, Motion>,
    /// Variables as linear forms of the states.
    basis: Elimination,
    /// Form, position and speed of each state.
    states: Vec<(Linear, [Ex; 2])>,
    /// Positions and speeds of forms since the last change of states and motions: in a long train
    /// each is a sum over many states.
    values: HashMap<FormKey, [Ex; 2]>,
}

impl Coordinates {
    /// The variables of a structure.
    pub fn new(structure: &Structure, flanges: usize) -> Self {
        let numbering = Numbering {
            flanges,
            coordinates: structure.coordinates.len(),
            drives: structure.drives.len(),
            relations: structure.relations.len(),
        };
        Coordinates { numbering, ..Coordinates::default() }
    }

    /// How the variables are numbered.
    pub fn numbering(&self) -> Numbering {
        self.numbering
    }

    /// Adds a state that is a linear form of variables; those of high `rank` stay free longest.
    pub fn add_state(
        &mut self,
        form: &Linear,
        [q, v]: [Ex; 2],
        rank: impl Fn(usize) -> usize,
        numeric: &Numeric,
    ) {
        self.values.clear();
        let variable = self.numbering.state(self.states.len());
        self.states.push((form.clone(), [q, v]));
        let mut relation = form.clone();
        relation.add(&Linear::variable(variable), Ex::from(-1.0));
        let first = self.numbering.state(0);
        let rank = |k: usize| if k >= first { usize::MAX } else { rank(k) };
        let outcome = self.basis.relate(&relation, rank, numeric);
        debug_assert!(matches!(outcome, Outcome::Eliminated(k) if k < first), "independent states");
    }

    /// The motions of the variables that the elimination left, as far as they are known.
    pub fn motions(&self) -> &BTreeMap<usize, Motion> {
        &self.motions
    }

    /// Sets the motion of a variable that the elimination left.
    pub fn set_motion(&mut self, variable: usize, motion: Motion) {
        self.values.clear();
        self.motions.insert(variable, motion);
    }

    /// Changes all motions.
    pub fn change_motions(&mut self, change: impl FnMut(&mut Motion)) {
        self.values.clear();
        self.motions.values_mut().for_each(change);
    }

    /// Position and speed of a form of variables that the elimination left.
    fn value(&mut self, form: &Linear) -> [Ex; 2] {
        let key = form.key();
        if let Some(&known) = self.values.get(&key) {
            return known;
        }
        let value = self.calc_value(form);
        self.values.insert(key, value);
        value
    }

    fn calc_value(&mut self, form: &Linear) -> [Ex; 2] {
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
        let first = self.numbering.state(0);
        let mut form = self.basis.reduce(form);
        let at = |coordinates: &Self, v: usize| match v.checked_sub(first) {
            Some(state) => coordinates.states[state].1,
            None => coordinates.motions.get(&v).map_or([Ex::zero(); 2], |m| [m.q, m.v]),
        };
        let q = form.value(|v| at(self, v)[0]);
        form.constant = Ex::zero();
        [q, form.value(|v| at(self, v)[1])]
    }

    /// The motion of a variable that is a linear form of states.
    pub fn independent(&mut self, v: usize) -> Motion {
        let [q, v_] = self.value(&Linear::variable(v));
        Motion { q, v: v_, partials: BTreeMap::from([(v, Ex::one())]), bias: Ex::zero() }
    }

    /// The motion of a linear form of variables.
    pub fn motion(&mut self, form: &Linear) -> Motion {
        let reduced = self.elimination.reduce(form);
        // Violations are zero: what a state is beside them it is itself.
        let mut valued = reduced.clone();
        valued.terms.retain(|&v, _| !self.numbering.is_violation(v));
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
    pub fn variable(&mut self, v: usize) -> Motion {
        self.motion(&Linear::variable(v))
    }
}
