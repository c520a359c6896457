//! The trait for the values that a model text gives to parameters, and the values that are numbers.

use super::{Lifetime, Parameter, Real, Value};
use crate::component::Contribution;
use crate::error::Error;
use crate::port::element;
use crate::start;
use crate::vector::{Vector, unit_axis, zero};
use equations::Ex;
use std::fmt::Debug;

/// A value that a model text gives.
pub trait Setting: Clone + Debug + 'static {
    /// The type that the equations use.
    type Declared;

    /// Checks the value and declares it as a variable of the FMU, with the name, the unit and the
    /// description of the parameter.
    ///
    /// # Errors
    /// The value is not allowed.
    fn declare(
        self,
        c: &mut Contribution<'_>,
        of: &'static Parameter,
    ) -> Result<Self::Declared, Error>;

    /// A default as an independent value: if it depends on numbers only, it becomes a number, which
    /// can be set.
    fn evaluated(self, _: &Contribution<'_>) -> Self {
        self
    }

    /// The setting from a value that a front end gives. By default, only Rust can give one.
    ///
    /// # Errors
    /// It is not a value of this kind: what is needed.
    fn from_value(_: Value) -> Result<Self, String> {
        Err("only a text in Rust can give such a value".to_owned())
    }

    /// Its value for front ends; `None` if there is no such value.
    fn to_value(&self) -> Option<Value> {
        None
    }
}

/// What a model text may give as a value of the kind `S`: everything that becomes one.
///
/// A parameter of the model cannot decide which equations the model has:
///
/// ```compile_fail,E0277
/// use libraries::prelude::*;
/// use libraries::rotational::Inertia;
/// use libraries::signals::CriticalDamping;
///
/// let mut m = Assembly::new();
/// let order = m.parameter("order", 2, "1", "Order of the filter");
/// let _ = Inertia::new().J(order);
/// let _ = CriticalDamping::new().n(order);
/// ```
///
/// A group of components passes on the values of its own parameters, which may be missing: an
/// `Option` leaves the parameter as it is if it is `None`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a value for a parameter of the kind `{S}`",
    label = "not a value of the kind `{S}`",
    note = "parameters of the model and expressions of them are values of the kinds `Real`, \
            `[Real; 3]` and `[Real]`; other kinds, such as `Axis` and `Integer`, and kinds that \
            are `structural` or `constant` determine which equations the model has, so their \
            values are numbers",
    note = "the type `Vector3` stands for `[Real; 3]`, `List` for `[Real]`, `Rows` for `[[Real]]`, \
            and `Structural` for a kind that is `structural` or `constant`",
    note = "a start value, of the kind `Start`, is `fixed(0)`, `guess(0)` or `free()`"
)]
pub trait ValueOf<S, Form> {
    /// The value, if there is one.
    fn value(self) -> Option<S>;
}

/// The form of a value that is there: see [`ValueOf`].
#[derive(Debug)]
pub enum Present {}

/// The form of a value that may be missing: see [`ValueOf`].
#[derive(Debug)]
pub enum Possible {}

#[diagnostic::do_not_recommend]
impl<S, T: Into<S>> ValueOf<S, Present> for T {
    fn value(self) -> Option<S> {
        Some(self.into())
    }
}

#[diagnostic::do_not_recommend]
impl<S, T: Into<S>> ValueOf<S, Possible> for Option<T> {
    fn value(self) -> Option<S> {
        self.map(Into::into)
    }
}

/// A value that is checked and becomes a variable of the FMU only if the component asks for it.
#[derive(Clone, Copy, Debug)]
pub struct OnDemand<S>(pub S);

/// A value that a component can request: see [`OnDemand`].
#[derive(Clone, Copy, Debug)]
pub struct Pending<S> {
    /// The given value.
    pub value: S,
    pub(super) of: &'static Parameter,
}

/// The value of a parameter of the kind `Real` or `[Real; 3]` that is `structural` or `constant`:
/// numbers that are fixed when the FMU is generated.
#[derive(Clone, Copy, Debug)]
pub struct Structural<T>(T);

/// A whole number that is fixed when the FMU is generated, and a constant of it.
#[derive(Clone, Copy, Debug)]
pub struct Integer(i64);

/// Three [`Real`]s. Zeros are structural: they are constants of the FMU.
#[derive(Clone, Copy, Debug)]
pub struct Vector3(pub [Real; 3]);

/// [`Real`]s, as many as are given. Zeros are structural: they are constants of the FMU.
#[derive(Clone, Debug)]
pub struct List(Vec<Real>);

/// A direction, fixed when the FMU is generated; its length has no effect.
#[derive(Clone, Copy, Debug)]
pub struct Axis([f64; 3]);

