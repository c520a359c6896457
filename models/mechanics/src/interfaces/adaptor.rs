//! Adaptors between a flange and signals, so that a drive train can be cut into two models.

use super::drive::motion;
use super::sensor;
use crate::compile::structure::Prescribed;
use crate::component::Contribution;
use crate::domain::Domain;
use crate::error::Error;
use equations::Ex;

/// What the signals of an adaptor are called.
#[derive(Clone, Copy, Debug)]
pub struct Signals {
    /// The position.
    pub position: &'static str,
    /// Its derivative.
    pub speed: &'static str,
    /// Its second derivative.
    pub acceleration: &'static str,
    /// The torque (or force).
    pub flow: &'static str,
}

impl Signals {
    /// As in the domain.
    pub const fn of(domain: &'static Domain) -> Self {
        Signals {
            position: domain.position.local,
            speed: domain.speed.local,
            acceleration: domain.acceleration.local,
            flow: domain.flow.local,
        }
    }

    /// The same names in every domain.
    pub const GENERAL: Signals =
        Signals { position: "p", speed: "pder", acceleration: "pder2", flow: "f" };
}

/// The flange follows signals; the torque (or force) that this takes is a signal.
///
/// The inputs of speed and acceleration may be left open, the latter first: they are then
/// derivatives of the others.
pub fn motion_to_flow(
    c: &mut Contribution<'_>,
    domain: &'static Domain,
    names: Signals,
) -> Result<(), Error> {
    let ports = [names.position, names.speed, names.acceleration];
    ports.iter().zip(domain.motion()).for_each(|(port, word)| c.unit_of(port, word.unit));
    let position = c.input(names.position)?;
    let speed = c.optional_input(names.speed);
    let acceleration = c.optional_input(names.acceleration);
    let prescribed = match (speed, acceleration) {
        (Some(speed), Some(acceleration)) => motion([position, speed, acceleration]),
        (Some(speed), None) => {
            Prescribed::PositionAndSpeed(Box::new(move |e| Ok([e.read(position)?, e.read(speed)?])))
        }
        (None, None) => Prescribed::Position(Box::new(move |e| e.read(position))),
        (None, Some(_)) => {
            let why = format!("it is connected, but {} is not", c.full(names.speed));
            return Err(c.refuse(names.acceleration, why));
        }
    };
    let flange = c.flange(domain, "flange");
    let relation = c.drive(&[(flange, Ex::one())], prescribed);
    let reaction = c.reaction(relation);
    c.after(move |e| {
        let flow = -e.reaction(reaction);
        e.variable(names.flow, flow).unit(domain.flow.unit).describe("What drives the flange");
        Ok(())
    });
    Ok(())
}

/// A signal acts on the flange; its motion gives signals.
pub fn flow_to_motion(
    c: &mut Contribution<'_>,
    domain: &'static Domain,
    names: Signals,
) -> Result<(), Error> {
    let input = c.input_in(names.flow, domain.flow.unit)?;
    let flange = c.flange(domain, "flange");
    sensor::signal_named(c, names.position, &domain.position, move |e| e.flange(flange).q);
    sensor::signal_named(c, names.speed, &domain.speed, move |e| e.flange(flange).v);
    sensor::acceleration(c, names.acceleration, &domain.acceleration, move |e| e.flange(flange));
    c.law(move |e| {
        let flow = e.read(input)?;
        e.set_flow(flange, flow);
        e.variable(names.flow, flow).unit(domain.flow.unit).describe("Into the adaptor");
        Ok(())
    });
    Ok(())
}
