//! Friction in the bearings of a shaft.

use crate::component::{Contribution, OldComponent, Starts};
use crate::domain::ROTATIONAL;
use crate::error::Error;
use crate::interfaces::characteristic::Characteristic;
use crate::interfaces::friction;
use crate::interfaces::friction_laws::{Bearing, shaft_in_support};
use crate::start::Start;
use crate::{ports, setters};

/// Coulomb friction in bearings.
///
/// # Equations
/// `phi = flange_a.phi - support.phi`, `flange_b.phi = flange_a.phi`, `w = der(phi)`,
/// `a = der(w)`, `flange_a.tau + flange_b.tau = tau`, `support.tau = -tau`. Sliding:
/// `tau = tau_pos(|w|)` against the motion. Stuck: `a = 0` while `|tau| <= peak tau_pos(0)`.
/// `lossPower = tau w`.
///
/// # Variables
/// `tau_pos` friction torque in N.m over speed in rad/s, `peak >= 1` without unit; `mode`,
/// `startForward`, `startBackward`.
///
/// # Events
/// The sign of `w` while sliding, the torque against its limit while stuck.
///
/// # Reference
/// Modelica.Mechanics.Rotational.Components.BearingFriction.
#[derive(Clone, Debug)]
pub struct BearingFriction {
    tau_pos: Characteristic,
    peak: f64,
    w_small: f64,
    phi: Start,
    w: Start,
}

ports! {
    /// Ports and variables of a [`BearingFriction`].
    pub struct BearingFrictionPorts {
        /// Left flange of the shaft.
        flange_a: flange,
        /// Right flange of the shaft.
        flange_b: flange,
        /// Housing.
        support: flange,
        /// Where the lost power goes.
        heat_port: heat_port = "heatPort",
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

impl BearingFriction {
    /// With the friction torque in N.m: a number, or rows of speed in rad/s and torque.
    pub fn tau_pos(tau_pos: impl Into<Characteristic>) -> Self {
        let (phi, w) = (Start::default(), Start::default());
        BearingFriction { tau_pos: tau_pos.into(), peak: 1.0, w_small: 1e10, phi, w }
    }
}

setters! {
    impl BearingFriction {
        /// Ratio of the largest holding torque to the sliding torque at rest.
        peak: f64,
        /// Speed in rad/s beyond which a jump of the speed through zero (a state set at an event)
        /// goes on as sliding the other way; smaller ones stick.
        w_small: f64,
        /// Start value of the angle relative to the housing in rad.
        phi: Start,
        /// Start value of the angular velocity relative to the housing in rad/s.
        w: Start,
    }
}

impl OldComponent for BearingFriction {
    type Ports = BearingFrictionPorts;

    fn contribute(&self, c: &mut Contribution<'_>) -> Result<(), Error> {
        let bearing = Bearing { curve: &self.tau_pos, peak: self.peak, small_speed: self.w_small };
        let law = bearing.declare(c, &ROTATIONAL)?;
        let place = shaft_in_support(c, &ROTATIONAL, Starts { position: self.phi, speed: self.w });
        friction::contribute(c, place, move |_, relative| Ok(law(relative.v)));
        Ok(())
    }
}
