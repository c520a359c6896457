//! Values of parameters in JSON.
//!
//! Numbers, texts, `true`, `false` and lists are themselves. The others are objects with one
//! member, whose name is the kind: `{"expression": ["/", "m", 4]}`, `{"unknown": 2}`,
//! `{"fixed": 0}`, `{"guess": 0}`, and `{"function": {"of": ["x", "y"], "is": ["x", 0]}}`. A start
//! value that is free is the text `free`.

use crate::data::Data;
use crate::expression;
use equations::{Ex, Leaf, similar, with_fresh_arena};
use mechanics::declaration::{Function, Real, Value};
use mechanics::start::{fixed, free, guess};
use std::collections::BTreeMap;

/// The kinds of values that are objects.
const KINDS: [&str; 5] = ["expression", "unknown", "fixed", "guess", "function"];

/// The symbols of the parameters of a model, by name.
#[derive(Clone, Debug, Default)]
pub struct Symbols(BTreeMap<String, Ex>);

impl Symbols {
    /// Adds a parameter.
    pub fn insert(&mut self, name: &str, symbol: Ex) {
        self.0.insert(name.to_owned(), symbol);
    }

    /// The parameters with their symbols.
    pub fn iter(&self) -> impl Iterator<Item = (&str, Ex)> {
        self.0.iter().map(|(name, symbol)| (name.as_str(), *symbol))
    }

    /// The symbol of a parameter.
    pub fn of(&self, name: &str) -> Result<Ex, String> {
        self.0.get(name).copied().ok_or_else(|| {
            match similar(name, self.0.keys().map(String::as_str)) {
                Some(similar) => {
                    format!("the model has no parameter `{name}`; is it `{similar}`?")
                }
                None => format!("the model has no parameter `{name}`"),
            }
        })
    }
}

/// The value of a parameter.
///
/// # Errors
/// What is wrong.
pub fn read(data: &Data, symbols: &Symbols) -> Result<Value, String> {
    Ok(match data {
        Data::Boolean(value) => Value::Boolean(*value),
        Data::Number(number) => Value::from(*number),
        Data::Text(text) => Value::from(text.as_str()),
        Data::List(values) => {
            let values = values.iter().map(|value| read(value, symbols));
            Value::List(values.collect::<Result<_, _>>()?)
        }
        Data::Object(members) => match members.as_slice() {
            [(kind, content)] => object(kind, content, symbols)?,
            _ => return Err(format!("an object has one member: `{}`", KINDS.join("` or `"))),
        },
    })
}

/// The value of an object with one member.
fn object(kind: &str, content: &Data, symbols: &Symbols) -> Result<Value, String> {
    let number = || match content {
        Data::Number(number) => Ok(*number),
        _ => Err(format!("`{kind}` is followed by a number")),
    };
    Ok(match kind {
        "expression" => Value::from(expression::read(content, &|name| symbols.of(name))?),
        "unknown" => Value::Real(Real::Unknown { guess: number()? }),
        "fixed" => Value::from(fixed(number()?)),
        "guess" => Value::from(guess(number()?)),
        "function" => Value::Function(function(content)?),
        _ => match similar(kind, KINDS) {
            Some(similar) => return Err(format!("no value `{kind}`; is it `{similar}`?")),
            None => return Err(format!("no value `{kind}`; it is `{}`", KINDS.join("` or `"))),
        },
    })
}

/// A function: the names of its arguments, and the trees of its results.
fn function(content: &Data) -> Result<Function, String> {
    let wanted = || "a function has the members `of`, a list of names, and `is`, a list".to_owned();
    let Data::Object(members) = content else { return Err(wanted()) };
    let [(of, Data::List(of_names)), (is, Data::List(trees))] = members.as_slice() else {
        return Err(wanted());
    };
    if of != "of" || is != "is" {
        return Err(wanted());
    }
    let mut names: Vec<String> = Vec::new();
    for name in of_names {
        match name {
            Data::Text(name) if names.contains(name) => {
                return Err(format!("a function has two arguments `{name}`"));
            }
            Data::Text(name) => names.push(name.clone()),
            _ => return Err(wanted()),
        }
    }
    let (arguments, results, trees) = (names.len(), trees.len(), trees.clone());
    let at = move |values: &[Ex]| -> Result<Vec<Ex>, String> {
        let of_argument = |name: &str| match names.iter().position(|known| known == name) {
            Some(index) => Ok(values[index]),
            None => Err(format!("the function has no argument `{name}`")),
        };
        trees.iter().map(|tree| expression::read(tree, &of_argument)).collect()
    };
    // Whether it is correct does not depend on its arguments. Expressions have an order, so that
    // those of a function must not exist before it is used.
    with_fresh_arena(|| at(&vec![Ex::zero(); arguments]).map(|_| ()))?;
    Ok(Function::new(arguments, results, move |values| at(values).unwrap_or_default()))
}

/// The names of symbols.
pub type Names = BTreeMap<Leaf, String>;

/// The JSON of a value; the symbols of parameters have names.
///
/// # Errors
/// No file can hold it: why.
pub fn write(value: &Value, names: &Names) -> Result<Data, String> {
    Ok(match value {
        Value::Real(Real::Number(number)) => Data::Number(*number),
        Value::Real(Real::Expression(value)) => {
            Data::member("expression", expression::write(*value, names)?)
        }
        Value::Real(Real::Unknown { guess }) => Data::member("unknown", Data::Number(*guess)),
        Value::Boolean(value) => Data::Boolean(*value),
        Value::Text(text) => Data::Text(text.clone()),
        Value::Start(start) => match start.value {
            _ if *start == free() => Data::Text("free".to_owned()),
            value if *start == fixed(value) => Data::member("fixed", Data::Number(value)),
            value if *start == guess(value) => Data::member("guess", Data::Number(value)),
            _ => return Err("it is neither fixed nor a guess nor free".to_owned()),
        },
        Value::List(values) => {
            let values = values.iter().map(|value| write(value, names));
            Data::List(values.collect::<Result<_, _>>()?)
        }
        Value::Function(function) => written_function(function)?,
    })
}

fn written_function(function: &Function) -> Result<Data, String> {
    let name = |k: usize| match function.arguments {
        3 => ["x", "y", "z"][k].to_owned(),
        _ => format!("x{}", k + 1),
    };
    let symbols: Vec<Ex> = (0..function.arguments).map(|_| Ex::symbol()).collect();
    let named = symbols.iter().enumerate();
    let names = named.filter_map(|(k, symbol)| Some((symbol.as_leaf()?, name(k)))).collect();
    let of = (0..function.arguments).map(|k| Data::Text(name(k))).collect();
    let is = function.at(&symbols).into_iter().map(|result| expression::write(result, &names));
    let members = [("of", Data::List(of)), ("is", Data::List(is.collect::<Result<_, _>>()?))];
    let members = members.map(|(name, value)| (name.to_owned(), value));
    Ok(Data::member("function", Data::Object(members.into())))
}