/// Implements the conversions from all types that a model text may give for a number.
macro_rules! from_numbers {
    ($($Type:ty: |$real:ident| $make:expr),* $(,)?) => { $(
        impl From<f64> for $Type {
            fn from(value: f64) -> Self {
                let $real = Real::Number(value);
                $make
            }
        }
        impl From<i32> for $Type {
            fn from(value: i32) -> Self {
                let $real = Real::Number(f64::from(value));
                $make
            }
        }
        impl From<Ex> for $Type {
            fn from(value: Ex) -> Self {
                let $real = Real::Expression(value);
                $make
            }
        }
        impl From<start::ParameterGuess> for $Type {
            fn from(value: start::ParameterGuess) -> Self {
                let $real = Real::Unknown { guess: value.guess };
                $make
            }
        }
    )* };
}

from_numbers! {
    Real: |real| real,
    OnDemand<Real>: |real| OnDemand(real),
}

impl<S, T, const N: usize> From<[T; N]> for OnDemand<S>
where
    [T; N]: Into<S>,
{
    fn from(value: [T; N]) -> Self {
        OnDemand(value.into())
    }
}

impl<T: Into<f64>> From<T> for Structural<f64> {
    fn from(value: T) -> Self {
        Structural(value.into())
    }
}

impl<T: Into<f64>> From<[T; 3]> for Structural<[f64; 3]> {
    fn from(values: [T; 3]) -> Self {
        Structural(values.map(Into::into))
    }
}

impl<T: Into<f64>, const N: usize> From<[T; N]> for Structural<Vec<f64>> {
    fn from(values: [T; N]) -> Self {
        Structural(values.map(Into::into).to_vec())
    }
}

impl From<Vec<f64>> for Structural<Vec<f64>> {
    fn from(values: Vec<f64>) -> Self {
        Structural(values)
    }
}

impl From<i32> for Integer {
    fn from(value: i32) -> Self {
        Integer(i64::from(value))
    }
}

impl From<u32> for Integer {
    fn from(value: u32) -> Self {
        Integer(i64::from(value))
    }
}

impl From<usize> for Integer {
    fn from(value: usize) -> Self {
        Integer(i64::try_from(value).unwrap_or(i64::MAX))
    }
}

impl Integer {
    /// The given value.
    pub fn number(self) -> i64 {
        self.0
    }
}

impl<T: Into<Real>> From<[T; 3]> for Vector3 {
    fn from(value: [T; 3]) -> Self {
        Vector3(value.map(Into::into))
    }
}

impl<X: Into<Real>, Y: Into<Real>, Z: Into<Real>> From<(X, Y, Z)> for Vector3 {
    fn from((x, y, z): (X, Y, Z)) -> Self {
        Vector3([x.into(), y.into(), z.into()])
    }
}

impl<T: Into<Real>, const N: usize> From<[T; N]> for List {
    fn from(values: [T; N]) -> Self {
        List(values.into_iter().map(Into::into).collect())
    }
}

impl<T: Into<Real>> From<Vec<T>> for List {
    fn from(values: Vec<T>) -> Self {
        List(values.into_iter().map(Into::into).collect())
    }
}

impl<T: Into<f64>> From<[T; 3]> for Axis {
    fn from(value: [T; 3]) -> Self {
        Axis(value.map(Into::into))
    }
}

impl Setting for Real {
    type Declared = Ex;

    fn declare(self, c: &mut Contribution<'_>, of: &'static Parameter) -> Result<Ex, Error> {
        match of.lifetime {
            Lifetime::StructuralZero => c.structural_zero(of.name, self, of),
            _ => c.real(of.name, self, of),
        }
    }

    fn evaluated(self, c: &Contribution<'_>) -> Self {
        match self {
            Real::Expression(value) => c.fixed_number(value).map_or(self, Real::Number),
            _ => self,
        }
    }

    fn from_value(value: Value) -> Result<Self, String> {
        value.real()
    }

    fn to_value(&self) -> Option<Value> {
        Some((*self).into())
    }
}

impl<S: Setting> Setting for OnDemand<S> {
    type Declared = Pending<S>;

    fn declare(
        self,
        _: &mut Contribution<'_>,
        of: &'static Parameter,
    ) -> Result<Pending<S>, Error> {
        Ok(Pending { value: self.0, of })
    }

    fn evaluated(self, c: &Contribution<'_>) -> Self {
        OnDemand(self.0.evaluated(c))
    }

    fn from_value(value: Value) -> Result<Self, String> {
        S::from_value(value).map(OnDemand)
    }

    fn to_value(&self) -> Option<Value> {
        self.0.to_value()
    }
}

impl<S: Setting> Pending<S> {
    /// Checks the value and declares it as a variable of the FMU.
    ///
    /// # Errors
    /// The value is not allowed.
    pub fn declare(self, c: &mut Contribution<'_>) -> Result<S::Declared, Error> {
        self.value.declare(c, self.of)
    }
}

impl Setting for Structural<f64> {
    type Declared = f64;

    fn declare(self, c: &mut Contribution<'_>, of: &'static Parameter) -> Result<f64, Error> {
        fixed(c, of.name, self.0, of)
    }

