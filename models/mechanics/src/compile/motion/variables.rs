//! The variables of a model, and the linear relations between them.

use crate::compile::algebra::linear_form::{Elimination, LinearForm};

/// The numbers of the variables: flange nodes, coordinates of joints, drives, violations, then the
/// states.
#[derive(Clone, Copy, Debug, Default)]
pub struct Numbering {
    flanges: usize,
    coordinates: usize,
    drives: usize,
    relations: usize,
}

impl Numbering {
    /// Of a model with so many flange nodes, coordinates, prescribed motions and relations.
    pub fn new(flanges: usize, coordinates: usize, drives: usize, relations: usize) -> Self {
        Numbering { flanges, coordinates, drives, relations }
    }

    /// The variable of a coordinate of the mechanism.
    pub fn coordinate(self, coordinate: usize) -> usize {
        self.flanges + coordinate
    }

    /// The coordinate of a variable.
    pub fn coordinate_of(self, variable: usize) -> Option<usize> {
        variable.checked_sub(self.flanges).filter(|&c| c < self.coordinates)
    }

    /// The variable of a drive: its position is prescribed.
    pub fn drive(self, drive: usize) -> usize {
        self.flanges + self.coordinates + drive
    }

    /// The variables of all drives.
    pub fn drives(self) -> std::ops::Range<usize> {
        self.drive(0)..self.violation(0)
    }

    /// The variable of a reaction: the violation of a relation, always zero. Its generalised force
    /// is the reaction.
    pub fn violation(self, relation: usize) -> usize {
        self.drive(self.drives) + relation
    }

    /// The variables of all violations.
    pub fn violations(self) -> std::ops::Range<usize> {
        self.violation(0)..self.state(0)
    }

    /// Whether a variable is no freedom: that of a drive, or the violation of a relation.
    pub fn is_given(self, variable: usize) -> bool {
        self.drives().contains(&variable) || self.is_violation(variable)
    }

    /// Whether a variable is the violation of a relation.
    pub fn is_violation(self, variable: usize) -> bool {
        self.violations().contains(&variable)
    }

    /// The variable of a state.
    pub fn state(self, state: usize) -> usize {
        self.violation(self.relations) + state
    }

    /// Rank in an elimination: flanges go first, then other coordinates; the rest never.
    pub fn rank(self, variable: usize) -> usize {
        if variable < self.flanges { 0 } else { 1 + usize::from(variable >= self.drive(0)) }
    }
}

/// The variables of a model.
#[derive(Clone, Debug, Default)]
pub struct Variables {
    /// How they are numbered.
    pub numbering: Numbering,
    /// Those that linear relations determine, as forms of those that are left.
    pub elimination: Elimination,
}

impl Variables {
    /// A variable as a form of those that have initial values.
    pub fn start_form(&self, variable: usize) -> LinearForm {
        let mut form = self.elimination.variable(variable);
        form.terms.retain(|&v, _| !self.numbering.is_violation(v));
        form
    }
}
