//! The functions of the language.

use crate::source::Complaint;
use crate::syntax::Operator;
use crate::value::{Misfit, Value, arithmetic, array_of, binary, bounded, filled, transposed};
use equations::{Ex, select};

/// The functions of one number.
const OF_ONE: [&str; 17] = [
    "sin", "cos", "tan", "asin", "acos", "atan", "sinh", "cosh", "tanh", "exp", "log", "log10",
    "sqrt", "abs", "sign", "noEvent", "smooth",
];

/// The other functions.
const OTHERS: [&str; 33] = [
    "atan2",
    "min",
    "max",
    "sum",
    "product",
    "size",
    "ndims",
    "fill",
    "zeros",
    "ones",
    "linspace",
    "identity",
    "diagonal",
    "transpose",
    "outerProduct",
    "symmetric",
    "cross",
    "skew",
    "scalar",
    "vector",
    "matrix",
    "cat",
    "array",
    "integer",
    "floor",
    "ceil",
    "div",
    "mod",
    "rem",
    "Integer",
    "String",
    "homotopy",
    "getInstanceName",
];

/// Functions that have a meaning in equations only.
const OF_EQUATIONS: [&str; 14] = [
    "der",
    "pre",
    "edge",
    "change",
    "sample",
    "initial",
    "terminal",
    "reinit",
    "delay",
    "cardinality",
    "spatialDistribution",
    "inStream",
    "actualStream",
    "terminate",
];

/// Whether this function has a meaning in equations only.
pub fn of_equations(name: &str) -> bool {
    OF_EQUATIONS.contains(&name)
}

/// The names of all functions of the language.
pub fn names() -> impl Iterator<Item = &'static str> {
    [&OF_ONE[..], &OTHERS, &OF_EQUATIONS].into_iter().flatten().copied()
}

/// Whether this is a function of the language.
pub fn is_of_language(name: &str) -> bool {
    is_known(name) || of_equations(name)
}

/// Whether this is a function of the language whose value follows from its arguments.
pub fn is_known(name: &str) -> bool {
    OF_ONE.contains(&name) || OTHERS.contains(&name)
}

/// The value of a function of the language; `number` computes numbers that must be known.
///
/// # Errors
/// The arguments do not fit.
pub fn call(
    name: &str,
    arguments: &[Value],
    number: &dyn Fn(Ex) -> Result<f64, Complaint>,
) -> Result<Value, Misfit> {
    let known = |value: &Value| number(value.real()?).map_err(|complaint| complaint.sentence);
    let of_scalars = ["atan2", "div", "mod", "rem", "integer", "floor", "ceil", "Integer"];
    if of_scalars.contains(&name) && arguments.iter().any(|argument| !argument.is_scalar()) {
        return of_elements(arguments, &|arguments| call(name, arguments, number));
    }
    match (name, arguments) {
        ("smooth", [_, value]) => Ok(value.clone()),
        ("homotopy", [actual, ..]) | ("noEvent", [actual]) => Ok(actual.clone()),
        (_, [x]) if OF_ONE.contains(&name) => of_each(x, &|x| of_one(name, x)),
        ("atan2", [y, x]) => Ok(Value::Real(y.real()?.atan2(x.real()?))),
        ("min" | "max", [a, b]) => extreme(name, a, b),
        ("min" | "max", [array]) => {
            let mut scalars = array.scalars().into_iter();
            let first = scalars.next().ok_or("an array without elements")?;
            scalars.try_fold(first, |best, next| extreme(name, &best, &next))
        }
        ("sum", [array]) => fold(array, Operator::Add, Value::Integer(0)),
        ("product", [array]) => fold(array, Operator::Multiply, Value::Integer(1)),
        ("integer" | "floor" | "ceil", [x]) => {
            let x = known(x)?;
            let value = if name == "ceil" { x.ceil() } else { x.floor() };
            if name == "integer" { rounded(value) } else { Ok(Value::from(value)) }
        }
        ("div" | "mod" | "rem", [Value::Integer(a), Value::Integer(b)]) => {
            let value = match name {
                "div" => a.checked_div(*b),
                "rem" => a.checked_rem(*b),
                _ => {
                    a.checked_rem(*b).map(|r| if r != 0 && (r < 0) != (*b < 0) { r + b } else { r })
                }
            };
            value.map(Value::Integer).ok_or_else(|| "a division by zero".to_owned())
        }
        ("div" | "mod" | "rem", [a, b]) => {
            let (a, b) = (known(a)?, known(b)?);
            Ok(Value::from(match name {
                "div" => (a / b).trunc(),
                "rem" => a - (a / b).trunc() * b,
                _ => a - (a / b).floor() * b,
            }))
        }
        ("Integer", [Value::Literal { number, .. }]) => Ok(Value::Integer(*number)),
        ("Integer", [Value::Choice { number, .. }]) => Ok(Value::Whole(*number)),
        ("String", [value, ..]) => Ok(Value::Text(text(value, &known)?.into())),
        _ => of_arrays(name, arguments),
    }
}

