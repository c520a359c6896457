//! Nodes that solve equations: linear systems with a shared factor, nonlinear blocks, tables.

use std::sync::Arc;

use kernels::newton::BlockKind;

use crate::diff::{differentiate, leaves_of_ids, substitute};
use crate::fold;
use crate::graph::{self, Id, Leaf, NewtonBlock, Node, Reading};
use crate::ops::{Bool, Ex, select};

/// Largest symmetric matrix that is factorized in straight-line code.
const LARGEST_INLINE: usize = 12;

/// A factorized square matrix, for any number of right-hand sides.
#[derive(Clone, Debug)]
pub struct Factor {
    factorization: Factorization,
    determinant: Ex,
}

/// How a matrix is factorized.
#[derive(Clone, Debug)]
enum Factorization {
    Empty,
    /// Adjugate (rows) and the reciprocal of the determinant.
    Adjugate(Vec<Vec<Ex>>, Ex),
    /// `L D L'`: the strict lower triangle of L by rows, and the reciprocals of D.
    Ldl(Vec<Vec<Ex>>, Vec<Ex>),
    /// A call, with partial pivoting.
    Lu(Id, usize),
}

impl Factor {
    /// Any regular matrix, given by rows: adjugate up to size 3, then partial pivoting.
    ///
    /// # Panics
    /// If the matrix is not square.
    pub fn general(a: &[Vec<Ex>]) -> Factor {
        let n = a.len();
        assert!(a.iter().all(|row| row.len() == n), "the matrix of a linear system is square");
        if n <= 3 { Factor::adjugate(a) } else { Factor::pivoted(a) }
    }

    /// Any regular matrix, given by rows, with partial pivoting at every size: if the matrix is
    /// nearly singular, the solution still satisfies the equations.
    ///
    /// # Panics
    /// If the matrix is not square.
    pub fn pivoted(a: &[Vec<Ex>]) -> Factor {
        let n = a.len();
        assert!(a.iter().all(|row| row.len() == n), "the matrix of a linear system is square");
        let matrix: Arc<[Id]> = a.iter().flatten().map(|ex| ex.0).collect();
        let lu = graph::intern(Node::Lu(matrix, n as u32));
        let determinant = Ex(graph::intern(Node::LuDeterminant(lu)));
        Factor { factorization: Factorization::Lu(lu, n), determinant }
    }

    /// A symmetric positive definite matrix of which only the upper triangle is read.
    ///
    /// # Panics
    /// If the matrix is not square.
    pub fn symmetric(a: &[Vec<Ex>]) -> Factor {
        let n = a.len();
        assert!(a.iter().all(|row| row.len() == n), "the matrix of a linear system is square");
        if (2..=LARGEST_INLINE).contains(&n) {
            return Factor::ldl(a);
        }
        let at = |i: usize, j: usize| a[i.min(j)][i.max(j)];
        let full: Vec<Vec<Ex>> = (0..n).map(|i| (0..n).map(|j| at(i, j)).collect()).collect();
        Factor::general(&full)
    }

    fn adjugate(a: &[Vec<Ex>]) -> Factor {
        match a.len() {
            0 => Factor { factorization: Factorization::Empty, determinant: Ex::one() },
            1 => {
                let factorization = Factorization::Adjugate(vec![vec![Ex::one()]], 1.0 / a[0][0]);
                Factor { factorization, determinant: a[0][0] }
            }
            2 => {
                let determinant = a[0][0] * a[1][1] - a[0][1] * a[1][0];
                let adjugate = vec![vec![a[1][1], -a[0][1]], vec![-a[1][0], a[0][0]]];
                Factor {
                    factorization: Factorization::Adjugate(adjugate, 1.0 / determinant),
                    determinant,
                }
            }
            _ => {
                // Cyclic indices give the cofactors with their signs.
                let cofactor = |i: usize, j: usize| {
                    let (i1, i2, j1, j2) = ((i + 1) % 3, (i + 2) % 3, (j + 1) % 3, (j + 2) % 3);
                    a[i1][j1] * a[i2][j2] - a[i1][j2] * a[i2][j1]
                };
                let adjugate: Vec<Vec<Ex>> =
                    (0..3).map(|i| (0..3).map(|j| cofactor(j, i)).collect()).collect();
                let determinant = (0..3).map(|j| a[0][j] * adjugate[j][0]).sum::<Ex>();
                Factor {
                    factorization: Factorization::Adjugate(adjugate, 1.0 / determinant),
                    determinant,
                }
            }
        }
    }

