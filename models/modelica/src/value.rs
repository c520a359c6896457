//! Values of expressions, and arithmetic with them.

use crate::library::ClassNode;
use crate::syntax::{Body, Operator};
use equations::{Bool, Ex, leaves_of, select};
use std::rc::Rc;

/// The value of an expression.
#[derive(Clone, Debug)]
pub enum Value {
    /// A real number.
    Real(Ex),
    /// A whole number that is known when the model is built.
    Integer(i64),
    /// A whole number that equations compute.
    Whole(Ex),
    /// True or false.
    Boolean(Bool),
    /// A text.
    Text(Rc<str>),
    /// A literal of an enumeration, with its number from 1.
    Literal {
        /// The enumeration.
        of: Rc<ClassNode>,
        /// The name of the literal.
        name: Rc<str>,
        /// Its number.
        number: i64,
    },
    /// A value of an enumeration that equations compute, by its number.
    Choice {
        /// The enumeration.
        of: Rc<ClassNode>,
        /// The number of the literal.
        number: Ex,
    },
    /// Elements of one type.
    Array(Rc<Vec<Value>>),
    /// The components of a record, in their order.
    Record(Rc<Vec<(Rc<str>, Value)>>),
    /// A function with some of its arguments.
    Function(Rc<ClassNode>, Rc<Vec<(Rc<str>, Value)>>),
}

/// Why two values cannot be combined.
pub type Misfit = String;

impl From<f64> for Value {
    fn from(value: f64) -> Self {
        Value::Real(Ex::constant(value))
    }
}

impl From<bool> for Value {
    fn from(value: bool) -> Self {
        Value::Boolean(Bool::constant(value))
    }
}

impl FromIterator<Value> for Value {
    fn from_iter<I: IntoIterator<Item = Value>>(values: I) -> Self {
        Value::Array(Rc::new(values.into_iter().collect()))
    }
}

impl Value {
    /// What it is, in words.
    pub fn kind(&self) -> String {
        match self {
            Value::Real(_) => "a Real".to_owned(),
            Value::Integer(number) => format!("the Integer {number}"),
            Value::Whole(_) => "an Integer".to_owned(),
            Value::Choice { of, .. } => format!("a value of {}", of.path),
            Value::Boolean(_) => "a Boolean".to_owned(),
            Value::Text(text) => format!("the String \"{text}\""),
            Value::Literal { of, name, .. } => format!("{}.{name}", of.path),
            Value::Array(elements) => format!("an array of {}", elements.len()),
            Value::Record(_) => "a record".to_owned(),
            Value::Function(of, _) => format!("the function {}", of.path),
        }
    }

    /// The real number, also of a whole one.
    ///
    /// # Errors
    /// It is none.
    pub fn real(&self) -> Result<Ex, Misfit> {
        match self {
            Value::Real(value) | Value::Whole(value) => Ok(*value),
            #[allow(clippy::cast_precision_loss, reason = "Modelica converts in the same way")]
            Value::Integer(value) => Ok(Ex::constant(*value as f64)),
            other => Err(format!("{} is no number", other.kind())),
        }
    }

    /// The whole number as an expression, if it is one.
    fn whole(&self) -> Option<Ex> {
        match self {
            Value::Integer(_) | Value::Whole(_) => self.real().ok(),
            _ => None,
        }
    }

    /// The enumeration and the number of a literal, if it is one.
    fn literal(&self) -> Option<(&Rc<ClassNode>, Ex)> {
        match self {
            #[allow(clippy::cast_precision_loss, reason = "numbers of literals are small")]
            Value::Literal { of, number, .. } => Some((of, Ex::constant(*number as f64))),
            Value::Choice { of, number } => Some((of, *number)),
            _ => None,
        }
    }

    /// The number by which equations compute a scalar: 1 and 0 for true and false, and the number
    /// of the literal for a value of an enumeration.
    ///
    /// # Errors
    /// There is none.
    pub fn number(&self) -> Result<Ex, Misfit> {
        match (self, self.literal()) {
            (Value::Boolean(truth), _) => Ok(symbol_of(*truth)),
            (_, Some((_, number))) => Ok(number),
            _ => self.real(),
        }
    }

    /// The truth value.
    ///
    /// # Errors
    /// It is none.
    pub fn truth(&self) -> Result<Bool, Misfit> {
        match self {
            Value::Boolean(value) => Ok(*value),
            other => Err(format!("{} is not true or false", other.kind())),
        }
    }

