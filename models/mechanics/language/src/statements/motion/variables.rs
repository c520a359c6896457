//! The variables of a model, and the linear relations between them.

use crate::ids::{CoordinateId, FlangeConstraintId, Id, PrescribedMotionId, VariableId};
use crate::statements::algebra::linear_form::{Elimination, LinearForm};

/// The numbers of the variables: flange nodes, coordinates of joints, prescribed motions,
/// violations of flange constraints, then the states.
#[derive(Clone, Copy, Debug, Default)]
pub struct Numbering {
    flanges: usize,
    coordinates: usize,
    prescribed_motions: usize,
    flange_constraints: usize,
}

impl Numbering {
    /// The numbering of a model with these numbers of flange nodes, coordinates, prescribed motions
    /// and flange constraints.
    pub fn new(
        flanges: usize,
        coordinates: usize,
        prescribed_motions: usize,
        flange_constraints: usize,
    ) -> Self {
        Numbering { flanges, coordinates, prescribed_motions, flange_constraints }
    }

    /// The variable of a coordinate of the mechanism.
    pub fn coordinate(self, coordinate: CoordinateId) -> VariableId {
        VariableId::at(self.flanges + coordinate.index())
    }

    /// The coordinate of a variable.
    pub fn coordinate_of(self, variable: VariableId) -> Option<CoordinateId> {
        let c = variable.index().checked_sub(self.flanges).filter(|&c| c < self.coordinates);
        c.map(CoordinateId::at)
    }

    /// The variable of a prescribed motion.
    pub fn prescribed_motion(self, motion: PrescribedMotionId) -> VariableId {
        VariableId::at(self.flanges + self.coordinates + motion.index())
    }

    /// The prescribed motion of a variable.
    pub fn prescribed_motion_of(self, variable: VariableId) -> Option<PrescribedMotionId> {
        let first = self.prescribed_motion(PrescribedMotionId::at(0)).index();
        variable
            .index()
            .checked_sub(first)
            .filter(|&k| k < self.prescribed_motions)
            .map(PrescribedMotionId::at)
    }

    /// The variables of all prescribed motions.
    pub fn prescribed_motions(self) -> impl Iterator<Item = VariableId> {
        (0..self.prescribed_motions)
            .map(move |motion| self.prescribed_motion(PrescribedMotionId::at(motion)))
    }

    /// Whether there are prescribed motions.
    pub fn has_prescribed_motions(self) -> bool {
        self.prescribed_motions > 0
    }

    /// Whether a variable is that of a prescribed motion.
    pub fn is_prescribed(self, variable: VariableId) -> bool {
        self.prescribed_motion_of(variable).is_some()
    }

    /// The variable of a reaction: the violation of a flange constraint, always zero. Its
    /// generalised force is the reaction.
    pub fn violation(self, constraint: FlangeConstraintId) -> VariableId {
        VariableId::at(
            self.prescribed_motion(PrescribedMotionId::at(self.prescribed_motions)).index()
                + constraint.index(),
        )
    }

    /// The flange constraint of which a variable is the violation.
    pub fn violation_of(self, variable: VariableId) -> Option<FlangeConstraintId> {
        let first = self.violation(FlangeConstraintId::at(0)).index();
        variable
            .index()
            .checked_sub(first)
            .filter(|&k| k < self.flange_constraints)
            .map(FlangeConstraintId::at)
    }

    /// The variables of all violations.
    pub fn violations(self) -> impl Iterator<Item = VariableId> {
        (0..self.flange_constraints)
            .map(move |constraint| self.violation(FlangeConstraintId::at(constraint)))
    }

    /// Whether a variable is the violation of a flange constraint.
    pub fn is_violation(self, variable: VariableId) -> bool {
        self.violation_of(variable).is_some()
    }

    /// Whether a variable is no degree of freedom: a prescribed motion, or the violation of a
    /// flange constraint.
    pub fn is_given(self, variable: VariableId) -> bool {
        self.is_prescribed(variable) || self.is_violation(variable)
    }

    /// The variable of a state.
    pub fn state(self, state: usize) -> VariableId {
        VariableId::at(
            self.violation(FlangeConstraintId::at(self.flange_constraints)).index() + state,
        )
    }

    /// The state of a variable.
    pub fn state_of(self, variable: VariableId) -> Option<usize> {
        variable.index().checked_sub(self.state(0).index())
    }

    /// Rank in an elimination: flanges go first, then other coordinates; the rest never.
    pub fn rank(self, variable: VariableId) -> usize {
        if variable.index() < self.flanges {
            0
        } else {
            1 + usize::from(variable >= self.prescribed_motion(PrescribedMotionId::at(0)))
        }
    }
}

/// The variables of a model.
#[derive(Clone, Debug, Default)]
pub struct Variables {
    /// How they are numbered.
    pub numbering: Numbering,
    /// Variables that flange constraints determine, as forms of the variables that are left.
    pub elimination: Elimination,
}

impl Variables {
    /// A variable as a form of those that have initial values.
    pub fn start_form(&self, variable: VariableId) -> LinearForm {
        let mut form = self.elimination.variable(variable);
        form.terms.retain(|&v, _| !self.numbering.is_violation(v));
        form
    }
}
