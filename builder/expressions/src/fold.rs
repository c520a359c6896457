//! Construction of nodes with folding: constants, neutral elements, equal branches, and signs.
//!
//! Signs, also of constants, are moved outwards (`(-x) * y = -(x * y)`) up to the next sum;
//! products that differ only in the sign are then computed once.
//!
//! Nothing else is rearranged, so that a value is computed by the operations that its author wrote.
//! A division is never replaced by a multiplication: where this is faster, a component writes the
//! reciprocal of a value itself.
//!
//! These folds lose information: `0 * x = 0`, `0 / x = 0`, `x - x = 0` (NaN and infinity of `x`),
//! `x + 0 = x`, `-(x - y) = y - x` and `-x - y = -(x + y)` (sign of a zero).

use kernels::Scalar;

use crate::graph::{
    self, Binary, Comparison, Id, Lookup, Node, Reading, Unary, intern, node, with_nodes,
};
use crate::table::LookupTable;

pub(crate) fn constant(value: f64) -> Id {
    intern(Node::Constant(value.to_bits()))
}

pub(crate) fn truth(value: bool) -> Id {
    intern(Node::Truth(value))
}

pub(crate) fn constant_value(id: Id) -> Option<f64> {
    with_nodes(|nodes| match nodes[id as usize] {
        Node::Constant(bits) => Some(f64::from_bits(bits)),
        _ => None,
    })
}

pub(crate) fn truth_value(id: Id) -> Option<bool> {
    with_nodes(|nodes| match nodes[id as usize] {
        Node::Truth(value) => Some(value),
        _ => None,
    })
}

/// The form of an operand, for folding.
#[derive(Clone, Copy)]
enum Operand {
    Constant(f64),
    Negated(Id),
    Other,
}

fn operands(a: Id, b: Id) -> (Operand, Operand) {
    let seen = |node: &Node| match *node {
        Node::Constant(bits) => Operand::Constant(f64::from_bits(bits)),
        Node::Unary(Unary::Neg, inner) => Operand::Negated(inner),
        _ => Operand::Other,
    };
    with_nodes(|nodes| (seen(&nodes[a as usize]), seen(&nodes[b as usize])))
}

/// The value of a unary operation: the one definition for folding and evaluation.
pub(crate) fn apply_unary(op: Unary, a: f64) -> f64 {
    match op {
        Unary::Neg => -a,
        Unary::Sqrt => Scalar::sqrt(a),
        Unary::Exp => Scalar::exp(a),
        Unary::Ln => Scalar::ln(a),
        Unary::Abs => Scalar::abs(a),
        Unary::Sign => Scalar::sign(a),
        Unary::Floor => Scalar::floor(a),
    }
}

/// The value of a binary operation: the one definition for folding and evaluation.
pub(crate) fn apply_binary(op: Binary, a: f64, b: f64) -> f64 {
    match op {
        Binary::Add => a + b,
        Binary::Sub => a - b,
        Binary::Mul => a * b,
        Binary::Div => a / b,
        Binary::Atan2 => Scalar::atan2(a, b),
        Binary::Pow => Scalar::pow(a, b),
        Binary::Min => Scalar::min(a, b),
        Binary::Max => Scalar::max(a, b),
    }
}

/// The truth value of a comparison: the one definition for folding and evaluation.
pub(crate) fn apply_comparison(op: Comparison, a: f64, b: f64) -> bool {
    match op {
        Comparison::Less => a < b,
        Comparison::LessEqual => a <= b,
        Comparison::NotEqual => a != b,
    }
}

pub(crate) fn unary(op: Unary, a: Id) -> Id {
    if let Some(value) = constant_value(a) {
        return constant(apply_unary(op, value));
    }
    if op == Unary::Neg {
        match node(a) {
            Node::Unary(Unary::Neg, inner) => return inner,
            Node::Binary(Binary::Sub, x, y) => return binary(Binary::Sub, y, x),
            _ => {}
        }
    }
    intern(Node::Unary(op, a))
}

