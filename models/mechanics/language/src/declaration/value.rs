//! What a front end gives to a parameter: values of the few kinds that every language has.
//!
//! A [`Setting`](super::Setting) is made from such a value, and tells its value.

use super::Chosen;
use crate::start::{Start, free};
use equations::{Ex, Number, similar};
use std::fmt;
use std::rc::Rc;

/// A number, an expression of model parameters, or a value that the initial system determines.
#[derive(Clone, Copy, Debug)]
pub enum Real {
    /// A number.
    Number(f64),
    /// An expression of parameters of the model.
    Expression(Ex),
    /// A value determined by an additional initial condition.
    Unknown {
        /// The guess.
        guess: f64,
    },
}

/// A value that a front end gives to a parameter.
#[derive(Clone, Debug)]
pub enum Value {
    /// A number, an expression of parameters of the model, or a value that the initial system
    /// determines.
    Real(Real),
    /// True or false.
    Boolean(bool),
    /// A text, or the name of one of the values of a choice.
    Text(String),
    /// A start value.
    Start(Start),
    /// A vector, a list, or the rows of a matrix or of a table.
    List(Vec<Value>),
    /// A function.
    Function(Function),
}

/// A function of several arguments with several results.
#[derive(Clone)]
pub struct Function {
    /// The number of its arguments.
    pub arguments: usize,
    /// The number of its results.
    pub results: usize,
    of: Rc<Results>,
}

/// The results of a function for its arguments.
type Results = dyn Fn(&[Ex]) -> Vec<Ex>;

impl Function {
    /// A function with these numbers of arguments and results.
    pub fn new(
        arguments: usize,
        results: usize,
        of: impl Fn(&[Ex]) -> Vec<Ex> + 'static,
    ) -> Function {
        Function { arguments, results, of: Rc::new(of) }
    }

    /// Its results for these arguments.
    pub fn at(&self, arguments: &[Ex]) -> Vec<Ex> {
        (self.of)(arguments)
    }
}

impl fmt::Debug for Function {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a function of {} arguments with {} results", self.arguments, self.results)
    }
}

/// The value in words: ``the number 3``, ``the text `x` ``.
impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Real(Real::Number(number)) => write!(f, "the number {}", Number(*number)),
            Value::Real(Real::Expression(_)) => write!(f, "an expression"),
            Value::Real(Real::Unknown { .. }) => write!(f, "an unknown value"),
            Value::Boolean(value) => write!(f, "`{value}`"),
            Value::Text(text) => write!(f, "the text `{text}`"),
            Value::Start(_) => write!(f, "a start value"),
            Value::List(values) => match values.len() {
                1 => write!(f, "a list of one value"),
                length => write!(f, "a list of {length} values"),
            },
            Value::Function(_) => write!(f, "a function"),
        }
    }
}

/// What a value of another kind is told.
fn wanted<T>(what: impl Into<String>) -> Result<T, String> {
    Err(what.into())
}

/// The contents of a value; an error says what is needed.
impl Value {
    /// A number, an expression, or an unknown value.
    ///
    /// # Errors
    /// It is something else.
    pub fn real(self) -> Result<Real, String> {
        match self {
            Value::Real(real) => Ok(real),
            _ => wanted("a number or an expression of parameters is needed"),
        }
    }

    /// A number.
    ///
    /// # Errors
    /// It is something else.
    pub fn number(self) -> Result<f64, String> {
        match self {
            Value::Real(Real::Number(number)) => Ok(number),
            Value::Real(Real::Expression(value)) => match value.constant_value() {
                Some(number) => Ok(number),
                None => wanted(
                    "a number is needed, because it determines which equations the model has",
                ),
            },
            _ => wanted("a number is needed"),
        }
    }

    /// A whole number.
    ///
    /// # Errors
    /// It is something else.
    pub fn whole_number(self) -> Result<i64, String> {
        /// Whole numbers up to this one are exact as real numbers.
        const LARGEST: f64 = 9_007_199_254_740_992.0;
        match self {
            Value::Real(_) => match self.number()? {
                number if number.fract() == 0.0 && number.abs() <= LARGEST => Ok(number as i64),
                _ => wanted("a whole number is needed"),
            },
            _ => wanted("a whole number is needed"),
        }
    }

