//! A brake: friction between a shaft and its housing, pressed by a signal.

use crate::component::{Contribution, OldComponent, Starts};
use crate::domain::ROTATIONAL;
use crate::error::Error;
use crate::interfaces::characteristic::Characteristic;
use crate::interfaces::friction;
use crate::interfaces::friction_laws::{Faces, shaft_in_support};
use crate::start::Start;
use crate::{ports, setters};

/// Brake based on Coulomb friction.
///
/// # Equations
/// `phi = flange_a.phi - support.phi`, `flange_b.phi = flange_a.phi`, `w = der(phi)`,
/// `a = der(w)`, `flange_a.tau + flange_b.tau = tau`, `support.tau = -tau`;
/// `fn = fn_max f_normalized`. Sliding: `tau = cgeo mu(|w|) fn` against the motion. Stuck: `a = 0`
/// while `|tau| <= peak cgeo mu(0) fn`. `fn <= 0`: `tau = 0`. `lossPower = tau w`.
///
/// # Variables
/// `mu_pos` friction coefficient over speed in rad/s, `peak >= 1` without unit, `cgeo` in m,
/// `fn_max` in N; input `f_normalized` without unit; `mode`, `startForward`, `startBackward`.
///
/// # Events
/// The sign of `w` while sliding, the torque against its limit while stuck, the sign of `fn`.
///
/// # Reference
/// Modelica.Mechanics.Rotational.Components.Brake.
#[derive(Clone, Debug)]
pub struct Brake {
    mu_pos: Characteristic,
    peak: f64,
    cgeo: f64,
    fn_max: f64,
    w_small: f64,
    phi: Start,
    w: Start,
}

ports! {
    /// Ports and variables of a [`Brake`].
    pub struct BrakePorts {
        /// Left flange of the shaft.
        flange_a: flange,
        /// Right flange of the shaft.
        flange_b: flange,
        /// Housing.
        support: flange,
        /// Where the lost power goes.
        heat_port: heat_port = "heatPort",
        /// Normalised normal force.
        f_normalized: input,
        /// Angle relative to the housing in rad.
        phi: quantity,
        /// Angular velocity relative to the housing in rad/s.
        w: quantity,
        /// Angular acceleration relative to the housing in rad/s2.
        a: quantity,
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

impl Brake {
    /// With the largest normal force `fn_max` in N.
    pub fn fn_max(fn_max: f64) -> Self {
        let (mu_pos, phi, w) = (Characteristic::from(0.5), Start::default(), Start::default());
        Brake { mu_pos, peak: 1.0, cgeo: 1.0, fn_max, w_small: 1e10, phi, w }
    }
}

setters! {
    impl Brake {
        /// Friction coefficient: a number, or rows of speed in rad/s and coefficient.
        mu_pos: Characteristic,
        /// Ratio of the largest holding torque to the sliding torque at rest.
        peak: f64,
        /// Geometry constant of the friction faces in m.
        cgeo: f64,
        /// Speed in rad/s beyond which a jump of the speed through zero (a state set at an event)
        /// goes on as sliding the other way; smaller ones stick.
        w_small: f64,
        /// Start value of the angle relative to the housing in rad.
        phi: Start,
        /// Start value of the angular velocity relative to the housing in rad/s.
        w: Start,
    }
}

impl OldComponent for Brake {
    type Ports = BrakePorts;

    fn contribute(&self, c: &mut Contribution<'_>) -> Result<(), Error> {
        let Brake { peak, cgeo, fn_max, w_small: small_speed, .. } = *self;
        let faces = Faces { mu_pos: &self.mu_pos, peak, cgeo, fn_max, small_speed };
        let faces = faces.declare(c, &ROTATIONAL)?;
        let place = shaft_in_support(c, &ROTATIONAL, Starts { position: self.phi, speed: self.w });
        friction::contribute(c, place, move |e, relative| faces.law(e, relative.v));
        Ok(())
    }
}
