//! A clutch with a freewheel: a signal presses it together, and it locks backward without a signal.

use crate::interfaces::friction::{FrictionPorts, Law};
use crate::interfaces::friction_laws::{between_flanges, rotational::Faces, rotational::faces};
use crate::interfaces::losses::losses;
use crate::interfaces::relative_coordinate::rotational::{
    RelativeStarts, flange_pair, relative_motion, relative_starts,
};
use equations::select;
use mechanics::declaration::prelude::*;
use mechanics::domain::ROTATIONAL;

/// Smallest relative distance of the holding torque from the sliding torque.
const EPSILON: f64 = 1e-4;

/// Magnitude in rad/s up to which a negative speed is regarded as a rounding error.
const ROUNDING: f64 = 1e-9;

component! {
    /// Parallel connection of a freewheel and a clutch.
    ///
    /// It is the freewheel of a bicycle, a starter or an automatic transmission.
    ///
    /// # Equations
    /// `phi_rel = flange_b.phi - flange_a.phi`, `w_rel = der(phi_rel)`, `flange_b.tau = tau`,
    /// `flange_a.tau = -tau`, and `fn = fn_max f_normalized`, which is a normal force only if it is
    /// positive. While the clutch slides, `w_rel > 0` and `tau = cgeo mu(w_rel) fn`. While it is
    /// stuck, `der(w_rel) = 0` as long as `tau` is below `max(peak, 1 + eps) cgeo mu(0) fn` with
    /// `eps = 1e-4`. If there is no normal force, this limit is `eps cgeo mu(0) fn_max`. Negative
    /// torques have no limit. `lossPower = tau w_rel`, which is zero while the clutch is stuck. A
    /// negative speed at the start is an error, because only an impact could stop it.
    ///
    /// With `f_normalized = 0` the clutch is a freewheel.
    ///
    /// # Events
    /// `w_rel` reaches zero while the clutch slides; the torque reaches its limit while the clutch
    /// is stuck; `fn` changes its sign.
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
                "must not be negative at the start, because the clutch cannot slide backward";
            e.require(&["w_rel"], w_rel.ge(-ROUNDING), sentence);
            let (faces, free) = (&pressed.faces, pressed.free);
            let peak = select(faces.peak.gt(1.0 + EPSILON), faces.peak, 1.0 + EPSILON);
            // Without normal force the clutch still locks backward.
            let tau = |w: Ex| select(free, 0.0, pressed.tau(w));
            let law = Law::coulomb(tau, w_rel, peak, faces.w_small);
            Law {
                tau0_max: select(free, pressed.largest() * EPSILON, law.tau0_max),
                sliding: [tau(w_rel), Ex::zero()],
                offset: law.tau0,
                ..law
            }
        })
    }
}
