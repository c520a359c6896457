//! Expressions that are affine functions of some leaves, at least while conditions hold.

use std::collections::BTreeMap;

use rustc_hash::FxHashMap as HashMap;

use crate::fold;
use crate::graph::{self, Binary, Id, Leaf, Node, Unary};
use crate::ops::{Bool, Ex};

/// What is known about the value of a leaf.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LeafKind {
    /// The expression may be an affine function of it.
    Variable,
    /// It is constant where the expression is regarded as a function.
    Constant,
    /// It is neither.
    Other,
}

/// An expression as an affine function of variables.
#[derive(Clone, Debug)]
pub struct Affine {
    /// Whether the expression is this function; it depends on constant leaves only.
    pub holds: Bool,
    /// The variables with their coefficients, which depend on constant leaves only.
    pub coefficients: Vec<(Leaf, Ex)>,
}

/// Each expression as an affine function of the variables among its leaves, if it is one for some
/// values of the constant leaves.
///
/// Sums, differences, products, quotients and selections of affine functions are recognised, but no
/// function whose curvature vanishes for another reason.
pub fn affine(exs: &[Ex], kind: &dyn Fn(Leaf) -> LeafKind) -> Vec<Option<Affine>> {
    let ids: Vec<Id> = exs.iter().map(|ex| ex.0).collect();
    let mut forms: HashMap<Id, Form> = HashMap::default();
    for id in graph::reachable(&ids) {
        let form = Form::of(&graph::node(id), kind, &forms);
        forms.insert(id, form);
    }
    let affine = |id: &Id| {
        let Form { holds, coefficients } = &forms[id];
        let coefficients = coefficients.iter().map(|(&leaf, &id)| (leaf, Ex(id))).collect();
        let never = fold::truth_value(*holds) == Some(false);
        (!never).then_some(Affine { holds: Bool(*holds), coefficients })
    };
    ids.iter().map(affine).collect()
}

/// An affine function; without coefficients it is constant.
#[derive(Clone)]
struct Form {
    holds: Id,
    coefficients: BTreeMap<Leaf, Id>,
}

impl Form {
    fn constant(holds: Id) -> Form {
        Form { holds, coefficients: BTreeMap::new() }
    }

    fn none() -> Form {
        Form::constant(fold::truth(false))
    }

    /// Whether the value is constant for all values of the constant leaves.
    fn is_constant(&self) -> bool {
        fold::truth_value(self.holds) == Some(true) && self.coefficients.is_empty()
    }

    /// The form of a node, given those of its children.
    fn of(node: &Node, kind: &dyn Fn(Leaf) -> LeafKind, forms: &HashMap<Id, Form>) -> Form {
        let always = fold::truth(true);
        let mut constant = !matches!(node, Node::Newton(_));
        node.for_each_child(&mut |child| constant &= forms[&child].is_constant());
        match *node {
            Node::Leaf(leaf) => match kind(leaf) {
                LeafKind::Constant => Form::constant(always),
                LeafKind::Variable => {
                    let one = fold::constant(1.0);
                    Form { holds: always, coefficients: BTreeMap::from([(leaf, one)]) }
                }
                LeafKind::Other => Form::none(),
            },
            _ if constant => Form::constant(always),
            Node::Unary(Unary::Neg, a) => forms[&a].map(|c| fold::unary(Unary::Neg, c)),
            Node::Binary(op @ (Binary::Add | Binary::Sub), a, b) => {
                let holds = fold::and(forms[&a].holds, forms[&b].holds);
                Form::join(&forms[&a], &forms[&b], holds, &|a, b| fold::binary(op, a, b))
            }
            Node::Binary(Binary::Mul, a, b) if forms[&a].is_constant() => {
                forms[&b].map(|c| fold::binary(Binary::Mul, a, c))
            }
            Node::Binary(op @ (Binary::Mul | Binary::Div), a, b) if forms[&b].is_constant() => {
                forms[&a].map(|c| fold::binary(op, c, b))
            }
            Node::Select(c, a, b) if forms[&c].is_constant() => {
                let if_true = fold::and(c, forms[&a].holds);
                let holds = fold::or(if_true, fold::and(fold::not(c), forms[&b].holds));
                Form::join(&forms[&a], &forms[&b], holds, &|a, b| fold::select(c, a, b))
            }
            _ => Form::none(),
        }
    }

    fn map(&self, f: impl Fn(Id) -> Id) -> Form {
        let coefficients = self.coefficients.iter().map(|(&leaf, &c)| (leaf, f(c))).collect();
        Form { holds: self.holds, coefficients }
    }

    /// Joins two functions, coefficient by coefficient.
    fn join(a: &Form, b: &Form, holds: Id, f: &dyn Fn(Id, Id) -> Id) -> Form {
        let zero = fold::constant(0.0);
        let leaves = a.coefficients.keys().chain(b.coefficients.keys());
        let coefficient = |form: &Form, leaf| form.coefficients.get(leaf).copied().unwrap_or(zero);
        let joined = leaves.map(|leaf| (*leaf, f(coefficient(a, leaf), coefficient(b, leaf))));
        Form { holds, coefficients: joined.collect() }
    }
}
