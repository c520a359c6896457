//! Substitution, symbolic derivatives and structural dependencies of expressions.

use std::collections::BTreeSet;

use rustc_hash::FxHashMap as HashMap;

use crate::fold;
use crate::graph::{
    self, Binary, Id, Leaf, NewtonBlock, Node, Reading, Unary, post_order, with_nodes,
};
use crate::ops::{Ex, select};
use crate::solve::{Factor, divide_or_zero, factor_at_solution, outputs, reading};

/// The expressions `roots` with every leaf of `by` replaced, also inside nonlinear blocks.
///
/// # Panics
/// If an expression to be replaced is not a leaf.
pub fn substitute(roots: &[Ex], by: &[(Ex, Ex)]) -> Vec<Ex> {
    let ids: Vec<Id> = roots.iter().map(|ex| ex.0).collect();
    let pairs: Vec<(Id, Id)> = by.iter().map(|(leaf, ex)| (leaf.0, ex.0)).collect();
    substitute_ids(&ids, &pairs).into_iter().map(Ex).collect()
}

/// [`substitute`] for expressions and truth values alike.
pub fn substitute_ids(roots: &[Id], by: &[(Id, Id)]) -> Vec<Id> {
    for (leaf, _) in by {
        assert!(matches!(graph::node(*leaf), Node::Leaf(_)), "only leaves are substituted");
    }
    images(roots, by)
}

/// The expressions `roots` with every expression of `by` replaced, leaves or not, except inside
/// others of `by`.
pub fn replace(roots: &[Ex], by: &[(Ex, Ex)]) -> Vec<Ex> {
    let ids: Vec<Id> = roots.iter().map(|ex| ex.0).collect();
    let pairs: Vec<(Id, Id)> = by.iter().map(|(old, new)| (old.0, new.0)).collect();
    images(&ids, &pairs).into_iter().map(Ex).collect()
}

/// The roots with nodes replaced.
fn images(roots: &[Id], by: &[(Id, Id)]) -> Vec<Id> {
    let mut image: HashMap<Id, Id> = by.iter().copied().collect();
    for id in graph::reachable(roots) {
        if image.contains_key(&id) {
            continue;
        }
        let node = graph::node(id);
        let mut changed = false;
        node.for_each_child(&mut |child| changed |= image[&child] != child);
        let new = if changed {
            // Unknowns of a block are bound: they are not operands and do not change.
            fold::rebuild(&node, |child| image.get(&child).copied().unwrap_or(child))
        } else {
            id
        };
        image.insert(id, new);
    }
    roots.iter().map(|id| image[id]).collect()
}

/// The roots with the solutions of [`newton_at`](crate::newton_at) replaced by its guesses: the
/// values are the same, but there is no failure where the solution is not regular.
pub fn unconfirmed(roots: &[Ex]) -> Vec<Ex> {
    let ids: Vec<Id> = roots.iter().map(|ex| ex.0).collect();
    at_guesses(&ids, &|_, block| block.confirms).into_iter().map(Ex).collect()
}

/// The roots with the solutions of some blocks replaced by their guesses.
pub fn at_guesses(roots: &[Id], wanted: &dyn Fn(Id, &NewtonBlock) -> bool) -> Vec<Id> {
    let guesses = |id: Id, block: &NewtonBlock| wanted(id, block).then(|| block.guesses.to_vec());
    with_solutions(roots, &guesses)
}

/// The roots with the solutions of some blocks replaced by others.
pub fn with_solutions(
    roots: &[Id],
    solutions: &dyn Fn(Id, &NewtonBlock) -> Option<Vec<Id>>,
) -> Vec<Id> {
    let mut image: HashMap<Id, Id> = HashMap::default();
    for id in graph::reachable(roots) {
        let node = graph::node(id);
        let mut changed = false;
        node.for_each_child(&mut |child| changed |= image[&child] != child);
        let solution = match &node {
            Node::Output(call, k) => match graph::node(*call) {
                Node::Newton(block) => {
                    solutions(*call, &block).and_then(|solution| solution.get(*k as usize).copied())
                }
                _ => None,
            },
            _ => None,
        };
        let new = match solution {
            Some(solution) => image.get(&solution).copied().unwrap_or(solution),
            None if changed => fold::rebuild(&node, |child| image[&child]),
            None => id,
        };
        image.insert(id, new);
    }
    roots.iter().map(|id| image[id]).collect()
}

