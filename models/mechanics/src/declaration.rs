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
//! values: a type that implements [`Setting`], `[Real; 3]`, or `[Real]` for a list. The facts are
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

use crate::component::Contribution;
use crate::error::Error;
use crate::port::At;
use std::fmt::Debug;

mod choices;
mod setting;
mod starts_and_choices;

pub use crate::{choice, group, plain_settings};
pub use choices::{Choice, Chosen};
pub use equations::Limits;
pub use setting::{
    Axis, Integer, List, OnDemand, Pending, Possible, Present, Real, Setting, Structural, ValueOf,
    Vector3,
};
pub use starts_and_choices::{Fallback, InputOr};

/// The names that a file with components needs.
pub mod prelude {
    pub use super::{Axis, Integer, Real, Setting};
    pub use crate::assembly::{Flange, Frame, HeatPort, Input, TranslationalFlange};
    pub use crate::component;
    pub use crate::component::{Component, Contribution};
    pub use crate::error::Error;
    pub use crate::start::StateSelect::{Always, Avoid, Prefer};
    pub use crate::start::{Start, StateSelect, fixed, free, guess};
    pub use crate::vector::{X, Y, Z};
    pub use equations::Ex;
}

/// The declaration of a kind of component.
#[derive(Clone, Copy, Debug)]
pub struct Declaration {
    /// Its name.
    pub name: &'static str,
    /// The class of the Modelica Standard Library to which it corresponds; empty if there is none.
    pub class: &'static str,
    /// Its description in one line.
    pub summary: &'static str,
    /// Its whole description, in Markdown.
    pub text: &'static str,
    /// The parameters that a model text gives.
    pub parameters: &'static [Parameter],
    /// The ports by which it is connected.
    pub ports: &'static [Port],
    /// The variables that it publishes.
    pub variables: &'static [Variable],
}

/// A parameter of a component.
#[derive(Clone, Copy, Debug)]
pub struct Parameter {
    /// The method that sets it.
    pub setter: &'static str,
    /// Its FMI name within an instance.
    pub name: &'static str,
    /// Its kind as it is declared: the shape of its values, such as `Real` or `[Real; 3]`.
    pub kind: &'static str,
    /// Its unit; `1` for a pure number, empty if it depends on the connections.
    pub unit: &'static str,
    /// The range of its values.
    pub limits: Limits,
    /// Whether zero is excluded, although values on both sides of it are allowed.
    pub non_zero: bool,
    /// Which values are fixed when the FMU is generated.
    pub lifetime: Lifetime,
    /// Whether it is a variable of the FMU only if the component uses it.
    pub on_demand: bool,
    /// Whether it is not tunable.
    pub fixed: bool,
    /// Whether its default changes with the parameters above it when an importer sets them;
    /// otherwise the default is an independent value, which can be set.
    pub follows: bool,
    /// The input for which it is the value if nothing is connected; usually empty.
    pub input: &'static str,
    /// Its value if none is given.
    pub default: Default,
    /// Its description in one line.
    pub text: &'static str,
}

impl Parameter {
    /// Gives unit and description to the variable that represents this declaration, or an element
    /// of it.
    pub fn describe<'m, T>(
        &self,
        variable: equations::Declared<'m, T>,
    ) -> equations::Declared<'m, T> {
        let variable = variable.describe(self.text);
        if self.unit.is_empty() { variable } else { variable.unit(self.unit) }
    }

    /// The facts that decide which variables of the FMU it has, as its declaration states them.
    pub fn facts(&self) -> impl Iterator<Item = &'static str> {
        let lifetime = match self.lifetime {
            Lifetime::OfKind => None,
            Lifetime::StructuralZero => Some("structural zero"),
            Lifetime::Constant => Some("constant"),
            Lifetime::Structural => Some("structural"),
        };
        lifetime.into_iter().chain(self.on_demand.then_some("on demand"))
    }

    /// The error that an instance of this name has no value for the parameter.
    pub fn missing(&self, instance: &str) -> Error {
        let what = match self.unit {
            "" | "1" => self.text.to_owned(),
            unit => format!("{}, {unit}", self.text),
        };
        Error::Parameter(format!("{instance}.{} ({what}) has no value", self.name))
    }
}

/// Which values of a parameter are fixed when the FMU is generated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lifetime {
    /// Those that the kind of the parameter fixes.
    OfKind,
    /// Zero: the effect does not exist then, and the parameter is a constant of the FMU.
    StructuralZero,
    /// All, and the parameter is a constant of the FMU.
    Constant,
    /// All, and the parameter is not a variable of the FMU.
    Structural,
}

/// The value of a parameter that is not given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Default {
    /// It must be given.
    Required,
    /// A Rust expression.
    Value(&'static str),
    /// It is optional.
    None,
}

/// A port of a component.
#[derive(Clone, Copy, Debug)]
pub struct Port {
    /// The field of its struct of ports.
    pub field: &'static str,
    /// Its FMI name within an instance.
    pub name: &'static str,
    /// The kind of port: a type of [`assembly`](crate::assembly).
    pub kind: &'static str,
    /// The unit of an input; empty for other ports, and if any unit is allowed.
    pub unit: &'static str,
    /// Its description in one line.
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
    /// Its unit; `1` for a pure number, empty if it depends on the connections.
    pub unit: &'static str,
    /// Its description in one line.
    pub text: &'static str,
}

/// A component with a declaration by [`component!`](crate::component!).
pub trait Declared {
    /// The declaration.
    const DECLARATION: &'static Declaration;
}

/// The conversion of a component's parameters from the model text to the equations.
pub trait Declare: Declared + Debug + 'static {
    /// The typed ports and variables for the model text.
    type Ports: From<At>;

    /// The parameters as the equations use them.
    type Parameters;

    /// Checks the parameters and declares them as variables of the FMU.
    ///
    /// # Errors
    /// A required parameter is missing, or a value is not allowed.
    fn declare(&self, c: &mut Contribution<'_>) -> Result<Self::Parameters, Error>;
}

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
