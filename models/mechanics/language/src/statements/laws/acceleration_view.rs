//! The view of laws on accelerations: beyond every other view, it has accelerations, reactions and
//! the states of friction elements.

use super::friction_element::FrictionState;
use super::multipliers::{CutReactions, Multiplier, Reaction};
use super::signal_view::SignalView;
use super::solution::Solution;
use crate::error::Error;
use crate::ids::{ComponentId, FrictionId, LinkId, List};
use crate::statements::motion::coordinates::Motion;
use crate::statements::motion::ends::FrameEnd;
use crate::statements::spatial::pose::Acceleration;
use crate::statements::spatial::wrench::Wrench;
use crate::vector::Vector;
use equations::Ex;
use std::ops::{Deref, DerefMut};

/// A law on accelerations: run once, when these are known.
pub type AccelerationLaw = Box<dyn FnOnce(&mut AccelerationView<'_>) -> Result<(), Error>>;

/// A value that follows from accelerations.
pub type AccelerationSignal = Box<dyn FnOnce(&mut AccelerationView<'_>) -> Result<Ex, Error>>;

/// A force of a closed contact, in the direction of its row.
#[derive(Clone, Debug)]
#[doc(hidden)]
pub struct ContactForce {
    /// The row.
    pub row: Motion,
    /// The force in N.
    pub force: Ex,
}

/// The view of a law on accelerations: a [`SignalView`], and the solved equations of motion.
///
/// The torques and forces that such a law sets for flanges and frames are results of the equations
/// of motion.
pub struct AccelerationView<'a> {
    evaluation: SignalView<'a>,
    solution: Solution,
    /// Accelerations of the links in their axes, with gravity as an upward acceleration.
    links: List<LinkId, Acceleration>,
    #[doc(hidden)]
    pub contact_forces: Vec<ContactForce>,
}

impl<'a> Deref for AccelerationView<'a> {
    type Target = SignalView<'a>;

    fn deref(&self) -> &SignalView<'a> {
        &self.evaluation
    }
}

impl<'a> DerefMut for AccelerationView<'a> {
    fn deref_mut(&mut self) -> &mut SignalView<'a> {
        &mut self.evaluation
    }
}

impl<'a> AccelerationView<'a> {
    /// From the view of the laws on positions and speeds, with the accelerations of coordinates and
    /// links.
    #[doc(hidden)]
    pub fn new(
        evaluation: SignalView<'a>,
        solution: Solution,
        links: List<LinkId, Acceleration>,
    ) -> Self {
        AccelerationView { evaluation, solution, links, contact_forces: Vec::new() }
    }

    /// Evaluates laws in their order, each with its component.
    #[doc(hidden)]
    pub fn evaluate(mut self, laws: Vec<(ComponentId, AccelerationLaw)>) -> Result<Self, Error> {
        for (component, law) in laws {
            self.component = component;
            law(&mut self)?;
        }
        Ok(self)
    }

    /// The solved equations of motion.
    #[doc(hidden)]
    pub fn solution(&self) -> &Solution {
        &self.solution
    }

    /// Accelerations of the links in their axes, with gravity as an upward acceleration.
    #[doc(hidden)]
    pub fn links(&self) -> &List<LinkId, Acceleration> {
        &self.links
    }

    /// The acceleration of a frame in its own axes.
    pub fn acceleration(&self, end: FrameEnd) -> Acceleration {
        self.frames().acceleration(end, &self.links)
    }

    /// The second derivative of a motion.
    pub fn second_derivative(&self, motion: &Motion) -> Ex {
        motion.acceleration(&self.solution.accelerations)
    }

    /// The multiplier of a flange constraint.
    pub fn reaction(&self, reaction: Reaction) -> Ex {
        self.solution.reactions[&reaction.0]
    }

    /// The multiplier of a constraint's residual.
    pub fn multiplier(&self, multiplier: Multiplier) -> Ex {
        -self.reaction(multiplier.0)
    }

    /// Cut torque and cut force at frame `a` of a rigid connection, into it, in the frame's axes.
    pub fn cut_load(&self, cut: &CutReactions) -> Wrench {
        let vector = |first: usize| Vector::from_fn(|k, _| self.reaction(cut.0[first + k]));
        Wrench { force: vector(0), torque: vector(3) }
    }

    /// The state of a friction element.
    pub fn friction_state(&self, element: FrictionId) -> FrictionState {
        self.solution.friction[element]
    }
}
