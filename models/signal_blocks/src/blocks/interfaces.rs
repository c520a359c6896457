//! Ports and variables that blocks share, and blocks that are a function of their inputs.

use equations::Bool;
use mechanics::declaration::{group, prelude::*};
use mechanics::statements::laws::signal_view::SignalView;

group! {
    /// A block with a Boolean output.
    pub struct BooleanSignal(boolean_signal) {}
    variables {
        /// Signal
        y: Boolean,
    }
}

group! {
    /// A block with one Boolean input and a Boolean output.
    pub struct BooleanBlock(boolean_block) {}
    ports {
        /// Input signal
        u: BooleanInput,
    }
    variables {
        /// Signal
        y: Boolean,
    }
}

group! {
    /// A block with two Boolean inputs and a Boolean output.
    pub struct TwoBooleans(two_booleans) {}
    ports {
        /// First input signal
        u1: BooleanInput,
        /// Second input signal
        u2: BooleanInput,
    }
    variables {
        /// Signal
        y: Boolean,
    }
}

group! {
    /// A block with any number of Boolean inputs and a Boolean output.
    pub struct Booleans(booleans) {}
    ports {
        /// Input signals
        u: [BooleanInput],
    }
    variables {
        /// Signal
        y: Boolean,
    }
}

group! {
    /// A block whose output is an angle.
    pub struct AngleOf(angle_of) {}
    ports {
        /// Input signal
        u: Input,
    }
    variables {
        /// Angle
        y: Real["rad"],
    }
}

/// Declares blocks that differ in a law only. They have the entries of the group `$group`, whose
/// parameters are in the field `$of`; the function `$define` defines the output by the law.
macro_rules! blocks {
    (
        $of:ident: $group:ident, $define:ident;
        $($(#[$($line:tt)*])* $Block:ident = $class:tt: $law:expr;)*
    ) => {
        $(
            component! {
                $(#[$($line)*])*
                pub struct $Block = $class { ..$of: $group }
            }

            impl Component for $Block {
                fn contribute(p: Self::Parameters, c: &mut Contribution<'_>) -> Result<(), Error> {
                    $define(c, p.$of, $law)
                }
            }
        )*
    };
    ($group:ident, $define:ident; $($(#[$($line:tt)*])* $Block:ident = $class:tt: $law:expr;)*) => {
        $(
            component! {
                $(#[$($line)*])*
                pub struct $Block = $class { ..$group }
            }

            impl Component for $Block {
                fn contribute(_: Self::Parameters, c: &mut Contribution<'_>) -> Result<(), Error> {
                    $define(c, $law)
                }
            }
        )*
    };
}

pub(super) use blocks;

/// Defines the output of a block with one Boolean input.
pub(super) fn of_boolean(
    c: &mut Contribution<'_>,
    law: impl FnOnce(Bool) -> Bool + 'static,
) -> Result<(), Error> {
    let u = c.boolean_input("u")?;
    c.boolean_output("y", move |e| Ok(law(e.read_truth(u)?)));
    Ok(())
}

/// Defines the output of a block with two Boolean inputs.
pub(super) fn of_two_booleans(
    c: &mut Contribution<'_>,
    law: impl FnOnce(Bool, Bool) -> Bool + 'static,
) -> Result<(), Error> {
    let [u1, u2] = [c.boolean_input("u1")?, c.boolean_input("u2")?];
    c.boolean_output("y", move |e| {
        let u1 = e.read_truth(u1)?;
        Ok(law(u1, e.read_truth(u2)?))
    });
    Ok(())
}

/// Defines the output of a block with any number of Boolean inputs; `law` gets their values.
pub(super) fn of_booleans(
    c: &mut Contribution<'_>,
    law: impl FnOnce(Vec<Bool>) -> Bool + 'static,
) -> Result<(), Error> {
    let u = c.connected_inputs("u", "BooleanInput")?;
    c.boolean_output("y", move |e| {
        let values = u.into_iter().map(|u| e.read_truth(u)).collect::<Result<_, _>>()?;
        Ok(law(values))
    });
    Ok(())
}

/// Whether two truth values differ.
pub(super) fn differ(u1: Bool, u2: Bool) -> Bool {
    (u1 & !u2) | (!u1 & u2)
}

/// The truth value that another one had in the event iteration before; at first, it is `start`.
pub(super) fn value_before(e: &mut SignalView<'_>, local: &str, truth: Bool, start: bool) -> Bool {
    let name = e.full(local);
    let memory = e.model().memory(&name, f64::from(start));
    e.model().update(memory, truth);
    memory.pre_bool()
}

/// The magnitude by which a comparison is scaled: that of what a signal is compared with, or 1 if
/// this is zero, which says nothing about the signal.
pub(super) fn nominal(c: &Contribution<'_>, value: Ex) -> f64 {
    let magnitude = c.magnitude(value).abs();
    if magnitude > 0.0 { magnitude } else { 1.0 }
}

/// Whether a signal becomes true in this event iteration, and whether it becomes false. What is
/// true from the start does not become true.
pub(crate) fn edges(e: &mut SignalView<'_>, u: Bool) -> [Bool; 2] {
    let before = value_before(e, "u: before", u, false);
    let going = !e.model().initial();
    [going & u & !before, going & !u & before]
}
