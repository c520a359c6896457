//! Prescribed motions of a flange against a support.

use super::sensor;
use crate::assembly::PortId;
use crate::compile::evaluation::Evaluation;
use crate::compile::structure::{AccelerationLaw, Prescribed, Signal};
use crate::component::{Contribution, Starts};
use crate::domain::Domain;
use crate::error::Error;
use crate::start::Start;
use equations::{Ex, Limits};
use std::f64::consts::TAU;

/// Whether a reference motion is followed exactly, or through a filter.
#[derive(Clone, Copy, Debug)]
pub struct Following {
    /// True: the motion is the signal, which has to have as many derivatives as accelerations need.
    pub exact: bool,
    /// Critical frequency of the filter in Hz.
    pub f_crit: f64,
}

impl Default for Following {
    fn default() -> Self {
        Following { exact: false, f_crit: 50.0 }
    }
}

impl Following {
    /// Followed exactly.
    pub fn exact() -> Self {
        Following { exact: true, ..Following::default() }
    }

    /// Followed through a filter of the critical frequency `f_crit` in Hz.
    pub fn f_crit(f_crit: f64) -> Self {
        Following { exact: false, f_crit }
    }

    /// The critical frequency in rad/s; `exact` becomes a constant.
    fn declare(self, c: &mut Contribution<'_>) -> Result<Ex, Error> {
        let (name, value) = (c.full("exact"), f64::from(u8::from(self.exact)));
        let text = "True if the reference is followed exactly, false if through a filter";
        c.model.constant(&name, value).boolean().describe(text);
        let text = "Critical frequency of the filter";
        if self.exact {
            c.check("f_crit", self.f_crit, "Hz", Limits::POSITIVE)?;
            c.constant("f_crit", self.f_crit, "Hz", text);
            return Ok(Ex::zero());
        }
        Ok(c.positive("f_crit", self.f_crit, "Hz", text)? * TAU)
    }
}

/// The constructors of a component that follows a reference.
macro_rules! following {
    ($Component:ident) => {
        impl $Component {
            /// Followed exactly. A jump of the reference is a jump of the flange; an input of the
            /// FMU counts as constant, because its derivative is not known.
            pub fn exact() -> Self {
                $Component { following: Following::exact(), ..$Component::default() }
            }

            /// Followed through a filter of the critical frequency `f_crit` in Hz.
            pub fn f_crit(f_crit: f64) -> Self {
                $Component { following: Following::f_crit(f_crit), ..$Component::default() }
            }
        }
    };
}
pub(crate) use following;

/// Constants of a Bessel filter of second order.
const BESSEL: (f64, f64) = (1.3617, 0.6180);

/// Prescribes the motion of `flange` relative to `support`, and publishes what of it is no state.
fn drive(c: &mut Contribution<'_>, domain: &'static Domain, prescribed: Prescribed) {
    let (flange, support) = super::flange_and_support(c, domain);
    let motion = move |e: &mut Evaluation<'_>| e.relative(support, flange);
    let (position, speed) = match prescribed {
        Prescribed::Position(_) | Prescribed::PositionAndSpeed(_) | Prescribed::Motion(_) => {
            (true, true)
        }
        Prescribed::Speed { .. } => (false, true),
        Prescribed::Acceleration { .. } => (false, false),
    };
    if position {
        sensor::signal(c, &domain.position, move |e| motion(e).q);
    }
    if speed {
        sensor::signal(c, &domain.speed, move |e| motion(e).v);
        let word = &domain.acceleration;
        sensor::acceleration(c, word.local, word, motion);
    }
    c.drive(&[(flange, Ex::one()), (support, -Ex::one())], prescribed);
}

