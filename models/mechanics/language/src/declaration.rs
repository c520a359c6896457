//! What the declaration of a component becomes: a table of its facts, and the conversion of its
//! parameters from the model text to the equations.

use crate::component::Contribution;
use crate::error::Error;
use crate::port::At;

mod choices;
pub(crate) mod comparison;
pub(crate) mod facts;
mod rows;
mod setting;
mod settings;
mod starts_and_choices;
mod value;

pub use crate::{choice, plain_settings};
pub use choices::{Choice, Chosen};
pub use equations::Limits;
pub use facts::{Declaration, Default, Lifetime, Parameter, Port, Variable};
pub use rows::{Columns, Rows};
pub use setting::{
    Axis, Integer, List, OnDemand, Pending, Possible, Present, Setting, Structural, ValueOf,
    Vector3,
};
pub use settings::Settings;
pub use starts_and_choices::{Fallback, InputOr, Truths};
pub use value::{Function, Real, Value};

/// A component with a declaration by `component!`.
pub trait Declared {
    /// The declaration.
    const DECLARATION: &'static Declaration;
}

/// The conversion of a component's parameters from the model text to the equations.
pub trait Declare: Settings + 'static {
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