/// Derivatives of `roots` in the direction in which every leaf of `seeds` has its tangent, and all
/// other leaves have the tangent zero.
///
/// They are exact: both branches of a select, linear systems and nonlinear blocks are
/// differentiated, the latter by the implicit function theorem at their solution.
///
/// # Panics
/// If a seed is not a leaf.
pub fn differentiate(roots: &[Ex], seeds: &[(Ex, Ex)]) -> Vec<Ex> {
    let ids: Vec<Id> = roots.iter().map(|ex| ex.0).collect();
    let order = with_nodes(|nodes| {
        post_order(nodes, &ids, &|_, node, push| match node {
            // The tangent of a solution needs the residuals, not the step towards it.
            Node::Newton(block) => block.residuals.iter().copied().for_each(push),
            // Truth values have no tangent.
            node if node.is_truth() => {}
            node => node.for_each_child(push),
        })
    });
    let mut tangents = Tangents::default();
    for (leaf, tangent) in seeds {
        assert!(matches!(graph::node(leaf.0), Node::Leaf(_)), "only leaves are seeded");
        tangents.single.insert(leaf.0, *tangent);
    }
    for id in order {
        tangents.visit(id);
    }
    ids.iter().map(|&id| tangents.of(id)).collect()
}

#[derive(Default)]
struct Tangents {
    /// Tangents that are not zero.
    single: HashMap<Id, Ex>,
    /// Tangents of the results of nodes with several results, if one of them is not zero.
    several: HashMap<Id, Vec<Ex>>,
}

impl Tangents {
    fn of(&self, id: Id) -> Ex {
        self.single.get(&id).copied().unwrap_or_else(Ex::zero)
    }

    fn of_all(&self, ids: &[Id]) -> Vec<Ex> {
        ids.iter().map(|&id| self.of(id)).collect()
    }

    fn rests(&self, ids: &[Id]) -> bool {
        ids.iter().all(|&id| self.of(id).is_constant_zero())
    }

    fn visit(&mut self, id: Id) {
        let node = graph::node(id);
        let tangent = match &node {
            Node::Unary(op, a) => self.unary(id, *op, *a),
            Node::Binary(op, a, b) => self.binary(id, *op, *a, *b),
            Node::Select(c, a, b) => Ex(fold::select(*c, self.of(*a).0, self.of(*b).0)),
            // A delayed signal depends on nothing present but time.
            Node::Leaf(Leaf::Delayed(delay, order)) => {
                self.of(Ex::leaf(Leaf::Time).0) * Ex::leaf(Leaf::Delayed(*delay, order + 1))
            }
            Node::Output(call, k) => {
                self.several.get(call).map_or_else(Ex::zero, |all| all[*k as usize])
            }
            Node::LuDeterminant(lu) => self.lu_determinant(id, *lu),
            Node::Table(kind, xs, ys, arg) => self.table(*kind, xs, ys, *arg),
            Node::Guard(_, _, value) => self.of(*value),
            Node::SinCos(a) => {
                let da = self.of(*a);
                if !da.is_constant_zero() {
                    let (sine, cosine) = Ex(*a).sin_cos();
                    self.several.insert(id, vec![cosine * da, -(sine * da)]);
                }
                return;
            }
            Node::LuSolve(lu, rhs) => return self.lu_solve(id, *lu, rhs),
            Node::NullSpace(matrix, m, n) => {
                return self.null_space(id, matrix, *m as usize, *n as usize);
            }
            Node::Newton(block) => {
                if !self.rests(&block.residuals) {
                    let unknowns = block.unknowns.iter().map(|&q| Ex(q));
                    let n = block.unknowns.len();
                    let by: Vec<(Ex, Ex)> = unknowns.zip(outputs(id, n)).collect();
                    let moved = substitute(&self.of_all(&block.residuals), &by);
                    let negative: Vec<Ex> = moved.into_iter().map(|g| -g).collect();
                    let mut all = factor_at_solution(id, block).solve(&negative);
                    all.push(Ex::zero());
                    self.several.insert(id, all);
                }
                return;
            }
            Node::Impulses(_) => {
                let mut rests = true;
                node.for_each_child(&mut |child| rests &= self.of(child).is_constant_zero());
                assert!(rests, "impulses of impacts have no derivative");
                return;
            }
            // Leaves have seeds or are constant, lookups are piecewise constant, and the tangents
            // of a factorization are computed by the nodes that use it.
            _ => return,
        };
        if !tangent.is_constant_zero() {
            self.single.insert(id, tangent);
        }
    }