    /// True or false.
    ///
    /// # Errors
    /// It is something else.
    pub fn boolean(self) -> Result<bool, String> {
        match self {
            Value::Boolean(value) => Ok(value),
            _ => wanted("`true` or `false` is needed"),
        }
    }

    /// A text.
    ///
    /// # Errors
    /// It is something else.
    pub fn text(self) -> Result<String, String> {
        match self {
            Value::Text(text) => Ok(text),
            _ => wanted("a text is needed"),
        }
    }

    /// A start value, or the text `free`; a number is not one, because it could be a condition or a
    /// guess.
    ///
    /// # Errors
    /// It is something else.
    pub fn start(self) -> Result<Start, String> {
        match self {
            Value::Start(start) => Ok(start),
            Value::Text(text) if text == "free" => Ok(free()),
            _ => wanted("a start value is needed: fixed, a guess, or free"),
        }
    }

    /// One of the values of a choice, by its name.
    ///
    /// # Errors
    /// The choice has no such value.
    pub fn chosen<C: Chosen>(self) -> Result<C, String> {
        let names = || C::CHOICE.values.iter().map(|(name, _)| *name);
        if let Value::Text(text) = &self {
            if let Some(index) = names().position(|name| name == text) {
                return Ok(C::VALUES[index]);
            }
            if let Some(similar) = similar(text, names()) {
                return wanted(format!("is it `{similar}`?"));
            }
        }
        let names: Vec<&str> = names().collect();
        wanted(format!("its values are `{}`", names.join("`, `")))
    }

    /// The elements of a list.
    ///
    /// # Errors
    /// It is something else, or an element is not what `element` needs.
    pub fn list<T>(self, element: impl Fn(Value) -> Result<T, String>) -> Result<Vec<T>, String> {
        let Value::List(values) = self else { return wanted("a list is needed") };
        let elements = values.into_iter().enumerate();
        elements
            .map(|(i, value)| {
                let what = value.to_string();
                element(value).map_err(|why| format!("element {} is {what}: {why}", i + 1))
            })
            .collect()
    }

    /// The elements of a list of this length.
    ///
    /// # Errors
    /// It is something else, or an element is not what `element` needs.
    pub fn array<T, const N: usize>(
        self,
        element: impl Fn(Value) -> Result<T, String>,
    ) -> Result<[T; N], String> {
        let needed = format!("a list of {N} values is needed");
        match self {
            Value::List(values) if values.len() == N => Value::List(values)
                .list(element)
                .and_then(|elements| elements.try_into().or_else(|_: Vec<T>| wanted(needed))),
            _ => wanted(needed),
        }
    }

    /// A list of elements, each as a value.
    pub fn of_list<T: Into<Value>>(elements: impl IntoIterator<Item = T>) -> Value {
        Value::List(elements.into_iter().map(Into::into).collect())
    }

    /// The name of one of the values of a choice.
    pub fn of_chosen<C: Chosen + PartialEq>(chosen: C) -> Value {
        let index = C::VALUES.iter().position(|value| *value == chosen);
        let names = C::CHOICE.values;
        Value::Text(index.map_or("", |index| names[index].0).to_owned())
    }
}

/// Implements the conversions into a value.
macro_rules! from {
    ($($Type:ty: |$value:ident| $make:expr),* $(,)?) => { $(
        impl From<$Type> for Value {
            fn from($value: $Type) -> Self {
                $make
            }
        }
    )* };
}

from! {
    Real: |real| Value::Real(real),
    f64: |number| Value::Real(Real::Number(number)),
    i32: |number| Value::Real(Real::Number(f64::from(number))),
    Ex: |expression| Value::Real(Real::Expression(expression)),
    bool: |value| Value::Boolean(value),
    String: |text| Value::Text(text),
    &str: |text| Value::Text(text.to_owned()),
    Start: |start| Value::Start(start),
    Function: |function| Value::Function(function),
}

impl<T: Into<Value>> From<Vec<T>> for Value {
    fn from(values: Vec<T>) -> Self {
        Value::of_list(values)
    }
}

impl<T: Into<Value>, const N: usize> From<[T; N]> for Value {
    fn from(values: [T; N]) -> Self {
        Value::of_list(values)
    }
}
