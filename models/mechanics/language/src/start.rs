//! Start values, and preferences for states, in a model text.

use crate::declaration::choice;

/// A start value: an initial condition, or a guess.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Start {
    /// The value, in the unit of its variable.
    pub value: f64,
    /// True for an initial condition (`fixed=true`).
    pub fixed: bool,
    /// True for a guess that the model text gives.
    pub given: bool,
}

/// The number of a start value.
#[diagnostic::on_unimplemented(
    message = "a start value is a number, not a `{Self}`",
    label = "not a number",
    note = "importers set a start value as a variable of its own, so it does not follow a parameter; \
            an `InitializeFlange` takes an initial condition from a signal, such as that of a \
            `Constant` with the parameter"
)]
pub trait StartNumber {
    /// The number.
    fn number(self) -> f64;
}

#[diagnostic::do_not_recommend]
impl<N: Into<f64>> StartNumber for N {
    fn number(self) -> f64 {
        self.into()
    }
}

/// An initial condition: the variable has this value after initialization.
pub fn fixed(value: impl StartNumber) -> Start {
    Start { value: value.number(), fixed: true, given: false }
}

/// A guess: it selects the solution, and is the initial value if no condition determines it.
pub fn guess(value: impl StartNumber) -> Start {
    Start { value: value.number(), fixed: false, given: true }
}

/// Neither an initial condition nor a guess: other conditions determine the variable, and the
/// search begins at zero. A variable without a start value is free.
pub const fn free() -> Start {
    Start { value: 0.0, fixed: false, given: false }
}

/// Initial conditions for the elements of a vector.
pub fn fixed_vector(value: [impl StartNumber; 3]) -> [Start; 3] {
    value.map(fixed)
}

/// Guesses for the elements of a vector.
pub fn guess_vector(value: [impl StartNumber; 3]) -> [Start; 3] {
    value.map(guess)
}

/// Free elements of a vector.
pub const fn free_vector() -> [Start; 3] {
    [free(); 3]
}

/// A parameter that the initial system determines.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ParameterGuess {
    /// The guess.
    pub guess: f64,
}

/// A parameter whose value is determined by an additional initial condition; the search begins at
/// `guess`.
pub fn unknown(guess: impl StartNumber) -> ParameterGuess {
    ParameterGuess { guess: guess.number() }
}

impl Default for Start {
    fn default() -> Self {
        free()
    }
}

choice! {
    /// Preference of a variable as a state.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
    pub enum StateSelect {
        /// A state only if there is no other choice.
        Avoid,
        /// A state if it is needed.
        #[default]
        Default,
        /// A state rather than other variables.
        Prefer,
        /// Always a state.
        Always,
    }
}

/// The end of a sentence about a condition that cannot be satisfied, with the fixed start values on
/// which it depends.
#[doc(hidden)]
pub fn depends_on_fixed(names: &[&str]) -> String {
    match names {
        [] => String::new(),
        [name] => format!("; it depends on {name}, which is fixed"),
        _ => format!("; it depends on {}, which are fixed: free one of them", names.join(", ")),
    }
}
