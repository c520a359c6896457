//! Values that a model text gives and that are not always numbers of the FMU: start values, true or
//! false, sequences of axes, values of open inputs, and choices.

use super::{Lifetime, Parameter, Real, Setting, Value};
use crate::component::Contribution;
use crate::error::Error;
use crate::orientation::Sequence;
use crate::port::PortId;
use crate::start::{Start, StateSelect};
use crate::statements::laws::signal_view::SignalView;
use equations::Ex;

impl Setting for Start {
    type Declared = Start;

    fn declare(self, c: &mut Contribution<'_>, of: &'static Parameter) -> Result<Start, Error> {
        c.check_range(of.name, self.value, of)?;
        Ok(self)
    }

    fn from_value(value: Value) -> Result<Self, String> {
        value.start()
    }

    fn to_value(&self) -> Option<Value> {
        Some((*self).into())
    }
}

/// Of three variables `name_1` to `name_3`, if the declaration lists these, or of a vector.
impl Setting for [Start; 3] {
    type Declared = [Start; 3];

    fn declare(self, c: &mut Contribution<'_>, of: &'static Parameter) -> Result<Self, Error> {
        for (i, start) in self.iter().enumerate() {
            let scalar = format!("{}_{}", of.name, i + 1);
            let local = match c.declares_variable(&scalar) {
                true => scalar,
                false => format!("{}[{}]", of.name, i + 1),
            };
            c.check_range(&local, start.value, of)?;
        }
        Ok(self)
    }

    fn from_value(value: Value) -> Result<Self, String> {
        value.array(Value::start)
    }

    fn to_value(&self) -> Option<Value> {
        Some((*self).into())
    }
}

/// Axes of three successive rotations, 1 to 3; fixed when the FMU is generated, and constants of it
/// unless they are `structural`.
impl Setting for [usize; 3] {
    type Declared = Sequence;

    fn declare(self, c: &mut Contribution<'_>, of: &'static Parameter) -> Result<Sequence, Error> {
        match of.lifetime {
            Lifetime::Structural => c.check_sequence(of.name, self),
            _ => c.sequence(of, self),
        }
    }

    fn from_value(value: Value) -> Result<Self, String> {
        value.array(|axis| {
            usize::try_from(axis.whole_number()?).or(Err("1, 2 or 3 is needed".to_owned()))
        })
    }

    fn to_value(&self) -> Option<Value> {
        Some(Value::of_list(self.map(|axis| axis as f64)))
    }
}

/// Fixed when the FMU is generated, and a constant of it if it is `constant`.
impl Setting for bool {
    type Declared = bool;

    fn declare(self, c: &mut Contribution<'_>, of: &'static Parameter) -> Result<bool, Error> {
        if of.lifetime == Lifetime::Constant {
            of.describe(c.constant(of.name, f64::from(u8::from(self)))).boolean();
        }
        Ok(self)
    }

    fn from_value(value: Value) -> Result<Self, String> {
        value.boolean()
    }

    fn to_value(&self) -> Option<Value> {
        Some((*self).into())
    }
}

/// Truth values that are fixed when the FMU is generated: a parameter of the kind `[bool]`.
#[derive(Clone, Debug)]
pub struct Truths(Vec<bool>);

impl<const N: usize> From<[bool; N]> for Truths {
    fn from(values: [bool; N]) -> Self {
        Truths(values.to_vec())
    }
}

impl From<Vec<bool>> for Truths {
    fn from(values: Vec<bool>) -> Self {
        Truths(values)
    }
}

impl Setting for Truths {
    type Declared = Vec<bool>;

    fn declare(self, _: &mut Contribution<'_>, _: &'static Parameter) -> Result<Vec<bool>, Error> {
        Ok(self.0)
    }

    fn from_value(value: Value) -> Result<Self, String> {
        value.list(Value::boolean).map(Truths)
    }

    fn to_value(&self) -> Option<Value> {
        Some(Value::of_list(self.0.iter().copied()))
    }
}

/// A [`Real`] for an input to which nothing is connected; otherwise it is not a variable of the
/// FMU.
#[derive(Clone, Copy, Debug)]
pub struct Fallback(Real);

impl<T: Into<Real>> From<T> for Fallback {
    fn from(value: T) -> Self {
        Fallback(value.into())
    }
}

/// A signal, or a parameter if nothing is connected to the input.
#[derive(Clone, Copy, Debug)]
pub enum InputOr {
    /// The connected signal.
    Signal(PortId),
    /// The parameter that applies if nothing is connected.
    Parameter(Ex),
}

impl InputOr {
    /// The value.
    ///
    /// # Errors
    /// Those of [`SignalView::read`].
    pub fn read(self, e: &mut SignalView<'_>) -> Result<Ex, Error> {
        match self {
            InputOr::Signal(source) => e.read(source),
            InputOr::Parameter(value) => Ok(value),
        }
    }
}

impl Setting for Fallback {
    type Declared = InputOr;

    fn declare(self, c: &mut Contribution<'_>, of: &'static Parameter) -> Result<InputOr, Error> {
        match c.optional_input(of.input) {
            Some(source) => Ok(InputOr::Signal(source)),
            None => c.real(of.name, self.0, of).map(InputOr::Parameter),
        }
    }

    fn from_value(value: Value) -> Result<Self, String> {
        value.real().map(Fallback)
    }

    fn to_value(&self) -> Option<Value> {
        Some(self.0.into())
    }
}

/// Implements [`Setting`] for kinds whose values the equations use as they are given. In braces
/// follow the conversions from and to values of front ends, if there are such values.
#[macro_export]
macro_rules! plain_settings {
    ($($Type:ty $({ $($conversions:tt)* })?),* $(,)?) => { $(
        impl $crate::declaration::Setting for $Type {
            type Declared = Self;

            fn declare(
                self,
                _: &mut $crate::component::Contribution<'_>,
                _: &'static $crate::declaration::Parameter,
            ) -> Result<Self, $crate::error::Error> {
                Ok(self)
            }

            $($($conversions)*)?
        }
    )* };
}

plain_settings! {
    [StateSelect; 3] {
        fn from_value(value: Value) -> Result<Self, String> {
            value.array(Value::chosen)
        }

        fn to_value(&self) -> Option<Value> {
            Some(Value::of_list(self.map(Value::of_chosen)))
        }
    },
    String {
        fn from_value(value: Value) -> Result<Self, String> {
            value.text()
        }

        fn to_value(&self) -> Option<Value> {
            Some(self.as_str().into())
        }
    },
    // A text that a front end gives is never freed.
    &'static str {
        fn from_value(value: Value) -> Result<Self, String> {
            value.text().map(|text| &*text.leak())
        }

        fn to_value(&self) -> Option<Value> {
            Some((*self).into())
        }
    },
}
