//! The starting point of the search for a closed configuration, for guesses that belong to no joint
//! of the tree: guesses about bodies that loops hold, and about joints that close loops.

use super::closure_search::{Closure, Guide};
use super::loop_structure::{LoopStructure, LoopUnknown};
use super::state_candidates::StateCandidate;
use crate::compile::build_context::BuildContext;
use crate::compile::topology::closure::{self, ClosureRow, Equation, Guess};
use crate::compile::topology::placeholders::Placeholders;
use crate::error::Error;
use crate::ids::{CandidateId, List, VariableId};
use crate::statements::algebra::numeric::Numeric;
use crate::statements::contributions::constraints::LENGTH_OR_ANGLE;
use crate::statements::motion::level::Level;
use crate::statements::motion::variables::Numbering;
use equations::{Ex, jacobian, leaves_of};
use nalgebra::DVector;

/// How many start values a note names.
const MAX_NAMES: usize = 6;

/// Guesses that coordinates approach.
pub struct InitialAssembly<'a> {
    /// The placeholders of the coordinates.
    pub symbols: &'a Placeholders,
    /// All that may be a state.
    pub candidates: &'a List<CandidateId, StateCandidate>,
    /// How the variables are numbered.
    pub numbering: Numbering,
}

impl InitialAssembly<'_> {
    /// The result of `solve` with the search beginning at the guesses about bodies and about joints
    /// that are cut; with notes.
    pub fn near_guesses(
        &self,
        [of_bodies, of_cuts]: &[Vec<Guess>; 2],
        unknowns: &mut [LoopUnknown],
        numeric: &mut Numeric,
        solve: impl Fn(&[LoopUnknown], &mut Numeric) -> Result<LoopStructure, Error>,
    ) -> Result<(LoopStructure, Vec<String>), Error> {
        let all: Vec<Ex> = of_bodies.iter().chain(of_cuts).map(|guess| guess.gap).collect();
        if !all.is_empty() {
            self.approach(&all, unknowns, numeric);
        }
        let loops = solve(unknowns, numeric)?;
        let mut notes = missed(of_cuts, unknowns, numeric);
        notes.extend(loops.elsewhere.clone());
        Ok((loops, notes))
    }

    /// Moves where the search for `unknowns` begins, as far as it is open, to where `guesses` and
    /// the guesses of the unknowns themselves are met as well as they can.
    fn approach(&self, guesses: &[Ex], unknowns: &mut [LoopUnknown], numeric: &mut Numeric) {
        let mut rows: Vec<ClosureRow> = guesses.iter().map(|&gap| row(gap)).collect();
        // Coordinates on which bodies depend and that are no part of a loop stay where they are.
        let all = self.symbols.unknowns(&rows, self.candidates, self.numbering, numeric);
        let mut q: Vec<f64> = all.iter().map(|unknown| unknown.start).collect();
        let place = |variable: VariableId| unknowns.iter().position(|u| u.variable == variable);
        let own: Vec<Option<usize>> = all.iter().map(|unknown| place(unknown.variable)).collect();
        let mut held = Vec::new();
        for (k, unknown) in all.iter().enumerate() {
            let Some(i) = own[k] else {
                held.push(true);
                continue;
            };
            q[k] = unknowns[i].start;
            held.push(unknowns[i].given || unknowns[i].is_known(Level::Position));
            if unknown.given_guess && !held[k] {
                rows.push(row(unknown.symbol - unknown.guess));
            }
        }
        let symbols: Vec<Ex> = all.iter().map(|unknown| unknown.symbol).collect();
        let residuals: Vec<Ex> = rows.iter().filter_map(ClosureRow::residual).collect();
        let jacobian = jacobian(&residuals, &symbols);
        let closure = Closure {
            rows: &rows,
            unknowns: &all,
            jacobian: &jacobian,
            speed_jacobian: &[],
            guide: &Guide::default(),
        };
        let mut q = DVector::from_vec(q);
        let active: Vec<usize> = (0..rows.len()).collect();
        closure.assemble(numeric, &mut q, &active, &held);
        for (k, i) in own.iter().enumerate() {
            if let Some(i) = i.filter(|_| !held[k] && q[k].is_finite()) {
                unknowns[i].start = q[k];
                unknowns[i].approached = true;
            }
        }
        for unknown in &*unknowns {
            numeric.set(unknown.symbol, unknown.start);
        }
    }
}

/// Notes about guesses of joints that are cut, where their loop is closed far from there.
fn missed(guesses: &[Guess], unknowns: &[LoopUnknown], numeric: &Numeric) -> Vec<String> {
    let mut notes = Vec::new();
    let by = closure::missed(guesses, numeric);
    for (Guess { gap, name, of }, _) in guesses.iter().zip(by).filter(|(_, by)| *by > 1.0) {
        let values = of.map_or_else(String::new, |(guess, unit)| {
            let (guess, distance) = (numeric.one(guess), numeric.one(*gap));
            format!(" {guess:.4} {unit}: it begins at {:.4} {unit}", guess + distance)
        });
        let leaves = leaves_of(&[*gap]);
        let decides = |u: &&LoopUnknown| {
            let touches = u.symbol.as_leaf().is_some_and(|leaf| leaves.contains(&leaf));
            touches && !u.given && !u.is_known(Level::Position)
        };
        let names = unknowns.iter().filter(decides).map(|u| u.name.as_str()).take(MAX_NAMES);
        let names: Vec<&str> = names.collect();
        let decide = match names[..] {
            [] => String::new(),
            _ => format!("; guesses of {} decide", names.join(", ")),
        };
        notes.push(format!("{name}: its loop does not close near the guess{values}{decide}"));
    }
    notes.dedup();
    notes
}

/// Lets the search begin at the configuration that was found, for everything without a start value
/// of its own.
pub fn keep(
    candidates: &List<CandidateId, StateCandidate>,
    unknowns: &[LoopUnknown],
    build: &mut BuildContext<'_>,
) {
    if !unknowns.iter().any(|unknown| unknown.approached) {
        return;
    }
    let of = |variable: VariableId| unknowns.iter().find(|u| u.variable == variable);
    let found: Vec<(Ex, f64)> = candidates
        .iter()
        .filter(|candidate| {
            !candidate.is_angular_velocity
                && !candidate.position.start.given
                && !candidate.position.start.fixed
        })
        .filter_map(|candidate| {
            let in_loops = candidate.linear.terms.keys().all(|&v| of(v).is_some());
            let value = candidate.linear.value(|v| of(v).map_or_else(Ex::zero, |u| u.symbol));
            in_loops.then(|| (candidate.position.slot, build.numeric.one(value)))
        })
        .collect();
    for (slot, value) in found {
        build.model.set_start(slot, value);
        build.numeric.set_parameter(slot, value);
    }
}

/// A row that is not solved but measures a distance.
fn row(gap: Ex) -> ClosureRow {
    ClosureRow {
        name: String::new(),
        unit: LENGTH_OR_ANGLE,
        equation: Equation::StartPosition(gap),
        multiplier: None,
    }
}
