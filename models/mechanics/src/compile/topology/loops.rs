//! Loops: which coordinates depend on which, found numerically at build time.
//!
//! Redundant closure equations are recognised by rank and dropped; the remaining ones are split
//! into blocks that do not share a dependent coordinate.

use crate::compile::algebra::graph::{assign, strongly_connected};
use crate::compile::algebra::numeric::Numeric;
use crate::compile::topology::closed_form;
use crate::compile::topology::closure::{Row, When};
use crate::compile::topology::redundant;
use crate::error::Error;
use crate::start::depends_on_fixed;
use equations::{Ex, leaves_of};
use nalgebra::{DMatrix, DVector};
use std::collections::BTreeMap;

/// A coordinate that occurs in closure equations.
#[derive(Clone, Debug)]
pub struct Unknown {
    /// The variable's number.
    pub variable: usize,
    /// Its placeholder in the residuals.
    pub symbol: Ex,
    /// The placeholder of its speed.
    pub speed: Ex,
    /// Its start value.
    pub start: f64,
    /// Where the search for its initial value begins.
    pub guess: Ex,
    /// Whether somebody gave that guess.
    pub given_guess: bool,
    /// Whether the guesses of others moved where the search begins.
    pub approached: bool,
    /// Its name, for messages.
    pub name: String,
    /// Its unit.
    pub unit: &'static str,
    /// Preference to stay independent: as a coordinate of motion.
    pub class: usize,
    /// Preference to keep its start value: position, speed.
    pub fixed: [bool; 2],
    /// Whether an acceleration at the start determines it: position, speed.
    pub accelerated: [bool; 2],
    /// Whether its motion is prescribed.
    pub given: bool,
    /// Whether it is the violation of a relation: always zero.
    pub violation: bool,
}

impl Unknown {
    /// Whether something beside the loop determines its initial position (0) or speed (1).
    pub fn is_known(&self, which: usize) -> bool {
        self.fixed[which] || self.accelerated[which]
    }
}

/// Closure equations that are solved together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Block {
    /// Indices of the rows.
    pub rows: Vec<usize>,
    /// Positions in the list of unknowns, as many as rows.
    pub unknowns: Vec<usize>,
}

/// An initial position (0) or speed (1) that is given, and that a loop determines.
#[derive(Clone, Debug)]
pub struct Taken {
    /// The variable.
    pub variable: usize,
    /// Position or speed.
    pub which: usize,
    /// What closes the loop.
    pub row: String,
}

/// The structure of all loops. Blocks come in an order in which each one needs only those before.
#[derive(Clone, Debug, Default)]
pub struct Loops {
    /// Blocks of the positions during the motion.
    pub motion: Vec<Block>,
    /// Blocks of the speeds during the motion.
    pub speed: Vec<Block>,
    /// Blocks of the initial positions.
    pub start: Vec<Block>,
    /// Blocks of the initial speeds.
    pub start_speed: Vec<Block>,
    /// Initial positions and speeds that the blocks determine although they are given.
    pub taken: Vec<Taken>,
    /// Rows that follow from the others.
    pub redundant: Vec<usize>,
    /// Those among them that follow by coefficients which change with the configuration.
    pub entangled: Vec<usize>,
}

/// Residuals and their rates with their derivatives, as expressions and numbers.
pub struct Closure<'a> {
    /// The closure equations.
    pub rows: &'a [Row],
    /// The coordinates.
    pub unknowns: &'a [Unknown],
    /// Derivatives of the residuals with respect to the unknowns, by rows; zero without residual.
    pub jacobian: &'a [Vec<Ex>],
    /// Derivatives of the rates with respect to the speeds of the unknowns; zero without rate.
    pub speed_jacobian: &'a [Vec<Ex>],
    /// Bodies that loops hold and whose start values nobody gave.
    pub bodies: &'a [String],
}

/// Positions or speeds.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Level {
    Position,
    Speed,
}

/// Class of what is never dependent.
const GIVEN: usize = 8;