    fn ldl(a: &[Vec<Ex>]) -> Factor {
        let n = a.len();
        let mut lower: Vec<Vec<Ex>> = Vec::with_capacity(n);
        let mut diagonal: Vec<Ex> = Vec::with_capacity(n);
        let mut reciprocal: Vec<Ex> = Vec::with_capacity(n);
        for (i, upper) in a.iter().enumerate() {
            // First row i of L D, later row i of L.
            let mut scaled: Vec<Ex> = Vec::with_capacity(i);
            let mut row: Vec<Ex> = Vec::with_capacity(i);
            let mut pivot = upper[i];
            for j in 0..i {
                let known: Vec<Ex> = (0..j).map(|k| scaled[k] * lower[j][k]).collect();
                let value = known.into_iter().fold(a[j][i], |sum, term| sum - term);
                let l = value * reciprocal[j];
                pivot -= l * value;
                scaled.push(value);
                row.push(l);
            }
            lower.push(row);
            diagonal.push(pivot);
            reciprocal.push(1.0 / pivot);
        }
        let determinant = diagonal.into_iter().reduce(|a, b| a * b).unwrap_or_else(Ex::one);
        Factor { factorization: Factorization::Ldl(lower, reciprocal), determinant }
    }

    /// The solution for a right-hand side.
    ///
    /// # Panics
    /// If its length is not the size of the matrix.
    pub fn solve(&self, b: &[Ex]) -> Vec<Ex> {
        if b.iter().all(|ex| ex.is_constant_zero()) {
            return b.to_vec();
        }
        match &self.factorization {
            Factorization::Empty => Vec::new(),
            Factorization::Adjugate(rows, reciprocal) => {
                assert_eq!(b.len(), rows.len());
                let product = |row: &Vec<Ex>| row.iter().zip(b).map(|(&a, &b)| a * b).sum::<Ex>();
                rows.iter().map(|row| product(row) * *reciprocal).collect()
            }
            Factorization::Ldl(lower, reciprocal) => {
                let n = lower.len();
                assert_eq!(b.len(), n);
                let mut x = b.to_vec();
                for i in 0..n {
                    for j in 0..i {
                        let term = lower[i][j] * x[j];
                        x[i] -= term;
                    }
                }
                for i in (0..n).rev() {
                    x[i] *= reciprocal[i];
                    for (k, row) in lower.iter().enumerate().skip(i + 1) {
                        let term = row[i] * x[k];
                        x[i] -= term;
                    }
                }
                x
            }
            Factorization::Lu(lu, n) => {
                assert_eq!(b.len(), *n);
                let rhs: Arc<[Id]> = b.iter().map(|ex| ex.0).collect();
                outputs(graph::intern(Node::LuSolve(*lu, rhs)), *n)
            }
        }
    }

    /// The determinant.
    pub fn determinant(&self) -> Ex {
        self.determinant
    }

    /// The factor of an existing call.
    pub fn of_lu(lu: Id) -> Factor {
        let Node::Lu(_, n) = graph::node(lu) else { unreachable!("a factorization") };
        let determinant = Ex(graph::intern(Node::LuDeterminant(lu)));
        Factor { factorization: Factorization::Lu(lu, n as usize), determinant }
    }
}

/// The results of a node with several results.
pub(crate) fn outputs(call: Id, n: usize) -> Vec<Ex> {
    (0..n as u32).map(|k| Ex(graph::intern(Node::Output(call, k)))).collect()
}

