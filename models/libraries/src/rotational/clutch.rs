//! Clutch: friction between two flanges that a signal presses together.

use crate::interfaces::friction::friction_modes;
use crate::interfaces::friction_laws::{between_flanges, rotational::Faces, rotational::faces};
use crate::interfaces::losses::losses;
use crate::interfaces::relative_coordinate::rotational::{
    RelativeStarts, flange_pair, relative_motion, relative_starts,
};
use mechanics::declaration::prelude::*;
use mechanics::domain::ROTATIONAL;

component! {
    /// Clutch based on Coulomb friction.
    ///
    /// It joins a motor to its load, as in a gearbox or a winch.
    ///
    /// # Equations
    /// `phi_rel = flange_b.phi - flange_a.phi`, `w_rel = der(phi_rel)`, `flange_b.tau = tau`,
    /// `flange_a.tau = -tau`, and `fn = fn_max f_normalized`. While the clutch slides, `tau` has
    /// the sign of `w_rel` and the magnitude `cgeo mu(|w_rel|) fn`. While it is stuck,
    /// `der(w_rel) = 0` as long as `|tau| <= peak cgeo mu(0) fn`. If `fn <= 0`, `tau = 0`.
    /// `lossPower = tau w_rel`.
    ///
    /// # Events
    /// `w_rel` changes its sign while the clutch slides; the torque reaches its limit while the
    /// clutch is stuck; `fn` changes its sign.
    pub struct Clutch = "Modelica.Mechanics.Rotational.Components.Clutch" {
        ..faces: faces,
        ..flange_pair,
        ..relative_motion,
        ..relative: relative_starts,
        ..friction_modes,
        ..losses,
    }
}

impl Component for Clutch {
    fn contribute(p: ClutchParameters, c: &mut Contribution<'_>) -> Result<(), Error> {
        let place = between_flanges(c, &ROTATIONAL, p.relative);
        p.faces.contribute(c, place, |_, w_rel, pressed| pressed.coulomb(w_rel))
    }
}
