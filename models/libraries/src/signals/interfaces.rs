//! Ports and variables that blocks and sources share.

use equations::Bool;
use mechanics::declaration::{group, prelude::*};
use mechanics::statements::laws::signal_view::SignalView;

group! {
    /// A block with one input.
    pub struct Block(block) {}
    ports {
        /// Input signal
        u: Input,
    }
    variables {
        /// Signal
        y: Real,
    }
}

group! {
    /// A block with two inputs.
    pub struct TwoInputs(two_inputs) {}
    ports {
        /// First input signal
        u1: Input,
        /// Second input signal
        u2: Input,
    }
    variables {
        /// Signal
        y: Real,
    }
}

group! {
    /// A signal that begins at a given time.
    pub struct SignalSource(signal_source) {
        /// Offset of the signal
        offset: Real = 0,
        /// Start time; before it, the signal is the offset
        start_time "startTime": Real["s"] = 0,
    }
    variables {
        /// Signal
        y: Real,
    }
}

/// True from an instant (in s) on; the name of the event begins with that of the instance.
pub(super) fn from_instant(e: &mut SignalView<'_>, local: &str, instant: Ex) -> Bool {
    let name = e.full(local);
    e.model().time_relation(&name, instant)
}