/// Solves `a x = b`; `a` is given by rows.
///
/// # Panics
/// If the sizes do not match.
pub fn solve_linear(a: &[Vec<Ex>], b: &[Ex]) -> Vec<Ex> {
    Factor::general(a).solve(b)
}

/// A basis of the null space of `a`, which is given by rows, has `n` columns and full rank: `n`
/// rows with one column for each column that `a` has more than rows.
///
/// Some rows form the unit matrix; which ones, follows from the values of `a`. So the basis jumps
/// where other elements of `a` become the largest.
///
/// The [derivative](differentiate) belongs to another basis, which equals this basis at the point
/// of the evaluation. Derivatives of quantities that do not depend on the choice of the basis are
/// right.
///
/// # Panics
/// If a row has not the length `n`, or if there are more than `n` rows.
pub fn null_space(a: &[Vec<Ex>], n: usize) -> Vec<Vec<Ex>> {
    let m = a.len();
    assert!(
        m <= n && a.iter().all(|row| row.len() == n),
        "a matrix with a null space has at most as many rows as columns"
    );
    if m == n {
        return vec![Vec::new(); n];
    }
    if m == 0 {
        let entry = |i: usize, j: usize| if i == j { Ex::one() } else { Ex::zero() };
        return (0..n).map(|i| (0..n).map(|j| entry(i, j)).collect()).collect();
    }
    let matrix: Arc<[Id]> = a.iter().flatten().map(|ex| ex.0).collect();
    let node = Node::NullSpace(matrix, m as u32, n as u32);
    let results = outputs(graph::intern(node), n * (n - m));
    results.chunks_exact(n - m).map(<[Ex]>::to_vec).collect()
}

/// Jacobian of `residuals` with respect to `unknowns` (leaves), by rows.
pub fn jacobian(residuals: &[Ex], unknowns: &[Ex]) -> Vec<Vec<Ex>> {
    let columns: Vec<Vec<Ex>> =
        unknowns.iter().map(|&q| differentiate(residuals, &[(q, Ex::one())])).collect();
    (0..residuals.len()).map(|i| columns.iter().map(|column| column[i]).collect()).collect()
}

/// A root of `residuals` in `unknowns` (symbols), found by Newton's method from `guesses`; either
/// sign of the Jacobian's determinant is accepted.
///
/// # Panics
/// If the numbers differ or an unknown is not a symbol.
pub fn newton(name: &str, unknowns: &[Ex], residuals: &[Ex], guesses: &[Ex]) -> Vec<Ex> {
    let equations = (BlockKind::Equations, name);
    newton_with_sign(equations, unknowns, residuals, guesses, Ex::zero(), anywhere()).solution
}

/// A quantity that moves along a path.
#[derive(Clone, Copy, Debug)]
pub struct PathInput {
    /// The quantity.
    pub leaf: Ex,
    /// Its value where the solution is known.
    pub known: Ex,
    /// Its value where the solution is wanted.
    pub wanted: Ex,
}

/// The quantities on which the solution of a block depends, on a path along which they move from
/// known values to those wanted.
#[derive(Clone, Copy, Debug)]
pub struct Path<'a> {
    /// The quantities.
    pub inputs: &'a [PathInput],
    /// The solution of the block at the known values.
    pub known: &'a [f64],
    /// Where the solution should be near; the known solution if no one says.
    pub wishes: &'a [Ex],
    /// Whether the wishes count only where the path does not lead to its end.
    pub path_first: Bool,
}

