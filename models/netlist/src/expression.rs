//! Expressions of parameters as trees in JSON: a number, the name of a parameter, or a list of an
//! operation and its operands, `["/", "m", 4]`.

use crate::data::Data;
use equations::{Bool, Ex, Leaf, select, similar};
use expressions::code::Code;
use expressions::graph::{Binary, Comparison, Id, Node, Unary};
use std::collections::BTreeMap;

/// Operations with one operand.
const UNARY: [(&str, Unary); 7] = [
    ("-", Unary::Neg),
    ("sqrt", Unary::Sqrt),
    ("exp", Unary::Exp),
    ("log", Unary::Ln),
    ("abs", Unary::Abs),
    ("sign", Unary::Sign),
    ("floor", Unary::Floor),
];

/// Operations with two operands.
const BINARY: [(&str, Binary); 8] = [
    ("+", Binary::Add),
    ("-", Binary::Sub),
    ("*", Binary::Mul),
    ("/", Binary::Div),
    ("atan2", Binary::Atan2),
    ("^", Binary::Pow),
    ("min", Binary::Min),
    ("max", Binary::Max),
];

/// All operations, for messages and for the schema. Besides those above, they are sine and cosine,
/// comparisons, and what combines truth values: `["if", condition, value, other value]`.
pub const OPERATIONS: [&str; 25] = [
    "+", "-", "*", "/", "^", "sqrt", "exp", "log", "abs", "sign", "floor", "sin", "cos", "atan2",
    "min", "max", "<", "<=", ">", ">=", "==", "!=", "not", "and", "or",
];

/// The operation that chooses a value.
pub const CHOICE: &str = "if";

/// The operation without operands that is true while initial values are determined.
pub const INITIAL: &str = "initial";

/// A number or a truth value.
#[derive(Clone, Copy, Debug)]
pub enum Term {
    /// A number.
    Real(Ex),
    /// A truth value.
    Truth(Bool),
}

impl Term {
    /// The number, which is 1 for true and 0 for false.
    pub fn number(self) -> Ex {
        match self {
            Term::Real(value) => value,
            Term::Truth(value) => value.as_ex(),
        }
    }

    /// The truth value, which is false for the number 0 alone.
    pub fn truth(self) -> Bool {
        match self {
            Term::Real(value) => value.is_true(),
            Term::Truth(value) => value,
        }
    }
}

/// The expression of a tree; `names` are those of parameters or arguments.
///
/// # Errors
/// An operation or a name is unknown, or operands are missing.
pub fn read(tree: &Data, names: &dyn Fn(&str) -> Result<Ex, String>) -> Result<Ex, String> {
    match term(tree, &|name| names(name).map(Term::Real), false)? {
        Term::Real(value) => Ok(value),
        Term::Truth(_) => Err("a number is needed, not a condition".to_owned()),
    }
}

/// The value of a tree in equations: names are those of numbers or of truth values, and a number
/// where a truth value is needed is true unless it is 0.
///
/// # Errors
/// Those of [`read`].
pub fn read_term(
    tree: &Data,
    names: &dyn Fn(&str) -> Result<Term, String>,
) -> Result<Term, String> {
    term(tree, names, true)
}

fn term(
    tree: &Data,
    names: &dyn Fn(&str) -> Result<Term, String>,
    in_equations: bool,
) -> Result<Term, String> {
    match tree {
        Data::Number(number) => Ok(Term::Real(Ex::constant(*number))),
        Data::Boolean(value) => Ok(Term::Truth(Bool::constant(*value))),
        Data::Text(name) => names(name),
        Data::List(list) => match list.split_first() {
            Some((Data::Text(operation), [])) if in_equations && operation == INITIAL => {
                Ok(Term::Truth(Bool::leaf(Leaf::Initial)))
            }
            Some((Data::Text(operation), operands)) => {
                let operands = operands.iter().map(|operand| term(operand, names, in_equations));
                let mut operands = operands.collect::<Result<Vec<_>, _>>()?;
                if in_equations {
                    let count = truths(operation, operands.len());
                    for operand in &mut operands[..count] {
                        *operand = Term::Truth(operand.truth());
                    }
                }
                applied(operation, &operands)
            }
            _ => Err("the first element of an expression is an operation".to_owned()),
        },
        Data::Object(_) => Err("an expression is a number, a name or a list".to_owned()),
    }
}