/// Largest residual in m or rad of a loop that is closed, and of one that is closed again nearby.
pub const CLOSED: f64 = 1e-9;
const CLOSED_NEARBY: f64 = 1e-10;

/// An assembly ends at residuals in m or rad that are rounding, and after so many steps.
const EXACT: f64 = 1e-13;
const MOST_STEPS: usize = 100;

/// Directions with smaller singular values are left alone by a step.
const FLAT: f64 = 1e-10;

/// Largest step of a coordinate in m or rad: a first guess may be far away.
const LARGEST_STEP: f64 = 0.5;

/// In how many configurations the rank of the equations is looked at, and how far they are apart in
/// m or rad.
const CONFIGURATIONS: usize = 4;
const APART: f64 = 0.2;

/// What is less than this part of the largest derivative counts as none; from the second part on a
/// pivot is safe.
const NONE: f64 = 1e-8;
const SAFE: f64 = 1e-3;

impl<'a> Closure<'a> {
    /// The residuals with their derivatives at a point.
    pub fn evaluate(
        &self,
        numeric: &mut Numeric,
        q: &DVector<f64>,
    ) -> (DVector<f64>, DMatrix<f64>) {
        for (unknown, &value) in self.unknowns.iter().zip(q.iter()) {
            numeric.set(unknown.symbol, value);
        }
        let (m, n) = (self.rows.len(), self.unknowns.len());
        let mut roots: Vec<Ex> =
            self.rows.iter().map(|r| r.residual.unwrap_or_else(Ex::zero)).collect();
        roots.extend(self.jacobian.iter().flatten());
        let values = numeric.all(&roots);
        (DVector::from_column_slice(&values[..m]), DMatrix::from_row_slice(m, n, &values[m..]))
    }

    /// Derivatives of the rates with respect to the speeds, where `numeric` stands.
    fn speed_matrix(&self, numeric: &Numeric) -> DMatrix<f64> {
        let values = numeric.all(&self.speed_jacobian.concat());
        DMatrix::from_row_slice(self.rows.len(), self.unknowns.len(), &values)
    }

    /// Moves `q` onto the rows in `active`, changing only coordinates that are not held.
    pub fn assemble(
        &self,
        numeric: &mut Numeric,
        q: &mut DVector<f64>,
        active: &[usize],
        held: &[bool],
    ) -> f64 {
        let free: Vec<usize> = (0..held.len()).filter(|&k| !held[k]).collect();
        let mut error = f64::INFINITY;
        for _ in 0..MOST_STEPS {
            let (g, jacobian) = self.evaluate(numeric, q);
            let g = g.select_rows(active);
            error = g.amax();
            if active.is_empty() || error < EXACT || free.is_empty() {
                break;
            }
            let jacobian = jacobian.select_rows(active).select_columns(&free);
            let Ok(step) = jacobian.svd(true, true).solve(&g, FLAT) else { break };
            let damping = (LARGEST_STEP / step.amax()).min(1.0);
            for (&k, s) in free.iter().zip(step.iter()) {
                q[k] -= damping * s;
            }
        }
        if error.is_finite() { error } else { f64::INFINITY }
    }

    /// Rows that have a residual, or a rate, and hold at some time.
    fn select(&self, level: Level, holds: impl Fn(When) -> bool) -> Vec<usize> {
        let exists = |row: &Row| match level {
            Level::Position => row.residual.is_some(),
            Level::Speed => row.rate.is_some(),
        };
        let all = self.rows.iter().enumerate();
        all.filter(|(_, row)| exists(row) && holds(row.when)).map(|(r, _)| r).collect()
    }

