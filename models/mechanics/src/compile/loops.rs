//! Loops: which coordinates depend on which, found numerically at build time.
//!
//! Redundant closure equations are recognised by rank and dropped; the remaining ones are split
//! into blocks that do not share a dependent coordinate.

use super::closure::Row;
use super::numeric::Numeric;
use crate::error::Error;
use equations::{Ex, leaves_of};
use nalgebra::{DMatrix, DVector};

/// A coordinate that occurs in closure equations.
#[derive(Clone, Debug)]
pub struct Unknown {
    /// The variable's number.
    pub variable: usize,
    /// Its placeholder in the residuals.
    pub symbol: Ex,
    /// Its start value.
    pub start: f64,
    /// Its name, for messages.
    pub name: String,
    /// Preference to stay independent: as a coordinate of motion.
    pub class: usize,
    /// Preference to keep its start value: position, speed.
    pub fixed: [bool; 2],
}

/// Closure equations that are solved together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Block {
    /// Indices of the rows.
    pub rows: Vec<usize>,
    /// Positions in the list of unknowns, as many as rows.
    pub unknowns: Vec<usize>,
}

/// The structure of all loops.
#[derive(Clone, Debug, Default)]
pub struct Loops {
    /// Blocks of the motion.
    pub motion: Vec<Block>,
    /// Blocks of the initial positions.
    pub start: Vec<Block>,
    /// Blocks of the initial speeds.
    pub start_speed: Vec<Block>,
    /// Rows that follow from the others.
    pub redundant: Vec<usize>,
}

/// Residuals with their derivatives with respect to the unknowns, as expressions and numbers.
pub struct Closure<'a> {
    rows: &'a [Row],
    unknowns: &'a [Unknown],
    jacobian: &'a [Vec<Ex>],
}

impl<'a> Closure<'a> {
    /// Of these rows; `jacobian[row][unknown]`.
    pub fn new(rows: &'a [Row], unknowns: &'a [Unknown], jacobian: &'a [Vec<Ex>]) -> Self {
        Closure { rows, unknowns, jacobian }
    }

    fn evaluate(&self, numeric: &mut Numeric, q: &DVector<f64>) -> (DVector<f64>, DMatrix<f64>) {
        for (unknown, &value) in self.unknowns.iter().zip(q.iter()) {
            numeric.set(unknown.symbol, value);
        }
        let (m, n) = (self.rows.len(), self.unknowns.len());
        let mut roots: Vec<Ex> = self.rows.iter().map(|r| r.residual).collect();
        roots.extend(self.jacobian.iter().flatten());
        let values = numeric.all(&roots);
        (DVector::from_column_slice(&values[..m]), DMatrix::from_row_slice(m, n, &values[m..]))
    }

    /// Moves `q` onto the rows in `active`, changing only coordinates that are not held.
    fn assemble(
        &self,
        numeric: &mut Numeric,
        q: &mut DVector<f64>,
        active: &[usize],
        held: &[bool],
    ) -> f64 {
        let free: Vec<usize> = (0..held.len()).filter(|&k| !held[k]).collect();
        let mut error = f64::INFINITY;
        for _ in 0..100 {
            let (g, jacobian) = self.evaluate(numeric, q);
            let g = g.select_rows(active);
            error = g.amax();
            if active.is_empty() || error < 1e-13 || free.is_empty() {
                break;
            }
            let jacobian = jacobian.select_rows(active).select_columns(&free);
            let Ok(step) = jacobian.svd(true, true).solve(&g, 1e-10) else { break };
            // A first guess may be far away: no coordinate moves by more than half a unit at once.
            let damping = (0.5 / step.amax()).min(1.0);
            for (&k, s) in free.iter().zip(step.iter()) {
                q[k] -= damping * s;
            }
        }
        if error.is_finite() { error } else { f64::INFINITY }
    }

