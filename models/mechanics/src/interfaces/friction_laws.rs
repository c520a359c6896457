//! What presses on friction elements: faces pressed by a signal, bearings with a given friction;
//! and the shaft (or rod) that friction holds against a support.

use crate::assembly::PortId;
use crate::compile::evaluation::Evaluation;
use crate::component::{Contribution, Starts};
use crate::domain::Domain;
use crate::error::Error;
use crate::interfaces::characteristic::{Characteristic, Curve};
use crate::interfaces::compliant::RelativeStates;
use crate::interfaces::friction::{Law, Place};
use crate::start::StateSelect;
use equations::{Bool, Ex, Limits, select};

/// Friction along a curve: the same law in both directions, room on both sides.
pub fn coulomb(
    curve: &Curve,
    speed: Ex,
    normal: Ex,
    (peak, nominal): (Ex, Ex),
    small_speed: Ex,
) -> Law {
    let tau0 = curve.at_rest() * normal;
    let [forward, backward] = [curve.at(speed) * normal, -(curve.at(-speed) * normal)];
    let tau0_max = peak * tau0;
    Law {
        free: Bool::constant(false),
        tau0,
        tau0_max,
        sliding: [forward, backward],
        starting: [forward, backward],
        offset: tau0_max,
        nominal: select(nominal.gt(0.0), nominal, 1.0),
        small_speed,
        room: [Bool::constant(true); 2],
    }
}

/// Declares `peak`, the ratio of the largest holding torque to the sliding torque at rest.
fn declare_peak(c: &mut Contribution<'_>, peak: f64, first: &str) -> Result<Ex, Error> {
    let text = format!("Largest friction at rest relative to {first}");
    Ok(c.limited("peak", peak, "1", &text, Limits::at_least(1.0))?.tunable().into())
}

/// Declares `w_small` (or `v_small`).
pub fn declare_small_speed(
    c: &mut Contribution<'_>,
    domain: &'static Domain,
    value: f64,
) -> Result<Ex, Error> {
    let text = "Relative speed beyond which a jump of the speed reverses the sliding";
    c.amount(&format!("{}_small", domain.speed.local), value, domain.speed.unit, text)
}

/// Friction faces that a signal presses together.
#[derive(Clone, Copy, Debug)]
pub struct Faces<'a> {
    /// Friction coefficient over the speed.
    pub mu_pos: &'a Characteristic,
    /// Ratio of the largest holding torque to the sliding torque at rest.
    pub peak: f64,
    /// Geometry constant: in m for a torque, without unit for a force.
    pub cgeo: f64,
    /// Largest normal force in N.
    pub fn_max: f64,
    /// Speed beyond which a jump reverses the sliding.
    pub small_speed: f64,
}

/// Friction faces as parameters.
#[derive(Clone, Debug)]
pub struct PressedFaces {
    mu: Curve,
    peak: Ex,
    cgeo: Ex,
    fn_max: Ex,
    small_speed: Ex,
    f_normalized: PortId,
}

impl Faces<'_> {
    /// Declares the parameters; the input `f_normalized` must be connected.
    pub fn declare(
        &self,
        c: &mut Contribution<'_>,
        domain: &'static Domain,
    ) -> Result<PressedFaces, Error> {
        let text = "Friction coefficient depending on speed";
        let mu = self.mu_pos.declare(c, domain, "mu_pos", "1", text)?;
        let peak = declare_peak(c, self.peak, "mu_pos[1,2]")?;
        let unit = if domain.flow.unit == "N" { "1" } else { "m" };
        let text = "Geometry constant containing the friction distribution";
        let cgeo = c.amount("cgeo", self.cgeo, unit, text)?;
        let fn_max = c.amount("fn_max", self.fn_max, "N", "Maximum normal force")?;
        let small_speed = declare_small_speed(c, domain, self.small_speed)?;
        let f_normalized = c.input("f_normalized")?;
        Ok(PressedFaces { mu, peak, cgeo, fn_max, small_speed, f_normalized })
    }
}

impl PressedFaces {
    /// The law at a relative speed; free without normal force. Publishes the normal force.
    pub fn law(&self, e: &mut Evaluation<'_>, speed: Ex) -> Result<Law, Error> {
        let f_normalized = e.read(self.f_normalized)?;
        let normal = self.fn_max * f_normalized;
        let name = e.full("fn > 0");
        // The sign of the normal force is that of the signal, which is of order one.
        let pressed = e.model().relation(&name, f_normalized).done() & self.fn_max.gt(0.0);
        e.variable("f_normalized", f_normalized).unit("1").describe("Normalized force signal");
        e.variable("fn", normal).unit("N").describe("Normal force");
        e.variable("free", !pressed).describe("True while nothing presses");
        let scales = (self.peak, self.largest());
        let law = coulomb(&self.mu, speed, self.cgeo * normal, scales, self.small_speed);
        Ok(Law { free: !pressed, ..law })
    }

    /// The ratio of the largest holding torque to the sliding torque at rest.
    pub fn peak(&self) -> Ex {
        self.peak
    }

    /// The torque (or force) at rest under the largest normal force.
    pub fn largest(&self) -> Ex {
        self.mu.at_rest() * self.cgeo * self.fn_max
    }
}

/// Friction that depends on the speed only.
#[derive(Clone, Copy, Debug)]
pub struct Bearing<'a> {
    /// Friction torque (or force) over the speed, in N.m (or N).
    pub curve: &'a Characteristic,
    /// Ratio of the largest holding torque to the sliding torque at rest.
    pub peak: f64,
    /// Speed beyond which a jump reverses the sliding.
    pub small_speed: f64,
}

impl Bearing<'_> {
    /// Declares the parameters; gives the law as a function of the speed.
    pub fn declare(
        &self,
        c: &mut Contribution<'_>,
        domain: &'static Domain,
    ) -> Result<impl FnOnce(Ex) -> Law + 'static, Error> {
        let flow = &domain.flow;
        let name = format!("{}_pos", flow.local);
        let text = "Friction depending on speed";
        let curve = self.curve.declare(c, domain, &name, flow.unit, text)?;
        let peak = declare_peak(c, self.peak, &format!("{name}[1,2]"))?;
        let small_speed = declare_small_speed(c, domain, self.small_speed)?;
        Ok(move |speed: Ex| {
            let scales = (peak, curve.at_rest());
            coulomb(&curve, speed, Ex::one(), scales, small_speed)
        })
    }
}

/// A shaft (or rod) through a support: `flange_a` and `flange_b` move together, friction acts
/// between them and the support.
pub fn shaft_in_support(
    c: &mut Contribution<'_>,
    domain: &'static Domain,
    starts: Starts,
) -> Place {
    let [a, b, support] = super::two_flanges_and_support(c, domain);
    c.rigid_flanges(a, b);
    // The inertia on the shaft has the better states: the support may move.
    c.supported_position(domain, (support, a), starts, StateSelect::Avoid);
    let heat_port = c.heat_port("heatPort");
    Place { domain, from: Some(support), to: a, heat_port, speed: &domain.speed, one_way: false }
}

/// Friction between two flanges, whose relative position may be a state.
pub fn between_flanges(
    c: &mut Contribution<'_>,
    domain: &'static Domain,
    states: RelativeStates,
) -> Place {
    let (a, b) = super::two_flanges(c, domain);
    let RelativeStates { starts, nominal, select } = states;
    c.relative_position(domain, (a, b), starts, nominal, select);
    let (speed, heat_port) = (&domain.relative_speed, c.heat_port("heatPort"));
    Place { domain, from: Some(a), to: b, heat_port, speed, one_way: false }
}
