//! Samplers that a Boolean signal triggers.

use super::periodic::held_signal;
use crate::blocks::interfaces::edges;
use equations::{Bool, select};
use mechanics::declaration::{group, prelude::*};
use mechanics::port::PortId;
use mechanics::statements::laws::signal_view::SignalView;

group! {
    /// A block that acts when a trigger becomes true. A trigger that is true from the start does
    /// not become true.
    pub struct Triggered(triggered) {}
    ports {
        /// Input signal
        u: Input,
        /// Trigger
        trigger: BooleanInput,
    }
    variables {
        /// Signal
        y: Real,
    }
}

/// Declares the output: its value at the start, and when the trigger becomes true, that of a law.
fn give(
    c: &mut Contribution<'_>,
    start: Ex,
    law: impl FnOnce(Ex, Ex) -> Ex + 'static,
) -> Result<(), Error> {
    let (u, trigger): (PortId, PortId) = (c.input("u")?, c.boolean_input("trigger")?);
    let initial: Bool = c.model().initial();
    let triggered = move |e: &mut SignalView<'_>| -> Result<Bool, Error> {
        let trigger = e.read_truth(trigger)?;
        Ok(edges(e, trigger)[0])
    };
    held_signal(c, "y", Bool::constant(true), move |e, y| {
        let rises = triggered(e)?;
        let value = law(e.read(u)?, y.pre());
        Ok(select(initial, start, select(rises, value, y.pre())))
    });
    Ok(())
}

component! {
    /// Sampler of a signal at the instants of a trigger.
    ///
    /// # Equations
    /// `y = u` when `trigger` becomes true; `y = y_start` before.
    pub struct TriggeredSampler = "Modelica.Blocks.Discrete.TriggeredSampler" {
        /// Output at the start
        y_start: Real = 0,
        ..triggered,
    }
}

impl Component for TriggeredSampler {
    fn contribute(p: TriggeredSamplerParameters, c: &mut Contribution<'_>) -> Result<(), Error> {
        give(c, p.y_start, |u, _| u)
    }
}

component! {
    /// Largest magnitude of a signal at the instants of a trigger.
    ///
    /// # Equations
    /// `y = max(pre(y), abs(u))` when `trigger` becomes true; `y = 0` before.
    pub struct TriggeredMax = "Modelica.Blocks.Discrete.TriggeredMax" { ..triggered }
}

impl Component for TriggeredMax {
    fn contribute(_: TriggeredMaxParameters, c: &mut Contribution<'_>) -> Result<(), Error> {
        give(c, Ex::zero(), |u, y| y.max(u.abs()))
    }
}