    /// Finds the structure; afterwards `numeric` holds the assembled configuration.
    ///
    /// `settle` computes parameters that the initial configuration determines.
    pub fn solve(
        &self,
        numeric: &mut Numeric,
        settle: impl FnOnce(&mut Numeric),
    ) -> Result<Loops, Error> {
        let all: Vec<usize> = (0..self.rows.len()).collect();
        if self.unknowns.is_empty() {
            return self.without_unknowns(numeric, all);
        }
        let initial: Vec<usize> =
            all.iter().copied().filter(|&r| self.rows[r].from_start.is_none()).collect();
        let mut q =
            DVector::from_iterator(self.unknowns.len(), self.unknowns.iter().map(|u| u.start));
        let held: Vec<bool> = self.unknowns.iter().map(|u| u.fixed[0]).collect();
        let error = self.assemble(numeric, &mut q, &initial, &held);
        if error > 1e-9 && !initial.is_empty() {
            return Err(self.cannot_close(numeric, &q, &initial));
        }
        self.evaluate(numeric, &q);
        settle(numeric);

        let (kept, redundant) = self.independent_rows(numeric, &q, &all);
        let jacobian = self.evaluate(numeric, &q).1;
        let start: Vec<usize> =
            kept.iter().copied().filter(|&r| self.rows[r].from_start.is_none()).collect();
        let motion = self.partition(&jacobian, &kept, |u| u.class)?;
        let moves: Vec<bool> = {
            let mut dependent = vec![false; self.unknowns.len()];
            motion.iter().flat_map(|b| &b.unknowns).for_each(|&k| dependent[k] = true);
            dependent
        };
        let class = |k: usize, which: usize| {
            if self.unknowns[k].fixed[which] { 2 } else { usize::from(!moves[k]) }
        };
        let by_start = |which: usize, rows: &[usize]| {
            let blocks = self.partition_by(&jacobian, rows, |k| class(k, which))?;
            self.refuse_fixed(&blocks, which)?;
            Ok::<_, Error>(blocks)
        };
        Ok(Loops {
            start: by_start(0, &start)?,
            start_speed: by_start(1, &kept)?,
            motion,
            redundant,
        })
    }

    /// Closure equations between parts that do not move are satisfied, or cannot be.
    fn without_unknowns(&self, numeric: &Numeric, all: Vec<usize>) -> Result<Loops, Error> {
        for row in self.rows.iter().filter(|row| row.from_start.is_none()) {
            let gap = numeric.one(row.residual).abs();
            if gap.is_nan() || gap > 1e-9 {
                return Err(Error::Structure(format!(
                    "{}: it joins parts that cannot move, and a gap of {gap:.2e} m (or rad) remains",
                    row.name
                )));
            }
        }
        Ok(Loops { redundant: all, ..Loops::default() })
    }

    fn cannot_close(&self, numeric: &mut Numeric, q: &DVector<f64>, rows: &[usize]) -> Error {
        let g = self.evaluate(numeric, q).0;
        let worst = rows.iter().max_by(|&&a, &&b| g[a].abs().total_cmp(&g[b].abs()));
        let row = &self.rows[*worst.unwrap_or(&0)];
        let held: Vec<&str> =
            self.unknowns.iter().filter(|u| u.fixed[0]).map(|u| u.name.as_str()).collect();
        let held = if held.is_empty() {
            String::new()
        } else {
            format!(" with the fixed start values of {}", held.join(", "))
        };
        Error::Initial(format!(
            "{}: the loop cannot be closed from the start values{held}: a gap of {:.2e} m (or rad) \
             remains",
            row.name,
            g[*worst.unwrap_or(&0)].abs()
        ))
    }

    /// Rows that are independent in general position, and the others.
    fn independent_rows(
        &self,
        numeric: &mut Numeric,
        q: &DVector<f64>,
        all: &[usize],
    ) -> (Vec<usize>, Vec<usize>) {
        let free = vec![false; self.unknowns.len()];
        let mut best: Option<(usize, DMatrix<f64>)> = None;
        let mut random = 0x9e37_79b9_7f4a_7c15_u64;
        for trial in 0..4 {
            let mut at = q.clone();
            if trial > 0 {
                for value in at.iter_mut() {
                    random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                    *value += 0.2 * ((random >> 11) as f64 / (1u64 << 53) as f64 - 0.5);
                }
                if self.assemble(numeric, &mut at, all, &free) > 1e-10 {
                    continue;
                }
            }
            let jacobian = self.evaluate(numeric, &at).1;
            if jacobian.iter().any(|c| !c.is_finite()) {
                continue;
            }
            let rank = jacobian.rank(1e-8 * jacobian.amax().max(1e-300));
            if best.as_ref().is_none_or(|b| rank > b.0) {
                best = Some((rank, jacobian));
            }
        }
        let Some((_, jacobian)) = best else { return (all.to_vec(), Vec::new()) };
        let mut kept: Vec<usize> =
            pivots(&jacobian, all, |_| 0).into_iter().map(|(row, _)| row).collect();
        kept.sort_unstable();
        let redundant = all.iter().copied().filter(|r| !kept.contains(r)).collect();
        (kept, redundant)
    }

