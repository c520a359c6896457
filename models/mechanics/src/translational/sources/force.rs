//! External forces that signals give.

use crate::component::{Contribution, OldComponent};
use crate::domain::TRANSLATIONAL;
use crate::error::Error;
use crate::interfaces::source;
use crate::ports;

/// Input signal acting as external force on a flange.
///
/// # Equations
/// `flange.f = -f`, `support.f = f` (the support is held if it is not connected).
///
/// # Variables
/// Input `f` in N: positive accelerates the flange.
///
/// # Reference
/// Modelica.Mechanics.Translational.Sources.Force.
#[derive(Clone, Debug, Default)]
pub struct Force;

ports! {
    /// Ports of a [`Force`].
    pub struct ForcePorts {
        /// The driven flange.
        flange: translational_flange,
        /// Housing.
        support: translational_flange,
        /// The force in N.
        f: input,
    }
}

impl OldComponent for Force {
    type Ports = ForcePorts;

    fn contribute(&self, c: &mut Contribution<'_>) -> Result<(), Error> {
        source::given(c, &TRANSLATIONAL)
    }
}

/// Input signal acting as force between two flanges.
///
/// # Equations
/// `flange_a.f = f`, `flange_b.f = -f`.
///
/// # Variables
/// Input `f` in N: positive accelerates `flange_b` and brakes `flange_a`.
///
/// # Reference
/// Modelica.Mechanics.Translational.Sources.Force2.
#[derive(Clone, Debug, Default)]
pub struct Force2;

ports! {
    /// Ports of a [`Force2`].
    pub struct Force2Ports {
        /// The braked flange.
        flange_a: translational_flange,
        /// The driven flange.
        flange_b: translational_flange,
        /// The force in N.
        f: input,
    }
}

impl OldComponent for Force2 {
    type Ports = Force2Ports;

    fn contribute(&self, c: &mut Contribution<'_>) -> Result<(), Error> {
        source::given_between(c, &TRANSLATIONAL)
    }
}
