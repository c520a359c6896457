//! The closed form of a block of closure equations: that of its only row, or of a planar dyad.

use crate::compile::topology::Topology;
use crate::compile::topology::closed_form::ClosedForm;
use crate::compile::topology::loop_path::LoopPath;
use crate::compile::topology::loop_structure::LoopBlock;
use crate::compile::topology::planar_dyad::{Candidate, PlanarDyad};
use crate::statements::algebra::numeric::Numeric;
use equations::{Ex, Factor, jacobian};

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

    /// The values on the branch on which the determinant has the given sign, angles in any turn.
    pub fn chosen(&self, sign: Ex) -> Vec<Ex> {
        match self {
            BlockClosedForm::Row(closed_form) => vec![closed_form.chosen()],
            BlockClosedForm::Dyad(dyad) => dyad.chosen(sign),
        }
    }

    /// For each unknown, what one turn adds to it, if it is an angle.
    pub fn turns(&self) -> Vec<Option<Ex>> {
        match self {
            BlockClosedForm::Row(closed_form) => vec![closed_form.turn()],
            BlockClosedForm::Dyad(dyad) => dyad.turns(),
        }
    }

    /// Negative where there is no solution; one at most.
    pub fn discriminant(&self) -> Ex {
        match self {
            BlockClosedForm::Row(closed_form) => closed_form.discriminant(),
            BlockClosedForm::Dyad(dyad) => dyad.discriminant(),
        }
    }

    /// The determinant up to a positive constant factor, if it follows from less than the matrix:
    /// on the branch with this sign, and where the unknowns have the values `at`.
    pub fn determinants(&self, sign: Ex, at: &[Ex]) -> Option<[Ex; 2]> {
        match self {
            BlockClosedForm::Row(_) => None,
            BlockClosedForm::Dyad(dyad) => Some([dyad.determinant(sign), dyad.determinant_at(at)?]),
        }
    }
}

fn planar_dyad(topology: &Topology, block: &LoopBlock, numeric: &Numeric) -> Option<PlanarDyad> {
    let loops = &topology.loops;
    let unknowns: Vec<Ex> = block.unknowns.iter().map(|&k| loops.unknowns[k].symbol).collect();
    let frames_of = |row: usize| loops.rows[row].origin()?.frames;
    let frames = frames_of(block.rows[0])?;
    let between = |&row: &usize| frames_of(row) == Some(frames);
    if !(2..=3).contains(&unknowns.len()) || !block.rows.iter().all(between) {
        return None;
    }
    let path = LoopPath::around(topology.kinematic_tree(), &loops.symbols, frames, &unknowns)?;
    let residuals = loops.residuals(block);
    let determinant = Factor::general(&jacobian(&residuals, &unknowns)).determinant();
    let candidate = Candidate { path, unknowns: &unknowns, residuals: &residuals, determinant };
    PlanarDyad::of(&candidate, numeric)
}
