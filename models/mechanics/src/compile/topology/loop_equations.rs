//! The closed loops of a mechanism: their equations, and which coordinates these determine.

use super::closed_form::ClosedForm;
use super::closure::ClosureRow;
use super::closure_search::{Closure, Guide};
use super::initial_assembly::{self, InitialAssembly};
use super::loop_structure::{FreeLoop, LoopBlock, LoopStructure, LoopUnknown, OverdeterminedStart};
use super::placeholders::Placeholders;
use super::state_candidates::StateCandidate;
use super::{checks, condition_targets, redundant_constraints};
use crate::compile::build_context::BuildContext;
use crate::compile::tree::kinematic_tree::KinematicTree;
use crate::error::Error;
use crate::ids::{CandidateId, List, VariableId};
use crate::statements::algebra::linear_form::LinearForm;
use crate::statements::algebra::numeric::Numeric;
use crate::statements::contributions::Structure;
use crate::statements::contributions::initial_conditions::Condition;
use crate::statements::motion::level::Level;
use crate::statements::motion::variables::Variables;
use equations::{Ex, Factor, jacobian, substitute};
use std::collections::BTreeSet;

/// The equations that close the loops, and their structure.
pub struct LoopEquations {
    /// Placeholders of positions and speeds, by variable.
    pub symbols: Placeholders,
    /// The equations.
    pub rows: Vec<ClosureRow>,
    /// Derivatives of the rows with respect to the unknowns.
    pub jacobian: Vec<Vec<Ex>>,
    /// Derivatives of the rates of the rows with respect to the speeds of the unknowns.
    pub speed_jacobian: Vec<Vec<Ex>>,
    /// The variables that occur in the rows.
    pub unknowns: Vec<LoopUnknown>,
    /// Which unknowns the rows determine.
    pub structure: LoopStructure,
    /// Parameters that the initial configuration determines, in terms of the placeholders.
    pub from_start: Vec<(Ex, Ex)>,
}

impl LoopEquations {
    /// States the equations; the unknowns that they determine are not known yet. Afterwards
    /// `numeric` has the start values of the unknowns.
    pub fn new(
        kinematic_tree: KinematicTree<'_>,
        variables: &Variables,
        candidates: &List<CandidateId, StateCandidate>,
        numeric: &mut Numeric,
    ) -> LoopEquations {
        let symbols = Placeholders::new(kinematic_tree, variables);
        let rows = symbols.rows(kinematic_tree);
        let unknowns = symbols.unknowns(&rows, candidates, variables.numbering, numeric);
        let violation = |v| variables.numbering.is_violation(v).then(Ex::zero);
        let violations = symbols.positions(violation).into_iter().chain(symbols.speeds(violation));
        for (symbol, _) in violations {
            numeric.set(symbol, 0.0);
        }
        for unknown in &unknowns {
            numeric.set(unknown.symbol, unknown.start);
            numeric.set(unknown.speed, 0.0);
        }
        let jacobian = jacobian_of(&rows, ClosureRow::residual, &unknowns, |u| u.symbol);
        let speed_jacobian = jacobian_of(&rows, ClosureRow::rate, &unknowns, |u| u.speed);
        let from_start = parameters_from_start(&rows, &symbols, kinematic_tree);
        let structure = LoopStructure::default();
        LoopEquations { symbols, rows, jacobian, speed_jacobian, unknowns, structure, from_start }
    }

    /// Marks the unknowns whose start an initial acceleration determines.
    pub fn with_accelerations(
        mut self,
        structure: &Structure,
        conditions: &[Condition],
        variables: &Variables,
    ) -> LoopEquations {
        for (c, level) in condition_targets::determined_by_accelerations(structure, conditions) {
            let form = variables.elimination.variable(variables.numbering.coordinate(c));
            let single = |u: &&mut LoopUnknown| form.terms.keys().eq([&u.variable]);
            if let Some(unknown) = self.unknowns.iter_mut().find(single) {
                unknown.accelerated[level as usize] = true;
            }
        }
        self
    }

