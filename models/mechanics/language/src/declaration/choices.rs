//! Parameters whose values are those of an enum.

/// A kind of parameter with an enumeration of values.
#[derive(Clone, Copy, Debug)]
pub struct Choice {
    /// Its type.
    pub name: &'static str,
    /// Its description in one line.
    pub text: &'static str,
    /// The names of its values, each with its description in one line.
    pub values: &'static [(&'static str, &'static str)],
}

/// The type of a [`Choice`].
pub trait Chosen: Copy + 'static {
    /// All values, by name.
    const CHOICE: Choice;

    /// All values, in the same order.
    const VALUES: &'static [Self];
}

/// Declares an enum that is a kind of parameter and, from the descriptions of its values, its
/// [`Choice`]. Each value is fixed when the FMU is generated, and is a constant of it if the
/// parameter is `constant`.
#[macro_export]
macro_rules! choice {
    ($($choice:tt)*) => { $crate::expand::choice! { [$crate] $($choice)* } };
}