    fn partition(
        &self,
        jacobian: &DMatrix<f64>,
        rows: &[usize],
        class: impl Fn(&Unknown) -> usize,
    ) -> Result<Vec<Block>, Error> {
        self.partition_by(jacobian, rows, |k| class(&self.unknowns[k]))
    }

    /// Chooses a dependent coordinate for each row, of the lowest classes, and splits into blocks.
    fn partition_by(
        &self,
        jacobian: &DMatrix<f64>,
        rows: &[usize],
        class: impl Fn(usize) -> usize,
    ) -> Result<Vec<Block>, Error> {
        let chosen = pivots(jacobian, rows, class);
        if let Some(row) = rows.iter().find(|r| chosen.iter().all(|c| c.0 != **r)) {
            return Err(Error::Structure(format!(
                "{}: the loop is singular in the initial configuration",
                self.rows[*row].name
            )));
        }
        let mut unknowns: Vec<usize> = chosen.iter().map(|c| c.1).collect();
        unknowns.sort_unstable();
        let mut blocks = Vec::<Block>::new();
        for &row in rows {
            let leaves = leaves_of(&[self.rows[row].residual]);
            let touches: Vec<usize> = unknowns
                .iter()
                .copied()
                .filter(|&k| self.unknowns[k].symbol.as_leaf().is_some_and(|l| leaves.contains(&l)))
                .collect();
            let (joined, apart) = blocks
                .drain(..)
                .partition::<Vec<_>, _>(|b: &Block| b.unknowns.iter().any(|u| touches.contains(u)));
            let mut block = Block { rows: vec![row], unknowns: touches };
            for other in joined {
                block.rows.extend(other.rows);
                block.unknowns.extend(other.unknowns);
            }
            block.rows.sort_unstable();
            block.unknowns.sort_unstable();
            block.unknowns.dedup();
            blocks = apart;
            blocks.push(block);
        }
        blocks.sort_by_key(|b| b.rows[0]);
        Ok(blocks)
    }

    fn refuse_fixed(&self, blocks: &[Block], which: usize) -> Result<(), Error> {
        for block in blocks {
            let taken = block.unknowns.iter().find(|&&k| self.unknowns[k].fixed[which]);
            if let Some(&k) = taken {
                let what = ["start value", "start speed"][which];
                return Err(Error::Initial(format!(
                    "{}: its fixed {what} is one too many: the loop closed by {} already determines \
                     it",
                    self.unknowns[k].name, self.rows[block.rows[0]].name
                )));
            }
        }
        Ok(())
    }
}

/// Pivots of an elimination with free choice of rows, columns of low class first.
fn pivots(
    jacobian: &DMatrix<f64>,
    rows: &[usize],
    class: impl Fn(usize) -> usize,
) -> Vec<(usize, usize)> {
    let mut a = jacobian.clone();
    let scale = a.amax();
    let mut rows = rows.to_vec();
    let mut columns: Vec<usize> = (0..a.ncols()).collect();
    let mut chosen = Vec::new();
    // First only pivots that are safe; then, rather than leaving a row, weak ones too.
    for threshold in [1e-3 * scale, 1e-8 * scale] {
        for level in 0..4 {
            loop {
                let best = columns
                    .iter()
                    .filter(|&&c| class(c) == level)
                    .flat_map(|&c| rows.iter().map(move |&r| (r, c)))
                    .max_by(|x, y| a[*x].abs().total_cmp(&a[*y].abs()).then_with(|| y.cmp(x)));
                let Some((r, c)) = best.filter(|&p| a[p].abs() > threshold) else { break };
                for &other in rows.iter().filter(|&&o| o != r) {
                    let factor = a[(other, c)] / a[(r, c)];
                    for k in 0..a.ncols() {
                        a[(other, k)] -= factor * a[(r, k)];
                    }
                }
                rows.retain(|&k| k != r);
                columns.retain(|&k| k != c);
                chosen.push((r, c));
            }
        }
    }
    chosen
}