pub(crate) fn binary(op: Binary, a: Id, b: Id) -> Id {
    use Operand::{Constant, Negated};
    match (op, operands(a, b)) {
        (_, (Constant(x), Constant(y))) => constant(apply_binary(op, x, y)),

        (Binary::Add, (Constant(0.0), _)) => b,
        (Binary::Add, (_, Constant(0.0))) => a,
        (Binary::Add, (_, Negated(b))) => binary(Binary::Sub, a, b),
        (Binary::Add, (Negated(a), _)) => binary(Binary::Sub, b, a),

        (Binary::Sub, (_, Constant(0.0))) => a,
        (Binary::Sub, _) if a == b => constant(0.0),
        (Binary::Sub, (Constant(0.0), _)) => unary(Unary::Neg, b),
        (Binary::Sub, (_, Negated(b))) => binary(Binary::Add, a, b),
        (Binary::Sub, (Negated(a), _)) => unary(Unary::Neg, binary(Binary::Add, a, b)),

        (Binary::Mul, (Constant(0.0), _) | (_, Constant(0.0))) => constant(0.0),
        (Binary::Mul, (Constant(1.0), _)) => b,
        (Binary::Mul, (_, Constant(1.0))) => a,
        (Binary::Mul, (Constant(-1.0), _)) => unary(Unary::Neg, b),
        (Binary::Mul, (_, Constant(-1.0))) => unary(Unary::Neg, a),

        (Binary::Div, (Constant(0.0), _)) => constant(0.0),
        (Binary::Div, (_, Constant(1.0))) => a,

        // Moving a sign is exact.
        (Binary::Mul | Binary::Div, (Negated(a), Negated(b))) => binary(op, a, b),
        (Binary::Mul | Binary::Div, (Negated(a), _)) => unary(Unary::Neg, binary(op, a, b)),
        (Binary::Mul | Binary::Div, (_, Negated(b))) => unary(Unary::Neg, binary(op, a, b)),
        (Binary::Mul | Binary::Div, (Constant(x), _)) if x < 0.0 => {
            unary(Unary::Neg, binary(op, constant(-x), b))
        }
        (Binary::Mul | Binary::Div, (_, Constant(x))) if x < 0.0 => {
            unary(Unary::Neg, binary(op, a, constant(-x)))
        }

        (Binary::Min | Binary::Max, _) if a == b => a,
        (Binary::Add | Binary::Mul, _) => intern(Node::Binary(op, a.min(b), a.max(b))),
        _ => intern(Node::Binary(op, a, b)),
    }
}

pub(crate) fn compare(op: Comparison, a: Id, b: Id) -> Id {
    if let (Some(x), Some(y)) = (constant_value(a), constant_value(b)) {
        return truth(apply_comparison(op, x, y));
    }
    // A truth value that was converted to 1 or 0 is converted back.
    if op == Comparison::NotEqual
        && constant_value(b) == Some(0.0)
        && let Node::Select(c, yes, no) = node(a)
        && constant_value(yes) == Some(1.0)
        && constant_value(no) == Some(0.0)
    {
        return c;
    }
    intern(Node::Compare(op, a, b))
}

pub(crate) fn not(a: Id) -> Id {
    match node(a) {
        Node::Truth(value) => truth(!value),
        Node::Not(inner) => inner,
        _ => intern(Node::Not(a)),
    }
}

pub(crate) fn and(a: Id, b: Id) -> Id {
    match (truth_value(a), truth_value(b)) {
        (Some(false), _) | (_, Some(false)) => truth(false),
        (Some(true), _) => b,
        (_, Some(true)) => a,
        _ if a == b => a,
        _ if not(a) == b => truth(false),
        _ => intern(Node::And(a.min(b), a.max(b))),
    }
}

pub(crate) fn or(a: Id, b: Id) -> Id {
    match (truth_value(a), truth_value(b)) {
        (Some(true), _) | (_, Some(true)) => truth(true),
        (Some(false), _) => b,
        (_, Some(false)) => a,
        _ if a == b => a,
        _ if not(a) == b => truth(true),
        _ => intern(Node::Or(a.min(b), a.max(b))),
    }
}

pub(crate) fn select(c: Id, a: Id, b: Id) -> Id {
    match node(c) {
        _ if a == b => a,
        Node::Truth(value) => {
            if value {
                a
            } else {
                b
            }
        }
        Node::Not(inner) => select(inner, b, a),
        _ => intern(Node::Select(c, a, b)),
    }
}