    /// The elements of an array.
    ///
    /// # Errors
    /// It is none.
    pub fn elements(&self) -> Result<&[Value], Misfit> {
        match self {
            Value::Array(elements) => Ok(elements),
            other => Err(format!("{} is no array", other.kind())),
        }
    }

    /// Its sizes: none for a scalar.
    pub fn sizes(&self) -> Vec<usize> {
        match self {
            Value::Array(elements) => {
                let mut sizes = vec![elements.len()];
                if let Some(first) = elements.first() {
                    sizes.extend(first.sizes());
                }
                sizes
            }
            _ => Vec::new(),
        }
    }

    /// All scalars in it, in row-major order.
    pub fn scalars(&self) -> Vec<Value> {
        match self {
            Value::Array(elements) => elements.iter().flat_map(Value::scalars).collect(),
            other => vec![other.clone()],
        }
    }

    /// The names of the components of a record, or of the records in an array.
    pub fn field_names(&self) -> Vec<Rc<str>> {
        match self {
            Value::Record(fields) => fields.iter().map(|(name, _)| Rc::clone(name)).collect(),
            Value::Array(elements) => elements.first().map_or(Vec::new(), Value::field_names),
            _ => Vec::new(),
        }
    }

    /// The component of a record.
    pub fn field(&self, name: &str) -> Option<Value> {
        match self {
            Value::Record(fields) => {
                fields.iter().find(|(field, _)| &**field == name).map(|(_, value)| value.clone())
            }
            Value::Array(elements) => {
                elements.iter().map(|element| element.field(name)).collect::<Option<Value>>()
            }
            _ => None,
        }
    }

    /// Its first scalar.
    pub fn first(&self) -> Option<&Value> {
        match self {
            Value::Array(elements) => elements.first()?.first(),
            other => Some(other),
        }
    }

    /// Whether two scalars may be elements of one array.
    fn is_of_type_of(&self, other: &Value) -> bool {
        match (self, other) {
            (Value::Boolean(_), Value::Boolean(_))
            | (Value::Text(_), Value::Text(_))
            | (Value::Record(_), Value::Record(_))
            | (Value::Function(..), Value::Function(..)) => true,
            _ => match (self.literal(), other.literal()) {
                (Some((a, _)), Some((b, _))) => is_same_enumeration(a, b),
                _ => self.real().is_ok() && other.real().is_ok(),
            },
        }
    }

    /// Whether a real number is among its scalars.
    fn has_reals(&self) -> bool {
        match self {
            Value::Array(elements) => elements.iter().any(Value::has_reals),
            other => matches!(other, Value::Real(_)),
        }
    }

    /// Whether it is not an array.
    pub fn is_scalar(&self) -> bool {
        !matches!(self, Value::Array(_))
    }

    /// The same with real numbers in place of whole ones.
    pub fn with_reals(&self) -> Value {
        match self {
            Value::Integer(_) | Value::Whole(_) => {
                self.real().map_or_else(|_| self.clone(), Value::Real)
            }
            Value::Array(elements) => elements.iter().map(Value::with_reals).collect(),
            other => other.clone(),
        }
    }
}

/// The symbol of a Boolean variable.
pub fn symbol_of(truth: Bool) -> Ex {
    let leaves = leaves_of(&[truth.as_ex()]);
    match leaves.first() {
        Some(leaf) if !leaf.is_truth() && Ex::leaf(*leaf).is_true().key() == truth.key() => {
            Ex::leaf(*leaf)
        }
        _ => truth.as_ex(),
    }
}

/// The longest text, in bytes.
const LONGEST_TEXT: usize = 1_000_000;

/// The most elements of an array.
pub const MOST_ELEMENTS: usize = 1_000_000;

/// Refuses arrays of too many elements.
///
/// # Errors
/// There are too many.
pub fn bounded(sizes: &[usize]) -> Result<(), Misfit> {
    let all = sizes.iter().try_fold(1_usize, |all, size| all.checked_mul(*size));
    match all {
        Some(all) if all <= MOST_ELEMENTS => Ok(()),
        _ => Err(format!("an array of the sizes {sizes:?} is too large")),
    }
}

/// An array of elements with the same sizes: of real numbers if one of them is real.
///
/// # Errors
/// The sizes differ.
pub fn array_of(values: Vec<Value>) -> Result<Value, Misfit> {
    let sizes = values.first().map(Value::sizes).unwrap_or_default();
    if let Some(other) = values.iter().find(|value| value.sizes() != sizes) {
        let other = other.sizes();
        return Err(format!("elements of an array with different sizes: {sizes:?} and {other:?}"));
    }
    let mut firsts = values.iter().filter_map(Value::first);
    if let Some(first) = firsts.next()
        && let Some(other) = firsts.find(|other| !first.is_of_type_of(other))
    {
        let (first, other) = (first.kind(), other.kind());
        return Err(format!("elements of an array with different types: {first} and {other}"));
    }
    let has_reals = values.iter().any(Value::has_reals);
    let array: Value = values.into_iter().collect();
    Ok(if has_reals { array.with_reals() } else { array })
}

