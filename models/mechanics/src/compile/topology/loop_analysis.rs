//! The analysis that finds the structure of loops: the rank of the closure equations, as numbers,
//! in configurations near the start.
//!
//! Redundant equations are recognised by rank and dropped; the remaining ones are split into blocks
//! that do not share a dependent coordinate.

use super::closure::{ClosureRow, Equation, When};
use super::closure_search::{CLOSED, Closure, Random};
use super::gap::rounded;
use super::loop_structure::{LoopBlock, LoopStructure, LoopUnknown, OverdeterminedStart};
use super::redundant_constraints;
use crate::error::Error;
use crate::start::depends_on_fixed;
use crate::statements::algebra::graph_search::{assign, strongly_connected};
use crate::statements::algebra::numeric::Numeric;
use crate::statements::algebra::pivots::{GIVEN, pivots};
use crate::statements::motion::level::Level;
use equations::{Ex, leaves_of};
use nalgebra::{DMatrix, DVector};
use std::collections::BTreeMap;

/// Largest residual in m or rad of a loop that is closed again nearby.
const CLOSED_NEARBY: f64 = 1e-10;

/// The number of configurations in which the rank of the equations is determined, and their
/// distance in m or rad.
const CONFIGURATIONS: usize = 4;
const APART: f64 = 0.2;

/// Part of the square of a matrix that is rounding.
const ROUNDING: f64 = 1e-12;

/// Share of a prescribed motion in a relation that is more than rounding.
const SHARE: f64 = 1e-6;

