//! A clutch: friction between two flanges, pressed by a signal.

use crate::component::{Component, Contribution, Starts};
use crate::domain::ROTATIONAL;
use crate::error::Error;
use crate::interfaces::friction::{self, Characteristic, Law};
use crate::interfaces::two_flanges;
use crate::start::{Start, StateSelect};
use crate::{ports, setters};
use equations::Ex;

/// Clutch based on Coulomb friction.
///
/// # Equations
/// `phi_rel = flange_b.phi - flange_a.phi`, `w_rel = der(phi_rel)`, `flange_b.tau = tau`,
/// `flange_a.tau = -tau`; `fn = fn_max f_normalized`. Sliding: `tau = cgeo mu(|w_rel|) fn` against
/// the motion. Stuck: `der(w_rel) = 0` while `|tau| <= peak cgeo mu(0) fn`. `fn <= 0`: `tau = 0`.
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
    phi_rel: Start,
    w_rel: Start,
    states: StateSelect,
}

ports! {
    /// Ports and variables of a [`Clutch`].
    pub struct ClutchPorts {
        /// Left flange.
        flange_a: flange,
        /// Right flange.
        flange_b: flange,
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
            phi_rel: Start::default(),
            w_rel: Start::default(),
            states: StateSelect::Prefer,
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
        /// Start value of the relative angle in rad.
        phi_rel: Start,
        /// Start value of the relative angular velocity in rad/s.
        w_rel: Start,
        /// Preference of `phi_rel` and `w_rel` as states.
        states: StateSelect,
    }
}

impl Component for Clutch {
    type Ports = ClutchPorts;

    fn contribute(&self, c: &mut Contribution<'_>) -> Result<(), Error> {
        c.check("peak", self.peak, "(no unit)", self.peak >= 1.0)?;
        let text = "Friction coefficient depending on speed";
        let mu = self.mu_pos.declare(c, "mu_pos", "1", text)?;
        let text = "Largest friction coefficient for speed zero relative to mu_pos[1,2]";
        let peak: Ex =
            c.parameter("peak", self.peak).unit("1").describe(text).min(1.0).tunable().into();
        let text = "Geometry constant containing the friction distribution";
        let cgeo = c.amount("cgeo", self.cgeo, "m", text)?;
        let fn_max = c.amount("fn_max", self.fn_max, "N", "Maximum normal force")?;
        let text = "Relative speed beyond which a jump of the speed reverses the sliding";
        let w_small = c.amount("w_small", self.w_small, "rad/s", text)?;
        let (a, b) = two_flanges(c, &ROTATIONAL);
        let starts = Starts { position: self.phi_rel, speed: self.w_rel };
        c.relative_position(&ROTATIONAL, (a, b), starts, 1e-4, self.states);
        let input = c.input("f_normalized")?;
        friction::contribute(c, a, b, move |e, relative| {
            let f_normalized = e.read(input)?;
            let normal = fn_max * f_normalized;
            let name = e.full("fn > 0");
            // The sign of the normal force is that of the signal, which is of order one.
            let pressed = e.model().relation(&name, f_normalized).done() & fn_max.gt(0.0);
            let mu0 = mu.at(Ex::zero());
            let tau0 = mu0 * cgeo * normal;
            let (w, torque) = (relative.v, cgeo * normal);
            let forward = mu.at(w) * torque;
            e.variable("f_normalized", f_normalized).unit("1").describe("Normalized force signal");
            e.variable("fn", normal).unit("N").describe("Normal force");
            let nominal = mu0 * cgeo * fn_max;
            Ok(Law {
                free: !pressed,
                tau0,
                tau0_max: peak * tau0,
                // Starting backward the published component looks the table up at the negative
                // speed; the difference is seen only with a slope, until the mode changes.
                sliding: [forward, -forward, forward, -(mu.at(-w) * torque)],
                nominal: equations::select(nominal.gt(0.0), nominal, 1.0),
                peak: true,
                w_small,
            })
        });
        Ok(())
    }
}