/// An array of equal elements.
pub fn filled(value: &Value, sizes: &[usize]) -> Value {
    match sizes {
        [] => value.clone(),
        [first, rest @ ..] => std::iter::repeat_n(filled(value, rest), *first).collect(),
    }
}

/// The sum, difference, product... of two values.
///
/// # Errors
/// The operator is not defined for them.
pub fn binary(operator: Operator, a: &Value, b: &Value) -> Result<Value, Misfit> {
    use Operator as O;
    if [a, b].iter().any(|value| matches!(value, Value::Record(_))) {
        return Err("operators of records are not supported, also those that an operator record \
                    defines"
            .to_owned());
    }
    match operator {
        O::Multiply => product(a, b),
        O::Divide if b.is_scalar() => broadcast(a, b, &divide),
        O::ElementDivide => broadcast(a, b, &divide),
        O::Power if a.is_scalar() && b.is_scalar() => power(a, b),
        O::Power => matrix_power(a, b),
        O::ElementPower => broadcast(a, b, &power),
        O::ElementMultiply => broadcast(a, b, &multiply),
        O::Add if a.is_scalar() == b.is_scalar() => broadcast(a, b, &add),
        O::Subtract if a.is_scalar() == b.is_scalar() => broadcast(a, b, &subtract),
        O::ElementAdd => broadcast(a, b, &add),
        O::ElementSubtract => broadcast(a, b, &subtract),
        O::And => broadcast(a, b, &|a, b| Ok(Value::Boolean(a.truth()? & b.truth()?))),
        O::Or => broadcast(a, b, &|a, b| Ok(Value::Boolean(a.truth()? | b.truth()?))),
        O::Less | O::LessEqual | O::Greater | O::GreaterEqual | O::Equal | O::NotEqual => {
            compare(operator, a, b)
        }
        _ => Err(format!("the operator is not defined for {} and {}", a.kind(), b.kind())),
    }
}

/// `-a`, `+a` or `not a`.
///
/// # Errors
/// The operator is not defined for the value.
pub fn unary(operator: Operator, a: &Value) -> Result<Value, Misfit> {
    match (operator, a) {
        (_, Value::Array(elements)) => elements.iter().map(|x| unary(operator, x)).collect(),
        (Operator::Not, _) => Ok(Value::Boolean(!a.truth()?)),
        (Operator::Add, _) => a.real().map(|_| a.clone()),
        (_, Value::Integer(value)) => integer(value.checked_neg()),
        (_, Value::Whole(value)) => Ok(Value::Whole(-*value)),
        _ => Ok(Value::Real(-a.real()?)),
    }
}

type Scalar = dyn Fn(&Value, &Value) -> Result<Value, Misfit>;

/// An operator on elements; a scalar is combined with all elements of an array.
fn broadcast(a: &Value, b: &Value, of: &Scalar) -> Result<Value, Misfit> {
    match (a, b) {
        (Value::Array(x), Value::Array(y)) if x.len() == y.len() => {
            x.iter().zip(&**y).map(|(x, y)| broadcast(x, y, of)).collect()
        }
        (Value::Array(x), Value::Array(y)) => {
            Err(format!("arrays of {} and {} elements do not fit", x.len(), y.len()))
        }
        (Value::Array(x), _) => x.iter().map(|x| broadcast(x, b, of)).collect(),
        (_, Value::Array(y)) => y.iter().map(|y| broadcast(a, y, of)).collect(),
        _ => of(a, b),
    }
}

fn integer(value: Option<i64>) -> Result<Value, Misfit> {
    value.map(Value::Integer).ok_or_else(|| "the Integer is too large".to_owned())
}

/// A value of two numbers, which is whole if both are.
pub fn arithmetic(a: &Value, b: &Value, of: impl Fn(Ex, Ex) -> Ex) -> Result<Value, Misfit> {
    match (a.whole(), b.whole()) {
        (Some(a), Some(b)) => Ok(Value::Whole(of(a, b))),
        _ => Ok(Value::Real(of(a.real()?, b.real()?))),
    }
}

