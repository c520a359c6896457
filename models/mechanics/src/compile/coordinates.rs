//! Coordinates with their rates, as expressions of the states.

use super::linear::{Elimination, Linear};
use equations::Ex;
use std::collections::BTreeMap;

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
    /// A value at rest.
    pub fn constant(q: Ex) -> Self {
        Motion { q, v: Ex::zero(), partials: BTreeMap::new(), bias: Ex::zero() }
    }

    /// Adds `factor` times another motion.
    pub fn add(&mut self, other: &Motion, factor: Ex) {
        self.q += factor * other.q;
        self.v += factor * other.v;
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

    /// The difference of two motions.
    pub fn minus(&self, other: &Motion) -> Motion {
        let mut d = self.clone();
        d.add(other, Ex::from(-1.0));
        d
    }

    /// The second derivative, from the accelerations of the independent coordinates.
    pub fn acceleration(&self, independent: &BTreeMap<usize, Ex>) -> Ex {
        self.partials.iter().fold(self.bias, |sum, (k, &p)| sum + p * independent[k])
    }
}

/// All coordinates.
///
/// Variables are numbered: flange nodes first, then one for each joint.
#[derive(Clone, Debug, Default)]
pub struct Coordinates {
    /// The number of flange nodes.
    pub flanges: usize,
    /// Linear relations between variables.
    pub elimination: Elimination,
    /// Motions of the variables that the elimination left.
    pub motions: BTreeMap<usize, Motion>,
}

impl Coordinates {
    /// The variable of a joint.
    pub fn joint(&self, joint: usize) -> usize {
        self.flanges + joint
    }

    /// The motion of a linear form of variables.
    pub fn motion(&mut self, form: &Linear) -> Motion {
        let reduced = self.elimination.reduce(form);
        let mut motion = Motion::constant(reduced.constant);
        for (v, &c) in &reduced.terms {
            if let Some(m) = self.motions.get(v) {
                motion.add(m, c);
            }
        }
        motion
    }

    /// The motion of one variable.
    pub fn variable(&mut self, v: usize) -> Motion {
        self.motion(&Linear::variable(v))
    }
}
