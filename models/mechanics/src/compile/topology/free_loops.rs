//! Free loops: those all of whose coordinates are states, because no choice of fewer is good
//! wherever the loops can move.

use super::loop_equations::LoopEquations;
use super::loop_structure::{FreeLoop, LoopUnknown, TurningCoordinates};
use super::placeholders::PlacedOrientation;
use crate::ids::VariableId;
use crate::statements::algebra::graph_search::components;
use crate::statements::algebra::numeric::Numeric;
use std::collections::BTreeSet;

/// Loops that move each other, as far as they are closed by equations of positions whose conditions
/// do not depend on each other.
pub fn groups(loops: &LoopEquations, numeric: &Numeric) -> Vec<FreeLoop> {
    let motion = &loops.structure.motion;
    let rows: Vec<usize> = motion.iter().flat_map(|block| block.rows.iter().copied()).collect();
    let in_rows: Vec<Vec<usize>> = rows.iter().map(|&row| coordinates(loops, row)).collect();
    let all: BTreeSet<usize> = in_rows.iter().flatten().copied().collect();
    let all: Vec<usize> = all.into_iter().collect();
    let pairs = in_rows.iter().flat_map(|of| of.windows(2).map(|pair| (pair[0], pair[1])));
    let dependent: BTreeSet<usize> =
        motion.iter().flat_map(|block| block.unknowns.iter().copied()).collect();
    let group = |unknowns: Vec<usize>| {
        let own = rows.iter().zip(&in_rows);
        let own = own.filter(|(_, of)| of.iter().any(|k| unknowns.contains(k)));
        let rows: Vec<usize> = own.map(|(&row, _)| row).collect();
        let freedoms = unknowns.iter().copied().filter(|k| !dependent.contains(k)).collect();
        let [nominals, scales] = sizes(loops, &rows, &unknowns, numeric);
        let turning = turning(loops, &unknowns);
        FreeLoop { rows, unknowns, freedoms, nominals, scales, turning, changes: false }
    };
    components(&all, pairs)
        .into_iter()
        .map(group)
        .filter(|group| can_be_free(loops, group))
        .collect()
}

/// The free orientations whose turns are among some coordinates.
fn turning(loops: &LoopEquations, unknowns: &[usize]) -> Vec<TurningCoordinates> {
    let place = |v: VariableId| unknowns.iter().position(|&k| loops.unknowns[k].variable == v);
    let of = |&orientation: &PlacedOrientation| {
        let [x, y, z] = orientation.variables.map(place);
        Some(TurningCoordinates { orientation, places: [x?, y?, z?] })
    };
    loops.symbols.orientations().iter().filter_map(of).collect()
}

/// The coordinates that occur in an equation and are not given.
fn coordinates(loops: &LoopEquations, row: usize) -> Vec<usize> {
    let of = |k: &usize| {
        let occurs = !loops.speed_jacobian[row][*k].is_constant_zero();
        occurs && !loops.unknowns[*k].given
    };
    (0..loops.unknowns.len()).filter(of).collect()
}

/// Whether all conditions are equations of positions that do not depend on each other, no wheel
/// rolls, and something is independent.
fn can_be_free(loops: &LoopEquations, group: &FreeLoop) -> bool {
    let own = |rows: &[usize]| rows.iter().any(|row| group.rows.contains(row));
    let moves = |unknowns: &[usize]| unknowns.iter().any(|k| group.unknowns.contains(k));
    let alike = loops.structure.speed.iter().all(|block| {
        !moves(&block.unknowns) || block.rows.iter().all(|row| group.rows.contains(row))
    });
    let entangled = group.rows.iter().any(|&row| !loops.rows[row].combines().is_empty());
    let rolls = loops.structure.speed.iter().any(|block| {
        !own(&block.rows)
            && block
                .rows
                .iter()
                .any(|&row| coordinates(loops, row).iter().any(|k| group.unknowns.contains(k)))
    });
    alike && !entangled && !rolls && !group.freedoms.is_empty()
}

/// The sizes of coordinates and of the derivatives of equations.
fn sizes(
    loops: &LoopEquations,
    rows: &[usize],
    unknowns: &[usize],
    numeric: &Numeric,
) -> [Vec<f64>; 2] {
    let derivatives: Vec<Vec<f64>> = rows
        .iter()
        .map(|&row| {
            let of = unknowns.iter().map(|&k| loops.jacobian[row][k]).collect::<Vec<_>>();
            numeric.all(&of)
        })
        .collect();
    let is_length = |k: &usize| loops.unknowns[*k].unit == "m";
    let arms = rows.iter().zip(&derivatives).filter(|(row, _)| loops.rows[**row].unit == "m");
    let arms = arms.flat_map(|(_, of)| unknowns.iter().zip(of));
    let arm = arms.filter(|(k, _)| !is_length(k)).fold(0.0, |arm: f64, (_, d)| arm.max(d.abs()));
    let length = if arm > 0.0 && arm.is_finite() { arm } else { 1.0 };
    let nominals: Vec<f64> =
        unknowns.iter().map(|k| if is_length(k) { length } else { 1.0 }).collect();
    let scale = |of: &Vec<f64>| {
        let square: f64 = of.iter().zip(&nominals).map(|(d, nominal)| (d * nominal).powi(2)).sum();
        if square > 0.0 && square.is_finite() { 1.0 / square.sqrt() } else { 1.0 }
    };
    let scales = derivatives.iter().map(scale).collect();
    [nominals, scales]
}

impl FreeLoop {
    /// Whether a given motion changes its equations.
    pub fn is_driven(&self, loops: &LoopEquations) -> bool {
        let given = |unknown: &LoopUnknown| unknown.given && !unknown.violation;
        let moves = |k: usize| {
            self.rows.iter().any(|&row| !loops.speed_jacobian[row][k].is_constant_zero())
        };
        loops.unknowns.iter().enumerate().any(|(k, unknown)| given(unknown) && moves(k))
    }

    /// The coordinates.
    pub fn coordinates<'a>(
        &'a self,
        loops: &'a LoopEquations,
    ) -> impl Iterator<Item = &'a LoopUnknown> {
        self.unknowns.iter().map(|&k| &loops.unknowns[k])
    }
}