    /// Finds the structure; afterwards `numeric` holds the assembled configuration.
    ///
    /// `settle` computes parameters that the initial configuration determines.
    pub fn solve(
        &self,
        numeric: &mut Numeric,
        settle: impl FnOnce(&mut Numeric),
    ) -> Result<Loops, Error> {
        let moving = |when: When| when != When::AtStart;
        if self.unknowns.iter().all(|u| u.given) {
            return self.without_unknowns(numeric);
        }
        let q = self.close(numeric)?;
        self.evaluate(numeric, &q);
        settle(numeric);

        let positions = self.independent_rows(numeric, &q, Level::Position);
        let speeds = self.independent_rows(numeric, &q, Level::Speed);
        let jacobian = self.evaluate(numeric, &q).1;
        let speed_jacobian = self.speed_matrix(numeric);
        let given = |k: usize, class: usize| if self.unknowns[k].given { GIVEN } else { class };
        let motion = self.partition(Level::Position, &jacobian, &positions.kept, |k| {
            given(k, self.unknowns[k].class)
        })?;
        let dependent = |blocks: &[Block]| {
            let mut dependent = vec![false; self.unknowns.len()];
            blocks.iter().flat_map(|b| &b.unknowns).for_each(|&k| dependent[k] = true);
            dependent
        };
        let moves = dependent(&motion);
        let speed = self.partition(Level::Speed, &speed_jacobian, &speeds.kept, |k| {
            given(k, if moves[k] { 0 } else { 1 + self.unknowns[k].class })
        })?;
        let rolls = dependent(&speed);
        let at_start = |level: Level, kept: &[usize]| {
            let holds = |when: When| match level {
                Level::Position => when != When::AfterStart,
                Level::Speed => true,
            };
            let mut rows = self.select(level, holds);
            rows.retain(|r| kept.contains(r) || !moving(self.rows[*r].when));
            let (which, matrix, depends) = match level {
                Level::Position => (0, &jacobian, &moves),
                Level::Speed => (1, &speed_jacobian, &rolls),
            };
            let class = |k: usize| {
                let free = usize::from(!depends[k]);
                given(k, if self.unknowns[k].is_known(which) { 2 } else { free })
            };
            let blocks = self.partition(level, matrix, &rows, class)?;
            let taken = self.taken(&blocks, which);
            Ok::<_, Error>((blocks, taken))
        };
        let mut redundant = positions.redundant;
        redundant.extend(speeds.redundant);
        redundant.sort_unstable();
        redundant.dedup();
        let (start, mut taken) = at_start(Level::Position, &positions.kept)?;
        let (start_speed, speeds_taken) = at_start(Level::Speed, &speeds.kept)?;
        taken.extend(speeds_taken);
        Ok(Loops {
            start,
            start_speed,
            taken,
            motion,
            speed,
            redundant,
            entangled: positions.entangled,
        })
    }

    /// A configuration with closed loops, near the start values.
    fn close(&self, numeric: &mut Numeric) -> Result<DVector<f64>, Error> {
        let initial = self.select(Level::Position, |when| when != When::AfterStart);
        let mut q =
            DVector::from_iterator(self.unknowns.len(), self.unknowns.iter().map(|u| u.start));
        let held: Vec<bool> = self.unknowns.iter().map(|u| u.is_known(0) || u.given).collect();
        let mut error = f64::INFINITY;
        // What guesses have moved waits for the rest.
        let approached = self.unknowns.iter().map(|u| u.approached);
        let waiting: Vec<bool> = approached.zip(&held).map(|(a, &held)| a || held).collect();
        if waiting != held {
            self.assemble(numeric, &mut q, &initial, &waiting);
        }
        // What is solved in closed form follows the other coordinates, which may move in between.
        for _ in 0..3 {
            let again = closed_form::preset(
                self.rows,
                &initial,
                self.unknowns,
                &held,
                numeric,
                q.as_mut_slice(),
            );
            error = self.assemble(numeric, &mut q, &initial, &held);
            if !again || error <= CLOSED {
                break;
            }
        }
        if error > CLOSED && !initial.is_empty() {
            return Err(self.cannot_close(numeric, &q, &initial));
        }
        Ok(q)
    }

