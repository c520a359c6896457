//! Logical functions: blocks whose inputs and outputs are true or false.

use super::interfaces::{
    blocks, boolean_block, booleans, differ, of_boolean, of_booleans, of_two_booleans,
    two_booleans, value_before,
};
use equations::Bool;
use mechanics::declaration::{group, prelude::*};

/// Whether all are true.
fn all(u: Vec<Bool>) -> Bool {
    u.into_iter().fold(Bool::constant(true), |all, u| all & u)
}

/// Whether any is true.
fn any(u: Vec<Bool>) -> Bool {
    u.into_iter().fold(Bool::constant(false), |any, u| any | u)
}

/// Whether exactly one is true.
fn one(u: Vec<Bool>) -> Bool {
    let none = (Bool::constant(true), Bool::constant(false));
    let (_, one) =
        u.into_iter().fold(none, |(none, one), u| ((none & !u), (none & u) | (one & !u)));
    one
}

blocks! { boolean_block, of_boolean;
    /// Negation of a signal.
    ///
    /// # Equations
    /// `y = not u`.
    Not = "Modelica.Blocks.Logical.Not": |u: Bool| !u;
}

blocks! { two_booleans, of_two_booleans;
    /// Whether both signals are true.
    ///
    /// # Equations
    /// `y = u1 and u2`.
    LogicalAnd = "Modelica.Blocks.Logical.And": |u1, u2| u1 & u2;

    /// Whether at least one of two signals is true.
    ///
    /// # Equations
    /// `y = u1 or u2`.
    LogicalOr = "Modelica.Blocks.Logical.Or": |u1, u2| u1 | u2;

    /// Whether exactly one of two signals is true.
    ///
    /// # Equations
    /// `y = not (u1 = u2)`.
    LogicalXor = "Modelica.Blocks.Logical.Xor": differ;

    /// Whether one of two signals is false.
    ///
    /// # Equations
    /// `y = not (u1 and u2)`.
    LogicalNand = "Modelica.Blocks.Logical.Nand": |u1: Bool, u2: Bool| !(u1 & u2);

    /// Whether both signals are false.
    ///
    /// # Equations
    /// `y = not (u1 or u2)`.
    LogicalNor = "Modelica.Blocks.Logical.Nor": |u1: Bool, u2: Bool| !(u1 | u2);
}

blocks! { booleans, of_booleans;
    /// Whether all signals are true.
    ///
    /// # Equations
    /// `y = u[1] and u[2] and ..`. Without connections, `y` is true.
    And = "Modelica.Blocks.MathBoolean.And": all;

    /// Whether at least one signal is true.
    ///
    /// # Equations
    /// `y = u[1] or u[2] or ..`. Without connections, `y` is false.
    Or = "Modelica.Blocks.MathBoolean.Or": any;

    /// Whether exactly one signal is true.
    ///
    /// # Equations
    /// `y` is true if one of `u[1]`, `u[2]`, .. is true and all others are false.
    Xor = "Modelica.Blocks.MathBoolean.Xor": one;

    /// Whether at least one signal is false.
    ///
    /// # Equations
    /// `y = not (u[1] and u[2] and ..)`. Without connections, `y` is false.
    Nand = "Modelica.Blocks.MathBoolean.Nand": |u| !all(u);

    /// Whether all signals are false.
    ///
    /// # Equations
    /// `y = not (u[1] or u[2] or ..)`. Without connections, `y` is true.
    Nor = "Modelica.Blocks.MathBoolean.Nor": |u| !any(u);
}

component! {
    /// Delay of a signal by one event iteration, which breaks loops of logic.
    ///
    /// # Equations
    /// `y = pre(u)`.
    pub struct Pre = "Modelica.Blocks.Logical.Pre" {
        /// Value before the start
        pre_u_start: bool = false,
        ..boolean_block,
    }
}

impl Component for Pre {
    fn contribute(p: PreParameters, c: &mut Contribution<'_>) -> Result<(), Error> {
        let u = c.boolean_input("u")?;
        let y = c.discrete("y", f64::from(p.pre_u_start)).boolean().done();
        c.signal("y", move |_| Ok(y.pre()));
        c.law(move |e| {
            let u = e.read_truth(u)?;
            e.model().update(y, u);
            Ok(())
        });
        Ok(())
    }
}

group! {
    /// A block that observes changes of a Boolean input.
    pub struct Observer(observer) {
        /// Value before the start
        pre_u_start: bool = false,
    }
    ports {
        /// Input signal
        u: BooleanInput,
    }
    variables {
        /// Whether the signal changes
        y: Boolean,
    }
}

/// Defines an output that depends on the values of the input now and in the event iteration before.
fn of_change(
    c: &mut Contribution<'_>,
    observer: Observer,
    law: impl FnOnce(Bool, Bool) -> Bool + 'static,
) -> Result<(), Error> {
    let u = c.boolean_input("u")?;
    c.boolean_output("y", move |e| {
        let u = e.read_truth(u)?;
        Ok(law(u, value_before(e, "u: before", u, observer.pre_u_start)))
    });
    Ok(())
}

blocks! { of: observer, of_change;
    /// Whether a signal becomes true.
    ///
    /// # Equations
    /// `y = u and not pre(u)`, which is true in one event iteration.
    Edge = "Modelica.Blocks.Logical.Edge": |u, before: Bool| u & !before;

    /// Whether a signal becomes false.
    ///
    /// # Equations
    /// `y = not u and pre(u)`, which is true in one event iteration.
    FallingEdge = "Modelica.Blocks.Logical.FallingEdge": |u: Bool, before| !u & before;

    /// Whether a signal becomes true or false.
    ///
    /// # Equations
    /// `y = not (u = pre(u))`, which is true in one event iteration.
    Change = "Modelica.Blocks.Logical.Change": differ;
}