/// Prescribes the acceleration; position and speed are states, whose initial values may be signals.
fn drive_by_acceleration(
    c: &mut Contribution<'_>,
    domain: &'static Domain,
    starts: Starts,
    initial: [Option<Signal>; 2],
    acceleration: AccelerationLaw,
) {
    let [position, speed] = c.candidates(domain.motion(), starts);
    drive(c, domain, Prescribed::Acceleration { position, speed, initial, acceleration });
}

/// Forced movement at a constant speed in rad/s or m/s.
pub fn constant_speed(
    c: &mut Contribution<'_>,
    domain: &'static Domain,
    speed: f64,
    start: Start,
) -> Result<(), Error> {
    let word = &domain.source.fixed_speed;
    let speed = c.value(word.local, speed, word.unit, word.describe)?;
    let position = c.candidate(&domain.position, start);
    drive(c, domain, Prescribed::Speed { position, speed: Box::new(move |_| Ok(speed)) });
    Ok(())
}

/// Forced movement at the speed that the input `port` gives.
pub fn speed(
    c: &mut Contribution<'_>,
    domain: &'static Domain,
    port: &'static str,
    following: Following,
    start: Start,
) -> Result<(), Error> {
    let input = c.input_in(port, domain.speed.unit)?;
    let critical = following.declare(c)?;
    if following.exact {
        let position = c.candidate(&domain.position, start);
        let speed = Box::new(move |e: &mut Evaluation<'_>| e.read(input));
        drive(c, domain, Prescribed::Speed { position, speed });
        return Ok(());
    }
    let starts = Starts { position: start, speed: Start::default() };
    let initial: Signal = Box::new(move |e| e.read(input));
    let law = Box::new(move |e: &mut Evaluation<'_>, _, v| Ok((e.read(input)? - v) * critical));
    drive_by_acceleration(c, domain, starts, [None, Some(initial)], law);
    Ok(())
}

/// Forced movement along the position that the input `port` gives; `start` is that of the speed.
pub fn position(
    c: &mut Contribution<'_>,
    domain: &'static Domain,
    port: &'static str,
    following: Following,
    start: Start,
) -> Result<(), Error> {
    let input = c.input_in(port, domain.position.unit)?;
    let critical = following.declare(c)?;
    if following.exact {
        drive(c, domain, Prescribed::Position(Box::new(move |e| e.read(input))));
        return Ok(());
    }
    let starts = Starts { position: Start::default(), speed: start };
    let initial: Signal = Box::new(move |e| e.read(input));
    let law = Box::new(move |e: &mut Evaluation<'_>, q, v| {
        let (damping, frequency) = BESSEL;
        Ok(((e.read(input)? - q) * critical - v * damping) * (critical / frequency))
    });
    drive_by_acceleration(c, domain, starts, [Some(initial), None], law);
    Ok(())
}

/// Forced movement with the acceleration that the input `port` gives.
pub fn accelerate(
    c: &mut Contribution<'_>,
    domain: &'static Domain,
    port: &'static str,
    starts: Starts,
) -> Result<(), Error> {
    let input = c.input_in(port, domain.acceleration.unit)?;
    let law = Box::new(move |e: &mut Evaluation<'_>, _, _| e.read(input));
    drive_by_acceleration(c, domain, starts, [None, None], law);
    Ok(())
}

/// Forced movement with position, speed and acceleration from the inputs `u[1]` to `u[3]`.
pub fn prescribe(c: &mut Contribution<'_>, domain: &'static Domain) -> Result<(), Error> {
    let [q, v, a] = domain.motion().map(|word| word.unit);
    let inputs = [c.input_in("u[1]", q)?, c.input_in("u[2]", v)?, c.input_in("u[3]", a)?];
    drive(c, domain, motion(inputs));
    Ok(())
}

/// Position, speed and acceleration as three signals.
pub(super) fn motion(signals: [PortId; 3]) -> Prescribed {
    let [q, v, a] = signals;
    Prescribed::Motion(Box::new(move |e| Ok([e.read(q)?, e.read(v)?, e.read(a)?])))
}