    /// Closure equations between parts that do not move are satisfied, or cannot be.
    fn without_unknowns(&self, numeric: &Numeric) -> Result<Loops, Error> {
        for row in self.rows.iter().filter(|row| row.when != When::AfterStart) {
            let gap = numeric.one(row.residual.unwrap_or_else(Ex::zero)).abs();
            if gap.is_nan() || gap > CLOSED {
                return Err(Error::Structure(format!(
                    "{}: it joins parts that cannot move, and a gap of {gap:.2e} m (or rad) remains",
                    row.name
                )));
            }
        }
        Ok(Loops { redundant: (0..self.rows.len()).collect(), ..Loops::default() })
    }

    /// Which rows of the motion are independent in general position.
    fn independent_rows(
        &self,
        numeric: &mut Numeric,
        q: &DVector<f64>,
        level: Level,
    ) -> Independence {
        let all = &self.select(level, |when| when != When::AtStart);
        if all.is_empty() {
            return Default::default();
        }
        let closing = self.select(Level::Position, |when| when != When::AtStart);
        let held: Vec<bool> = self.unknowns.iter().map(|u| u.given).collect();
        let mut best: Option<(usize, DMatrix<f64>)> = None;
        let mut seen = Vec::new();
        let mut random = 0x9e37_79b9_7f4a_7c15_u64;
        for trial in 0..CONFIGURATIONS {
            let mut at = q.clone();
            if trial > 0 {
                let may_move = self.unknowns.iter().map(|unknown| !unknown.violation);
                for (value, _) in at.iter_mut().zip(may_move).filter(|(_, moves)| *moves) {
                    random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                    *value += APART * ((random >> 11) as f64 / (1u64 << 53) as f64 - 0.5);
                }
                let gap = self.assemble(numeric, &mut at, &closing, &held);
                if gap > CLOSED_NEARBY && !closing.is_empty() {
                    continue;
                }
            }
            let positions = self.evaluate(numeric, &at).1;
            let jacobian = match level {
                Level::Position => positions,
                Level::Speed => self.speed_matrix(numeric),
            };
            let jacobian = self.without_given(jacobian.select_rows(all));
            if jacobian.iter().any(|c| !c.is_finite()) {
                continue;
            }
            let moving = (0..held.len()).filter(|&k| !held[k] && !self.unknowns[k].violation);
            seen.push(jacobian.select_columns(&moving.collect::<Vec<usize>>()));
            let rank = jacobian.rank(NONE * jacobian.amax().max(f64::MIN_POSITIVE));
            if best.as_ref().is_none_or(|b| rank > b.0) {
                best = Some((rank, jacobian));
            }
        }
        let Some((_, jacobian)) = best else {
            return Independence { kept: all.to_vec(), ..Independence::default() };
        };
        let own: Vec<usize> = (0..all.len()).collect();
        let mut kept: Vec<usize> =
            pivots(&jacobian, &own, |_, _| 0).into_iter().map(|(row, _)| row).collect();
        kept.sort_unstable();
        let redundant: Vec<usize> = own.into_iter().filter(|r| !kept.contains(r)).collect();
        let entangled = redundant::entangled(&seen, &kept, &redundant);
        let names = |rows: Vec<usize>| rows.into_iter().map(|row| all[row]).collect();
        Independence { kept: names(kept), redundant: names(redundant), entangled: names(entangled) }
    }

    fn without_given(&self, mut jacobian: DMatrix<f64>) -> DMatrix<f64> {
        for k in (0..self.unknowns.len()).filter(|&k| self.unknowns[k].given) {
            jacobian.column_mut(k).fill(0.0);
        }
        jacobian
    }