/// The value of a function that makes an array or looks at one.
fn of_arrays(name: &str, arguments: &[Value]) -> Result<Value, Misfit> {
    match (name, arguments) {
        ("size", [array]) => Ok(array.sizes().into_iter().map(whole).collect()),
        ("size", [array, index]) => {
            let at = count(index)?.checked_sub(1);
            let size = at.and_then(|at| array.sizes().get(at).copied());
            size.map(whole).ok_or_else(|| "the array has fewer dimensions".to_owned())
        }
        ("ndims", [array]) => Ok(whole(array.sizes().len())),
        ("fill", [value, sizes @ ..]) => {
            let sizes = sizes.iter().map(count).collect::<Result<Vec<_>, _>>()?;
            bounded(&sizes)?;
            Ok(filled(value, &sizes))
        }
        ("zeros" | "ones", sizes) => {
            let sizes = sizes.iter().map(count).collect::<Result<Vec<_>, _>>()?;
            bounded(&sizes)?;
            Ok(filled(&Value::Integer(i64::from(name == "ones")), &sizes))
        }
        ("identity", [n]) => {
            let n = count(n)?;
            bounded(&[n, n])?;
            let row = |i| (0..n).map(|j| Value::Integer(i64::from(i == j))).collect();
            Ok((0..n).map(row).collect())
        }
        ("diagonal", [vector]) => {
            let elements = vector.elements()?;
            bounded(&[elements.len(), elements.len()])?;
            let place =
                |i: usize, j: usize| if i == j { elements[i].clone() } else { Value::from(0.0) };
            let row = |i| (0..elements.len()).map(|j| place(i, j)).collect();
            Ok((0..elements.len()).map(row).collect())
        }
        ("linspace", [a, b, n]) => {
            let (a, b, n) = (a.real()?, b.real()?, count(n)?);
            bounded(&[n])?;
            #[allow(clippy::cast_precision_loss, reason = "it is small")]
            let at = |k: usize| a + (b - a) * (k as f64 / n.saturating_sub(1).max(1) as f64);
            Ok((0..n).map(|k| Value::Real(at(k))).collect())
        }
        ("transpose", [matrix]) => transposed(matrix),
        ("outerProduct", [a, b]) => {
            let row = |x: &Value| binary(Operator::Multiply, x, b);
            bounded(&[a.elements()?.len(), b.elements()?.len()])?;
            a.elements()?.iter().map(row).collect()
        }
        ("symmetric", [matrix]) => {
            let rows = matrix.elements()?;
            let at = |i: usize, j: usize| {
                let element = rows[i].elements()?.get(j).cloned();
                element.ok_or_else(|| "a symmetric matrix has as many rows as columns".to_owned())
            };
            let row = |i: usize| (0..rows.len()).map(|j| at(i.min(j), i.max(j))).collect();
            (0..rows.len()).map(row).collect()
        }
        ("cross", [a, b]) => cross(a, b),
        ("skew", [x]) => {
            let [x, y, z] = vector(x)?;
            let zero = Ex::zero();
            Ok(matrix([[zero, -z, y], [z, zero, -x], [-y, x, zero]]))
        }
        ("scalar", [array]) => match &array.scalars()[..] {
            [single] => Ok(single.clone()),
            several => Err(format!("{} elements where one is expected", several.len())),
        },
        ("vector", [array]) => Ok(array.scalars().into_iter().collect()),
        ("matrix", [array]) => match array.sizes().len() {
            0 => Ok(filled(array, &[1, 1])),
            1 => array.elements()?.iter().map(|x| Ok(filled(x, &[1]))).collect(),
            _ => Ok(array.clone()),
        },
        ("cat", [dimension, arrays @ ..]) => joined(count(dimension)?, arrays),
        ("array", elements) => array_of(elements.to_vec()),
        _ => Err(format!("{name} is not defined for these arguments")),
    }
}

