//! How a component is declared: once, and everything else follows.
//!
//! [`component!`](crate::component!) takes the declaration of a component and makes of it
//!
//! * the struct that a model text fills, with a method for each parameter,
//! * the struct of the same parameters as its equations use them,
//! * the struct of its ports and variables,
//! * the table of all that, [`Declaration`], from which documentation and other front ends read.
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
//! A line of a parameter is `name "fmiName": Kind[facts] = default`. The kind is a type that is a
//! [`Setting`]; the facts are a unit, a range (`>= 1`, `> 0`, `0..=1`, `!= 0`), `fixed`, which says
//! that the parameter cannot be tuned, and `for u` of a [`Fallback`] for the input `u`. Without a
//! default the parameter is required; `name?: Kind` may be missing. A default may use the
//! parameters above it; it is a value of its own unless it says `follows`.
//!
//! `pub part Name` declares what is made of other components. A list `parts { field: Component }`
//! says whose ports its struct of ports has as well; without any ports, variables and parts that
//! struct is written by hand. So is how it is added: see [`Part`](crate::assembly::Part). There
//! `self.given()` has the parameters: the value or the default, an `Option` where there is none.

use crate::component::Contribution;
use crate::error::Error;
use crate::port::At;
use std::fmt::Debug;

mod setting;
mod settings;

pub use equations::Limits;
pub use setting::{
    Amount, Axis, Element, Integer, OnDemand, Pending, Real, Setting, Structural, Vector3,
};
pub(crate) use settings::choices;
pub use settings::{Fallback, Flag, StructuralSequence};

/// What a file with components needs.
pub mod prelude {
    pub use super::{
        Amount, Axis, Element, Flag, Integer, OnDemand, Real, Setting, Structural,
        StructuralSequence, Vector3,
    };
    pub use crate::assembly::{Flange, Frame, HeatPort, Input, TranslationalFlange};
    pub use crate::component;
    pub use crate::component::{Component, Contribution};
    pub use crate::error::Error;
    pub use crate::start::StateSelect::{Always, Avoid, Prefer};
    pub use crate::start::{Start, StateSelect, fixed, free, guess};
    pub use crate::vector::{X, Y, Z};
    pub use equations::Ex;
}

/// All that is declared of a kind of component.
#[derive(Clone, Copy, Debug)]
pub struct Declaration {
    /// Its name.
    pub name: &'static str,
    /// The class of the Modelica Standard Library that it corresponds to; empty if there is none.
    pub class: &'static str,
    /// One line about it.
    pub summary: &'static str,
    /// All about it, in Markdown.
    pub text: &'static str,
    /// What a model text gives.
    pub parameters: &'static [Parameter],
    /// What it is connected by.
    pub ports: &'static [Port],
    /// What it publishes.
    pub variables: &'static [Variable],
}

/// A parameter of a component.
#[derive(Clone, Copy, Debug)]
pub struct Parameter {
    /// The method that sets it.
    pub setter: &'static str,
    /// Its FMI name within an instance.
    pub name: &'static str,
    /// Its kind: the name of a [`Setting`].
    pub kind: &'static str,
    /// Its unit; `1` for a pure number, empty where it follows from what is connected.
    pub unit: &'static str,
    /// Which values it can have.
    pub limits: Limits,
    /// Whether zero is excluded, although values on both sides of it are not.
    pub non_zero: bool,
    /// Whether it cannot be tuned.
    pub fixed: bool,
    /// Whether its default follows the parameters above it when an importer sets them; otherwise
    /// the default is a value of its own, which can be set.
    pub follows: bool,
    /// The input for which it stands in while nothing is connected to that; mostly empty.
    pub input: &'static str,
    /// Its value if none is given.
    pub default: Default,
    /// One line about it.
    pub text: &'static str,
}

/// The value of a parameter that is not given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Default {
    /// It must be given.
    Required,
    /// This expression of Rust.
    Value(&'static str),
    /// It may be missing.
    None,
}

/// A port of a component.
#[derive(Clone, Copy, Debug)]
pub struct Port {
    /// The field of its struct of ports.
    pub field: &'static str,
    /// Its FMI name within an instance.
    pub name: &'static str,
    /// What can be connected: a type of [`assembly`](crate::assembly).
    pub kind: &'static str,
    /// The unit of an input; empty for other ports, and where any unit will do.
    pub unit: &'static str,
    /// One line about it.
    pub text: &'static str,
}

/// A variable of a component.
#[derive(Clone, Copy, Debug)]
pub struct Variable {
    /// The field of its struct of ports.
    pub field: &'static str,
    /// Its FMI name within an instance.
    pub name: &'static str,
    /// `Real`, `Integer`, `Boolean`, `Vector`, `Quaternion`, `Matrix` or `Array`.
    pub kind: &'static str,
    /// Its unit; `1` for a pure number, empty where it follows from what is connected.
    pub unit: &'static str,
    /// One line about it.
    pub text: &'static str,
}

/// A kind of parameter that is one of several values.
#[derive(Clone, Copy, Debug)]
pub struct Choice {
    /// Its type.
    pub name: &'static str,
    /// One line about it.
    pub text: &'static str,
    /// The names of its values, each with one line about it.
    pub values: &'static [(&'static str, &'static str)],
}

/// The type of a [`Choice`].
pub trait Chosen {
    /// All values.
    const CHOICE: Choice;
}

/// What is declared with [`component!`](crate::component!).
pub trait Declared {
    /// All that is declared.
    const DECLARATION: &'static Declaration;
}

/// How the parameters of a component get from its model text to its equations.
pub trait Declare: Declared + Debug + 'static {
    /// The typed ports and variables that the model text sees.
    type Ports: From<At>;

    /// The parameters as the equations use them.
    type Parameters;

    /// Checks the parameters and makes them variables of the FMU.
    ///
    /// # Errors
    /// A parameter that is required is missing, or a value is not possible.
    fn declare(&self, c: &mut Contribution<'_>) -> Result<Self::Parameters, Error>;
}

/// Declares a component: see [`declaration`](crate::declaration).
#[macro_export]
macro_rules! component {
    ($($declaration:tt)*) => { $crate::expand::component! { [$crate] $($declaration)* } };
}

/// Declares entries that several components of this package have: parameters, ports, variables.
macro_rules! group {
    ($($declaration:tt)*) => { $crate::expand::group! { [$crate] $($declaration)* } };
}
pub(crate) use group;
