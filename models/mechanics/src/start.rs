//! Start values and preferences for states, as a model text gives them.

use crate::expand::Choice;

/// A start value: an initial condition, or a first guess.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Start {
    /// The value, in the unit of its variable.
    pub value: f64,
    /// True for an initial condition (`fixed=true`).
    pub fixed: bool,
    /// True for a guess that somebody gave.
    pub given: bool,
}

/// An initial condition: the variable has this value after initialization.
pub fn fixed(value: impl Into<f64>) -> Start {
    Start { value: value.into(), fixed: true, given: false }
}

/// A guess: it selects the solution, and is used as initial value where nothing else determines it.
pub fn guess(value: impl Into<f64>) -> Start {
    Start { value: value.into(), fixed: false, given: true }
}

/// Neither: other conditions determine the variable, and the search for it begins at zero. What has
/// no start value is free.
pub const fn free() -> Start {
    Start { value: 0.0, fixed: false, given: false }
}

/// Initial conditions for the elements of a vector.
pub fn fixed_vector(value: [impl Into<f64>; 3]) -> [Start; 3] {
    value.map(fixed)
}

/// Guesses for the elements of a vector.
pub fn guess_vector(value: [impl Into<f64>; 3]) -> [Start; 3] {
    value.map(guess)
}

/// Free elements of a vector.
pub const fn free_vector() -> [Start; 3] {
    [free(); 3]
}

/// A parameter that the initial system determines.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ParameterGuess {
    /// Where the search begins.
    pub guess: f64,
}

/// The value of a parameter is to be found such that an additional initial condition holds; the
/// search begins at `guess`.
pub fn unknown(guess: impl Into<f64>) -> ParameterGuess {
    ParameterGuess { guess: guess.into() }
}

impl Default for Start {
    fn default() -> Self {
        free()
    }
}

/// How much a model wants a variable to be a state.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Choice)]
pub enum StateSelect {
    /// Only if there is no other choice.
    Avoid,
    /// If it is needed.
    #[default]
    Default,
    /// Rather than others.
    Prefer,
    /// In any case.
    Always,
}

/// The end of a sentence about a condition that cannot be met: fixed start values on which it
/// depends.
pub(crate) fn depends_on_fixed(names: &[&str]) -> String {
    match names {
        [] => String::new(),
        [name] => format!("; it depends on {name}, which is fixed"),
        _ => format!("; it depends on {}, which are fixed: free one of them", names.join(", ")),
    }
}