fn whole(number: usize) -> Value {
    Value::Integer(i64::try_from(number).unwrap_or(i64::MAX))
}

#[allow(clippy::cast_possible_truncation, reason = "the range is checked")]
fn rounded(value: f64) -> Result<Value, Misfit> {
    if value.abs() < 1e15 {
        Ok(Value::Integer(value as i64))
    } else {
        Err(format!("{value} is no Integer"))
    }
}

fn count(value: &Value) -> Result<usize, Misfit> {
    match value {
        Value::Integer(number) => {
            usize::try_from(*number).map_err(|_| format!("{number} is no size"))
        }
        other => Err(format!("{} is no size", other.kind())),
    }
}

fn of_each(x: &Value, of: &dyn Fn(&Value) -> Result<Value, Misfit>) -> Result<Value, Misfit> {
    match x {
        Value::Array(elements) => elements.iter().map(|x| of_each(x, of)).collect(),
        single => of(single),
    }
}

/// The values of a function for the elements of arrays, and for scalars with each of them.
fn of_elements(
    arguments: &[Value],
    of: &dyn Fn(&[Value]) -> Result<Value, Misfit>,
) -> Result<Value, Misfit> {
    let arrays = arguments.iter().filter_map(|argument| argument.elements().ok());
    let sizes: Vec<usize> = arrays.map(<[Value]>::len).collect();
    if let Some(other) = sizes.iter().find(|size| **size != sizes[0]) {
        return Err(format!("arrays of {} and {other} elements do not fit", sizes[0]));
    }
    let element = |k: usize| {
        let scalars = arguments.iter().map(|argument| match argument {
            Value::Array(elements) => elements[k].clone(),
            scalar => scalar.clone(),
        });
        of(&scalars.collect::<Vec<_>>())
    };
    (0..sizes.first().copied().unwrap_or(0)).map(element).collect()
}

fn of_one(name: &str, x: &Value) -> Result<Value, Misfit> {
    if let (Value::Integer(number), "abs" | "sign") = (x, name) {
        return Ok(Value::Integer(match name {
            "abs" => number.checked_abs().ok_or("the Integer is too large")?,
            _ => number.signum(),
        }));
    }
    if let (Value::Whole(x), "abs") = (x, name) {
        return Ok(Value::Whole(x.abs()));
    }
    let x = x.real()?;
    let one = Ex::one();
    if name == "sign" {
        return Ok(Value::Whole(select(x.gt(0.0), 1.0, select(x.lt(0.0), -1.0, 0.0))));
    }
    let (up, down) = (x.exp(), (-x).exp());
    Ok(Value::Real(match name {
        "sin" => x.sin(),
        "cos" => x.cos(),
        "tan" => x.tan(),
        "asin" => x.atan2((one - x * x).max(0.0).sqrt()),
        "acos" => (one - x * x).max(0.0).sqrt().atan2(x),
        "atan" => x.atan2(1.0),
        "sinh" => (up - down) / 2.0,
        "cosh" => (up + down) / 2.0,
        // Exact also where the exponential functions are infinite.
        "tanh" => {
            let small = (x.abs() * -2.0).exp();
            x.sign() * (one - small) / (one + small)
        }
        "exp" => x.exp(),
        "log" => x.ln(),
        "log10" => x.ln() / std::f64::consts::LN_10,
        "sqrt" => x.sqrt(),
        "abs" => x.abs(),
        _ => x,
    }))
}

