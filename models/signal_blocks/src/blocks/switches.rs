//! Blocks that choose one of several signals.

use super::interfaces::boolean_signal;
use equations::{Bool, select, select_bool};
use mechanics::declaration::prelude::*;

component! {
    /// Choice between two signals.
    ///
    /// # Equations
    /// `y = u1` if `u2` is true, else `u3`.
    pub struct Switch = "Modelica.Blocks.Logical.Switch" {}
    ports {
        /// Input signal while the switch is on
        u1: Input,
        /// Whether the switch is on
        u2: BooleanInput,
        /// Input signal while the switch is off
        u3: Input,
    }
    variables {
        /// Signal
        y: Real,
    }
}

impl Component for Switch {
    fn contribute(_: SwitchParameters, c: &mut Contribution<'_>) -> Result<(), Error> {
        c.passes_unit("u1", "y");
        c.passes_unit("u3", "y");
        let (u1, u2, u3) = (c.input("u1")?, c.boolean_input("u2")?, c.input("u3")?);
        c.output("y", move |e| {
            let is_on = e.read_truth(u2)?;
            Ok(select(is_on, e.read(u1)?, e.read(u3)?))
        });
        Ok(())
    }
}

component! {
    /// Choice between two Boolean signals.
    ///
    /// # Equations
    /// `y = u1` if `u2` is true, else `u3`.
    pub struct LogicalSwitch = "Modelica.Blocks.Logical.LogicalSwitch" { ..boolean_signal }
    ports {
        /// Input signal while the switch is on
        u1: BooleanInput,
        /// Whether the switch is on
        u2: BooleanInput,
        /// Input signal while the switch is off
        u3: BooleanInput,
    }
}

impl Component for LogicalSwitch {
    fn contribute(_: LogicalSwitchParameters, c: &mut Contribution<'_>) -> Result<(), Error> {
        let [u1, u2, u3] = [c.boolean_input("u1")?, c.boolean_input("u2")?, c.boolean_input("u3")?];
        c.boolean_output("y", move |e| {
            let is_on = e.read_truth(u2)?;
            Ok(select_bool(is_on, e.read_truth(u1)?, e.read_truth(u3)?))
        });
        Ok(())
    }
}

component! {
    /// Truth value that belongs to the first input that is true.
    ///
    /// # Equations
    /// `y = expr[i]`, where `i` is the smallest number for which `u[i]` is true. If there is none,
    /// `y` keeps its last value, or is `y_default` without `use_pre_as_default`.
    pub struct BooleanMultiSwitch = "Modelica.Blocks.MathBoolean.MultiSwitch" {
        /// Truth value for each input
        expr: [bool],
        /// Whether the output keeps its last value while no input is true
        use_pre_as_default: bool = true,
        /// Value before the start, or while no input is true
        y_default: bool = false,
        ..boolean_signal,
    }
    ports {
        /// Input signals
        u: [BooleanInput],
    }
}

impl Component for BooleanMultiSwitch {
    fn contribute(p: BooleanMultiSwitchParameters, c: &mut Contribution<'_>) -> Result<(), Error> {
        let BooleanMultiSwitchParameters { expr, use_pre_as_default, y_default } = p;
        let u = c.connected_inputs("u", "BooleanInput")?;
        if u.len() != expr.len() {
            let (values, inputs) = (expr.len(), u.len());
            return Err(c.refuse("expr", format!("{values} values for {inputs} inputs")));
        }
        let name = c.full("y: before");
        c.boolean_output("y", move |e| {
            let last = e.model().memory(&name, f64::from(y_default));
            let mut y =
                if use_pre_as_default { last.pre_bool() } else { Bool::constant(y_default) };
            for (u, expr) in u.into_iter().zip(expr).rev() {
                y = select_bool(e.read_truth(u)?, Bool::constant(expr), y);
            }
            e.model().update(last, y);
            Ok(y)
        });
        Ok(())
    }
}
