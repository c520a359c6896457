//! The configuration with closed loops that the search for initial values finds, as numbers, before
//! the coordinates are decided.

use super::closure::relative;
use super::closure_search::{Closure, Guide};
use super::initial_assembly::InitialAssembly;
use super::loop_equations::LoopEquations;
use super::loop_structure::{LoopStructure, LoopUnknown};
use super::state_candidates::state_candidates;
use crate::compile::build_context::BuildContext;
use crate::compile::topology::loop_explorer::Rotation;
use crate::compile::tree::kinematic_tree::KinematicTree;
use crate::ids::{JointId, VariableId};
use crate::statements::algebra::numeric::Numeric;
use crate::statements::contributions::initial_conditions::Condition;
use crate::statements::motion::variables::Variables;
use equations::Ex;
use std::collections::BTreeMap;

/// A configuration with closed loops.
pub struct StartConfiguration {
    /// The numbers there.
    pub numeric: Numeric,
    /// The variables that occur in closure equations.
    pub values: BTreeMap<VariableId, f64>,
    /// The orientations of frames `b` of joints in frames `a`.
    pub rotations: BTreeMap<JointId, Rotation>,
    /// Start values that the model does not give, with the values there.
    free: Vec<(Ex, f64)>,
}

impl StartConfiguration {
    /// The configuration in which the search ends, with the orientations of some joints; `None` if
    /// the loops cannot be closed.
    pub fn find(
        kinematic_tree: KinematicTree<'_>,
        variables: &Variables,
        conditions: &[Condition],
        joints: impl Iterator<Item = JointId>,
        build: &BuildContext<'_>,
    ) -> Option<StartConfiguration> {
        let mut numeric = build.numeric.clone();
        let candidates = state_candidates(kinematic_tree, variables);
        let loops = LoopEquations::new(kinematic_tree, variables, &candidates, &mut numeric)
            .with_accelerations(kinematic_tree.structure, conditions, variables);
        let guesses = loops.symbols.guesses(kinematic_tree);
        let guide = Guide::new(
            (kinematic_tree, variables.numbering),
            &loops.symbols,
            &loops.unknowns,
            &guesses,
            &numeric,
        );
        let solve = |unknowns: &[LoopUnknown], numeric: &mut Numeric| {
            let (rows, jacobian) = (&loops.rows, &loops.jacobian);
            let closure = Closure { rows, unknowns, jacobian, speed_jacobian: &[], guide: &guide };
            let (q, _) = closure.close(numeric)?;
            closure.place(numeric, &q);
            for &(parameter, value) in &loops.from_start {
                let value = numeric.one(value);
                numeric.set(parameter, value);
            }
            Ok(LoopStructure::default())
        };
        let (symbols, numbering) = (&loops.symbols, variables.numbering);
        let assembly = InitialAssembly { symbols, candidates: &candidates, numbering };
        let mut unknowns = loops.unknowns.clone();
        assembly.near_guesses(&guesses, &mut unknowns, &mut numeric, solve).ok()?;

        let rotation = |joint: JointId| {
            let frames = &kinematic_tree.multibody().joints[joint];
            let at = symbols.closure(kinematic_tree).poses(&[frames.a, frames.b]);
            let elements = numeric.all(relative(&at[0], &at[1]).t.as_slice());
            let finite = elements.iter().all(|element| element.is_finite());
            finite.then(|| (joint, Rotation::from_column_slice(&elements)))
        };
        let rotations = joints.map(rotation).collect::<Option<BTreeMap<_, _>>>()?;
        let value = |unknown: &LoopUnknown| (unknown.variable, numeric.one(unknown.symbol));
        let values: BTreeMap<VariableId, f64> = unknowns.iter().map(value).collect();
        let position = |v: VariableId| values.get(&v).map_or_else(Ex::zero, |&q| q.into());
        let free = candidates
            .iter()
            .filter(|candidate| {
                let start = candidate.position.start;
                let in_loops = candidate.linear.terms.keys().all(|v| values.contains_key(v));
                !candidate.is_angular_velocity && !start.given && !start.fixed && in_loops
            })
            .map(|c| (c.position.slot, numeric.one(c.linear.value(position))))
            .collect();
        Some(StartConfiguration { numeric, values, rotations, free })
    }

    /// Lets the search begin here, for everything without a start value of its own.
    pub fn keep(&self, build: &mut BuildContext<'_>) {
        for &(slot, value) in &self.free {
            set_start(slot, value, build);
        }
    }
}

/// Gives a start value its number.
pub fn set_start(slot: Ex, value: f64, build: &mut BuildContext<'_>) {
    build.model.set_start(slot, value);
    build.numeric.set_parameter(slot, value);
}
