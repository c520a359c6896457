//! A clutch: friction between two flanges, pressed by a signal.

use super::friction::{self, Characteristic, Law};
use super::two_flanges;
use crate::assembly::{At, Flange, Input, Quantity};
use crate::component::{Component, Contribution};
use crate::error::Error;
use crate::start::{Start, StateSelect};
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
    select: StateSelect,
}

/// Ports and variables of a [`Clutch`].
#[derive(Clone, Copy, Debug)]
pub struct ClutchPorts {
    /// Left flange.
    pub flange_a: Flange,
    /// Right flange.
    pub flange_b: Flange,
    /// Normalised normal force.
    pub f_normalized: Input,
    /// Relative angle in rad.
    pub phi_rel: Quantity,
    /// Relative angular velocity in rad/s.
    pub w_rel: Quantity,
    /// Friction torque in N.m.
    pub tau: Quantity,
    /// Mode of friction.
    pub mode: Quantity,
    /// True while stuck.
    pub locked: Quantity,
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
            select: StateSelect::Prefer,
        }
    }

    /// Friction coefficient: a number, or rows of speed in rad/s and coefficient.
    pub fn mu_pos(self, mu_pos: impl Into<Characteristic>) -> Self {
        Clutch { mu_pos: mu_pos.into(), ..self }
    }

    /// Ratio of the largest holding torque to the sliding torque at rest.
    pub fn peak(self, peak: f64) -> Self {
        Clutch { peak, ..self }
    }

    /// Geometry constant of the friction faces in m.
    pub fn cgeo(self, cgeo: f64) -> Self {
        Clutch { cgeo, ..self }
    }

    /// Relative speed in rad/s beyond which a jump of the speed through zero (a state set at an
    /// event) goes on as sliding the other way; smaller ones stick.
    pub fn w_small(self, w_small: f64) -> Self {
        Clutch { w_small, ..self }
    }

    /// Start value of the relative angle in rad.
    pub fn phi_rel(self, phi_rel: Start) -> Self {
        Clutch { phi_rel, ..self }
    }

    /// Start value of the relative angular velocity in rad/s.
    pub fn w_rel(self, w_rel: Start) -> Self {
        Clutch { w_rel, ..self }
    }

    /// Preference of `phi_rel` and `w_rel` as states.
    pub fn states(self, select: StateSelect) -> Self {
        Clutch { select, ..self }
    }
}

impl Component for Clutch {
    type Ports = ClutchPorts;

    fn ports(at: At) -> ClutchPorts {
        let (flange_a, flange_b) = two_flanges(at);
        ClutchPorts {
            flange_a,
            flange_b,
            f_normalized: at.input("f_normalized"),
            phi_rel: at.quantity("phi_rel"),
            w_rel: at.quantity("w_rel"),
            tau: at.quantity("tau"),
            mode: at.quantity("mode"),
            locked: at.quantity("locked"),
        }
    }

    fn contribute(&self, c: &mut Contribution<'_>) -> Result<(), Error> {
        c.check("peak", self.peak, "(no unit)", self.peak >= 1.0)?;
        c.check("cgeo", self.cgeo, "m", self.cgeo >= 0.0)?;
        c.check("fn_max", self.fn_max, "N", self.fn_max >= 0.0)?;
        c.check("w_small", self.w_small, "rad/s", self.w_small >= 0.0)?;
        let text = "Friction coefficient depending on speed";
        let mu = self.mu_pos.declare(c, "mu_pos", "1", text)?;
        let text = "Largest friction coefficient for speed zero relative to mu_pos[1,2]";
        let peak: Ex =
            c.parameter("peak", self.peak).unit("1").describe(text).min(1.0).tunable().into();
        let text = "Geometry constant containing the friction distribution";
        let cgeo: Ex =
            c.parameter("cgeo", self.cgeo).unit("m").describe(text).min(0.0).tunable().into();
        let text = "Maximum normal force";
        let fn_max: Ex =
            c.parameter("fn_max", self.fn_max).unit("N").describe(text).min(0.0).tunable().into();
        let text = "Relative speed beyond which a jump of the speed reverses the sliding";
        let w_small: Ex = c
            .parameter("w_small", self.w_small)
            .unit("rad/s")
            .describe(text)
            .min(0.0)
            .tunable()
            .into();
        let (a, b) = (c.flange("flange_a"), c.flange("flange_b"));
        c.relative_angle(a, b, self.phi_rel, self.w_rel, self.select);
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
