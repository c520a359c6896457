//! The projection of positions and speeds on those with which a loop is closed.

use super::loop_motions::{multipliers, quadratic_terms};
use super::loop_place::LoopPlace;
use crate::compile::topology::loop_equations::LoopEquations;
use crate::compile::topology::loop_structure::FreeLoop;
use crate::statements::algebra::numeric::Numeric;
use crate::statements::motion::coordinates::{Coordinates, Motion};
use equations::{Ex, Factor, newton_projection, null_space, substitute};
use nalgebra::DMatrix;

/// The smallest determinant of the equations of a projection, as a part of the determinant at the
/// start. The determinant is a product of squares: one factor may fall to 1e-10, and each other
/// factor to a tenth. Nearer to a change point, rounding errors could decide how the motion goes
/// on.
const SMALLEST_DETERMINANT: f64 = 1e-10;
const SMALLEST_FACTOR: f64 = 0.1;

/// The determinant of the product of a matrix and its transpose at the start; zero if it is not
/// known yet.
fn determinant(rows: &[Vec<Ex>], numeric: &Numeric) -> f64 {
    let values = DMatrix::from_row_slice(rows.len(), rows[0].len(), &numeric.all(&rows.concat()));
    let determinant = (&values * values.transpose()).determinant();
    if determinant.is_finite() { determinant.abs() } else { 0.0 }
}

/// The states of a free loop, projected on the closed loop.
pub struct Projection<'a> {
    loops: &'a LoopEquations,
    group: &'a FreeLoop,
    /// Positions of all symbols, those of the loop projected.
    by: Vec<(Ex, Ex)>,
    /// The projected place.
    pub place: LoopPlace,
    /// The speeds before they are projected.
    v: Vec<Ex>,
    /// Derivatives of the rates of the equations by the speeds, scaled, at the projected positions.
    closing: Vec<Vec<Ex>>,
    /// Directions in which the loop can move, by coordinate: a basis.
    pub free: Vec<Vec<Ex>>,
    /// This matrix above the transpose of the basis. (The product of the matrix and its transpose
    /// would be as good far from change points, but twice as near to singular there.)
    factor: Factor,
}

impl<'a> Projection<'a> {
    /// The projection of a place and speeds, where the given motions are those of `coordinates`.
    pub fn new(
        (loops, group): (&'a LoopEquations, &'a FreeLoop),
        (before, v): (&LoopPlace, &[Ex]),
        coordinates: &Coordinates,
        numeric: &Numeric,
    ) -> Self {
        let at = |place: &LoopPlace| place.positions((loops, group), coordinates);
        let across = scaled(&loops.jacobian, group, &at(before));
        let multipliers: Vec<Ex> = group.rows.iter().map(|_| Ex::symbol()).collect();
        let moved = |by: &[Ex]| before.moved(group, &across_rows(&across, by, &group.nominals));
        let residuals: Vec<Ex> = group
            .rows
            .iter()
            .zip(&group.scales)
            .filter_map(|(&row, &scale)| Some(loops.rows[row].residual()? * scale))
            .collect();
        let residuals = substitute(&residuals, &at(&moved(&multipliers)));
        let name = loops.block_name(&group.block());
        let part = SMALLEST_DETERMINANT * SMALLEST_FACTOR.powi(group.rows.len() as i32);
        // `change_points` watches the distance from change points itself.
        let smallest = if group.changes { 0.0 } else { part * determinant(&across, numeric) };
        let found = newton_projection(&name, &multipliers, &residuals, smallest);
        let place = moved(&found);
        let by = at(&place);
        let closing = scaled(&loops.speed_jacobian, group, &by);
        let free = null_space(&closing, group.unknowns.len());
        let across = (0..group.freedoms.len()).map(|k| free.iter().map(|of| of[k]).collect());
        let square: Vec<Vec<Ex>> = closing.iter().cloned().chain(across).collect();
        let factor = Factor::general(&square);
        Projection { loops, group, by, place, v: v.to_vec(), closing, free, factor }
    }

    /// The shortest motion of the coordinates that changes the residuals by `change`.
    fn shortest(&self, change: &[Ex]) -> Vec<Ex> {
        let scaled = change.iter().zip(&self.group.scales).map(|(&change, &scale)| change * scale);
        let across = self.group.freedoms.iter().map(|_| Ex::zero());
        let shortest = self.factor.solve(&scaled.chain(across).collect::<Vec<Ex>>());
        shortest.into_iter().zip(&self.group.nominals).map(|(x, &nominal)| x * nominal).collect()
    }