fn add(a: &Value, b: &Value) -> Result<Value, Misfit> {
    match (a, b) {
        (Value::Integer(a), Value::Integer(b)) => integer(a.checked_add(*b)),
        (Value::Text(a), Value::Text(b)) if a.len() + b.len() > LONGEST_TEXT => {
            Err(format!("a String of more than {LONGEST_TEXT} bytes"))
        }
        (Value::Text(a), Value::Text(b)) => Ok(Value::Text(format!("{a}{b}").into())),
        _ => arithmetic(a, b, |a, b| a + b),
    }
}

fn subtract(a: &Value, b: &Value) -> Result<Value, Misfit> {
    match (a, b) {
        (Value::Integer(a), Value::Integer(b)) => integer(a.checked_sub(*b)),
        _ => arithmetic(a, b, |a, b| a - b),
    }
}

fn multiply(a: &Value, b: &Value) -> Result<Value, Misfit> {
    match (a, b) {
        (Value::Integer(a), Value::Integer(b)) => integer(a.checked_mul(*b)),
        _ => arithmetic(a, b, |a, b| a * b),
    }
}

fn divide(a: &Value, b: &Value) -> Result<Value, Misfit> {
    let (a, b) = (a.real()?, b.real()?);
    if b.is_constant_zero() {
        return Err("a division by zero".to_owned());
    }
    Ok(Value::Real(a / b))
}

fn power(a: &Value, b: &Value) -> Result<Value, Misfit> {
    let (base, exponent) = (a.real()?, b.real()?);
    #[allow(clippy::cast_possible_truncation, reason = "the number is small and whole")]
    let whole = exponent.constant_value().filter(|e| e.fract() == 0.0 && e.abs() <= 16.0);
    Ok(Value::Real(match whole {
        #[allow(clippy::cast_possible_truncation, reason = "the number is small and whole")]
        Some(exponent) => base.powi(exponent as i32),
        None => base.pow(exponent),
    }))
}

/// The product of scalars, vectors and matrices.
fn product(a: &Value, b: &Value) -> Result<Value, Misfit> {
    match (a.sizes().len(), b.sizes().len()) {
        (0, _) | (_, 0) => broadcast(a, b, &multiply),
        (1, 1) => dot(a.elements()?, b.elements()?),
        (2, 1) => {
            let vector = b.elements()?;
            a.elements()?.iter().map(|row| dot(row.elements()?, vector)).collect()
        }
        (1, 2) => {
            let columns = transposed(b)?;
            let vector = a.elements()?;
            columns.elements()?.iter().map(|column| dot(vector, column.elements()?)).collect()
        }
        (2, 2) => {
            let columns = transposed(b)?;
            bounded(&[a.sizes()[0], columns.sizes()[0]])?;
            let row = |row: &Value| -> Result<Value, Misfit> {
                let row = row.elements()?;
                columns.elements()?.iter().map(|column| dot(row, column.elements()?)).collect()
            };
            a.elements()?.iter().map(row).collect()
        }
        _ => Err(format!("{} and {} have no product", a.kind(), b.kind())),
    }
}

/// The scalar product.
fn dot(a: &[Value], b: &[Value]) -> Result<Value, Misfit> {
    if a.len() != b.len() {
        return Err(format!("vectors of {} and {} elements have no product", a.len(), b.len()));
    }
    let mut products = a.iter().zip(b).map(|(a, b)| multiply(a, b));
    let Some(first) = products.next() else { return Ok(Value::from(0.0)) };
    products.try_fold(first?, |sum, product| add(&sum, &product?))
}

/// The transposed matrix.
///
/// # Errors
/// It is no matrix.
pub fn transposed(matrix: &Value) -> Result<Value, Misfit> {
    let rows = matrix.elements()?;
    let Some(first) = rows.first() else { return Ok(matrix.clone()) };
    let column = |j: usize| {
        let element = |row: &Value| {
            let element = row.elements()?.get(j).cloned();
            element.ok_or_else(|| "the rows of a matrix have different lengths".to_owned())
        };
        rows.iter().map(element).collect::<Result<Value, Misfit>>()
    };
    (0..first.elements()?.len()).map(column).collect()
}

fn matrix_power(a: &Value, b: &Value) -> Result<Value, Misfit> {
    match b {
        Value::Integer(n @ 1..=64) => (1..*n).try_fold(a.clone(), |power, _| product(&power, a)),
        _ => Err(format!("{} to the power of {} is not known", a.kind(), b.kind())),
    }
}

