//! Systems of equations for placeholders: split into blocks, solved directly if they are linear, by
//! Newton's method otherwise.

use crate::statements::algebra::graph_search::components;
use equations::{Ex, Factor, Model, leaves_of, substitute};

/// Splits a system by the matrix of its derivatives.
pub fn blocks(matrix: &[Vec<Ex>]) -> Vec<EquationBlock> {
    let n = matrix.len();
    // Rows and columns are the two sides of one graph: columns are numbered after the rows.
    let pairs = (0..n).flat_map(|i| (0..n).map(move |k| (i, k)));
    let edges = pairs.filter(|&(i, k)| !matrix[i][k].is_constant_zero()).map(|(i, k)| (i, n + k));
    let items: Vec<usize> = (0..2 * n).collect();
    components(&items, edges)
        .into_iter()
        .map(|block| {
            let (rows, columns) = block.into_iter().partition::<Vec<usize>, _>(|&i| i < n);
            let columns: Vec<usize> = columns.into_iter().map(|k| k - n).collect();
            let own = |&i: &usize| columns.iter().map(|&k| matrix[i][k]).collect();
            let matrix = rows.iter().map(own).collect();
            EquationBlock { rows, columns, matrix }
        })
        .collect()
}

/// The parts of residuals and unknowns that belong together.
pub struct EquationBlock {
    /// Numbers of the residuals.
    pub rows: Vec<usize>,
    /// Numbers of the unknowns.
    pub columns: Vec<usize>,
    /// Derivatives of the residuals with respect to the unknowns.
    pub matrix: Vec<Vec<Ex>>,
}

impl EquationBlock {
    /// The unknowns of the block with their values; all residuals, unknowns and guesses are given.
    pub fn solve(
        &self,
        model: &mut Model,
        name: &str,
        residuals: &[Ex],
        unknowns: &[Ex],
        guesses: &[Ex],
    ) -> Vec<(Ex, Ex)> {
        let (residuals, unknowns) = (pick(residuals, &self.rows), pick(unknowns, &self.columns));
        let guesses = pick(guesses, &self.columns);
        let values = solve(model, name, &self.matrix, &residuals, &unknowns, &guesses);
        unknowns.into_iter().zip(values).collect()
    }

    /// The unknowns of a linear block with their values, by the factor of its matrix.
    pub fn solve_with(&self, factor: &Factor, residuals: &[Ex], unknowns: &[Ex]) -> Vec<(Ex, Ex)> {
        let (residuals, unknowns) = (pick(residuals, &self.rows), pick(unknowns, &self.columns));
        let values = linear_solution(factor, &residuals, &unknowns);
        unknowns.into_iter().zip(values).collect()
    }
}

fn pick(all: &[Ex], of: &[usize]) -> Vec<Ex> {
    of.iter().map(|&i| all[i]).collect()
}

/// Solves residuals that are linear in the unknowns directly, others by Newton's method.
pub fn solve(
    model: &mut Model,
    name: &str,
    matrix: &[Vec<Ex>],
    residuals: &[Ex],
    unknowns: &[Ex],
    guesses: &[Ex],
) -> Vec<Ex> {
    solve_linear(matrix, residuals, unknowns).unwrap_or_else(|| {
        // The unknowns of a block are its own: placeholders are replaced everywhere, even there.
        let own: Vec<Ex> = unknowns.iter().map(|_| Ex::symbol()).collect();
        let by: Vec<(Ex, Ex)> = unknowns.iter().copied().zip(own.iter().copied()).collect();
        model.newton(name, &own, &substitute(residuals, &by), guesses)
    })
}

/// Whether residuals are linear in the unknowns, by the matrix of their derivatives.
pub fn is_linear(matrix: &[Vec<Ex>], unknowns: &[Ex]) -> bool {
    let leaves = leaves_of(&matrix.concat());
    unknowns.iter().filter_map(|u| u.as_leaf()).all(|leaf| !leaves.contains(&leaf))
}

/// Solves residuals that are linear in the unknowns; `None` if they are not.
pub fn solve_linear(matrix: &[Vec<Ex>], residuals: &[Ex], unknowns: &[Ex]) -> Option<Vec<Ex>> {
    if !is_linear(matrix, unknowns) {
        return None;
    }
    Some(linear_solution(&Factor::general(matrix), residuals, unknowns))
}

/// Solves residuals that are linear in the unknowns, with the factor of their matrix.
fn linear_solution(factor: &Factor, residuals: &[Ex], unknowns: &[Ex]) -> Vec<Ex> {
    let zero: Vec<(Ex, Ex)> = unknowns.iter().map(|&u| (u, Ex::zero())).collect();
    let rhs: Vec<Ex> = substitute(residuals, &zero).into_iter().map(|r| -r).collect();
    factor.solve(&rhs)
}
