//! Multipliers of flange constraints.

use crate::compile::loads::mass_and_forces::MassAndForces;
use crate::ids::{FlangeConstraintId, VariableId};
use crate::statements::contributions::Structure;
use crate::statements::laws::friction_element::FrictionState;
use crate::statements::motion::variables::Numbering;
use equations::Ex;
use std::collections::BTreeMap;

/// Multipliers of flange constraints as functions of accelerations and friction torques.
///
/// If the violation of a constraint were a coordinate, the sums would have a row for it; the
/// imbalance of this row is the multiplier.
#[derive(Debug, Default)]
pub struct Reactions {
    /// By flange constraint.
    pub rows: BTreeMap<FlangeConstraintId, ViolationRow>,
}

/// The row of one violation.
#[derive(Debug)]
pub struct ViolationRow {
    variable: VariableId,
    /// What acts along the violation.
    pub force: Ex,
    mass: BTreeMap<VariableId, Ex>,
}

impl ViolationRow {
    /// The multiplier's part that comes from accelerations.
    pub fn inertia(&self, accelerations: &BTreeMap<VariableId, Ex>) -> Ex {
        let known = self.mass.iter().filter_map(|(k, &m)| Some((m, *accelerations.get(k)?)));
        known.fold(Ex::zero(), |sum, (m, a)| sum + m * a)
    }

    /// The decrease of the multiplier per unit of an element's torque, with the accelerations that
    /// it causes.
    pub fn decrease(
        &self,
        force: &BTreeMap<VariableId, Ex>,
        response: &BTreeMap<VariableId, Ex>,
    ) -> Ex {
        let direct = force.get(&self.variable).copied();
        direct.unwrap_or_else(Ex::zero) - self.inertia(response)
    }
}

impl Reactions {
    /// The rows of all flange constraints whose multipliers are requested.
    pub fn new(
        structure: &Structure,
        numbering: Numbering,
        independent: &[VariableId],
        sums: &MassAndForces,
    ) -> Self {
        let constraints = structure.flanges.constraints.enumerate();
        let rows = constraints.filter(|(_, constraint)| constraint.reaction).map(|(r, _)| {
            let variable = numbering.violation(r);
            let mass = independent.iter().map(|&k| (k, sums.mass(variable, k)));
            let mass = mass.filter(|(_, m)| !m.is_constant_zero()).collect();
            (r, ViolationRow { variable, force: sums.force(variable), mass })
        });
        Reactions { rows: rows.collect() }
    }

    /// The multipliers, from the generalised forces of friction elements and their states.
    pub fn solve(
        &self,
        friction: &[BTreeMap<VariableId, Ex>],
        states: &[FrictionState],
        accelerations: &BTreeMap<VariableId, Ex>,
    ) -> BTreeMap<FlangeConstraintId, Ex> {
        let solved = self.rows.iter().map(|(&r, row)| {
            let direct = |(force, state): (&BTreeMap<VariableId, Ex>, &FrictionState)| {
                Some(*force.get(&row.variable)? * state.tau)
            };
            let torques: Ex = friction.iter().zip(states).filter_map(direct).sum();
            (r, row.force - row.inertia(accelerations) - torques)
        });
        solved.collect()
    }
}