    /// The motions of the coordinates.
    pub fn motions(&self, coordinates: &Coordinates) -> Vec<Motion> {
        let Projection { loops, group, .. } = self;
        let mut motions: Vec<Motion> =
            self.place.q.iter().map(|&q| Motion::prescribed([q, Ex::zero(), Ex::zero()])).collect();
        self.add_free(&mut motions);
        self.add_given(&mut motions, coordinates);
        let speeds = loops.symbols.speeds(|variable| {
            let own = group.coordinates(loops).position(|u| u.variable == variable);
            let other = || coordinates.motions().get(&variable).map_or_else(Ex::zero, |m| m.v);
            Some(own.map_or_else(other, |k| motions[k].v))
        });
        let at: Vec<(Ex, Ex)> = self.by.iter().copied().chain(speeds).collect();
        let quadratic = quadratic_terms(loops, &group.block(), &at, &self.closing.concat());
        for (motion, change) in motions.iter_mut().zip(self.shortest(&quadratic)) {
            motion.bias -= change;
        }
        motions
    }

    /// Adds the projected speeds, and the independent motions.
    fn add_free(&self, motions: &mut [Motion]) {
        let Projection { loops, group, .. } = self;
        let rate = |&row: &usize| {
            let by = group.unknowns.iter().map(|&k| loops.speed_jacobian[row][k]);
            let by = substitute(&by.collect::<Vec<Ex>>(), &self.by);
            by.into_iter().zip(&self.v).map(|(d, &v)| d * v).sum::<Ex>()
        };
        let rates: Vec<Ex> = group.rows.iter().map(rate).collect();
        let back = self.shortest(&rates);
        for ((motion, &v), back) in motions.iter_mut().zip(&self.v).zip(back) {
            motion.v = v - back;
        }
        for ((motion, shares), &nominal) in motions.iter_mut().zip(&self.free).zip(&group.nominals)
        {
            for (&freedom, &share) in group.freedoms.iter().zip(shares) {
                motion.partials.insert(loops.unknowns[freedom].variable, share * nominal);
            }
        }
    }

    /// Adds what follows from given motions, and from the violations that stand for reactions.
    fn add_given(&self, motions: &mut [Motion], coordinates: &Coordinates) {
        let Projection { loops, group, .. } = self;
        let given = loops.unknowns.iter().enumerate();
        for (k, unknown) in given.filter(|(k, _)| !group.unknowns.contains(k)) {
            let column: Vec<Ex> =
                group.rows.iter().map(|&row| loops.speed_jacobian[row][k]).collect();
            let column = substitute(&column, &self.by);
            let Some(other) = coordinates.motions().get(&unknown.variable) else { continue };
            if column.iter().all(|c| c.is_constant_zero()) {
                continue;
            }
            for (motion, share) in motions.iter_mut().zip(self.shortest(&column)) {
                motion.add(other, -share);
            }
        }
        for (constraint, unit) in multipliers(&loops.rows, &group.block()) {
            let variable = coordinates.numbering().violation(constraint);
            for (motion, share) in
                motions.iter_mut().zip(self.shortest(&substitute(&unit, &self.by)))
            {
                motion.add(&coordinates.motions()[&variable], share);
            }
        }
    }
}

/// The part of a matrix of derivatives that belongs to a loop, scaled.
pub fn scaled(derivatives: &[Vec<Ex>], group: &FreeLoop, by: &[(Ex, Ex)]) -> Vec<Vec<Ex>> {
    let row = |(&row, &scale): (&usize, &f64)| {
        let of: Vec<Ex> = group.unknowns.iter().map(|&k| derivatives[row][k]).collect();
        let of = substitute(&of, by).into_iter().zip(&group.nominals);
        of.map(|(derivative, &nominal)| derivative * (nominal * scale)).collect()
    };
    group.rows.iter().zip(&group.scales).map(row).collect()
}

/// A sum of the rows of a matrix, each times its factor, in the units of the coordinates.
fn across_rows(rows: &[Vec<Ex>], factors: &[Ex], nominals: &[f64]) -> Vec<Ex> {
    let sum = |k: usize| rows.iter().zip(factors).map(|(row, &factor)| row[k] * factor).sum::<Ex>();
    nominals.iter().enumerate().map(|(k, &nominal)| sum(k) * nominal).collect()
}