    fn from_value(value: Value) -> Result<Self, String> {
        value.number().map(Structural)
    }

    fn to_value(&self) -> Option<Value> {
        Some(self.0.into())
    }
}

impl Setting for Structural<[f64; 3]> {
    type Declared = [f64; 3];

    fn declare(self, c: &mut Contribution<'_>, of: &'static Parameter) -> Result<[f64; 3], Error> {
        for (i, value) in self.0.into_iter().enumerate() {
            fixed(c, &format!("{}[{}]", of.name, i + 1), value, of)?;
        }
        Ok(self.0)
    }

    fn from_value(value: Value) -> Result<Self, String> {
        value.array(Value::number).map(Structural)
    }

    fn to_value(&self) -> Option<Value> {
        Some(self.0.into())
    }
}

impl Setting for Structural<Vec<f64>> {
    type Declared = Vec<f64>;

    fn declare(self, c: &mut Contribution<'_>, of: &'static Parameter) -> Result<Vec<f64>, Error> {
        for (i, value) in self.0.iter().enumerate() {
            fixed(c, element(of.name, i + 1), *value, of)?;
        }
        Ok(self.0)
    }

    fn from_value(value: Value) -> Result<Self, String> {
        value.list(Value::number).map(Structural)
    }

    fn to_value(&self) -> Option<Value> {
        Some(Value::of_list(self.0.iter().copied()))
    }
}

/// Checks a number that is fixed when the FMU is generated, and publishes it if it is `constant`.
fn fixed(c: &mut Contribution<'_>, local: &str, value: f64, of: &Parameter) -> Result<f64, Error> {
    c.check_range(local, value, of)?;
    if of.lifetime == Lifetime::Constant {
        of.describe(c.constant(local, value));
    }
    Ok(value)
}

impl Pending<Real> {
    /// Declares a number as a constant of the FMU, because nothing depends on it.
    ///
    /// # Errors
    /// The value is not allowed.
    pub fn constant(self, c: &mut Contribution<'_>) -> Result<(), Error> {
        let Pending { value, of } = self;
        if let Real::Number(value) = value {
            c.check_range(of.name, value, of)?;
            of.describe(c.constant(of.name, value));
        }
        Ok(())
    }
}

impl Setting for Integer {
    type Declared = i64;

    fn declare(self, c: &mut Contribution<'_>, of: &'static Parameter) -> Result<i64, Error> {
        let value = self.0 as f64;
        c.check_range(of.name, value, of)?;
        of.describe(c.constant(of.name, value));
        Ok(self.0)
    }

    fn from_value(value: Value) -> Result<Self, String> {
        value.whole_number().map(Integer)
    }

    fn to_value(&self) -> Option<Value> {
        Some((self.0 as f64).into())
    }
}

impl Setting for Vector3 {
    type Declared = Vector;

    fn declare(self, c: &mut Contribution<'_>, of: &'static Parameter) -> Result<Vector, Error> {
        let mut vector = zero();
        for (i, value) in self.0.into_iter().enumerate() {
            vector[i] = c.structural_zero(&format!("{}[{}]", of.name, i + 1), value, of)?;
        }
        Ok(vector)
    }

    fn evaluated(self, c: &Contribution<'_>) -> Self {
        Vector3(self.0.map(|value| value.evaluated(c)))
    }

    fn from_value(value: Value) -> Result<Self, String> {
        value.array(Value::real).map(Vector3)
    }

    fn to_value(&self) -> Option<Value> {
        Some(self.0.into())
    }
}

impl Setting for List {
    type Declared = Vec<Ex>;

    fn declare(self, c: &mut Contribution<'_>, of: &'static Parameter) -> Result<Vec<Ex>, Error> {
        let values = self.0.into_iter().enumerate();
        values.map(|(i, value)| c.structural_zero(element(of.name, i + 1), value, of)).collect()
    }

    fn evaluated(self, c: &Contribution<'_>) -> Self {
        List(self.0.into_iter().map(|value| value.evaluated(c)).collect())
    }

    fn from_value(value: Value) -> Result<Self, String> {
        value.list(Value::real).map(List)
    }

    fn to_value(&self) -> Option<Value> {
        Some(Value::of_list(self.0.iter().copied()))
    }
}

impl Setting for Axis {
    type Declared = [f64; 3];

    fn declare(self, c: &mut Contribution<'_>, of: &'static Parameter) -> Result<[f64; 3], Error> {
        let Axis(n) = self;
        let e = unit_axis(n).ok_or_else(|| c.refuse(of.name, format!("{n:?} has no direction")))?;
        for (i, &element) in n.iter().enumerate() {
            of.describe(c.constant(&format!("{}[{}]", of.name, i + 1), element));
        }
        Ok(e)
    }

    fn from_value(value: Value) -> Result<Self, String> {
        value.array(Value::number).map(Axis)
    }

    fn to_value(&self) -> Option<Value> {
        Some(self.0.into())
    }
}