    fn unary(&self, id: Id, op: Unary, a: Id) -> Ex {
        let (value, x, dx) = (Ex(id), Ex(a), self.of(a));
        if dx.is_constant_zero() {
            return dx;
        }
        match op {
            Unary::Neg => -dx,
            Unary::Sqrt => divide_or_zero(0.5 * dx, value),
            Unary::Exp => value * dx,
            Unary::Ln => dx / x,
            Unary::Abs => x.sign() * dx,
            Unary::Sign | Unary::Floor => Ex::zero(),
        }
    }

    fn binary(&self, id: Id, op: Binary, a: Id, b: Id) -> Ex {
        let (value, x, y) = (Ex(id), Ex(a), Ex(b));
        let (dx, dy) = (self.of(a), self.of(b));
        match op {
            Binary::Add => dx + dy,
            Binary::Sub => dx - dy,
            Binary::Mul => dx * y + x * dy,
            Binary::Div => (dx - value * dy) / y,
            Binary::Atan2 => divide_or_zero(y * dx - x * dy, x * x + y * y),
            Binary::Pow => {
                let mut sum = Ex::zero();
                if !dx.is_constant_zero() {
                    sum += y * x.pow(y - 1.0) * dx;
                }
                if !dy.is_constant_zero() {
                    sum += value * x.ln() * dy;
                }
                sum
            }
            Binary::Min => select(y.lt(x), dy, dx),
            Binary::Max => select(y.gt(x), dy, dx),
        }
    }

    /// `x' = inverse(A) (b' - A' x)`.
    fn lu_solve(&mut self, id: Id, lu: Id, rhs: &[Id]) {
        let Node::Lu(matrix, n) = graph::node(lu) else { unreachable!("a factorization") };
        if self.rests(&matrix) && self.rests(rhs) {
            return;
        }
        let n = n as usize;
        let x = outputs(id, n);
        let moved: Vec<Ex> = (0..n)
            .map(|i| {
                let row = &matrix[i * n..(i + 1) * n];
                row.iter().zip(&x).fold(self.of(rhs[i]), |sum, (&a, &x)| sum - self.of(a) * x)
            })
            .collect();
        self.several.insert(id, Factor::of_lu(lu).solve(&moved));
    }

    /// `N' = -transpose(A) inverse(A transpose(A)) A' N`, the smallest tangent for which `A N`
    /// remains zero.
    fn null_space(&mut self, id: Id, matrix: &[Id], m: usize, n: usize) {
        if self.rests(matrix) {
            return;
        }
        let free = n - m;
        let basis = outputs(id, n * free);
        let rows: Vec<&[Id]> = matrix.chunks_exact(n).collect();
        let product = |(a, b): (&[Id], &[Id])| a.iter().zip(b).map(|(&a, &b)| Ex(a) * Ex(b)).sum();
        let normal: Vec<Vec<Ex>> =
            rows.iter().map(|a| rows.iter().map(|b| product((a, b))).collect()).collect();
        let factor = Factor::symmetric(&normal);
        let mut moved = vec![Ex::zero(); n * free];
        for k in 0..free {
            let column = basis.iter().skip(k).step_by(free);
            let residual = |row: &&[Id]| -> Ex {
                row.iter().zip(column.clone()).map(|(&a, &x)| self.of(a) * x).sum()
            };
            let weights = factor.solve(&rows.iter().map(residual).collect::<Vec<Ex>>());
            for j in 0..n {
                let terms = rows.iter().zip(&weights).map(|(row, &weight)| Ex(row[j]) * weight);
                moved[j * free + k] = -terms.sum::<Ex>();
            }
        }
        self.several.insert(id, moved);
    }

