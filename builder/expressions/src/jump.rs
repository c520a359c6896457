//! Jumps of expressions where a comparison in them changes, found by evaluation on both sides.

use std::collections::BTreeSet;

use crate::diff::leaves_of_ids;
use crate::evaluate::evaluate_ids;
use crate::graph::{self, Comparison, Id, Leaf, Node, Unary};

/// Expressions with more nodes are not examined.
const MAX_NODES: usize = 400;

/// Most comparisons of an expression that are examined.
const MAX_COMPARISONS: usize = 16;

/// Most steps of the search for a point at which a comparison changes.
const MAX_STEPS: usize = 30;

/// Distance from the point where a comparison changes, relative to the leaf or to one. At a tenth
/// of the distance, a steep slope has a tenth of the difference, and a jump has all of it.
const DISTANCE: f64 = 1e-6;

/// The nodes from which expressions are built, themselves included; `None` if there are more than
/// `limit`.
fn nodes_of(roots: &[Id], limit: usize) -> Option<BTreeSet<Id>> {
    let (mut found, mut open) = (BTreeSet::new(), roots.to_vec());
    while let Some(id) = open.pop() {
        if found.insert(id) {
            graph::node(id).for_each_child(&mut |child| open.push(child));
        }
        if found.len() > limit {
            return None;
        }
    }
    Some(found)
}

/// All nodes from which expressions are built.
pub fn parts(roots: &[Id]) -> BTreeSet<Id> {
    graph::reachable(roots).into_iter().collect()
}

/// The operations in an expression whose results jump with a leaf that `is_free`: comparisons,
/// signs and roundings. There are none if the expression is too large, or if it contains a
/// nonlinear block, impulses or a table that is not extrapolated.
pub fn switches(expression: Id, is_free: &dyn Fn(Leaf) -> bool) -> Vec<Id> {
    let Some(nodes) = nodes_of(&[expression], MAX_NODES) else { return Vec::new() };
    let opaque = |&id: &Id| {
        matches!(
            graph::node(id),
            Node::Newton(_)
                | Node::Impulses(_)
                | Node::Guard(..)
                | Node::Leaf(Leaf::Anchor(_) | Leaf::Symbol(_))
        )
    };
    if nodes.iter().any(opaque) {
        return Vec::new();
    }
    let switches = nodes.into_iter().filter(|&id| {
        let free = |of: &[Id]| leaves_of_ids(of).into_iter().any(is_free);
        boundary(id)
            .is_some_and(|(a, b)| free(&[Some(a), b].into_iter().flatten().collect::<Vec<_>>()))
    });
    switches.take(MAX_COMPARISONS).collect()
}

/// The operands whose difference is zero, or whole, where the result of an operation jumps.
fn boundary(id: Id) -> Option<(Id, Option<Id>)> {
    match graph::node(id) {
        Node::Compare(Comparison::Less | Comparison::LessEqual, a, b) => Some((a, Some(b))),
        Node::Unary(Unary::Sign | Unary::Floor, a) => Some((a, None)),
        _ => None,
    }
}

/// Whether an expression jumps where one of its [`switches`] changes, near the values of the
/// leaves. It is not certain that such a jump is found.
pub fn jumps_at(
    expression: Id,
    switch: Id,
    is_free: &dyn Fn(Leaf) -> bool,
    value: &dyn Fn(Leaf) -> f64,
) -> bool {
    let Some((a, b)) = boundary(switch) else { return false };
    let operands: Vec<Id> = [Some(a), b].into_iter().flatten().collect();
    let free = leaves_of_ids(&operands).into_iter().filter(|&leaf| is_free(leaf));
    free.take(3).any(|along| {
        let point = Point { along, value };
        let Some(at) =
            point.change(&operands, matches!(graph::node(switch), Node::Unary(Unary::Floor, _)))
        else {
            return false;
        };
        let jump = |distance: f64| {
            let distance = distance * at.abs().max(1.0);
            let [before, after] =
                [at - distance, at + distance].map(|x| point.at(&[expression, switch], x));
            let (before, after) = (before?, after?);
            let switched = before[1] != after[1];
            let size = before[0].abs().max(after[0].abs());
            let jump = (after[0] - before[0]).abs();
            (switched && jump > 1e-9 * size).then_some(jump)
        };
        match (jump(DISTANCE), jump(DISTANCE / 10.0)) {
            (Some(wide), Some(narrow)) => narrow > 0.5 * wide,
            _ => false,
        }
    })
}

/// The values of leaves, one of which varies.
struct Point<'a> {
    along: Leaf,
    value: &'a dyn Fn(Leaf) -> f64,
}

impl Point<'_> {
    /// The values of expressions; `None` if one is not finite.
    fn at(&self, ids: &[Id], x: f64) -> Option<Vec<f64>> {
        let leaf = |leaf: Leaf| if leaf == self.along { x } else { (self.value)(leaf) };
        let values = evaluate_ids(ids, &mut { leaf }).ok()?;
        values.iter().all(|value| value.is_finite()).then_some(values)
    }

    /// The value of the leaf at which the difference of the operands is zero, or whole, by the
    /// secant method.
    fn change(&self, operands: &[Id], whole: bool) -> Option<f64> {
        let begin = (self.value)(self.along);
        let difference = |x: f64| {
            let values = self.at(operands, x)?;
            Some(values[0] - values.get(1).copied().unwrap_or_default())
        };
        let level = if whole { difference(begin)?.floor() + 1.0 } else { 0.0 };
        let scale = begin.abs().max(1.0);
        let (mut x0, mut x1) = (begin, begin + 0.1 * scale);
        let (mut f0, mut f1) = (difference(x0)? - level, difference(x1)? - level);
        for _ in 0..MAX_STEPS {
            if f1 == 0.0 || (x1 - x0).abs() <= 1e-14 * x1.abs().max(1.0) {
                return Some(x1);
            }
            if f1 == f0 {
                return None;
            }
            let next = x1 - f1 * (x1 - x0) / (f1 - f0);
            (x0, f0) = (x1, f1);
            (x1, f1) = (next, difference(next)? - level);
        }
        None
    }
}
