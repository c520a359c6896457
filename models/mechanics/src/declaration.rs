//! The declaration of a component, which states each fact once.
//!
//! From the declaration of a component, [`component!`](crate::component!) generates
//!
//! * the struct that a model text fills, with a method for each parameter,
//! * the struct of the same parameters as its equations use them,
//! * the struct of its ports and variables,
//! * the table of these facts, [`Declaration`], for documentation and other front ends.
//!
//! ```
//! use mechanics::declaration::Real;
//! use mechanics::prelude::*;
//!
//! mechanics::component! {
//!     /// Spring that gets stiffer as it is compressed.
//!     pub struct Bumper {
//!         /// Stiffness at rest
//!         c: Real["N/m", > 0],
//!         /// Length at which the stiffness has doubled
//!         s_double "sDouble": Real["m", > 0] = 0.1,
//!     }
//!     ports {
//!         /// What bumps
//!         flange: TranslationalFlange,
//!     }
//!     variables {
//!         /// Force of the bumper
//!         f: Real["N"],
//!     }
//! }
//!
//! let bumper = Bumper::new().c(1e4).s_double(0.2);
//! # let _ = bumper;
//! ```
//!
//! The line of a parameter is `name "fmiName": Kind[facts] = default`. The kind is the shape of the
//! values: a type that implements [`Setting`], `[Real; 3]`, `[Real]` for a list, or `[[Real]]` for
//! a table ([`Rows`]). The facts are
//!
//! * a unit, and a range: `>= 1`, `> 0`, `0..=1`, `!= 0`,
//! * `structural zero`, `constant` or `structural`, which fix values when the FMU is generated
//!   ([`Lifetime`]); equations use a `Real` that is `constant` or `structural` as an `f64`,
//! * `on demand` for a variable of the FMU that exists only if the equations ask for it
//!   ([`Pending`]),
//! * `for u` for the value of the input `u` if nothing is connected to it ([`InputOr`]),
//! * `fixed` for a parameter that is not tunable.
//!
//! Without a default the parameter is required; `name?: Kind` is optional. A default may be an
//! expression of the parameters above it. Its value is computed once and is then independent of
//! them, unless the fact `follows` is given.
//!
//! `pub part Name` declares a group of other components. The components in its list
//! `parts { field: Component }` have their ports in the struct of ports of the group. If a group
//! has no ports, variables and parts, this struct is written by hand. A group also implements
//! [`Part`](crate::assembly::Part) by hand, where `self.given(assembly, &name)` returns the
//! parameters: the given value or the default, and an `Option` if there is no default. The setters
//! of the parts take such an `Option`; a required value that is missing is reported.

pub use crate::group;
pub use language::declaration::*;

/// Declares a component: see [`declaration`](crate::declaration).
#[macro_export]
macro_rules! component {
    ($($declaration:tt)*) => { $crate::expand::component! { [$crate] $($declaration)* } };
}

/// Declares entries that several components of a package share: parameters, ports, variables.
///
/// `pub struct Name(name) { .. } ports { .. } variables { .. }` becomes the struct `Name` of the
/// parameters as equations use them, and the macro `name`; a component includes the entries with
/// `..field: name`, or with `..name` if there are no parameters. The paragraphs after the first one
/// of the group's description are part of the description of the component. With
/// `pub struct Name(pub name)`, components of other packages can include the entries too.
#[macro_export]
macro_rules! group {
    ($($declaration:tt)*) => { $crate::expand::group! { [$crate] $($declaration)* } };
}

/// The names that a file with components needs.
pub mod prelude {
    pub use super::{Axis, Integer, Real, Setting};
    pub use crate::assembly::{
        BooleanInput, Flange, Frame, HeatPort, Input, IntegerInput, Pin, TranslationalFlange,
    };
    pub use crate::component::{Component, Contribution};
    pub use crate::error::Error;
    pub use crate::start::StateSelect::{Always, Avoid, Prefer};
    pub use crate::start::{Start, StateSelect, fixed, free, guess};
    pub use crate::vector::{X, Y, Z};
    // The macro alone, without the module of the same name.
    pub use component;
    pub use equations::Ex;
}
