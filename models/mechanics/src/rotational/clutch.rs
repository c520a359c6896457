//! A clutch: friction between two flanges, pressed by a signal.

use crate::declaration::prelude::*;
use crate::domain::ROTATIONAL;
use crate::interfaces::characteristic::Characteristic;
use crate::interfaces::friction::{Law, friction_modes};
use crate::interfaces::friction_laws::{between_flanges, rotational::Faces, rotational::faces};
use crate::interfaces::losses::losses;
use crate::interfaces::relative_coordinate::rotational::{
    RelativeStarts, flange_pair, relative_motion, relative_starts,
};

component! {
    /// Clutch based on Coulomb friction.
    ///
    /// # Equations
    /// `phi_rel = flange_b.phi - flange_a.phi`, `w_rel = der(phi_rel)`, `flange_b.tau = tau`,
    /// `flange_a.tau = -tau`; `fn = fn_max f_normalized`. Sliding: `tau = cgeo mu(|w_rel|) fn`
    /// against the motion. Stuck: `der(w_rel) = 0` while `|tau| <= peak cgeo mu(0) fn`. `fn <= 0`:
    /// `tau = 0`. `lossPower = tau w_rel`.
    ///
    /// # Events
    /// The sign of `w_rel` while sliding, the torque against its limit while stuck, the sign of
    /// `fn`.
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
        p.faces.contribute(c, place, |_, w_rel, pressed| {
            // Starting backward the published component looks the table up at the negative speed;
            // the difference is seen only with a slope, until the mode changes.
            let tau = pressed.tau(w_rel);
            Law { starting: [tau, -tau], ..pressed.coulomb(w_rel) }
        })
    }
}
