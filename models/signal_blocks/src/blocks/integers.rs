//! Functions of signals of type Integer.

use super::interfaces::blocks;
use super::sums::{conditions, gains, read_all, read_first_true};
use equations::{Bool, select};
use mechanics::assembly::element;
use mechanics::declaration::{group, prelude::*};
use mechanics::statements::laws::signal_view::SignalView;

group! {
    /// A block with any number of inputs and one output, all of type Integer.
    pub struct Integers(integers) {}
    ports {
        /// Input signals
        u: [IntegerInput],
    }
    variables {
        /// Signal
        y: Integer,
    }
}

/// Defines the output, which changes at events only; the law computes it from its value before.
/// The simulation ends with an error if it is no Integer of FMI.
fn give_integer(
    c: &mut Contribution<'_>,
    start: f64,
    law: impl FnOnce(&mut SignalView<'_>, Ex) -> Result<Ex, Error> + 'static,
) {
    let (least, greatest) = (i32::MIN, i32::MAX);
    let y = c.discrete("y", start).integer().done();
    let is_integer = y.pre().ge(f64::from(least)) & y.pre().le(f64::from(greatest));
    let sentence = format!("{}: an Integer must be from {least} to {greatest}", c.full("y"));
    c.model().assert(None, is_integer, &sentence, false);
    c.signal("y", move |e| {
        let value = law(e, y.pre())?;
        e.model().update(y, value);
        Ok(value)
    });
}

/// Refuses numbers in a list of parameters that are not whole.
fn require_whole(c: &mut Contribution<'_>, parameter: &str, numbers: &[Ex]) -> Result<(), Error> {
    for (i, &number) in numbers.iter().enumerate() {
        let is_whole = number.floor().equals(number);
        c.require(&[element(parameter, i + 1)], is_whole, "must be a whole number")?;
    }
    Ok(())
}

/// Defines the output of a block with any number of inputs.
fn of_integers(
    c: &mut Contribution<'_>,
    law: impl FnOnce(Vec<Ex>) -> Ex + 'static,
) -> Result<(), Error> {
    let u = c.connected_inputs("u", "IntegerInput")?;
    give_integer(c, 0.0, move |e, _| read_all(e, &u).map(law));
    Ok(())
}

blocks! { integers, of_integers;
    /// Product of any number of signals of type Integer.
    ///
    /// # Equations
    /// `y = u[1] u[2] ..`; 0 without connections.
    ///
    /// # Events
    /// A product that is no 32-bit Integer ends the simulation with an error.
    IntegerProduct = "Modelica.Blocks.MathInteger.Product": |u: Vec<Ex>| {
        u.into_iter().reduce(|product, u| product * u).unwrap_or_else(Ex::zero)
    };
}

component! {
    /// Weighted sum of any number of signals of type Integer.
    ///
    /// # Equations
    /// `y = k[1] u[1] + k[2] u[2] + ..`; 0 without connections.
    ///
    /// # Events
    /// A sum that is no 32-bit Integer ends the simulation with an error.
    pub struct IntegerSum = "Modelica.Blocks.MathInteger.Sum" {
        /// Gain of each input, a whole number; 1 unless given
        k?: [Real]["1"],
        ..integers,
    }
}

impl Component for IntegerSum {
    fn contribute(p: IntegerSumParameters, c: &mut Contribution<'_>) -> Result<(), Error> {
        let count = c.connected_inputs("u", "IntegerInput")?.len();
        let k = gains(c, p.k, count)?;
        require_whole(c, "k", &k)?;
        of_integers(c, move |u| k.into_iter().zip(u).map(|(k, u)| k * u).sum())
    }
}

component! {
    /// Whole number that belongs to the first true one of any number of conditions.
    ///
    /// # Equations
    /// `y = expr[i]` with the smallest `i` for which `u[i]` is true. If none is true, `y` keeps its
    /// value, which is `y_default` before the start, or is `y_default` without
    /// `use_pre_as_default`.
    pub struct IntegerMultiSwitch = "Modelica.Blocks.MathInteger.MultiSwitch" {
        /// Output for each condition, a whole number
        expr: [Real]["1"],
        /// Output if no condition is true, or if none has been true
        y_default: Integer["1"] = 0,
        /// Whether the output keeps its value while no condition is true
        use_pre_as_default: bool = true,
    }
    ports {
        /// Conditions
        u: [BooleanInput],
    }
    variables {
        /// Signal
        y: Integer,
    }
}

impl Component for IntegerMultiSwitch {
    fn contribute(p: IntegerMultiSwitchParameters, c: &mut Contribution<'_>) -> Result<(), Error> {
        require_whole(c, "expr", &p.expr)?;
        let u = conditions(c, &p.expr)?;
        let default = p.y_default as f64;
        give_integer(c, default, move |e, before| {
            let otherwise = if p.use_pre_as_default { before } else { Ex::constant(default) };
            read_first_true(e, &u, &p.expr, otherwise)
        });
        Ok(())
    }
}

component! {
    /// Sum of the values that a signal of type Integer has when a trigger becomes true.
    ///
    /// # Equations
    /// When `trigger` becomes true, `u` is added to `y`. When `trigger` or `reset` becomes true
    /// while `reset` is true, `y` becomes `set`, or `y_start` if nothing is connected to `set`.
    /// What is true from the start does not become true.
    ///
    /// # Events
    /// A sum that is no 32-bit Integer ends the simulation with an error.
    pub struct TriggeredAdd = "Modelica.Blocks.MathInteger.TriggeredAdd" {
        /// Value at the start, and after a reset if nothing is connected to `set`
        y_start: Integer["1"] = 0,
    }
    ports {
        /// What is added
        u: IntegerInput,
        /// When it is added
        trigger: BooleanInput,
        /// When the sum begins anew; it need not be connected
        reset: BooleanInput,
        /// The sum after a reset; it need not be connected
        set: IntegerInput,
    }
    variables {
        /// The sum
        y: Integer,
    }
}

impl Component for TriggeredAdd {
    fn contribute(p: TriggeredAddParameters, c: &mut Contribution<'_>) -> Result<(), Error> {
        let (u, trigger) = (c.integer_input("u")?, c.boolean_input("trigger")?);
        let reset = c.optional_boolean_input("reset");
        let set = if c.is_connected("set") { Some(c.integer_input("set")?) } else { None };
        let start = p.y_start as f64;
        give_integer(c, start, move |e, before| {
            let (u, trigger) = (e.read(u)?, e.read_truth(trigger)?);
            let reset = reset.map_or(Ok(Bool::constant(false)), |reset| e.read_truth(reset))?;
            let set = set.map_or(Ok(Ex::constant(start)), |set| e.read(set))?;
            let now = e.when("triggered", trigger) | e.when("begins anew", reset);
            Ok(select(now, select(reset, set, before + u), before))
        });
        Ok(())
    }
}
