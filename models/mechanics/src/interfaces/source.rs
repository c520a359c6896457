//! Sources of torque (or force) on one flange, against a support.

use super::regularization::Regularization;
use crate::assembly::PortId;
use crate::compile::coordinates::Motion;
use crate::compile::evaluation::Evaluation;
use crate::compile::structure::FlangeEnd;
use crate::component::{Contribution, Position, Starts};
use crate::domain::{Domain, Word};
use crate::error::Error;
use crate::start::StateSelect;
use equations::{Ex, select};

/// A parameter that a word describes.
pub(super) fn setting(
    c: &mut Contribution<'_>,
    word: &'static Word,
    value: f64,
) -> Result<Ex, Error> {
    c.value(word.local, value, word.unit, word.describe)
}

/// A speed that divides: not zero.
pub(super) fn nominal_speed(
    c: &mut Contribution<'_>,
    word: &'static Word,
    value: f64,
) -> Result<Ex, Error> {
    let speed = setting(c, word, value)?;
    c.require(&[word.local], speed.is_true(), "must not be zero")?;
    Ok(speed)
}

/// A parameter of which the largest part of a law is a fraction: positive.
fn positive(c: &mut Contribution<'_>, word: &'static Word, value: f64) -> Result<Ex, Error> {
    c.positive(word.local, value, word.unit, word.describe)
}

/// A source on `flange` whose reaction acts on `support`.
#[derive(Clone, Copy, Debug)]
pub struct Source {
    /// The driven flange.
    pub flange: FlangeEnd,
    /// Housing.
    pub support: FlangeEnd,
    /// The position of the flange relative to the support.
    pub position: Position,
    domain: &'static Domain,
}

impl Source {
    /// Declares flange and support, and the position of one relative to the other.
    pub fn new(c: &mut Contribution<'_>, domain: &'static Domain) -> Source {
        let (flange, support) = super::flange_and_support(c, domain);
        let ends = (support, flange);
        let position = c.supported_position(domain, ends, Starts::default(), StateSelect::Avoid);
        Source { flange, support, position, domain }
    }

    /// States the torque (or force) that accelerates the outside, as a function of the motion
    /// relative to the support.
    pub fn law(
        self,
        c: &mut Contribution<'_>,
        law: impl FnOnce(&mut Evaluation<'_>, &Motion) -> Result<Ex, Error> + 'static,
    ) {
        c.law(move |e| {
            let motion = e.relative(self.support, self.flange);
            let accelerating = law(e, &motion)?;
            self.act(e, -accelerating);
            if self.domain.source.shows_accelerating {
                self.show(e, accelerating, "Torque that accelerates the flange");
            } else {
                self.show(e, -accelerating, "Cut force of the flange");
            }
            Ok(())
        });
    }

    /// Sets the cut torque (or force) of the flange; the support takes the opposite.
    pub fn act(self, e: &mut Evaluation<'_>, cut: Ex) {
        e.set_flow_between(self.support, self.flange, cut);
    }

    pub(super) fn show(self, e: &mut Evaluation<'_>, flow: Ex, text: &str) {
        let word = &self.domain.flow;
        e.variable(word.local, flow).unit(word.unit).describe(text);
    }
}

/// A torque (or force) that a signal gives.
pub fn given(c: &mut Contribution<'_>, domain: &'static Domain) -> Result<(), Error> {
    let (flange, support) = super::flange_and_support(c, domain);
    let input = c.input_in(domain.flow.local, domain.flow.unit)?;
    between(c, domain, (support, flange), input, "Accelerates the flange");
    Ok(())
}

/// A torque (or force) that a signal gives and that acts between `flange_a` and `flange_b`.
pub fn given_between(c: &mut Contribution<'_>, domain: &'static Domain) -> Result<(), Error> {
    let (a, b) = super::two_flanges(c, domain);
    let input = c.input_in(domain.flow.local, domain.flow.unit)?;
    between(c, domain, (a, b), input, "Accelerates flange_b and brakes flange_a");
    Ok(())
}

fn between(
    c: &mut Contribution<'_>,
    domain: &'static Domain,
    (a, b): (FlangeEnd, FlangeEnd),
    input: PortId,
    text: &'static str,
) {
    c.law(move |e| {
        let flow = e.read(input)?;
        e.set_flow_between(a, b, -flow);
        e.variable(domain.flow.local, flow).unit(domain.flow.unit).describe(text);
        Ok(())
    });
}

/// A constant torque (or force).
pub fn constant(c: &mut Contribution<'_>, domain: &'static Domain, flow: f64) -> Result<(), Error> {
    let flow = setting(c, &domain.source.constant, flow)?;
    Source::new(c, domain).law(c, move |_, _| Ok(flow));
    Ok(())
}

/// A step of a torque (or force).
#[derive(Clone, Copy, Debug)]
pub struct Step {
    /// Height in N.m or N.
    pub height: f64,
    /// Value before the step in N.m or N.
    pub offset: f64,
    /// Time of the step in s.
    pub start_time: f64,
}

/// A torque (or force) that jumps at an instant.
pub fn step(c: &mut Contribution<'_>, domain: &'static Domain, step: Step) -> Result<(), Error> {
    let height = setting(c, &domain.source.step, step.height)?;
    let offset = setting(c, &domain.source.offset, step.offset)?;
    let start_time = c.value("startTime", step.start_time, "s", "Time of the step")?;
    Source::new(c, domain).law(c, move |e, _| {
        let on = e.from(start_time);
        Ok(offset + select(on, height, 0.0))
    });
    Ok(())
}

/// How a torque (or force) depends on the speed.
#[derive(Clone, Copy, Debug)]
pub struct SpeedDependence {
    /// At nominal speed, in N.m or N.
    pub nominal: f64,
    /// Nominal speed in rad/s or m/s.
    pub nominal_speed: f64,
    /// Whether its sign does not depend on that of the speed.
    pub one_direction: bool,
}

impl SpeedDependence {
    /// Keeps its sign at every speed.
    pub fn new(nominal: f64, nominal_speed: f64) -> Self {
        SpeedDependence { nominal, nominal_speed, one_direction: true }
    }

