//! A real expression or a truth value.

use crate::graph::Id;
use crate::ops::{Bool, Ex};

/// A real expression or a truth value: what can be published under a name.
#[derive(Clone, Copy, Debug)]
pub enum Expression {
    /// A real number; Integer and enumeration variables hold whole numbers.
    Real(Ex),
    /// A truth value.
    Truth(Bool),
}

impl Expression {
    /// The number of the expression.
    pub fn id(self) -> Id {
        match self {
            Expression::Real(ex) => ex.0,
            Expression::Truth(b) => b.0,
        }
    }
}

impl From<Ex> for Expression {
    fn from(ex: Ex) -> Expression {
        Expression::Real(ex)
    }
}

impl From<Bool> for Expression {
    fn from(b: Bool) -> Expression {
        Expression::Truth(b)
    }
}

impl From<f64> for Expression {
    fn from(value: f64) -> Expression {
        Expression::Real(value.into())
    }
}
