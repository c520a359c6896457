//! Loads: what acts on the moving parts, from the laws on positions and speeds.

pub mod deferred_values;
pub mod gravity;
pub mod inertia_check;
pub mod mass_and_forces;
pub mod mass_matrix;
pub mod moving_parts;
pub mod prescribed_signals;
pub mod rotors;
pub mod support_reactions;
pub mod temperatures;

use super::contributions::flanges::PrescribedMotion;
use super::laws::signal_view::SignalView;
use super::laws::velocity_view::{Statements, VelocityLaw, VelocityView};
use super::states::motion_placeholders::MotionPlaceholders;
use crate::compile::ids::{ComponentId, List, PrescribedMotionId};
use crate::error::Error;
use crate::port::PortId;
use deferred_values::DeferredValues;
use equations::Ex;
use prescribed_signals::InitialAccelerationTarget;

/// What laws on positions and speeds, and signals, gave.
pub struct Loads<'a> {
    /// Where laws are evaluated, with what they have set so far.
    pub evaluation: SignalView<'a>,
    /// Friction elements, impulse rows, laws that wait.
    pub statements: Statements,
    /// Values that replace placeholders.
    pub deferred: DeferredValues,
    /// Accelerations that initial conditions want.
    pub targets: Vec<InitialAccelerationTarget>,
}

/// Evaluates laws, all signals in the order of `signals`, and prescribed motions.
pub fn evaluate<'a>(
    evaluation: SignalView<'a>,
    laws: Vec<(ComponentId, VelocityLaw)>,
    signals: &[PortId],
    prescribed: (MotionPlaceholders, &List<PrescribedMotionId, [Ex; 3]>, Vec<PrescribedMotion>),
) -> Result<Loads<'a>, Error> {
    let (mut evaluation, statements) = VelocityView::evaluate(evaluation, laws)?;
    for &signal in signals {
        evaluation.component = signal.component;
        evaluation.read(signal)?;
    }
    let mut deferred = DeferredValues::default();
    let (placeholders, motions, laws) = prescribed;
    let motions = (motions, laws);
    let targets =
        prescribed_signals::evaluate(placeholders, motions, &mut evaluation, &mut deferred)?;
    Ok(Loads { evaluation, statements, deferred, targets })
}
