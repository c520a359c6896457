//! A clutch: friction between two flanges, pressed by a signal.

use crate::component::{Contribution, OldComponent};
use crate::domain::ROTATIONAL;
use crate::error::Error;
use crate::interfaces::characteristic::Characteristic;
use crate::interfaces::compliant::{RelativeStates, relative_states};
use crate::interfaces::friction::{self, Law};
use crate::interfaces::friction_laws::{Faces, between_flanges};
use crate::{ports, setters};

/// Clutch based on Coulomb friction.
///
/// # Equations
/// `phi_rel = flange_b.phi - flange_a.phi`, `w_rel = der(phi_rel)`, `flange_b.tau = tau`,
/// `flange_a.tau = -tau`; `fn = fn_max f_normalized`. Sliding: `tau = cgeo mu(|w_rel|) fn` against
/// the motion. Stuck: `der(w_rel) = 0` while `|tau| <= peak cgeo mu(0) fn`. `fn <= 0`: `tau = 0`.
/// `lossPower = tau w_rel`.
///
/// # Variables
/// `mu_pos` friction coefficient over speed in rad/s, `peak >= 1` without unit, `cgeo` in m,
/// `fn_max` in N; input `f_normalized` without unit; `mode`, `startForward`, `startBackward`.
///
/// # Events
/// The sign of `w_rel` while sliding, the torque against its limit while stuck, the sign of `fn`.
///
/// # Reference
/// Modelica.Mechanics.Rotational.Components.Clutch.
#[derive(Clone, Debug)]
pub struct Clutch {
    mu_pos: Characteristic,
    peak: f64,
    cgeo: f64,
    fn_max: f64,
    w_small: f64,
    relative: RelativeStates,
}

ports! {
    /// Ports and variables of a [`Clutch`].
    pub struct ClutchPorts {
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
        /// Mode of friction.
        mode: quantity,
        /// True while stuck.
        locked: quantity,
        /// Lost power in W.
        loss_power: quantity = "lossPower",
    }
}

impl Clutch {
    /// With the largest normal force `fn_max` in N.
    pub fn fn_max(fn_max: f64) -> Self {
        Clutch {
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
    impl Clutch {
        /// Friction coefficient: a number, or rows of speed in rad/s and coefficient.
        mu_pos: Characteristic,
        /// Ratio of the largest holding torque to the sliding torque at rest.
        peak: f64,
        /// Geometry constant of the friction faces in m.
        cgeo: f64,
        /// Relative speed in rad/s beyond which a jump of the speed through zero (a state set at an
        /// event) goes on as sliding the other way; smaller ones stick.
        w_small: f64,
    }
}

relative_states!(rotational Clutch);

impl OldComponent for Clutch {
    type Ports = ClutchPorts;

    fn contribute(&self, c: &mut Contribution<'_>) -> Result<(), Error> {
        let Clutch { peak, cgeo, fn_max, w_small: small_speed, .. } = *self;
        let faces = Faces { mu_pos: &self.mu_pos, peak, cgeo, fn_max, small_speed };
        let faces = faces.declare(c, &ROTATIONAL)?;
        let place = between_flanges(c, &ROTATIONAL, self.relative);
        friction::contribute(c, place, move |e, relative| {
            let law = faces.law(e, relative.v)?;
            // Starting backward the published component looks the table up at the negative speed;
            // the difference is seen only with a slope, until the mode changes.
            let [forward, _] = law.starting;
            Ok(Law { starting: [forward, -forward], ..law })
        });
        Ok(())
    }
}