fn compare(operator: Operator, a: &Value, b: &Value) -> Result<Value, Misfit> {
    use Operator as O;
    let of_order = |order: std::cmp::Ordering| {
        Value::from(match operator {
            O::Less => order.is_lt(),
            O::LessEqual => order.is_le(),
            O::Greater => order.is_gt(),
            O::GreaterEqual => order.is_ge(),
            O::Equal => order.is_eq(),
            _ => order.is_ne(),
        })
    };
    match (a, b) {
        (Value::Integer(a), Value::Integer(b)) => Ok(of_order(a.cmp(b))),
        (Value::Text(a), Value::Text(b)) => Ok(of_order(a.cmp(b))),
        (Value::Literal { of, number: a, .. }, Value::Literal { of: other, number: b, .. })
            if is_same_enumeration(of, other) =>
        {
            Ok(of_order(a.cmp(b)))
        }
        (Value::Boolean(a), Value::Boolean(b)) => {
            let same = (*a & *b) | (!*a & !*b);
            match operator {
                O::Equal => Ok(Value::Boolean(same)),
                O::NotEqual => Ok(Value::Boolean(!same)),
                _ => Err("truth values have no order here".to_owned()),
            }
        }
        _ => {
            let (a, b) = comparable(a, b)?;
            Ok(Value::Boolean(match operator {
                O::Less => a.lt(b),
                O::LessEqual => a.le(b),
                O::Greater => a.gt(b),
                O::GreaterEqual => a.ge(b),
                O::Equal => a.equals(b),
                _ => !a.equals(b),
            }))
        }
    }
}

/// The numbers by which two numbers, or two values of an enumeration, are compared.
fn comparable(a: &Value, b: &Value) -> Result<(Ex, Ex), Misfit> {
    let numbers = match (a.literal(), b.literal()) {
        (Some((of, a)), Some((other, b))) if is_same_enumeration(of, other) => Some((a, b)),
        (None, None) => a.real().ok().zip(b.real().ok()),
        _ => None,
    };
    numbers.ok_or_else(|| format!("{} and {} cannot be compared", a.kind(), b.kind()))
}

/// Whether two enumerations have the same literals in the same order, which makes them one type.
pub fn is_same_enumeration(a: &ClassNode, b: &ClassNode) -> bool {
    let names = |of: &ClassNode| match &of.syntax.body {
        Body::Enumeration(literals) => {
            Some(literals.iter().map(|(name, _)| Rc::clone(&name.text)).collect::<Vec<_>>())
        }
        _ => None,
    };
    a.path == b.path || names(a).is_some_and(|of_a| Some(of_a) == names(b))
}

/// Whether two values are written in the same way.
fn is_same(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Real(a), Value::Real(b)) | (Value::Whole(a), Value::Whole(b)) => a.key() == b.key(),
        (Value::Integer(a), Value::Integer(b)) => a == b,
        (Value::Boolean(a), Value::Boolean(b)) => a.key() == b.key(),
        (Value::Text(a), Value::Text(b)) => a == b,
        (Value::Literal { of, number: a, .. }, Value::Literal { of: other, number: b, .. }) => {
            a == b && is_same_enumeration(of, other)
        }
        (Value::Array(a), Value::Array(b)) => {
            a.len() == b.len() && a.iter().zip(&**b).all(|(a, b)| is_same(a, b))
        }
        (Value::Record(a), Value::Record(b)) => {
            a.len() == b.len() && a.iter().zip(&**b).all(|((_, a), (_, b))| is_same(a, b))
        }
        _ => false,
    }
}

/// One of two values.
///
/// # Errors
/// The condition is not known, and the values cannot be mixed.
pub fn chosen(condition: Bool, a: &Value, b: &Value) -> Result<Value, Misfit> {
    match (condition.constant_value(), a, b) {
        (Some(true), _, _) => Ok(a.clone()),
        (Some(false), _, _) => Ok(b.clone()),
        _ if is_same(a, b) => Ok(a.clone()),
        (None, Value::Array(x), Value::Array(y)) if x.len() == y.len() => {
            x.iter().zip(&**y).map(|(x, y)| chosen(condition, x, y)).collect()
        }
        (None, Value::Boolean(x), Value::Boolean(y)) => {
            Ok(Value::Boolean((condition & *x) | (!condition & *y)))
        }
        _ => match (a.literal(), b.literal()) {
            (Some((of, x)), Some((other, y))) if is_same_enumeration(of, other) => {
                Ok(Value::Choice { of: Rc::clone(of), number: select(condition, x, y) })
            }
            (None, None) if a.real().is_ok() && b.real().is_ok() => {
                arithmetic(a, b, |x, y| select(condition, x, y))
            }
            _ => Err(format!("the branches are of different types: {} and {}", a.kind(), b.kind())),
        },
    }
}
