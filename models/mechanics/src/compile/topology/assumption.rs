//! A conclusion that the build draws from the values of parameters.

use equations::Ex;

/// A quantity that the build found to be zero, in terms of parameters.
#[derive(Clone, Debug)]
pub struct Assumption {
    /// The instance that it belongs to.
    pub instance: String,
    /// The quantity.
    pub residual: Ex,
    /// Its unit.
    pub unit: &'static str,
    /// What is wrong if it is not zero.
    pub complaint: String,
}
