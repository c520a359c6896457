//! A clutch that is pressed by a signal forward and holds by itself backward.

use crate::component::{Contribution, OldComponent};
use crate::domain::ROTATIONAL;
use crate::error::Error;
use crate::interfaces::characteristic::Characteristic;
use crate::interfaces::compliant::{RelativeStates, relative_states};
use crate::interfaces::friction::{self, Law, Place};
use crate::interfaces::friction_laws::{Faces, between_flanges};
use crate::{ports, setters};
use equations::{Bool, Ex, select};

/// Smallest relative distance of the holding torque from the sliding torque.
const EPSILON: f64 = 1e-4;

/// Parallel connection of a freewheel and a clutch.
///
/// # Equations
/// `phi_rel = flange_b.phi - flange_a.phi`, `w_rel = der(phi_rel)`, `flange_b.tau = tau`,
/// `flange_a.tau = -tau`; `fn = fn_max f_normalized`, which presses if it is positive. Sliding,
/// `w_rel > 0`: `tau = cgeo mu(w_rel) fn`. Stuck: `der(w_rel) = 0` while `tau` is below
/// `max(peak, 1 + eps) cgeo mu(0) fn` (if nothing presses, `eps cgeo mu(0) fn_max`), with
/// `eps = 1e-4`; every negative torque is held. `lossPower = tau w_rel`, zero while stuck. A speed
/// that is negative at the start is refused: it would have to be held, which takes an impact.
///
/// # Variables
/// `mu_pos` friction coefficient over speed in rad/s, `peak >= 1` without unit, `cgeo` in m,
/// `fn_max` in N; input `f_normalized` without unit; `mode` (0 stuck, 1 forward), `stuck`,
/// `startForward`. With `f_normalized = 0` it is a freewheel.
///
/// # Events
/// The sign of `w_rel` while sliding, the torque against its limit while stuck, the sign of `fn`.
///
/// # Reference
/// Modelica.Mechanics.Rotational.Components.OneWayClutch.
#[derive(Clone, Debug)]
pub struct OneWayClutch {
    mu_pos: Characteristic,
    peak: f64,
    cgeo: f64,
    fn_max: f64,
    w_small: f64,
    relative: RelativeStates,
}

/// A speed backward in rad/s that is nothing but rounding.
const ROUNDING: f64 = 1e-9;

ports! {
    /// Ports and variables of a [`OneWayClutch`].
    pub struct OneWayClutchPorts {
        /// Left flange.
        flange_a: flange,
        /// Right flange.
        flange_b: flange,
        /// Where the lost power goes.
        heat_port: heat_port = "heatPort",
        /// Normalised normal force.
        f_normalized: input,
        /// Relative angle in rad.
        phi_rel: quantity,
        /// Relative angular velocity in rad/s.
        w_rel: quantity,
        /// Friction torque in N.m.
        tau: quantity,
        /// True while stuck, or starting to slide.
        stuck: quantity,
        /// True while stuck.
        locked: quantity,
        /// Lost power in W.
        loss_power: quantity = "lossPower",
    }
}

impl OneWayClutch {
    /// With the largest normal force `fn_max` in N.
    pub fn fn_max(fn_max: f64) -> Self {
        OneWayClutch {
            mu_pos: Characteristic::from(0.5),
            peak: 1.0,
            cgeo: 1.0,
            fn_max,
            w_small: 1e10,
            relative: RelativeStates::default(),
        }
    }
}

setters! {
    impl OneWayClutch {
        /// Friction coefficient: a number, or rows of speed in rad/s and coefficient.
        mu_pos: Characteristic,
        /// Ratio of the largest holding torque to the sliding torque at rest.
        peak: f64,
        /// Geometry constant of the friction faces in m.
        cgeo: f64,
        /// Relative speed in rad/s beyond which a jump of the speed (a state set at an event) makes
        /// the clutch slide although it was stuck.
        w_small: f64,
    }
}

relative_states!(rotational OneWayClutch);

impl OldComponent for OneWayClutch {
    type Ports = OneWayClutchPorts;

    fn contribute(&self, c: &mut Contribution<'_>) -> Result<(), Error> {
        let OneWayClutch { peak, cgeo, fn_max, w_small: small_speed, .. } = *self;
        let faces = Faces { mu_pos: &self.mu_pos, peak, cgeo, fn_max, small_speed };
        let faces = faces.declare(c, &ROTATIONAL)?;
        let place = Place { one_way: true, ..between_flanges(c, &ROTATIONAL, self.relative) };
        friction::contribute(c, place, move |e, relative| {
            let law = faces.law(e, relative.v)?;
            let sentence =
                "at the start it must be zero or positive: the clutch slides forward only";
            e.require(&["w_rel"], relative.v.ge(-ROUNDING), sentence);
            let peak = select(faces.peak().gt(1.0 + EPSILON), faces.peak(), 1.0 + EPSILON);
            let [forward, _] = law.sliding.map(|torque| select(law.free, 0.0, torque));
            let tau0 = select(law.free, 0.0, law.tau0);
            Ok(Law {
                // Without normal force it still holds backward.
                free: Bool::constant(false),
                tau0,
                tau0_max: select(law.free, faces.largest() * EPSILON, peak * tau0),
                sliding: [forward, Ex::zero()],
                starting: [forward, Ex::zero()],
                offset: tau0,
                ..law
            })
        });
        Ok(())
    }
}