    /// Finds a configuration with closed loops and which unknowns the equations determine.
    pub fn closed(
        mut self,
        kinematic_tree: KinematicTree<'_>,
        variables: &Variables,
        candidates: &List<CandidateId, StateCandidate>,
        build: &mut BuildContext<'_>,
    ) -> Result<LoopEquations, Error> {
        let guesses = self.symbols.guesses(kinematic_tree);
        let guide = Guide::new(
            (kinematic_tree, variables.numbering),
            &self.symbols,
            &self.unknowns,
            &guesses,
            &build.numeric,
        );
        let solve = |unknowns: &[LoopUnknown], numeric: &mut Numeric| {
            let closure = Closure {
                rows: &self.rows,
                unknowns,
                jacobian: &self.jacobian,
                speed_jacobian: &self.speed_jacobian,
                guide: &guide,
            };
            closure.solve(numeric, |numeric| {
                for &(parameter, value) in &self.from_start {
                    let value = numeric.one(value);
                    numeric.set(parameter, value);
                }
            })
        };
        let numbering = variables.numbering;
        let assembly = InitialAssembly { symbols: &self.symbols, candidates, numbering };
        let (loops, notes) =
            assembly.near_guesses(&guesses, &mut self.unknowns, &mut build.numeric, solve)?;
        notes.into_iter().for_each(|note| build.model.note(note));
        initial_assembly::keep(candidates, &self.unknowns, build);
        checks::hold(kinematic_tree, &self.symbols, &build.numeric)?;
        checks::alignment(kinematic_tree, &self.symbols, &build.numeric)?;
        let matrices = [&mut self.jacobian, &mut self.speed_jacobian];
        self.structure =
            redundant_constraints::combine(loops, &mut self.rows, &self.unknowns, matrices);
        redundant_constraints::notes(&self.structure, &self.rows)
            .into_iter()
            .for_each(|n| build.model.note(n));
        Ok(self)
    }

    /// Makes a coordinate independent of the equations of a loop during the motion. The initial
    /// values remain as they are.
    pub fn exchange(
        &mut self,
        group: &FreeLoop,
        independent: usize,
        numeric: &Numeric,
    ) -> Result<(), Error> {
        let closure = Closure {
            rows: &self.rows,
            unknowns: &self.unknowns,
            jacobian: &self.jacobian,
            speed_jacobian: &self.speed_jacobian,
            guide: &Guide::default(),
        };
        let [motion, speed] = closure.motion_blocks(&group.rows, independent, numeric)?;
        let structure = &mut self.structure;
        for (blocks, new) in [(&mut structure.motion, motion), (&mut structure.speed, speed)] {
            blocks.retain(|block| block.rows.iter().all(|row| !group.rows.contains(row)));
            blocks.extend(new);
        }
        Ok(())
    }

    /// Refuses loops with quaternions that are not free.
    pub fn refuse_measured_turns(&self) -> Result<(), Error> {
        let free = self.free_variables();
        let turns = |v: &VariableId| {
            self.symbols.orientations().iter().any(|own| own.variables.contains(v))
        };
        let blocks = &self.structure.motion;
        match self.dependents(blocks).iter().find(|v| turns(v) && !free.contains(v)) {
            Some(v) => {
                let unknown = self.unknowns.iter().find(|unknown| unknown.variable == *v);
                Err(Error::Structure(format!(
                    "{}: its loop is not free, so that no quaternion can describe the orientation",
                    unknown.map_or("", |unknown| &unknown.name)
                )))
            }
            None => Ok(()),
        }
    }

    /// Variables of the coordinates of free loops.
    pub fn free_variables(&self) -> BTreeSet<VariableId> {
        let coordinates = self.structure.free.iter().flat_map(|group| &group.unknowns);
        coordinates.map(|&k| self.unknowns[k].variable).collect()
    }

    /// Variables of the dependent coordinates of blocks.
    pub fn dependents(&self, blocks: &[LoopBlock]) -> BTreeSet<VariableId> {
        blocks.iter().flat_map(|b| &b.unknowns).map(|&k| self.unknowns[k].variable).collect()
    }

    /// The error about a start value that is given where a loop determines it.
    pub fn taken(&self, name: &str, form: &LinearForm, level: Level) -> String {
        let own =
            |t: &&OverdeterminedStart| t.level == level && form.terms.keys().eq([&t.variable]);
        let what = ["start value", "start speed"][level as usize];
        match self.structure.taken.iter().find(own) {
            Some(OverdeterminedStart { row, at_dead_point: true, .. }) => format!(
                "{name}: its fixed {what} is at a dead point of the loop closed by {row}, where it \
                 does not determine the other coordinates: fix one of those instead"
            ),
            Some(taken) => format!(
                "{name}: its fixed {what} is one too many: the loop closed by {} already \
                 determines it",
                taken.row
            ),
            None => {
                format!("{name}: a fixed {what} on a coordinate that a loop determines")
            }
        }
    }