/// The solution of a loop of a mechanism at initialization, at the end of a path.
///
/// # Panics
/// If the numbers differ or an unknown is not a symbol.
pub fn newton_assembly(name: &str, unknowns: &[Ex], residuals: &[Ex], path: &Path<'_>) -> Vec<Ex> {
    let n = unknowns.len();
    let lengths = [residuals.len(), path.known.len(), path.wishes.len()];
    assert!(
        lengths == [n; 3],
        "block {name}: {n} unknowns need {n} residuals, known values and wishes"
    );
    let is_symbol = |q: &Ex| matches!(q.as_leaf(), Some(Leaf::Symbol(_)));
    assert!(unknowns.iter().all(is_symbol), "block {name}: unknowns are symbols");
    let position = Ex::symbol();
    // At both ends the values are exact.
    let on_path = |known: Ex, wanted: Ex| known * (1.0 - position) + wanted * position;
    let by = path.inputs.iter().map(|input| (input.leaf, on_path(input.known, input.wanted)));
    let residuals = substitute(residuals, &by.collect::<Vec<_>>());
    refuse_nesting(name, unknowns, &residuals);
    let factor = Factor::general(&jacobian(&residuals, unknowns));
    let negative: Vec<Ex> = residuals.iter().map(|&g| -g).collect();
    let left = 1.0 - position;
    let ids = |list: &[&[Ex]]| -> Arc<[Id]> { list.concat().iter().map(|ex| ex.0).collect() };
    let known: Vec<Ex> = path.known.iter().map(|&known| known.into()).collect();
    let block = NewtonBlock {
        name: name.into(),
        kind: BlockKind::Assembly,
        unknowns: ids(&[unknowns, &[position]]),
        residuals: ids(&[&residuals, &[-left]]),
        guesses: ids(&[&known, &[path.path_first.as_ex()], path.wishes]),
        confirms: false,
        sign: Ex::zero().0,
        step: ids(&[&factor.solve(&negative), &[left]]),
        determinant: factor.determinant().0,
        residual: largest(&residuals).0,
    };
    let mut solution = outputs(graph::intern(Node::Newton(Arc::new(block))), n + 2);
    solution.truncate(n);
    solution
}

/// The largest residual.
fn largest(residuals: &[Ex]) -> Ex {
    residuals.iter().fold(Ex::zero(), |largest, g| largest.max(g.abs()))
}

/// [`newton`] for `guesses` that are already the root, which the first correction confirms. If
/// `regular`, any truth value, is false, there is no root.
///
/// # Panics
/// If the numbers differ or an unknown is not a symbol.
pub fn newton_at(
    block: (BlockKind, &str),
    unknowns: &[Ex],
    residuals: &[Ex],
    guesses: &[Ex],
    regular: Bool,
) -> Vec<Ex> {
    let system = EquationSystem { unknowns, residuals, guesses };
    block_with_sign(block, system, Ex::zero(), regular, true).solution
}

/// The multipliers of a projection on the positions in which a loop is closed: a root of
/// `residuals` near zero. There is none where the magnitude of the determinant of the Jacobian is
/// not larger than `smallest`.
///
/// # Panics
/// If the numbers differ or an unknown is not a symbol.
pub fn newton_projection(name: &str, unknowns: &[Ex], residuals: &[Ex], smallest: f64) -> Vec<Ex> {
    let guesses = vec![Ex::zero(); unknowns.len()];
    let equations = (BlockKind::Projection, name);
    let determinant = Factor::general(&jacobian(residuals, unknowns)).determinant();
    let regular = determinant.abs().gt(smallest);
    newton_with_sign(equations, unknowns, residuals, &guesses, Ex::zero(), regular).solution
}

/// `values` of a loop while it is `closed`, any truth value; otherwise the evaluation fails because
/// of a `gap`.
pub fn while_closed(name: &str, values: &[Ex], closed: Bool, gap: Ex) -> Vec<Ex> {
    checked((BlockKind::Gap, name), values, closed, gap)
}

/// `values` of a projection while they are `regular`, any truth value; otherwise the evaluation
/// fails.
pub fn while_regular(name: &str, values: &[Ex], regular: Bool) -> Vec<Ex> {
    checked((BlockKind::Projection, name), values, regular, Ex::zero())
}

