//! Ports and variables that blocks share, and blocks that are a function of their inputs.

use equations::Bool;
use mechanics::declaration::{group, prelude::*};

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

/// Defines the output of a block with any number of Boolean inputs; `law` gets their values, of
/// which there is at least one.
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