fn extreme(name: &str, a: &Value, b: &Value) -> Result<Value, Misfit> {
    match (a, b) {
        (Value::Boolean(a), Value::Boolean(b)) => {
            Ok(Value::Boolean(if name == "min" { *a & *b } else { *a | *b }))
        }
        (Value::Integer(a), Value::Integer(b)) => {
            Ok(Value::Integer(if name == "min" { *a.min(b) } else { *a.max(b) }))
        }
        _ => arithmetic(a, b, |a, b| if name == "min" { a.min(b) } else { a.max(b) }),
    }
}

fn fold(array: &Value, operator: Operator, empty: Value) -> Result<Value, Misfit> {
    let mut scalars = array.scalars().into_iter();
    let Some(first) = scalars.next() else { return Ok(empty) };
    scalars.try_fold(first, |whole, next| binary(operator, &whole, &next))
}

fn vector(value: &Value) -> Result<[Ex; 3], Misfit> {
    match value.elements()? {
        [x, y, z] => Ok([x.real()?, y.real()?, z.real()?]),
        other => Err(format!("{} elements where three are expected", other.len())),
    }
}

fn matrix(rows: [[Ex; 3]; 3]) -> Value {
    rows.into_iter().map(|row| row.into_iter().map(Value::Real).collect::<Value>()).collect()
}

fn cross(a: &Value, b: &Value) -> Result<Value, Misfit> {
    let ([a1, a2, a3], [b1, b2, b3]) = (vector(a)?, vector(b)?);
    let elements = [a2 * b3 - a3 * b2, a3 * b1 - a1 * b3, a1 * b2 - a2 * b1];
    Ok(elements.into_iter().map(Value::Real).collect())
}

/// Arrays joined along a dimension.
fn joined(dimension: usize, arrays: &[Value]) -> Result<Value, Misfit> {
    bounded(&[arrays.iter().map(|array| array.sizes().iter().product::<usize>()).sum()])?;
    match dimension {
        0 => Err("a dimension is counted from 1".to_owned()),
        1 => {
            let lists = arrays.iter().map(Value::elements).collect::<Result<Vec<_>, _>>()?;
            let filled = lists.into_iter().filter(|list| !list.is_empty()).collect::<Vec<_>>();
            array_of(filled.concat())
        }
        _ => {
            let lists = arrays.iter().map(Value::elements).collect::<Result<Vec<_>, _>>()?;
            let rows = lists.first().map_or(0, |list| list.len());
            if lists.iter().any(|list| list.len() != rows) {
                return Err("the sizes of the arrays do not fit".to_owned());
            }
            let row = |k: usize| {
                let parts: Vec<Value> = lists.iter().map(|list| list[k].clone()).collect();
                joined(dimension - 1, &parts)
            };
            (0..rows).map(row).collect()
        }
    }
}

/// `[a, b]`: scalars and matrices beside each other.
///
/// # Errors
/// Their sizes do not fit.
pub fn beside(parts: &[Value]) -> Result<Value, Misfit> {
    let matrices = parts.iter().map(|part| match part.sizes().len() {
        0 => Ok(filled(part, &[1, 1])),
        1 => part.elements()?.iter().map(|x| Ok(filled(x, &[1]))).collect(),
        _ => Ok(part.clone()),
    });
    joined(2, &matrices.collect::<Result<Vec<_>, Misfit>>()?)
}

fn text(value: &Value, known: &dyn Fn(&Value) -> Result<f64, Misfit>) -> Result<String, Misfit> {
    Ok(match value {
        Value::Text(text) => text.to_string(),
        Value::Integer(number) => number.to_string(),
        Value::Literal { name, .. } => name.to_string(),
        Value::Real(_) | Value::Whole(_) => known(value)?.to_string(),
        Value::Boolean(truth) => match truth.constant_value() {
            Some(truth) => truth.to_string(),
            None => return Err("the truth value is not known".to_owned()),
        },
        other => return Err(format!("{} has no text", other.kind())),
    })
}
