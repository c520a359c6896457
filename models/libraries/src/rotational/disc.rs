//! Two flanges at a fixed angle to each other.

use crate::interfaces::rigid;
use mechanics::declaration::prelude::*;
use mechanics::domain::ROTATIONAL;

component! {
    /// Disc without inertia whose right flange is rotated by a fixed angle.
    ///
    /// It turns the zero of an angle, for example that of the next crank of an engine.
    ///
    /// # Equations
    /// `flange_a.phi = phi - deltaPhi/2`, `flange_b.phi = phi + deltaPhi/2`,
    /// `0 = flange_a.tau + flange_b.tau`.
    ///
    /// `deltaPhi` is fixed because initial values depend on it.
    pub struct Disc = "Modelica.Mechanics.Rotational.Components.Disc" {
        /// Angle of the right flange minus that of the left one
        delta_phi "deltaPhi": Real["rad", fixed] = 0,
    }
    ports {
        /// Left flange
        flange_a: Flange,
        /// Right flange
        flange_b: Flange,
    }
    variables {
        /// Absolute rotation angle
        phi: Real["rad"],
    }
}

impl Component for Disc {
    fn contribute(p: DiscParameters, c: &mut Contribution<'_>) -> Result<(), Error> {
        rigid::massless(c, &ROTATIONAL, p.delta_phi);
        Ok(())
    }
}
