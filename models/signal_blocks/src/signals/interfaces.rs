//! Ports and variables that blocks and sources share.

use equations::{Bool, Expression};
use mechanics::assembly::element;
use mechanics::declaration::{group, prelude::*};
use mechanics::port::PortId;
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

/// How many inputs are connected, as the beginning of a sentence.
pub(crate) fn connected(inputs: usize) -> String {
    match inputs {
        1 => "1 input is connected".to_owned(),
        _ => format!("{inputs} inputs are connected"),
    }
}

/// True from an instant (in s) on; the name of the event begins with that of the instance.
pub(crate) fn from_instant(e: &mut SignalView<'_>, local: &str, instant: Ex) -> Bool {
    let name = e.full(local);
    e.model().time_relation(&name, instant)
}

/// Defines the elements of an output array; the law computes the one of a number, counted from 1.
/// They are published in order, whichever is read first.
pub fn give_array<T: Into<Expression>>(
    c: &mut Contribution<'_>,
    array: &'static str,
    count: usize,
    law: impl Fn(&mut SignalView<'_>, usize) -> Result<T, Error> + Clone + 'static,
) {
    for k in 1..=count {
        let law = law.clone();
        c.signal(element(array, k), move |e| {
            if k > 1 {
                e.read_own(element(array, k - 1))?;
            }
            let value = law(e, k)?.into();
            e.variable(element(array, k), value);
            Ok(match value {
                Expression::Real(value) => value,
                Expression::Truth(truth) => truth.as_ex(),
            })
        });
    }
}

/// The inputs `reset` and `set` of an integrator.
#[derive(Clone, Copy)]
pub(crate) struct Reset {
    signal: PortId,
    value: Option<PortId>,
}

impl Reset {
    /// Those of a component; `None` if nothing is connected to `reset`.
    pub(crate) fn of(c: &mut Contribution<'_>) -> Option<Self> {
        let value = c.optional_input("set");
        let signal = c.optional_boolean_input("reset")?;
        Some(Reset { signal, value })
    }

    /// Whether the signal becomes true, and the value after it, which is `start` if nothing is
    /// connected to `set`. What is true from the start on does not become true.
    pub(crate) fn read(self, e: &mut SignalView<'_>, start: Ex) -> Result<(Bool, Ex), Error> {
        let signal = e.read_truth(self.signal)?;
        let name = e.full("reset: before");
        let before = e.model().memory(&name, 0.0);
        e.model().update(before, signal);
        let now = signal & !before.pre_bool() & !e.model().initial();
        Ok((now, self.value.map_or(Ok(start), |value| e.read(value))?))
    }
}
