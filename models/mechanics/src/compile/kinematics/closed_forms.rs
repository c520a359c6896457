//! Blocks of closure equations that are solved in closed form.

use crate::compile::algebra::numeric::Numeric;
use crate::compile::topology::Topology;
use crate::compile::topology::closed_form::ClosedForm;
use crate::compile::topology::loop_path::LoopPath;
use crate::compile::topology::loops::LoopBlock;
use crate::compile::topology::planar_dyad::{Candidate, PlanarDyad};
use equations::{Bool, Ex, Factor, jacobian};

/// The solution of a block in closed form, in terms of the other symbols.
pub enum BlockClosedForm {
    /// Of the only row for the only unknown.
    Row(ClosedForm),
    /// Of a planar dyad.
    Dyad(PlanarDyad),
}

impl BlockClosedForm {
    /// That of a block, if it has one.
    pub fn of(topology: &Topology, block: &LoopBlock, numeric: &Numeric) -> Option<Self> {
        let row = topology.loops.closed_form(block).map(BlockClosedForm::Row);
        row.or_else(|| Some(BlockClosedForm::Dyad(planar_dyad(topology, block, numeric)?)))
    }

    /// The value of a quantity that is only measured.
    pub fn measured(&self) -> Option<Ex> {
        match self {
            BlockClosedForm::Row(closed_form) => closed_form.measured(),
            BlockClosedForm::Dyad(_) => None,
        }
    }

    /// The values on the branch of the last accepted point, where the unknowns were `last` and the
    /// determinant had the given sign.
    pub fn chosen(&self, last: &[Ex], sign: Ex) -> Vec<Ex> {
        match self {
            BlockClosedForm::Row(closed_form) => vec![closed_form.chosen(last[0])],
            BlockClosedForm::Dyad(dyad) => dyad.chosen(last, sign),
        }
    }

    /// Whether there is a solution where the symbols have the values `by`.
    pub fn exists(&self, by: &[(Ex, Ex)]) -> Bool {
        match self {
            BlockClosedForm::Row(closed_form) => closed_form.exists(by),
            BlockClosedForm::Dyad(dyad) => dyad.exists(by),
        }
    }
}

fn planar_dyad(topology: &Topology, block: &LoopBlock, numeric: &Numeric) -> Option<PlanarDyad> {
    let loops = &topology.loops;
    let unknowns: Vec<Ex> = block.unknowns.iter().map(|&k| loops.unknowns[k].symbol).collect();
    let frames = loops.rows[block.rows[0]].frames?;
    let between = |&row: &usize| loops.rows[row].frames == Some(frames);
    if !(2..=3).contains(&unknowns.len()) || !block.rows.iter().all(between) {
        return None;
    }
    let path = LoopPath::around(topology.kinematic_tree(), &loops.symbols, frames, &unknowns)?;
    let residuals = loops.residuals(block);
    let determinant = Factor::general(&jacobian(&residuals, &unknowns)).determinant();
    let candidate = Candidate { path, unknowns: &unknowns, residuals: &residuals, determinant };
    PlanarDyad::of(&candidate, numeric)
}