/// How many of the operands of an operation are truth values.
fn truths(operation: &str, operands: usize) -> usize {
    match operation {
        "not" | "and" | "or" => operands,
        CHOICE => operands.min(1),
        _ => 0,
    }
}

/// The value of an operation.
fn applied(operation: &str, operands: &[Term]) -> Result<Term, String> {
    use Term::{Real, Truth};
    let compared = |a: Ex, b: Ex| {
        Some(match operation {
            "<" => a.lt(b),
            "<=" => a.le(b),
            ">" => a.gt(b),
            ">=" => a.ge(b),
            "==" => a.equals(b),
            "!=" => !a.equals(b),
            _ => return None,
        })
    };
    let found = match *operands {
        [Real(a)] => match operation {
            "sin" => Some(Real(a.sin())),
            "cos" => Some(Real(a.cos())),
            _ => unary(operation, a).map(Real),
        },
        [Real(a), Real(b)] => {
            binary(operation, a, b).map(Real).or_else(|| compared(a, b).map(Truth))
        }
        [Truth(a)] if operation == "not" => Some(Truth(!a)),
        [Truth(a), Truth(b)] => match operation {
            "and" => Some(Truth(a & b)),
            "or" => Some(Truth(a | b)),
            _ => None,
        },
        [Truth(c), Real(a), Real(b)] if operation == CHOICE => Some(Real(select(c, a, b))),
        _ => None,
    };
    found.ok_or_else(|| {
        let known = || OPERATIONS.into_iter().chain([CHOICE]);
        match known().any(|name| name == operation) {
            true => format!("`{operation}` has no such operands"),
            false => match similar(operation, known()) {
                Some(similar) => format!("no operation `{operation}`; is it `{similar}`?"),
                None => format!(
                    "no operation `{operation}`; the operations are {}",
                    known().collect::<Vec<_>>().join(" ")
                ),
            },
        }
    })
}

fn unary(operation: &str, a: Ex) -> Option<Ex> {
    let (_, found) = UNARY.into_iter().find(|(name, _)| *name == operation)?;
    Some(match found {
        Unary::Neg => -a,
        Unary::Sqrt => a.sqrt(),
        Unary::Exp => a.exp(),
        Unary::Ln => a.ln(),
        Unary::Abs => a.abs(),
        Unary::Sign => a.sign(),
        Unary::Floor => a.floor(),
    })
}

fn binary(operation: &str, a: Ex, b: Ex) -> Option<Ex> {
    let (_, found) = BINARY.into_iter().find(|(name, _)| *name == operation)?;
    Some(match found {
        Binary::Add => a + b,
        Binary::Sub => a - b,
        Binary::Mul => a * b,
        Binary::Div => a / b,
        Binary::Atan2 => a.atan2(b),
        Binary::Pow => a.pow(b),
        Binary::Min => a.min(b),
        Binary::Max => a.max(b),
    })
}

/// The largest depth of a tree: readers of JSON have a limit.
const DEEPEST: usize = 100;

/// The largest number of operations in a tree, in which a value that is used twice is there twice.
const LARGEST: usize = 10_000;

/// The tree of an expression, whose symbols have names.
///
/// # Errors
/// A tree cannot state it: what it contains.
pub fn write(value: Ex, names: &BTreeMap<Leaf, String>) -> Result<Data, String> {
    let (code, roots) = Code::extract(&[value.id()]);
    let mut writer = Writer { code, names, left: LARGEST };
    writer.tree(roots[0], DEEPEST)
}

struct Writer<'a> {
    code: Code,
    names: &'a BTreeMap<Leaf, String>,
    /// How many more operations there may be.
    left: usize,
}