    /// With or without the sign of the speed.
    #[must_use]
    pub fn one_direction(self, one_direction: bool) -> Self {
        SpeedDependence { one_direction, ..self }
    }

    /// Nominal torque (or force) and nominal speed as parameters, the direction as a constant.
    fn declare(self, c: &mut Contribution<'_>, domain: &'static Domain) -> Result<(Ex, Ex), Error> {
        let words = &domain.source;
        let nominal = setting(c, &words.nominal, self.nominal)?;
        let speed = nominal_speed(c, &words.nominal_speed, self.nominal_speed)?;
        let (name, value) = (c.full(words.direction), f64::from(u8::from(self.one_direction)));
        let text = "True if the sign does not depend on that of the speed";
        c.model.constant(&name, value).boolean().describe(text);
        Ok((nominal, speed))
    }
}

/// A torque (or force) proportional to the speed.
pub fn linear(
    c: &mut Contribution<'_>,
    domain: &'static Domain,
    dependence: SpeedDependence,
) -> Result<(), Error> {
    let (nominal, nominal_speed) = dependence.declare(c, domain)?;
    let source = Source::new(c, domain);
    if !dependence.one_direction {
        c.damped(source.position);
    }
    source.law(c, move |_, motion| {
        let fraction = motion.v / nominal_speed;
        Ok(nominal * if dependence.one_direction { fraction.abs() } else { fraction })
    });
    Ok(())
}

/// A torque (or force) proportional to the square of the speed.
pub fn quadratic(
    c: &mut Contribution<'_>,
    domain: &'static Domain,
    dependence: SpeedDependence,
) -> Result<(), Error> {
    let (nominal, nominal_speed) = dependence.declare(c, domain)?;
    Source::new(c, domain).law(c, move |_, motion| {
        let magnitude = nominal * (motion.v / nominal_speed).square();
        let forward = dependence.one_direction;
        Ok(if forward { magnitude } else { select(motion.v.ge(0.0), magnitude, -magnitude) })
    });
    Ok(())
}

/// A torque (or force) that falls with the speed beyond `small_speed` (rad/s or m/s, positive).
pub fn inverse(
    c: &mut Contribution<'_>,
    domain: &'static Domain,
    dependence: SpeedDependence,
    small_speed: f64,
) -> Result<(), Error> {
    let (nominal, nominal_speed) = dependence.declare(c, domain)?;
    let small = positive(c, &domain.source.small_speed, small_speed)?;
    let name = c.full("slow");
    Source::new(c, domain).law(c, move |e, motion| {
        let magnitude = nominal * nominal_speed / motion.v.abs().max(small);
        if dependence.one_direction {
            return Ok(magnitude);
        }
        // The two branches do not meet unless the nominal speed is the small one.
        let slow = e.model().relation(&name, small - motion.v.abs()).nominal(small_speed).done();
        let fast = select(motion.v.ge(0.0), magnitude, -magnitude);
        Ok(select(slow, nominal * motion.v / small, fast))
    });
    Ok(())
}

/// A torque (or force) with the regularised sign of the speed; `small_speed` in rad/s or m/s,
/// positive.
pub fn sign(
    c: &mut Contribution<'_>,
    domain: &'static Domain,
    nominal: f64,
    reg: Regularization,
    small_speed: f64,
) -> Result<(), Error> {
    let nominal = setting(c, &domain.source.nominal, nominal)?;
    let small = positive(c, &domain.source.small_speed, small_speed)?;
    reg.declare(c);
    Source::new(c, domain).law(c, move |_, motion| Ok(nominal * reg.sign(motion.v, small)));
    Ok(())
}
