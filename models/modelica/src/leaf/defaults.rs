//! The defaults of our declarations beside those of the standard library's texts.

use super::{Leaf, Reader, declared};
use crate::evaluate::Evaluator;
use crate::instance::Instance;
use crate::library::{ClassNode, Library};
use crate::modifier::Modifier;
use mechanics::assembly::Class;
use mechanics::declaration::{Default, Real, Value};
use std::collections::BTreeSet;

/// A default of a declaration, which is a Rust expression; `None` if it follows from others.
fn ours(text: &str) -> Option<Vec<f64>> {
    let text = text.replace(' ', "");
    let known = match text.as_str() {
        "false" => vec![0.0],
        "true" => vec![1.0],
        "X" => vec![1.0, 0.0, 0.0],
        "Y" => vec![0.0, 1.0, 0.0],
        "Z" => vec![0.0, 0.0, 1.0],
        _ => Vec::new(),
    };
    if !known.is_empty() {
        return Some(known);
    }
    if let Some((value, count)) = text.strip_prefix('[').and_then(|rest| rest.split_once(';')) {
        let count: usize = count.strip_suffix(']')?.parse().ok()?;
        return Some(vec![value.parse().ok()?; count]);
    }
    let list = text.trim_start_matches('[').trim_end_matches(']');
    list.split(',').filter(|part| !part.is_empty()).map(|part| part.parse().ok()).collect()
}

/// The numbers of a value; `None` if it is another kind of value.
fn numbers(value: &Value) -> Option<Vec<f64>> {
    match value {
        Value::Real(Real::Number(number)) => Some(vec![*number]),
        Value::Boolean(truth) => Some(vec![f64::from(u8::from(*truth))]),
        Value::List(values) => {
            let parts = values.iter().map(numbers).collect::<Option<Vec<_>>>()?;
            Some(parts.concat())
        }
        _ => None,
    }
}

/// The parameters of a class whose defaults differ from those of its text, and the number of
/// defaults that were compared.
pub fn compare(library: &Library, class: &'static Class) -> (Vec<String>, usize) {
    let (mut differing, mut compared) = (Vec::new(), 0);
    let Ok(text) = library.find(class.declaration.class) else { return (differing, 0) };
    let (is_leaf, constants) =
        (|_: &str, class: &ClassNode| declared(class).is_some(), BTreeSet::new());
    let evaluator = Evaluator::new(library, &is_leaf, &constants);
    let instance = Instance::new("part".to_owned(), &text, Modifier::default(), None);
    let leaf = Leaf { class, modifier: Modifier::default(), text, extended_by: Vec::new() };
    let reader = Reader { leaf: &leaf, evaluator: &evaluator, instance: &instance };
    for parameter in class.declaration.parameters {
        let Default::Value(default) = parameter.default else { continue };
        let Some(ours) = ours(default) else { continue };
        let Ok(name) = reader.name_in_text(parameter) else { continue };
        let has_default = reader.member(&name).ok().flatten().is_some();
        if !has_default || reader.is_of_chosen_rotation(&name).is_ok_and(|of| of == Some(false)) {
            continue;
        }
        let Ok(value) = reader.value(&name) else { continue };
        let span = leaf.text.syntax.name.span.clone();
        let Some(theirs) = reader.converted(&value, false, &span).ok().as_ref().and_then(numbers)
        else {
            continue;
        };
        compared += 1;
        // A table that begins at zero with a single value is this value.
        let is_value = matches!((&ours[..], &theirs[..]), ([a], [0.0, b]) if a == b);
        if ours != theirs && !is_value {
            let path = class.declaration.class;
            differing.push(format!("{path}.{name}: {ours:?} here, {theirs:?} there"));
        }
    }
    (differing, compared)
}