    /// Chooses a dependent coordinate for each row, of the lowest classes, and splits into blocks.
    fn partition(
        &self,
        level: Level,
        jacobian: &DMatrix<f64>,
        rows: &[usize],
        class: impl Fn(usize) -> usize,
    ) -> Result<Vec<Block>, Error> {
        let chosen = pivots(jacobian, rows, |_, column| class(column));
        if let Some(&row) = rows.iter().find(|r| chosen.iter().all(|c| c.0 != **r)) {
            let row = &self.rows[row];
            return Err(match row.when {
                When::AtStart => Error::Initial(format!(
                    "{}: its fixed start value is one too many: others already determine it{}",
                    row.name,
                    depends_on_fixed(&self.fixed_in(row, level))
                )),
                When::Always | When::AfterStart => Error::Structure(format!(
                    "{}: the loop is singular in the initial configuration",
                    row.name
                )),
            });
        }
        let mut unknowns: Vec<usize> = chosen.iter().map(|c| c.1).collect();
        unknowns.sort_unstable();
        let touched = |row: usize| -> Vec<usize> {
            let leaves = leaves_of(&self.rows[row].residual.into_iter().collect::<Vec<Ex>>());
            let touches = |&k: &usize| match level {
                Level::Position => {
                    self.unknowns[k].symbol.as_leaf().is_some_and(|l| leaves.contains(&l))
                }
                Level::Speed => !self.speed_jacobian[row][k].is_constant_zero(),
            };
            unknowns.iter().copied().filter(touches).collect()
        };
        let touched: Vec<Vec<usize>> = rows.iter().map(|&row| touched(row)).collect();
        let Some(assigned) = assign(&touched) else {
            return Ok(vec![Block { rows: rows.to_vec(), unknowns }]);
        };
        let owner: BTreeMap<usize, usize> =
            assigned.iter().enumerate().map(|(row, &k)| (k, row)).collect();
        let uses: Vec<Vec<usize>> =
            touched.iter().map(|list| list.iter().map(|k| owner[k]).collect()).collect();
        let blocks = strongly_connected(&uses).into_iter().map(|set| {
            let mut unknowns: Vec<usize> = set.iter().map(|&i| assigned[i]).collect();
            unknowns.sort_unstable();
            Block { rows: set.into_iter().map(|i| rows[i]).collect(), unknowns }
        });
        Ok(blocks.collect())
    }

    /// The fixed start values of the coordinates on which a row depends.
    fn fixed_in(&self, row: &Row, level: Level) -> Vec<&str> {
        let leaves = leaves_of(&[row.residual, row.rate].into_iter().flatten().collect::<Vec<_>>());
        let touches = |ex: Ex| ex.as_leaf().is_some_and(|leaf| leaves.contains(&leaf));
        let counts = |u: &&Unknown| match level {
            Level::Position => u.fixed[0] && touches(u.symbol),
            Level::Speed => u.fixed[1] && touches(u.speed),
        };
        self.unknowns.iter().filter(counts).map(|u| u.name.as_str()).collect()
    }

    /// What is given at the start although the blocks determine it.
    fn taken(&self, blocks: &[Block], which: usize) -> Vec<Taken> {
        let of_block = |block: &Block| {
            let row = self.rows[block.rows[0]].name.clone();
            let given = block.unknowns.iter().filter(|&&k| self.unknowns[k].is_known(which));
            let taken = given.map(move |&k| (self.unknowns[k].variable, which, row.clone()));
            taken.collect::<Vec<_>>()
        };
        let all = blocks.iter().flat_map(of_block);
        all.map(|(variable, which, row)| Taken { variable, which, row }).collect()
    }
}

/// Which rows of the motion are independent in general position.
#[derive(Default)]
struct Independence {
    kept: Vec<usize>,
    redundant: Vec<usize>,
    /// Those of the redundant ones that are entangled with the kept ones.
    entangled: Vec<usize>,
}

/// Pivots of an elimination with free choice of rows, pairs of row and column of low class first.
pub fn pivots(
    jacobian: &DMatrix<f64>,
    rows: &[usize],
    class: impl Fn(usize, usize) -> usize,
) -> Vec<(usize, usize)> {
    let mut a = jacobian.clone();
    let scale = a.amax();
    let mut rows = rows.to_vec();
    let mut columns: Vec<usize> = (0..a.ncols()).collect();
    let mut chosen = Vec::new();
    // First only pivots that are safe; then, rather than leaving a row, weak ones too.
    for threshold in [SAFE * scale, NONE * scale] {
        for level in 0..GIVEN {
            loop {
                let best = columns
                    .iter()
                    .flat_map(|&c| rows.iter().map(move |&r| (r, c)))
                    .filter(|&(r, c)| class(r, c) == level)
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