/// `values` while a condition is true; otherwise the evaluation fails.
fn checked((kind, name): (BlockKind, &str), values: &[Ex], when: Bool, residual: Ex) -> Vec<Ex> {
    let unknowns: Vec<Ex> = values.iter().map(|_| Ex::symbol()).collect();
    let step: Vec<Ex> = values.iter().zip(&unknowns).map(|(&value, &own)| value - own).collect();
    let ids = |list: &[Ex]| -> Arc<[Id]> { list.iter().map(|ex| ex.0).collect() };
    let residuals: Vec<Ex> = step.iter().map(|&step| -step).collect();
    let block = NewtonBlock {
        name: name.into(),
        kind,
        unknowns: ids(&unknowns),
        residuals: ids(&residuals),
        guesses: ids(values),
        confirms: true,
        sign: Ex::zero().0,
        step: ids(&step),
        determinant: select(when, Ex::one(), Ex::zero()).0,
        residual: residual.0,
    };
    let mut checked = outputs(graph::intern(Node::Newton(Arc::new(block))), values.len() + 1);
    checked.truncate(values.len());
    checked
}

fn anywhere() -> Bool {
    Bool::constant(true)
}

/// The result of [`newton_with_sign`].
pub struct Root {
    /// The unknowns.
    pub solution: Vec<Ex>,
    /// Sign of the determinant of the Jacobian at the solution.
    pub sign: Ex,
    /// Determinant of the Jacobian in terms of the symbols.
    pub determinant: Ex,
}

/// A block whose solution must have a Jacobian determinant of the given sign. If `regular`, in
/// terms of the symbols, is false at the solution, the block counts as singular.
pub fn newton_with_sign(
    block: (BlockKind, &str),
    unknowns: &[Ex],
    residuals: &[Ex],
    guesses: &[Ex],
    sign: Ex,
    regular: Bool,
) -> Root {
    let system = EquationSystem { unknowns, residuals, guesses };
    block_with_sign(block, system, sign, regular, false)
}

/// The sign of a determinant, whose computation fails if `regular` is false or if it is not the
/// given sign: a block without unknowns.
pub fn checked_sign(block: (BlockKind, &str), determinant: Ex, sign: Ex, regular: Bool) -> Ex {
    let (kind, name) = block;
    let none: Arc<[Id]> = Arc::new([]);
    let block = NewtonBlock {
        name: name.into(),
        kind,
        unknowns: none.clone(),
        residuals: none.clone(),
        guesses: none.clone(),
        confirms: false,
        sign: sign.0,
        step: none,
        determinant: select(regular, determinant, 0.0).0,
        residual: Ex::zero().0,
    };
    outputs(graph::intern(Node::Newton(Arc::new(block))), 1)[0]
}

/// The equations of a block. All three lists have the same length.
#[derive(Clone, Copy, Debug)]
struct EquationSystem<'a> {
    /// The unknowns, which are symbols.
    unknowns: &'a [Ex],
    /// The expressions that are zero at the solution.
    residuals: &'a [Ex],
    /// The values of the unknowns with which the search begins.
    guesses: &'a [Ex],
}

/// [`newton_with_sign`]; with `confirms`, the guesses are already the root.
fn block_with_sign(
    (kind, name): (BlockKind, &str),
    EquationSystem { unknowns, residuals, guesses }: EquationSystem<'_>,
    sign: Ex,
    regular: Bool,
    confirms: bool,
) -> Root {
    let n = unknowns.len();
    assert!(
        residuals.len() == n && guesses.len() == n,
        "block {name}: {n} unknowns need {n} residuals and guesses"
    );
    let is_symbol = |q: &Ex| matches!(q.as_leaf(), Some(Leaf::Symbol(_)));
    assert!(unknowns.iter().all(is_symbol), "block {name}: unknowns are symbols");
    refuse_nesting(name, unknowns, residuals);
    let factor = Factor::general(&jacobian(residuals, unknowns));
    let negative: Vec<Ex> = residuals.iter().map(|&g| -g).collect();
    let ids = |list: &[Ex]| -> Arc<[Id]> { list.iter().map(|ex| ex.0).collect() };
    let block = NewtonBlock {
        name: name.into(),
        kind,
        unknowns: ids(unknowns),
        residuals: ids(residuals),
        guesses: ids(guesses),
        confirms,
        sign: sign.0,
        step: ids(&factor.solve(&negative)),
        determinant: select(regular, factor.determinant(), 0.0).0,
        residual: largest(residuals).0,
    };
    let call = graph::intern(Node::Newton(Arc::new(block)));
    let mut solution = outputs(call, n + 1);
    let sign = solution.pop().expect("n + 1 results");
    Root { solution, sign, determinant: factor.determinant() }
}

