//! Friction elements: the statement of a law, and the result of the equations of motion.

use super::multipliers::Reaction;
use crate::ids::FrictionId;
use crate::statements::motion::coordinates::Motion;
use equations::{Bool, Ex};

/// A friction element between the terms of a relative motion.
#[derive(Clone, Debug)]
pub struct Friction {
    /// Instance name.
    pub name: String,
    /// The relative motion; the friction torque acts against it.
    pub relative: Motion,
    /// True while it is stuck.
    pub locked: Bool,
    /// The torque while it is not stuck.
    pub sliding: Ex,
    /// A load and a factor: while not stuck, this much of the load is added to `sliding`.
    pub proportional: Option<(Pressing, Ex)>,
    /// The relative acceleration while stuck is the negative of this.
    pub stabilisation: Ex,
    /// Whether it is a contact: of several, none need determine its force alone.
    pub contact: bool,
}

/// The load to which a sliding torque is proportional.
#[derive(Clone, Copy, Debug)]
pub enum Pressing {
    /// A multiplier.
    Reaction(Reaction),
    /// The torque of another element, by its number.
    Element(FrictionId),
}

/// The result of the equations of motion for a friction element.
#[derive(Clone, Copy, Debug)]
pub struct FrictionState {
    /// Its torque in N.m.
    pub tau: Ex,
    /// The torque that decides whether the element breaks loose. It equals `tau`, except for
    /// parallel elements: their torques are taken from a slightly softer system, which determines
    /// the torque of every element.
    pub holding_torque: Ex,
    /// The relative acceleration in this softer system, which decides whether the element goes on
    /// sliding.
    pub sliding_acceleration: Ex,
    /// The relative acceleration per unit of torque that rounding errors may hide.
    pub acceleration_error_per_torque: Ex,
    /// The relative acceleration that may be nothing but rounding errors of its terms.
    pub acceleration_error: Ex,
    /// The reaction in this softer system on which the sliding torque depends.
    pub reaction: Ex,
    /// The decrease of that reaction per unit of torque of the element.
    pub reaction_decrease_per_torque: Ex,
    /// Whether other elements hold the element: then its own torque cannot move it.
    pub held_by_others: Bool,
    /// The error of that reaction, by rounding or because parallel elements share torques.
    pub reaction_error: Ex,
}
