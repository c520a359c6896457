//! Friction elements: what a law says of one, and what the equations of motion say about it.

use super::multipliers::Reaction;
use crate::compile::ids::FrictionId;
use crate::compile::motion::coordinates::Motion;
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

/// What a sliding torque may be proportional to.
#[derive(Clone, Copy, Debug)]
pub enum Pressing {
    /// A multiplier.
    Reaction(Reaction),
    /// The torque of another element, by its number.
    Element(FrictionId),
}

/// What the equations of motion say about a friction element.
#[derive(Clone, Copy, Debug)]
pub struct FrictionState {
    /// Its torque in N.m.
    pub tau: Ex,
    /// The torque that decides whether it breaks loose; it is `tau`, but for parallel elements,
    /// where it is the torque of a slightly softer system in which every element has its own.
    pub holding_torque: Ex,
    /// The relative acceleration that decides whether it goes on sliding, of the same system.
    pub sliding_acceleration: Ex,
    /// What a unit of its torque is worth as a relative acceleration that rounding errors may hide.
    pub acceleration_error_per_torque: Ex,
    /// A relative acceleration that may be nothing but rounding of the terms that it is a sum of.
    pub acceleration_error: Ex,
    /// The reaction on which its sliding torque depends, of the same system.
    pub reaction: Ex,
    /// How much the reaction on which its sliding torque depends falls with a unit of its torque.
    pub reaction_decrease_per_torque: Ex,
    /// Whether others hold it: no torque of its own could move it.
    pub held_by_others: Bool,
    /// What of that reaction may be rounding, or an error of torques that parallel elements share.
    pub reaction_error: Ex,
}