/// The name of a block on whose solution equations depend, and which depends on their unknowns.
pub fn nested_block(unknowns: &[Ex], residuals: &[Ex]) -> Option<String> {
    let ids: Vec<Id> = residuals.iter().map(|ex| ex.0).collect();
    graph::reachable(&ids).into_iter().find_map(|id| {
        let Node::Newton(inner) = graph::node(id) else { return None };
        let leaves = leaves_of_ids(&[id]);
        let depends = unknowns.iter().filter_map(|q| q.as_leaf()).any(|q| leaves.contains(&q));
        depends.then(|| inner.name.to_string())
    })
}

/// Refuses a block whose equations contain another block that depends on its unknowns: both must be
/// one block.
fn refuse_nesting(name: &str, unknowns: &[Ex], residuals: &[Ex]) {
    if let Some(inner) = nested_block(unknowns, residuals) {
        panic!("block {name} contains block {inner}: make them one block");
    }
}

/// The factor of a block's Jacobian at its solution.
pub(crate) fn factor_at_solution(call: Id, block: &NewtonBlock) -> Factor {
    let unknowns: Vec<Ex> = block.unknowns.iter().map(|&id| Ex(id)).collect();
    let residuals: Vec<Ex> = block.residuals.iter().map(|&id| Ex(id)).collect();
    let solution = outputs(call, unknowns.len());
    let by: Vec<(Ex, Ex)> = unknowns.iter().copied().zip(solution).collect();
    let rows = jacobian(&residuals, &unknowns);
    let at: Vec<Vec<Ex>> = rows.iter().map(|row| substitute(row, &by)).collect();
    Factor::general(&at)
}

/// Piecewise linear interpolation of `ys` over ascending `xs`, continued beyond the ends along the
/// outermost pieces. One row is a constant.
///
/// # Panics
/// If the lists differ in length or are empty.
pub fn table_linear(xs: &[Ex], ys: &[Ex], arg: Ex) -> Ex {
    reading(Reading::Value, xs, ys, arg)
}

pub(crate) fn reading(reading: Reading, xs: &[Ex], ys: &[Ex], arg: Ex) -> Ex {
    assert!(xs.len() == ys.len() && !xs.is_empty(), "a table has as many abscissae as ordinates");
    let ids = |list: &[Ex]| -> Vec<Id> { list.iter().map(|ex| ex.0).collect() };
    Ex(fold::table(reading, &ids(xs), &ids(ys), arg.0))
}

/// `numerator / denominator`, or zero if the denominator is not positive.
pub(crate) fn divide_or_zero(numerator: Ex, denominator: Ex) -> Ex {
    select(denominator.gt(0.0), numerator / denominator, 0.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evaluate::evaluate;

    #[test]
    fn a_checked_sign_fails_if_it_is_another_one_or_a_condition_is_false() {
        let block = (BlockKind::Loop, "loop");
        let checked = |determinant: f64, sign: f64, regular: bool| {
            let x = Ex::symbol();
            let regular = x.gt(if regular { 0.0 } else { 2.0 });
            let sign = checked_sign(block, x * determinant, sign.into(), regular);
            evaluate(&[sign], &mut |_| 1.0).ok()
        };
        assert_eq!(checked(3.0, 1.0, true), Some(vec![1.0]));
        assert_eq!(checked(-3.0, -1.0, true), Some(vec![-1.0]));
        assert_eq!(checked(-3.0, 0.0, true), Some(vec![-1.0]));
        assert_eq!(checked(-3.0, 1.0, true), None);
        assert_eq!(checked(3.0, 1.0, false), None);
    }
}
