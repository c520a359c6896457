//! The field of gravity.

use crate::vector::{Vector, dot, zero};
use equations::Ex;
use std::fmt;
use std::rc::Rc;

/// An acceleration in m/s2 as a function of the position in m, both in world axes.
pub type AccelerationField = Rc<dyn Fn(&Vector) -> Vector>;

/// A potential in J/kg as a function of the position in m, in world axes.
pub type Potential = Rc<dyn Fn(&Vector) -> Ex>;

/// The acceleration of gravity, in world axes.
#[derive(Clone)]
pub enum Gravity {
    /// The same everywhere, in m/s2.
    Uniform(Vector),
    /// A function of the position.
    Field {
        /// The function.
        acceleration: AccelerationField,
        /// What it is the negative gradient of; without it the field has no energy.
        potential: Option<Potential>,
    },
}

impl fmt::Debug for Gravity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Gravity::Uniform(g) => f.debug_tuple("Uniform").field(g).finish(),
            Gravity::Field { potential, .. } => {
                f.debug_struct("Field").field("has_potential", &potential.is_some()).finish()
            }
        }
    }
}

impl Gravity {
    /// The part that counts as an upward acceleration of the world.
    pub fn uniform(&self) -> Vector {
        match self {
            Gravity::Uniform(g) => *g,
            Gravity::Field { .. } => zero(),
        }
    }

    /// The acceleration at a position.
    pub fn at(&self, r: &Vector) -> Vector {
        match self {
            Gravity::Uniform(g) => *g,
            Gravity::Field { acceleration, .. } => acceleration(r),
        }
    }

    /// The potential in J/kg.
    pub fn potential(&self, r: &Vector) -> Ex {
        match self {
            Gravity::Uniform(g) => -dot(g, r),
            Gravity::Field { potential: Some(potential), .. } => potential(r),
            Gravity::Field { potential: None, .. } => Ex::zero(),
        }
    }
}
