//! Equations of motion, stuck friction elements included, solved for the accelerations.

use super::friction_system::FrictionSystem;
use super::reactions::Reactions;
use crate::compile::loads::mass_and_forces::MassAndForces;
use crate::compile::loads::support_reactions::SupportReactions;
use crate::ids::VariableId;
use crate::statements::algebra::numeric::Numeric;
use crate::statements::laws::solution::Solution;
use crate::statements::laws::velocity_view::Statements;
use crate::statements::motion::coordinates::Motion;
use crate::statements::spatial::articulated::TreeLoad;
use equations::Ex;
use std::collections::BTreeMap;

/// Solves for the accelerations of `independent` coordinates, the friction torques and the
/// reactions.
pub fn solve(
    sums: &MassAndForces,
    independent: &[VariableId],
    statements: &Statements,
    reactions: &Reactions,
    supports: &SupportReactions,
    numeric: &Numeric,
) -> Solution {
    let Statements { friction, rows, .. } = statements;
    let friction = friction.as_slice();
    let mass = sums.factorize(independent);
    let mut accelerations = mass.solve(sums.load());
    let along = |motion: &Motion| {
        let forces = supports.project(&motion.partials);
        TreeLoad { forces, ..TreeLoad::default() }
    };
    let of_rows = rows.iter().map(|row| mass.solve(&along(row))).collect();
    let loads: Vec<TreeLoad> = friction.iter().map(|f| along(&f.relative)).collect();
    let responses: Vec<BTreeMap<VariableId, Ex>> =
        loads.iter().map(|load| mass.solve(load)).collect();
    let forces: Vec<BTreeMap<VariableId, Ex>> = loads.into_iter().map(|load| load.forces).collect();
    let (forces, responses) = (&forces[..], &responses[..]);
    let symmetric = supports.is_empty() && sums.is_symmetric();
    let system = FrictionSystem { friction, forces, responses, reactions, symmetric };
    let states = system.solve(&accelerations, numeric);
    for (response, state) in responses.iter().zip(&states) {
        for (k, &r) in response {
            *accelerations.entry(*k).or_insert_with(Ex::zero) -= r * state.tau;
        }
    }
    let reactions = reactions.solve(forces, &states, &accelerations);
    Solution {
        accelerations,
        friction: states.into_iter().collect(),
        reactions,
        responses: of_rows,
    }
}
