//! A brake: friction between a rod and its housing, pressed by a signal.

use crate::component::{Contribution, OldComponent, Starts};
use crate::domain::TRANSLATIONAL;
use crate::error::Error;
use crate::interfaces::characteristic::Characteristic;
use crate::interfaces::friction;
use crate::interfaces::friction_laws::{Faces, shaft_in_support};
use crate::start::Start;
use crate::{ports, setters};

/// Brake based on Coulomb friction.
///
/// # Equations
/// `s = flange_a.s - support.s`, `flange_b.s = flange_a.s`, `v = der(s)`,
/// `a = der(v)`, `flange_a.f + flange_b.f = f`, `support.f = -f`;
/// `fn = fn_max f_normalized`. Sliding: `f = cgeo mu(|v|) fn` against the motion. Stuck: `a = 0`
/// while `|f| <= peak cgeo mu(0) fn`. `fn <= 0`: `f = 0`. `lossPower = f v`.
///
/// # Variables
/// `mu_pos` friction coefficient over speed in m/s, `peak >= 1` without unit, `cgeo` without unit,
/// `fn_max` in N; input `f_normalized` without unit; `mode`, `startForward`, `startBackward`.
///
/// # Events
/// The sign of `v` while sliding, the force against its limit while stuck, the sign of `fn`.
///
/// # Reference
/// Modelica.Mechanics.Translational.Components.Brake.
#[derive(Clone, Debug)]
pub struct Brake {
    mu_pos: Characteristic,
    peak: f64,
    cgeo: f64,
    fn_max: f64,
    v_small: f64,
    s: Start,
    v: Start,
}

ports! {
    /// Ports and variables of a [`Brake`].
    pub struct BrakePorts {
        /// Left flange of the rod.
        flange_a: translational_flange,
        /// Right flange of the rod.
        flange_b: translational_flange,
        /// Housing.
        support: translational_flange,
        /// Where the lost power goes.
        heat_port: heat_port = "heatPort",
        /// Normalised normal force.
        f_normalized: input,
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

impl Brake {
    /// With the largest normal force `fn_max` in N.
    pub fn fn_max(fn_max: f64) -> Self {
        let (mu_pos, s, v) = (Characteristic::from(0.5), Start::default(), Start::default());
        Brake { mu_pos, peak: 1.0, cgeo: 1.0, fn_max, v_small: 1e-3, s, v }
    }
}

setters! {
    impl Brake {
        /// Friction coefficient: a number, or rows of speed in m/s and coefficient.
        mu_pos: Characteristic,
        /// Ratio of the largest holding force to the sliding force at rest.
        peak: f64,
        /// Geometry constant of the friction faces, without unit.
        cgeo: f64,
        /// Speed in m/s beyond which a jump of the speed through zero (a state set at an event)
        /// goes on as sliding the other way; smaller ones stick.
        v_small: f64,
        /// Start value of the position relative to the housing in m.
        s: Start,
        /// Start value of the velocity relative to the housing in m/s.
        v: Start,
    }
}

impl OldComponent for Brake {
    type Ports = BrakePorts;

    fn contribute(&self, c: &mut Contribution<'_>) -> Result<(), Error> {
        let Brake { peak, cgeo, fn_max, v_small: small_speed, .. } = *self;
        let faces = Faces { mu_pos: &self.mu_pos, peak, cgeo, fn_max, small_speed };
        let faces = faces.declare(c, &TRANSLATIONAL)?;
        let place = shaft_in_support(c, &TRANSLATIONAL, Starts { position: self.s, speed: self.v });
        friction::contribute(c, place, move |e, relative| faces.law(e, relative.v));
        Ok(())
    }
}
