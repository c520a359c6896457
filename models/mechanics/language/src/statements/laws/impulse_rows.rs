//! Rows along which impulses act at events, as laws state them.

use crate::ids::ComponentId;
use equations::{Bool, Ex, Model};
use std::ops::Range;

/// An impact of a contact.
#[derive(Clone, Copy, Debug)]
pub struct ContactState {
    /// Whether the surfaces are in contact.
    pub touches: Bool,
    /// Whether they part.
    pub separates: Bool,
    /// Whether they approach each other as well.
    pub approaches: Bool,
    /// Coefficient of restitution.
    pub elasticity: Ex,
    /// Coefficient of friction; `None`: the contact has a row along its normal only.
    pub friction: Option<Ex>,
    /// Slower approaches are inelastic, in m/s; it counts the less the more elastic the contact is.
    pub v_small: Ex,
}

/// Impulses that are known, from the block of `W` and the speeds that belong to their rows.
pub type KnownImpulses = Box<dyn FnOnce(&[Vec<Ex>], &[Ex]) -> (Bool, Vec<Ex>)>;

/// The impulses of an event iteration along the rows of a component, with their effect.
#[derive(Clone, Debug)]
pub struct ImpulseOutcome {
    /// Whether the contact was active, or known impulses acted.
    pub active: Bool,
    /// The impulses.
    pub p: Vec<Ex>,
    /// The speeds along the rows before.
    pub before: Vec<Ex>,
    /// Their changes.
    pub change: Vec<Ex>,
}

/// A function that uses the outcome.
pub type AfterImpulses = Box<dyn FnOnce(&mut Model, ImpulseOutcome)>;

/// Rows along which impulses act at events.
pub struct ImpulseRows {
    /// The component that states them.
    pub component: ComponentId,
    /// Their numbers, from `add_rows`.
    pub rows: Range<usize>,
    /// A contact: the first row is its normal.
    pub contact: Option<ContactState>,
    /// Known impulses, which the component determines.
    pub known: Option<KnownImpulses>,
    /// Whether their work is supplied to the mechanism; the work of other impulses is a loss.
    pub source: bool,
    /// What the component does with the impulses.
    pub done: AfterImpulses,
}
