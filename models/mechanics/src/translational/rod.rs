//! A rigid rod without mass.

use crate::component::{Contribution, OldComponent};
use crate::domain::TRANSLATIONAL;
use crate::error::Error;
use crate::interfaces::rigid;
use crate::ports;

/// Rod without inertia.
///
/// # Equations
/// `flange_a.s = s - L/2`, `flange_b.s = s + L/2`, `0 = flange_a.f + flange_b.f`.
///
/// # Variables
/// `s` (the middle) in m; `L` in m, fixed because initial values hang on it.
///
/// # Reference
/// Modelica.Mechanics.Translational.Components.Rod.
#[derive(Clone, Debug)]
#[allow(non_snake_case, reason = "the name in the Modelica Standard Library")]
pub struct Rod {
    L: f64,
}

ports! {
    /// Ports and variables of a [`Rod`].
    pub struct RodPorts {
        /// Left flange.
        flange_a: translational_flange,
        /// Right flange.
        flange_b: translational_flange,
        /// Position of the middle in m.
        s: quantity,
    }
}

impl Rod {
    /// With length `L` from the left to the right flange in m.
    #[allow(non_snake_case, reason = "the name in the Modelica Standard Library")]
    pub fn L(value: f64) -> Self {
        Rod { L: value }
    }
}

impl OldComponent for Rod {
    type Ports = RodPorts;

    fn contribute(&self, c: &mut Contribution<'_>) -> Result<(), Error> {
        let length = rigid::length(c, self.L)?;
        rigid::massless(c, &TRANSLATIONAL, length);
        Ok(())
    }
}
