//! What happens at an impact of a contact, and afterwards.

use equations::{Bool, Ex};

/// A speed along the normal below this fraction of `v_small` counts as zero.
pub const NO_SPEED: f64 = 1e-6;

/// What happens at an impact of a contact, and afterwards.
#[derive(Clone, Copy, Debug)]
pub struct ContactLaw {
    /// Coefficient of restitution.
    pub elasticity: Ex,
    /// Friction along the surfaces.
    pub friction: ContactFriction,
    /// An approach slower than this times `1 - elasticity` is inelastic; m/s.
    pub v_small: Ex,
    /// Whether the contact can be kept closed.
    pub rests: bool,
    /// Whether the force of the closed contact has an arrow, also without friction.
    pub drawn: bool,
}

/// Friction of a contact.
#[derive(Clone, Copy, Debug)]
pub enum ContactFriction {
    /// None: the contact has a row along its normal only.
    None,
    /// Coulomb's law, at impacts and while the contact is closed.
    Coulomb {
        /// Coefficient of friction.
        mu: Ex,
    },
    /// At impacts only, and delayed: an impulse after the impact, then a correction.
    Delayed {
        /// Coefficient of friction.
        mu: Ex,
        /// From the impact to the last stage, in s.
        duration: Ex,
        /// Speed in m/s below which the correction has no direction.
        small: Ex,
    },
}

impl ContactFriction {
    /// The coefficient of Coulomb's law.
    pub fn coulomb(self) -> Option<Ex> {
        match self {
            ContactFriction::Coulomb { mu } => Some(mu),
            ContactFriction::None | ContactFriction::Delayed { .. } => None,
        }
    }
}

/// Whether the frames of a contact touch and approach each other.
#[derive(Clone, Copy, Debug)]
pub struct ContactConditions {
    /// They touch, and the contact is not kept closed.
    pub touches_open: Bool,
    /// They touch.
    pub touches: Bool,
    /// They touch and approach each other.
    pub approaches: Bool,
}
