//! Shared parts of sources that prescribe the motion of a flange relative to its support.

use super::sensor::{publish, publish_acceleration};
use equations::Ex;
use mechanics::component::{Contribution, Starts};
use mechanics::domain::Domain;
use mechanics::error::Error;
use mechanics::port::PortId;
use mechanics::start::Start;
use mechanics::statements::contributions::flanges::MotionLaw;
use mechanics::statements::laws::signal_view::{Signal, SignalView};

/// Prescribes the motion of `flange` relative to `support`, and publishes those of its variables
/// that are not states.
pub fn prescribe(c: &mut Contribution<'_>, domain: &'static Domain, law: MotionLaw) {
    let (flange, support) = super::flange_and_support(c, domain);
    let motion = move |e: &mut SignalView<'_>| e.relative(support, flange);
    let (position, speed) = match law {
        MotionLaw::Position(_) | MotionLaw::PositionAndSpeed(_) | MotionLaw::Motion(_) => {
            (true, true)
        }
        MotionLaw::Speed { .. } => (false, true),
        MotionLaw::Acceleration { .. } => (false, false),
    };
    let [q, v, a] = domain.motion().map(|word| word.local);
    if position {
        publish(c, q, move |e| motion(e).q);
    }
    if speed {
        publish(c, v, move |e| motion(e).v);
        publish_acceleration(c, a, motion);
    }
    c.prescribe(&[(flange, Ex::one()), (support, -Ex::one())], law);
}

/// Prescribes the speed; the position is a state.
pub fn prescribe_speed(
    c: &mut Contribution<'_>,
    domain: &'static Domain,
    start: Start,
    speed: impl FnOnce(&mut SignalView<'_>) -> Result<Ex, Error> + 'static,
) {
    let position = c.start_variable(&domain.position, start);
    prescribe(c, domain, MotionLaw::Speed { position, speed: Box::new(speed) });
}

/// Prescribes the acceleration, as a function of position and speed; these are states, whose
/// initial values may be signals.
pub fn prescribe_acceleration(
    c: &mut Contribution<'_>,
    domain: &'static Domain,
    starts: Starts,
    initial: [Option<Signal>; 2],
    acceleration: impl FnOnce(&mut SignalView<'_>, Ex, Ex) -> Result<Ex, Error> + 'static,
) {
    let [position, speed] = c.start_variables(domain.motion(), starts);
    let acceleration = Box::new(acceleration);
    prescribe(c, domain, MotionLaw::Acceleration { position, speed, initial, acceleration });
}

/// Position, speed and acceleration as three signals.
pub fn motion([q, v, a]: [PortId; 3]) -> MotionLaw {
    MotionLaw::Motion(Box::new(move |e| Ok([e.read(q)?, e.read(v)?, e.read(a)?])))
}