    /// `det' = det trace(inverse(A) A')`.
    fn lu_determinant(&self, id: Id, lu: Id) -> Ex {
        let Node::Lu(matrix, n) = graph::node(lu) else { unreachable!("a factorization") };
        if self.rests(&matrix) {
            return Ex::zero();
        }
        let n = n as usize;
        let factor = Factor::of_lu(lu);
        let trace = (0..n).map(|j| {
            let column: Vec<Ex> = (0..n).map(|i| self.of(matrix[i * n + j])).collect();
            factor.solve(&column)[j]
        });
        Ex(id) * trace.sum::<Ex>()
    }

    /// The result is linear in the ordinates; a shift of the abscissae has the same effect as the
    /// opposite shift of the argument.
    fn table(&self, kind: Reading, xs: &[Id], ys: &[Id], arg: Id) -> Ex {
        let ex = |ids: &[Id]| ids.iter().map(|&id| Ex(id)).collect::<Vec<_>>();
        let (knots, values) = (ex(xs), ex(ys));
        let mut sum = Ex::zero();
        if !self.rests(ys) {
            sum += reading(kind, &knots, &self.of_all(ys), Ex(arg));
        }
        let shift = |kind| {
            if self.rests(xs) {
                Ex::zero()
            } else {
                reading(kind, &knots, &self.of_all(xs), Ex(arg))
            }
        };
        let motion = match kind {
            Reading::Value => self.of(arg) - shift(Reading::Value),
            Reading::Slope => -shift(Reading::Slope),
        };
        if !motion.is_constant_zero() {
            sum += reading(Reading::Slope, &knots, &values, Ex(arg)) * motion;
        }
        sum
    }
}

/// The number of operations in the computation of `roots` where `known`, and everything that these
/// need, is computed already.
pub fn count_operations(roots: &[Ex], known: &[Ex]) -> usize {
    let ids = |list: &[Ex]| list.iter().map(|ex| ex.0).collect::<Vec<Id>>();
    let known: BTreeSet<Id> = graph::reachable(&ids(known)).into_iter().collect();
    let new = graph::reachable(&ids(roots)).into_iter().filter(|id| !known.contains(id));
    new.filter(|&id| !graph::node(id).is_given()).count()
}

/// The leaves on which `roots` depend, through nonlinear blocks, without bound unknowns.
pub fn leaves_of(roots: &[Ex]) -> BTreeSet<Leaf> {
    let ids: Vec<Id> = roots.iter().map(|ex| ex.0).collect();
    leaves_of_ids(&ids)
}

/// [`leaves_of`] for expressions and truth values alike.
pub fn leaves_of_ids(roots: &[Id]) -> BTreeSet<Leaf> {
    let order = graph::reachable(roots);
    with_nodes(|nodes| {
        let mut leaves = BTreeSet::new();
        let mut bound = BTreeSet::new();
        for &id in &order {
            match &nodes[id as usize] {
                Node::Leaf(leaf) => {
                    leaves.insert(*leaf);
                }
                Node::Newton(block) => {
                    for &unknown in block.unknowns.iter() {
                        if let Node::Leaf(leaf) = &nodes[unknown as usize] {
                            bound.insert(*leaf);
                        }
                    }
                }
                _ => {}
            }
        }
        leaves.retain(|leaf| !bound.contains(leaf));
        leaves
    })
}

/// Whether one of `roots` depends on a leaf.
pub fn depends_on(roots: &[Ex], leaf: Ex) -> bool {
    leaf.as_leaf().is_some_and(|leaf| leaves_of(roots).contains(&leaf))
}
