//! A rigid rod without mass.

use crate::interfaces::rigid;
use mechanics::declaration::prelude::*;
use mechanics::domain::TRANSLATIONAL;

component! {
    /// Rod without inertia.
    ///
    /// It is a length between two parts of a drive train, such as a push rod.
    ///
    /// # Equations
    /// `flange_a.s = s - L/2`, `flange_b.s = s + L/2`, `0 = flange_a.f + flange_b.f`.
    ///
    /// `L` is fixed because initial values depend on it.
    pub struct Rod = "Modelica.Mechanics.Translational.Components.Rod" {
        /// Length from the left to the right flange
        L: Real["m", fixed],
    }
    ports {
        /// Left flange
        flange_a: TranslationalFlange,
        /// Right flange
        flange_b: TranslationalFlange,
    }
    variables {
        /// Absolute position
        s: Real["m"],
    }
}

impl Component for Rod {
    fn contribute(p: RodParameters, c: &mut Contribution<'_>) -> Result<(), Error> {
        rigid::massless(c, &TRANSLATIONAL, p.L);
        Ok(())
    }
}
