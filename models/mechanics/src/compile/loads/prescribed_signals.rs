//! The signals of prescribed motions and of initial conditions.

use super::awaited_values::AwaitedValues;
use crate::compile::states::initial_system::{ACCELERATION, Priority, StartValue};
use crate::compile::states::motion_placeholders::{
    Determined, Determines, MotionPlaceholders, PrescribedMotionPlaceholders,
};
use crate::error::Error;
use crate::ids::{List, PrescribedMotionId, VariableId};
use crate::statements::contributions::flanges::MotionLaw;
use crate::statements::laws::acceleration_view::{AccelerationSignal, AccelerationView};
use crate::statements::laws::signal_view::SignalView;
use equations::Ex;

/// An initial condition on an acceleration.
pub struct InitialAccelerationTarget {
    name: String,
    variable: VariableId,
    unknown: Option<Determines>,
    acceleration: Ex,
    measured: Option<AccelerationSignal>,
    refusal: Option<String>,
}

impl InitialAccelerationTarget {
    /// Adds the condition to the initial system, once accelerations are known.
    pub fn require(
        self,
        e: &mut AccelerationView<'_>,
        awaited: &mut AwaitedValues,
    ) -> Result<(), Error> {
        let measured = match self.measured {
            Some(measured) => measured(e)?,
            None => {
                let motion = e.coordinates().variable(self.variable);
                e.second_derivative(&motion)
            }
        };
        let residual = measured - self.acceleration;
        if let Some(Determines { name, symbol, guess, .. }) = self.unknown {
            let own = StartValue { name, symbol, guess, priority: Priority::Own };
            awaited.start.add_residual_of(&self.name, ACCELERATION, residual, own);
            return Ok(());
        }
        let refusal = self.refusal.unwrap_or_else(|| {
            format!(
                "{}: its fixed initial acceleration is one too many: leave a start value free or \
                 make a parameter unknown",
                self.name
            )
        });
        awaited.start.add_residual(&self.name, ACCELERATION, residual, Some(refusal));
        Ok(())
    }
}

/// Evaluates the signals and gives their values to the placeholders. Returns the conditions that
/// need accelerations.
pub fn evaluate(
    placeholders: MotionPlaceholders,
    motions: &List<PrescribedMotionId, [Ex; 3]>,
    e: &mut SignalView<'_>,
    awaited: &mut AwaitedValues,
) -> Result<Vec<InitialAccelerationTarget>, Error> {
    for (placeholders, &[q, v, a]) in placeholders.motions.into_iter().zip(motions) {
        let PrescribedMotionPlaceholders { prescribed, initial, .. } = placeholders;
        e.component = prescribed.component;
        let name = e.name().to_owned();
        match prescribed.law {
            MotionLaw::Position(position) => {
                awaited.add(&name, q, position(e)?);
                awaited.add_rate(&name, v, q);
                awaited.add_rate(&name, a, v);
            }
            MotionLaw::PositionAndSpeed(signals) => {
                let [position, speed] = signals(e)?;
                awaited.add(&name, q, position);
                awaited.add(&name, v, speed);
                awaited.add_rate(&name, a, v);
            }
            MotionLaw::Motion(signals) => {
                for (symbol, value) in [q, v, a].into_iter().zip(signals(e)?) {
                    awaited.add(&name, symbol, value);
                }
            }
            MotionLaw::Speed { speed, .. } => {
                awaited.add(&name, v, speed(e)?);
                awaited.add_rate(&name, a, v);
            }
            MotionLaw::Acceleration { initial: signals, acceleration, .. } => {
                for (symbol, signal) in initial.into_iter().zip(signals) {
                    if let (Some(symbol), Some(signal)) = (symbol, signal) {
                        awaited.add(&name, symbol, signal(e)?);
                    }
                }
                awaited.add(&name, a, acceleration(e, q, v)?);
            }
        }
    }
    conditions(placeholders.conditions, e, awaited)
}

/// Evaluates the values of conditions; returns the conditions on accelerations.
fn conditions(
    conditions: Vec<Determined>,
    e: &mut SignalView<'_>,
    awaited: &mut AwaitedValues,
) -> Result<Vec<InitialAccelerationTarget>, Error> {
    let mut targets = Vec::new();
    for Determined { condition, variable, unknown, refusal } in conditions {
        e.component = condition.component;
        let name = e.name().to_owned();
        let acceleration = (condition.value)(e)?;
        match unknown {
            Some(unknown) if condition.order < 2 => {
                awaited.add(&name, unknown.symbol, acceleration);
            }
            _ => {
                let measured = condition.measured;
                targets.push(InitialAccelerationTarget {
                    name,
                    variable,
                    unknown,
                    acceleration,
                    measured,
                    refusal,
                });
            }
        }
    }
    Ok(targets)
}