    /// The instances that close the loops of a block, and the coordinates that the block determines
    /// where several blocks have the same instances.
    pub fn block_name(&self, block: &LoopBlock) -> String {
        let instances = |block: &LoopBlock| {
            let mut names: Vec<&str> =
                block.rows.iter().map(|&r| self.rows[r].name.as_str()).collect();
            names.dedup();
            names.join(", ")
        };
        let name = instances(block);
        let all = [&self.structure.motion, &self.structure.start];
        let same = |blocks: &Vec<LoopBlock>| blocks.iter().filter(|b| instances(b) == name).count();
        if all.into_iter().all(|blocks| same(blocks) < 2) {
            return name;
        }
        let unknowns = block.unknowns.iter().map(|&k| self.unknowns[k].name.as_str());
        format!("{name} for {}", unknowns.collect::<Vec<_>>().join(", "))
    }

    /// The residuals of a block.
    pub fn residuals(&self, block: &LoopBlock) -> Vec<Ex> {
        block.rows.iter().filter_map(|&r| self.rows[r].residual()).collect()
    }

    /// The residuals whose sums of least squares a block solves; none if it solves its own.
    pub fn parts(&self, block: &LoopBlock) -> Vec<Ex> {
        let combines = block.rows.iter().flat_map(|&row| self.rows[row].combines());
        let parts: BTreeSet<usize> = combines.map(|&(part, _)| part).collect();
        parts.into_iter().filter_map(|part| self.rows[part].residual()).collect()
    }

    /// The derivatives of a block's residuals with respect to time.
    pub fn rates(&self, block: &LoopBlock) -> Vec<Ex> {
        block.rows.iter().filter_map(|&r| self.rows[r].rate()).collect()
    }

    /// The rates of a block differentiated with respect to the speeds of all unknowns, where the
    /// positions are those given, and the factorized part that belongs to the block's own unknowns.
    pub fn block_jacobian(&self, block: &LoopBlock, by: &[(Ex, Ex)]) -> (Vec<Vec<Ex>>, Factor) {
        let matrix: Vec<Vec<Ex>> =
            block.rows.iter().map(|&r| substitute(&self.speed_jacobian[r], by)).collect();
        let own: Vec<Vec<Ex>> =
            matrix.iter().map(|row| block.unknowns.iter().map(|&k| row[k]).collect()).collect();
        (matrix, Factor::general(&own))
    }

    /// The closed form of a block, if it has one.
    pub fn closed_form(&self, block: &LoopBlock) -> Option<ClosedForm> {
        match (&block.rows[..], &block.unknowns[..]) {
            (&[row], &[unknown]) => ClosedForm::new(&self.rows[row], self.unknowns[unknown].symbol),
            _ => None,
        }
    }
}

/// Parameters that the initial configuration determines, with their values there.
fn parameters_from_start(
    rows: &[ClosureRow],
    symbols: &Placeholders,
    kinematic_tree: KinematicTree<'_>,
) -> Vec<(Ex, Ex)> {
    let origins = || rows.iter().filter_map(ClosureRow::origin);
    let given = origins().filter_map(|origin| origin.from_start.as_ref()).map(|(from, frames)| {
        let at = symbols.closure(kinematic_tree).poses(frames);
        (from.parameter, (from.value)(&at))
    });
    given.chain(origins().filter_map(|origin| origin.closed_form?.branch_at_start())).collect()
}

/// Derivatives of one expression of each row with respect to one symbol of each unknown.
fn jacobian_of(
    rows: &[ClosureRow],
    of: impl Fn(&ClosureRow) -> Option<Ex>,
    unknowns: &[LoopUnknown],
    symbol: impl Fn(&LoopUnknown) -> Ex,
) -> Vec<Vec<Ex>> {
    let values: Vec<Ex> = rows.iter().map(|row| of(row).unwrap_or_else(Ex::zero)).collect();
    let columns: Vec<Ex> = unknowns.iter().map(symbol).collect();
    jacobian(&values, &columns)
}