/// Sine and cosine of an expression. If the expression is the angle of a known sine and cosine, the
/// result is this pair.
pub(crate) fn sin_cos(a: Id) -> (Id, Id) {
    if let Some(value) = constant_value(a) {
        let (sine, cosine) = Scalar::sin_cos(value);
        return (constant(sine), constant(cosine));
    }
    if let Some(known) = graph::direction(a) {
        return known;
    }
    if let Node::Unary(Unary::Neg, opposite) = node(a) {
        let (sine, cosine) = sin_cos(opposite);
        return (unary(Unary::Neg, sine), cosine);
    }
    let call = intern(Node::SinCos(a));
    (intern(Node::Output(call, 0)), intern(Node::Output(call, 1)))
}

pub(crate) fn table(reading: Reading, xs: &[Id], ys: &[Id], arg: Id) -> Id {
    let constants = |ids: &[Id]| ids.iter().map(|&i| constant_value(i)).collect::<Option<Vec<_>>>();
    if ys.iter().all(|y| *y == ys[0]) {
        return match reading {
            Reading::Value => ys[0],
            Reading::Slope => constant(0.0),
        };
    }
    if let (Some(xs), Some(ys), Some(arg)) = (constants(xs), constants(ys), constant_value(arg)) {
        return constant(apply_table(reading, &xs, &ys, arg));
    }
    intern(Node::Table(reading, xs.into(), ys.into(), arg))
}

/// The value or slope of a table: the one definition for folding and evaluation.
pub(crate) fn apply_table(reading: Reading, xs: &[f64], ys: &[f64], arg: f64) -> f64 {
    match reading {
        Reading::Value => kernels::table::linear(xs, ys, arg),
        Reading::Slope => kernels::table::slope(xs, ys, arg),
    }
}

/// Looks up in a table; the numbers of a file are not known before an FMU is instantiated.
pub(crate) fn lookup(lookup: Lookup, table: &LookupTable, arg: Id) -> Id {
    match constant_value(arg) {
        Some(arg) if table.contents().file.is_none() => constant(apply_lookup(lookup, table, arg)),
        _ => intern(Node::Lookup(lookup, table.clone(), arg)),
    }
}

/// The result of a lookup in a table: the one definition for folding and evaluation.
pub(crate) fn apply_lookup(lookup: Lookup, table: &LookupTable, arg: f64) -> f64 {
    let rows = &table.contents().rows;
    match lookup {
        Lookup::Count => rows.count(arg),
        Lookup::Entry(column) => rows.entry(column as usize, arg),
    }
}

/// The same node with other operands, with folding.
pub(crate) fn rebuild(old: &Node, mut f: impl FnMut(Id) -> Id) -> Id {
    match old {
        Node::Unary(op, a) => unary(*op, f(*a)),
        Node::Binary(op, a, b) => {
            let a = f(*a);
            binary(*op, a, f(*b))
        }
        Node::Compare(op, a, b) => {
            let a = f(*a);
            compare(*op, a, f(*b))
        }
        Node::Not(a) => not(f(*a)),
        Node::And(a, b) => {
            let a = f(*a);
            and(a, f(*b))
        }
        Node::Or(a, b) => {
            let a = f(*a);
            or(a, f(*b))
        }
        Node::Select(c, a, b) => {
            let (c, a) = (f(*c), f(*a));
            select(c, a, f(*b))
        }
        Node::Output(call, k) => match node(f(*call)) {
            Node::SinCos(a) => {
                let (sine, cosine) = sin_cos(a);
                if *k == 0 { sine } else { cosine }
            }
            call => intern(Node::Output(intern(call), *k)),
        },
        Node::Table(reading, xs, ys, arg) => {
            let xs: Vec<Id> = xs.iter().map(|&x| f(x)).collect();
            let ys: Vec<Id> = ys.iter().map(|&y| f(y)).collect();
            table(*reading, &xs, &ys, f(*arg))
        }
        Node::Lookup(what, table, arg) => lookup(*what, table, f(*arg)),
        _ => intern(old.with_children(f)),
    }
}