impl Closure<'_> {
    /// Finds the structure; afterwards `numeric` holds the assembled configuration.
    ///
    /// `set_parameters` computes the parameters that the initial configuration determines.
    pub fn solve(
        &self,
        numeric: &mut Numeric,
        set_parameters: impl FnOnce(&mut Numeric),
    ) -> Result<LoopStructure, Error> {
        let moving = |when: When| when != When::AtStart;
        if self.unknowns.iter().all(|u| u.given) {
            return self.without_unknowns(numeric);
        }
        let (q, elsewhere) = self.close(numeric)?;
        self.overdriven(numeric, &q).map_or(Ok(()), Err)?;
        self.place(numeric, &q);
        set_parameters(numeric);

        let positions = self.independent_rows(numeric, &q, Level::Position);
        let speeds = self.independent_rows(numeric, &q, Level::Speed);
        let jacobian = self.evaluate(numeric, &q).1;
        let speed_jacobian = self.speed_matrix(numeric);
        let given = |k: usize, class: usize| if self.unknowns[k].given { GIVEN } else { class };
        let motion = self.partition(Level::Position, &jacobian, &positions.kept, |k| {
            given(k, self.unknowns[k].class)
        })?;
        let dependent = |blocks: &[LoopBlock]| {
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
            rows.retain(|r| kept.contains(r) || !moving(self.rows[*r].when()));
            let (matrix, depends) = match level {
                Level::Position => (&jacobian, &moves),
                Level::Speed => (&speed_jacobian, &rolls),
            };
            let class = |k: usize| {
                let free = usize::from(!depends[k]);
                given(k, if self.unknowns[k].is_known(level) { 2 } else { free })
            };
            let blocks = self.partition(level, matrix, &rows, class)?;
            let is_dead =
                |k: usize| self.is_at_dead_point(numeric, &q, (level, &rows), (k, &class));
            let taken = self.taken(&blocks, level, is_dead);
            Ok::<_, Error>((blocks, taken))
        };
        let mut redundant = positions.redundant;
        redundant.extend(speeds.redundant);
        redundant.sort_unstable();
        redundant.dedup();
        let (start, mut taken) = at_start(Level::Position, &positions.kept)?;
        let (start_speed, speeds_taken) = at_start(Level::Speed, &speeds.kept)?;
        taken.extend(speeds_taken);
        Ok(LoopStructure {
            start,
            start_speed,
            taken,
            motion,
            speed,
            free: Vec::new(),
            redundant,
            required: Vec::new(),
            entangled: positions.entangled,
            elsewhere,
        })
    }

    /// The blocks of positions and of speeds of some rows where one coordinate is independent.
    pub fn motion_blocks(
        &self,
        rows: &[usize],
        independent: usize,
        numeric: &Numeric,
    ) -> Result<[Vec<LoopBlock>; 2], Error> {
        let class = |k: usize| match &self.unknowns[k] {
            unknown if unknown.given => GIVEN,
            _ if k == independent => GIVEN - 1,
            unknown => unknown.class,
        };
        let values = numeric.all(&self.jacobian.concat());
        let jacobian = DMatrix::from_row_slice(self.rows.len(), self.unknowns.len(), &values);
        Ok([
            self.partition(Level::Position, &jacobian, rows, class)?,
            self.partition(Level::Speed, &self.speed_matrix(numeric), rows, class)?,
        ])
    }

    /// Closure equations between parts that do not move are satisfied, or cannot be.
    fn without_unknowns(&self, numeric: &Numeric) -> Result<LoopStructure, Error> {
        let speeds = self.speed_matrix(numeric);
        for (r, row) in self.rows.iter().enumerate() {
            let Equation::Speed(rate, When::AtStart) = row.equation else { continue };
            let gap = numeric.one(rate).abs();
            if speeds.row(r).amax() == 0.0 && gap > CLOSED {
                return Err(Error::Initial(format!(
                    "{}: its fixed start value is wrong by {} {}/s: other parts hold it at rest",
                    row.name,
                    rounded(gap),
                    row.unit
                )));
            }
        }
        let rows = 0..self.rows.len();
        let rows: Vec<usize> =
            rows.filter(|&row| self.rows[row].when() != When::AfterStart).collect();
        for &row in &rows {
            let gap = numeric.one(self.rows[row].gap()).abs();
            if gap.is_nan() || gap > CLOSED {
                let held = match &self.held_by_flanges(&[row])[..] {
                    [] => String::new(),
                    held => format!(" with {}", held.join(" and ")),
                };
                return Err(Error::Structure(format!(
                    "{}: it joins parts that cannot move{held}, and {}",
                    self.rows[row].name,
                    self.gap_in_words(numeric, row, &rows)
                )));
            }
        }
        let stays = |&row: &usize| self.rows[row].when() != When::AtStart;
        Ok(LoopStructure {
            redundant: (0..self.rows.len()).filter(stays).collect(),
            ..LoopStructure::default()
        })
    }

    /// The error about prescribed motions of a loop that has fewer degrees of freedom, found in
    /// general position with all of them free.
    pub fn overdriven(&self, numeric: &mut Numeric, q: &DVector<f64>) -> Option<Error> {
        let sources = self.guide.sources.iter().enumerate();
        let driven: Vec<usize> = sources.filter(|(_, name)| name.is_some()).map(|s| s.0).collect();
        if driven.len() < 2 {
            return None;
        }
        let rows = self.select(Level::Position, |when| when != When::AtStart);
        if rows.is_empty() {
            return None;
        }
        let held: Vec<bool> = self.unknowns.iter().map(|unknown| unknown.violation).collect();
        let mut shares: Option<DVector<f64>> = None;
        for at in self.places_nearby(numeric, q, &held) {
            let jacobian = self.evaluate(numeric, &at).1.select_rows(&rows);
            let free = self.without_given(jacobian.clone());
            let relations = (&free * free.transpose()).symmetric_eigen();
            let of_driven = jacobian.select_columns(&driven);
            // Combinations of rows in which only prescribed motions are left.
            let none = ROUNDING * jacobian.norm_squared();
            let left = (0..rows.len()).filter(|&r| relations.eigenvalues[r] <= none);
            let combined = left.map(|r| of_driven.tr_mul(&relations.eigenvectors.column(r)).abs());
            let here = combined.fold(DVector::zeros(driven.len()), |sum, one| sum + one);
            let here = here / of_driven.norm().max(f64::MIN_POSITIVE);
            shares = Some(shares.map_or(here.clone(), |shares| shares.inf(&here)));
        }
        let shares = shares?;
        let named = driven.iter().zip(shares.iter()).filter(|(_, share)| **share > SHARE);
        let names: Vec<&str> =
            named.filter_map(|(&k, _)| self.guide.sources[k].as_deref()).collect();
        if names.len() < 2 {
            return None;
        }
        Some(Error::Structure(format!(
            "{}: they prescribe motions that depend on each other through loops with fewer degrees \
             of freedom: leave one of them out",
            names.join(", ")
        )))
    }

    /// Configurations in general position near `q` with closed loops.
    fn places_nearby(
        &self,
        numeric: &mut Numeric,
        q: &DVector<f64>,
        held: &[bool],
    ) -> Vec<DVector<f64>> {
        let rows = self.select(Level::Position, |when| when != When::AtStart);
        let mut random = Random::default();
        let place = |_| {
            let mut at = q.clone();
            for (value, _) in at.iter_mut().zip(held).filter(|(_, held)| !**held) {
                *value += APART * 0.5 * random.next();
            }
            let gap = self.close_nearby(numeric, &mut at, &rows, held);
            (gap <= CLOSED_NEARBY).then_some(at)
        };
        (0..CONFIGURATIONS).filter_map(place).collect()
    }

    /// Closes loops from a configuration in general position. If possible, everything that holds
    /// their coordinates at the start stays in place. Loops without other common coordinates then
    /// move independently.
    fn close_nearby(
        &self,
        numeric: &mut Numeric,
        at: &mut DVector<f64>,
        rows: &[usize],
        held: &[bool],
    ) -> f64 {
        let held_first: Vec<bool> =
            self.held().into_iter().zip(held).map(|(known, &held)| known || held).collect();
        if held_first != held {
            let mut first = at.clone();
            let gap = self.assemble(numeric, &mut first, rows, &held_first);
            if gap <= CLOSED_NEARBY {
                *at = first;
                return gap;
            }
        }
        self.assemble(numeric, at, rows, held)
    }

    /// Whether the rows determine a coordinate only at the dead point `q`, not near it.
    fn is_at_dead_point(
        &self,
        numeric: &Numeric,
        q: &DVector<f64>,
        (level, rows): (Level, &[usize]),
        (coordinate, class): (usize, &dyn Fn(usize) -> usize),
    ) -> bool {
        let mut numeric = numeric.clone();
        let held: Vec<bool> = self.unknowns.iter().map(|unknown| unknown.given).collect();
        let places = self.places_nearby(&mut numeric, q, &held);
        let Some(at) = places.first() else { return false };
        let positions = self.evaluate(&mut numeric, at).1;
        let jacobian = match level {
            Level::Position => positions,
            Level::Speed => self.speed_matrix(&numeric),
        };
        let chosen = pivots(&jacobian, rows, |_, column| class(column));
        chosen.iter().all(|&(_, column)| column != coordinate)
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
        let own: Vec<usize> = (0..all.len()).collect();
        let mut best: Option<Vec<(usize, usize)>> = None;
        let mut seen = Vec::new();
        let mut random = Random::default();
        for attempt in 0..CONFIGURATIONS {
            let mut at = q.clone();
            if attempt > 0 {
                let may_move = self.unknowns.iter().map(|unknown| !unknown.violation);
                for (value, _) in at.iter_mut().zip(may_move).filter(|(_, moves)| *moves) {
                    *value += APART * 0.5 * random.next();
                }
                let gap = self.close_nearby(numeric, &mut at, &closing, &held);
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
            let moving = (0..held.len()).filter(|&k| !held[k]);
            seen.push(jacobian.select_columns(&moving.collect::<Vec<usize>>()));
            let independent = pivots(&jacobian, &own, |_, _| 0);
            if best.as_ref().is_none_or(|best| independent.len() > best.len()) {
                best = Some(independent);
            }
        }
        let Some(independent) = best else {
            return Independence { kept: all.to_vec(), ..Independence::default() };
        };
        let mut kept: Vec<usize> = independent.into_iter().map(|(row, _)| row).collect();
        kept.sort_unstable();
        let redundant: Vec<usize> = own.into_iter().filter(|r| !kept.contains(r)).collect();
        let moving = self.held().into_iter().zip(&held).filter(|(_, given)| !**given);
        let shared: Vec<bool> = moving.map(|(known, _)| known).collect();
        let entangled = redundant_constraints::entangled(&seen, &shared, &kept, &redundant);
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
    ) -> Result<Vec<LoopBlock>, Error> {
        let chosen = pivots(jacobian, rows, |_, column| class(column));
        if let Some(&row) = rows.iter().find(|r| chosen.iter().all(|c| c.0 != **r)) {
            let row = &self.rows[row];
            return Err(match row.when() {
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
            let leaves = leaves_of(self.rows[row].residual().as_slice());
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
            return Ok(vec![LoopBlock { rows: rows.to_vec(), unknowns }]);
        };
        let owner: BTreeMap<usize, usize> =
            assigned.iter().enumerate().map(|(row, &k)| (k, row)).collect();
        let uses: Vec<Vec<usize>> =
            touched.iter().map(|list| list.iter().map(|k| owner[k]).collect()).collect();
        let blocks = strongly_connected(&uses).into_iter().map(|set| {
            let mut unknowns: Vec<usize> = set.iter().map(|&i| assigned[i]).collect();
            unknowns.sort_unstable();
            LoopBlock { rows: set.into_iter().map(|i| rows[i]).collect(), unknowns }
        });
        Ok(blocks.collect())
    }

    /// The fixed start values of the coordinates on which a row depends.
    fn fixed_in(&self, row: &ClosureRow, level: Level) -> Vec<&str> {
        let leaves = leaves_of(&row.expressions().collect::<Vec<_>>());
        let touches = |ex: Ex| ex.as_leaf().is_some_and(|leaf| leaves.contains(&leaf));
        let counts = |u: &&LoopUnknown| match level {
            Level::Position => u.fixed[0] && touches(u.symbol),
            Level::Speed => u.fixed[1] && touches(u.speed),
        };
        self.unknowns.iter().filter(counts).map(|u| u.name.as_str()).collect()
    }

    /// What is given at the start although the blocks determine it; `is_dead` says whether they do
    /// so at a dead point only.
    fn taken(
        &self,
        blocks: &[LoopBlock],
        level: Level,
        is_dead: impl Fn(usize) -> bool,
    ) -> Vec<OverdeterminedStart> {
        let of_block = |block: &LoopBlock| {
            let row = self.rows[block.rows[0]].name.clone();
            let given = block.unknowns.iter().filter(|&&k| self.unknowns[k].is_known(level));
            let taken = given.map(|&k| OverdeterminedStart {
                variable: self.unknowns[k].variable,
                level,
                row: row.clone(),
                at_dead_point: is_dead(k),
            });
            taken.collect::<Vec<_>>()
        };
        blocks.iter().flat_map(of_block).collect()
    }
}

/// Which rows of the motion are independent in general position.
#[derive(Default)]
struct Independence {
    kept: Vec<usize>,
    redundant: Vec<usize>,
    /// Redundant rows that are entangled with kept rows.
    entangled: Vec<usize>,
}
