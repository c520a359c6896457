//! A clutch that is pressed by a signal forward and holds by itself backward.

use crate::declaration::prelude::*;
use crate::domain::ROTATIONAL;
use crate::interfaces::characteristic::Characteristic;
use crate::interfaces::friction::{FrictionPorts, Law};
use crate::interfaces::friction_laws::{between_flanges, rotational::Faces, rotational::faces};
use crate::interfaces::losses::losses;
use crate::interfaces::relative_coordinate::rotational::{
    RelativeStarts, flange_pair, relative_motion, relative_starts,
};
use equations::select;

/// Smallest relative distance of the holding torque from the sliding torque.
const EPSILON: f64 = 1e-4;

/// A speed backward in rad/s that is nothing but rounding.
const ROUNDING: f64 = 1e-9;

component! {
    /// Parallel connection of a freewheel and a clutch.
    ///
    /// # Equations
    /// `phi_rel = flange_b.phi - flange_a.phi`, `w_rel = der(phi_rel)`, `flange_b.tau = tau`,
    /// `flange_a.tau = -tau`; `fn = fn_max f_normalized`, which presses if it is positive. Sliding,
    /// `w_rel > 0`: `tau = cgeo mu(w_rel) fn`. Stuck: `der(w_rel) = 0` while `tau` is below
    /// `max(peak, 1 + eps) cgeo mu(0) fn` (if nothing presses, `eps cgeo mu(0) fn_max`), with
    /// `eps = 1e-4`; every negative torque is held. `lossPower = tau w_rel`, zero while stuck. A
    /// speed that is negative at the start is refused: it would have to be held, which takes an
    /// impact.
    ///
    /// With `f_normalized = 0` it is a freewheel.
    ///
    /// # Events
    /// The sign of `w_rel` while sliding, the torque against its limit while stuck, the sign of
    /// `fn`.
    pub struct OneWayClutch = "Modelica.Mechanics.Rotational.Components.OneWayClutch" {
        ..faces: faces,
        ..flange_pair,
        ..relative_motion,
        ..relative: relative_starts,
        ..losses,
    }
    variables {
        /// Mode of friction: -1 backward, 0 stuck, 1 forward, 2 free, 3 unknown
        mode: Integer,
        /// True while starting to slide forward
        start_forward "startForward": Boolean,
        /// Path parameter of the friction characteristic
        sa: Real["1"],
        /// True while no sliding is possible
        locked: Boolean,
        /// True while stuck, or starting to slide
        stuck: Boolean,
    }
}

impl Component for OneWayClutch {
    fn contribute(p: OneWayClutchParameters, c: &mut Contribution<'_>) -> Result<(), Error> {
        let place = FrictionPorts { one_way: true, ..between_flanges(c, &ROTATIONAL, p.relative) };
        p.faces.contribute(c, place, |e, w_rel, pressed| {
            let sentence =
                "at the start it must be zero or positive: the clutch slides forward only";
            e.require(&["w_rel"], w_rel.ge(-ROUNDING), sentence);
            let (faces, free) = (&pressed.faces, pressed.free);
            let peak = select(faces.peak.gt(1.0 + EPSILON), faces.peak, 1.0 + EPSILON);
            // Without normal force it still holds backward.
            let tau = |w: Ex| select(free, 0.0, pressed.tau(w));
            let law = Law::coulomb(tau, w_rel, peak, faces.w_small);
            Law {
                tau0_max: select(free, faces.largest() * EPSILON, law.tau0_max),
                sliding: [tau(w_rel), Ex::zero()],
                starting: [tau(w_rel), Ex::zero()],
                offset: law.tau0,
                ..law
            }
        })
    }
}
