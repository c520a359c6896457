//! Friction between a rod and its support.

use crate::component::{Contribution, OldComponent, Starts};
use crate::domain::TRANSLATIONAL;
use crate::error::Error;
use crate::interfaces::characteristic::Characteristic;
use crate::interfaces::friction;
use crate::interfaces::friction_laws::{Bearing, shaft_in_support};
use crate::start::Start;
use crate::{ports, setters};

/// Coulomb friction in a support.
///
/// # Equations
/// `s = flange_a.s - support.s`, `flange_b.s = flange_a.s`, `v = der(s)`,
/// `a = der(v)`, `flange_a.f + flange_b.f = f`, `support.f = -f`. Sliding:
/// `f = f_pos(|v|)` against the motion. Stuck: `a = 0` while `|f| <= peak f_pos(0)`.
/// `lossPower = f v`.
///
/// # Variables
/// `f_pos` friction force in N over speed in m/s, `peak >= 1` without unit; `mode`,
/// `startForward`, `startBackward`.
///
/// # Events
/// The sign of `v` while sliding, the force against its limit while stuck.
///
/// # Reference
/// Modelica.Mechanics.Translational.Components.SupportFriction.
#[derive(Clone, Debug)]
pub struct SupportFriction {
    f_pos: Characteristic,
    peak: f64,
    v_small: f64,
    s: Start,
    v: Start,
}

ports! {
    /// Ports and variables of a [`SupportFriction`].
    pub struct SupportFrictionPorts {
        /// Left flange of the rod.
        flange_a: translational_flange,
        /// Right flange of the rod.
        flange_b: translational_flange,
        /// Housing.
        support: translational_flange,
        /// Where the lost power goes.
        heat_port: heat_port = "heatPort",
        /// Position relative to the housing in m.
        s: quantity,
        /// Velocity relative to the housing in m/s.
        v: quantity,
        /// Acceleration relative to the housing in m/s2.
        a: quantity,
        /// Friction force in N.
        f: quantity,
        /// Mode of friction.
        mode: quantity,
        /// True while stuck.
        locked: quantity,
        /// Lost power in W.
        loss_power: quantity = "lossPower",
    }
}

impl SupportFriction {
    /// With the friction force in N: a number, or rows of speed in m/s and force.
    pub fn f_pos(f_pos: impl Into<Characteristic>) -> Self {
        let (s, v) = (Start::default(), Start::default());
        SupportFriction { f_pos: f_pos.into(), peak: 1.0, v_small: 1e-3, s, v }
    }
}

setters! {
    impl SupportFriction {
        /// Ratio of the largest holding force to the sliding force at rest.
        peak: f64,
        /// Speed in m/s beyond which a jump of the speed through zero (a state set at an event)
        /// goes on as sliding the other way; smaller ones stick.
        v_small: f64,
        /// Start value of the position relative to the housing in m.
        s: Start,
        /// Start value of the velocity relative to the housing in m/s.
        v: Start,
    }
}

impl OldComponent for SupportFriction {
    type Ports = SupportFrictionPorts;

    fn contribute(&self, c: &mut Contribution<'_>) -> Result<(), Error> {
        let bearing = Bearing { curve: &self.f_pos, peak: self.peak, small_speed: self.v_small };
        let law = bearing.declare(c, &TRANSLATIONAL)?;
        let place = shaft_in_support(c, &TRANSLATIONAL, Starts { position: self.s, speed: self.v });
        friction::contribute(c, place, move |_, relative| Ok(law(relative.v)));
        Ok(())
    }
}