impl Writer<'_> {
    fn tree(&mut self, id: Id, depth: usize) -> Result<Data, String> {
        match self.code.node(id) {
            Node::Constant(bits) => return Ok(Data::Number(f64::from_bits(*bits))),
            Node::Truth(value) => return Ok(Data::Boolean(*value)),
            Node::Leaf(leaf) => {
                let name = self.names.get(leaf).cloned().map(Data::Text);
                return name.ok_or_else(|| "it is no expression of parameters".to_owned());
            }
            _ => {}
        }
        if depth == 0 || self.left == 0 {
            return Err("its expression is too long".to_owned());
        }
        self.left -= 1;
        let (operation, operands) = parts(&self.code, id)?;
        let operands = operands.into_iter().map(|operand| self.tree(operand, depth - 1));
        let operands = operands.collect::<Result<Vec<_>, _>>()?;
        Ok(Data::List([vec![Data::Text(operation.to_owned())], operands].concat()))
    }
}

/// The name of an operation, and its operands.
///
/// # Errors
/// A tree cannot state it: what it does.
pub fn parts(code: &Code, id: Id) -> Result<(&'static str, Vec<Id>), String> {
    fn named<T: PartialEq>(all: &[(&'static str, T)], wanted: &T) -> &'static str {
        all.iter().find(|(_, known)| known == wanted).map_or("", |(name, _)| name)
    }
    let found = match *code.node(id) {
        Node::Unary(op, a) => (named(&UNARY, &op), vec![a]),
        Node::Binary(op, a, b) => (named(&BINARY, &op), vec![a, b]),
        Node::Compare(Comparison::Less, a, b) => ("<", vec![a, b]),
        Node::Compare(Comparison::LessEqual, a, b) => ("<=", vec![a, b]),
        Node::Compare(Comparison::NotEqual, a, b) => ("!=", vec![a, b]),
        Node::Not(a) => ("not", vec![a]),
        Node::And(a, b) => ("and", vec![a, b]),
        Node::Or(a, b) => ("or", vec![a, b]),
        Node::Select(c, a, b) => (CHOICE, vec![c, a, b]),
        Node::Output(call, which) => match code.node(call) {
            Node::SinCos(a) => (if which == 0 { "sin" } else { "cos" }, vec![*a]),
            _ => return Err("its expression solves equations".to_owned()),
        },
        _ => return Err("its expression solves equations or reads a table".to_owned()),
    };
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn data(text: &str) -> Data {
        serde_json::from_str(text).expect("it is JSON")
    }

    #[test]
    fn trees_are_written_as_they_are_read() {
        let (m, r) = (Ex::symbol(), Ex::symbol());
        let named = [(m, "m"), (r, "r")];
        let leaves = named.map(|(ex, name)| (ex.as_leaf().expect("a symbol"), name.to_owned()));
        let names = |name: &str| match named.iter().find(|(_, known)| *known == name) {
            Some((symbol, _)) => Ok(*symbol),
            None => Err(format!("no parameter `{name}`")),
        };
        for text in [
            r#""m""#,
            "2",
            r#"["/","m",4]"#,
            r#"["-",["sin","m"]]"#,
            r#"["if",["and",["<","m","r"],["not",["<=","r",1]]],["^","m",0.5],["max","m","r"]]"#,
            r#"["*",["sqrt","m"],["atan2","r","m"]]"#,
        ] {
            let read = read(&data(text), &names).expect("it is an expression");
            let written = write(read, &leaves.clone().into()).expect("it is a tree");
            assert_eq!(serde_json::to_string(&written).expect("it is finite"), text);
        }
        for (text, sentence) in [
            (r#""n""#, "no parameter `n`"),
            (r#"["sqr","m"]"#, "no operation `sqr`; is it `sqrt`?"),
            (r#"["sqrt"]"#, "`sqrt` has no such operands"),
            (r#"["<","m",1]"#, "a number is needed, not a condition"),
            ("[]", "the first element of an expression is an operation"),
            ("{}", "an expression is a number, a name or a list"),
        ] {
            let refused = read(&data(text), &names).err();
            assert_eq!(refused.as_deref(), Some(sentence), "{text}");
        }
    }

    #[test]
    fn expressions_that_grow_without_end_are_refused() {
        let mut value = Ex::symbol();
        let names = [(value.as_leaf().expect("a symbol"), "x".to_owned())].into();
        for _ in 0..50 {
            value = (value + 1.0) * value;
        }
        assert!(write(value, &names).is_err());
    }
}
