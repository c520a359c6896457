//! A real expression or a truth value.

use crate::graph::Id;
use crate::ops::{Bool, Ex};

/// A real expression or a truth value: what can be published under a name.
#[derive(Clone, Copy, Debug)]
pub enum Quantity {
    /// A real number; Integer and enumeration variables hold whole numbers.
    Real(Ex),
    /// A truth value.
    Truth(Bool),
}

impl Quantity {
    /// The number of the expression.
    pub fn id(self) -> Id {
        match self {
            Quantity::Real(ex) => ex.0,
            Quantity::Truth(b) => b.0,
        }
    }
}

impl From<Ex> for Quantity {
    fn from(ex: Ex) -> Quantity {
        Quantity::Real(ex)
    }
}

impl From<Bool> for Quantity {
    fn from(b: Bool) -> Quantity {
        Quantity::Truth(b)
    }
}

impl From<f64> for Quantity {
    fn from(value: f64) -> Quantity {
        Quantity::Real(value.into())
    }
}
