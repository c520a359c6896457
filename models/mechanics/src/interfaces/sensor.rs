//! Sensors: absolute and relative motion, and what flows through a rigid connection.

use crate::compile::coordinates::Motion;
use crate::compile::evaluation::Evaluation;
use crate::compile::structure::FlangeEnd;
use crate::component::Contribution;
use crate::domain::{Domain, Word};
use equations::Ex;

/// Up to which derivative of a position a sensor goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Order {
    /// The position only.
    Position,
    /// The speed.
    Speed,
    /// Speed and acceleration.
    Acceleration,
}

/// Publishes a signal that a law gives.
pub(super) fn signal(
    c: &mut Contribution<'_>,
    word: &'static Word,
    law: impl FnOnce(&mut Evaluation<'_>) -> Ex + 'static,
) {
    signal_named(c, word.local, word, law);
}

/// Publishes a signal that a law gives, under a name of its own.
pub(super) fn signal_named(
    c: &mut Contribution<'_>,
    local: &'static str,
    word: &'static Word,
    law: impl FnOnce(&mut Evaluation<'_>) -> Ex + 'static,
) {
    c.signal(local, move |e| {
        let value = law(e);
        e.variable(local, value).unit(word.unit).describe(word.describe);
        Ok(value)
    });
}

/// Publishes the second derivative of a motion.
pub(super) fn acceleration(
    c: &mut Contribution<'_>,
    local: &'static str,
    word: &'static Word,
    motion: impl FnOnce(&mut Evaluation<'_>) -> Motion + 'static,
) {
    c.after(move |e| {
        let motion = motion(e);
        let a = e.second_derivative(&motion);
        e.variable(local, a).unit(word.unit).describe(word.describe);
        Ok(())
    });
}

/// Measures a flange without loading it.
pub fn absolute(c: &mut Contribution<'_>, domain: &'static Domain, order: Order) {
    let flange = c.flange(domain, "flange");
    match order {
        Order::Position => signal(c, &domain.position, move |e| e.flange(flange).q),
        _ => signal(c, &domain.speed, move |e| e.flange(flange).v),
    }
    if order == Order::Acceleration {
        let word = &domain.acceleration;
        acceleration(c, word.local, word, move |e| e.flange(flange));
    }
}

/// Measures `flange_b` against `flange_a` without loading them.
pub fn relative(c: &mut Contribution<'_>, domain: &'static Domain, order: Order) {
    let (a, b) = super::two_flanges(c, domain);
    signal(c, &domain.relative_position, move |e| e.relative(a, b).q);
    if order >= Order::Speed {
        signal(c, &domain.relative_speed, move |e| e.relative(a, b).v);
    }
    if order == Order::Acceleration {
        let word = &domain.relative_acceleration;
        acceleration(c, word.local, word, move |e| e.relative(a, b));
    }
}

/// Joins `flange_a` and `flange_b` rigidly; `show` sees the flange and its cut torque (or force).
pub fn rigid(
    c: &mut Contribution<'_>,
    domain: &'static Domain,
    show: impl FnOnce(&mut Evaluation<'_>, FlangeEnd, Ex) + 'static,
) {
    let (a, b) = super::two_flanges(c, domain);
    let relation = c.rigid_flanges(a, b);
    let reaction = c.reaction(relation);
    c.after(move |e| {
        let flow = e.reaction(reaction);
        show(e, a, flow);
        Ok(())
    });
}

/// Measures the torque (or force) in a rigid connection.
pub fn flow(c: &mut Contribution<'_>, domain: &'static Domain) {
    rigid(c, domain, move |e, _, flow| show_flow(e, domain, flow));
}

/// Measures the power through a rigid connection.
pub fn power(c: &mut Contribution<'_>, domain: &'static Domain) {
    rigid(c, domain, show_power);
}

/// Measures torque (or force), speed and power in a rigid connection.
pub fn multi(c: &mut Contribution<'_>, domain: &'static Domain) {
    let flange = c.flange(domain, "flange_a");
    signal(c, &domain.speed, move |e| e.flange(flange).v);
    rigid(c, domain, move |e, flange, flow| {
        show_flow(e, domain, flow);
        show_power(e, flange, flow);
    });
}

fn show_flow(e: &mut Evaluation<'_>, domain: &'static Domain, flow: Ex) {
    let text = "Transmitted from flange_a to flange_b";
    e.variable(domain.flow.local, flow).unit(domain.flow.unit).describe(text);
}

fn show_power(e: &mut Evaluation<'_>, flange: FlangeEnd, flow: Ex) {
    let power = flow * e.flange(flange).v;
    e.variable("power", power).unit("W").describe("Power from flange_a to flange_b");
}
