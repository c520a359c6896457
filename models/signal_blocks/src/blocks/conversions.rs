//! Blocks that convert signals of one type to another one.

use super::interfaces::nominal;
use equations::select;
use mechanics::declaration::prelude::*;

component! {
    /// Number that represents a truth value.
    ///
    /// # Equations
    /// `y = realTrue` if `u` is true, else `realFalse`.
    pub struct BooleanToReal = "Modelica.Blocks.Math.BooleanToReal" {
        /// Output if the signal is true
        real_true "realTrue": Real = 1,
        /// Output if the signal is false
        real_false "realFalse": Real = 0,
    }
    ports {
        /// Input signal
        u: BooleanInput,
    }
    variables {
        /// Signal
        y: Real,
    }
}

impl Component for BooleanToReal {
    fn contribute(p: BooleanToRealParameters, c: &mut Contribution<'_>) -> Result<(), Error> {
        let u = c.boolean_input("u")?;
        c.output("y", move |e| Ok(select(e.read_truth(u)?, p.real_true, p.real_false)));
        Ok(())
    }
}

component! {
    /// Whole number that represents a truth value.
    ///
    /// # Equations
    /// `y = integerTrue` if `u` is true, else `integerFalse`.
    pub struct BooleanToInteger = "Modelica.Blocks.Math.BooleanToInteger" {
        /// Output if the signal is true
        integer_true "integerTrue": Integer["1"] = 1,
        /// Output if the signal is false
        integer_false "integerFalse": Integer["1"] = 0,
    }
    ports {
        /// Input signal
        u: BooleanInput,
    }
    variables {
        /// Signal
        y: Integer,
    }
}

impl Component for BooleanToInteger {
    fn contribute(p: BooleanToIntegerParameters, c: &mut Contribution<'_>) -> Result<(), Error> {
        let u = c.boolean_input("u")?;
        let [yes, no] = [p.integer_true, p.integer_false].map(|number| number as f64);
        c.integer_output("y", move |e| Ok(select(e.read_truth(u)?, yes, no)));
        Ok(())
    }
}

component! {
    /// Real signal with the value of a signal of type Integer.
    ///
    /// # Equations
    /// `y = u`.
    pub struct IntegerToReal = "Modelica.Blocks.Math.IntegerToReal" {}
    ports {
        /// Input signal
        u: IntegerInput,
    }
    variables {
        /// Signal
        y: Real,
    }
}

impl Component for IntegerToReal {
    fn contribute(_: IntegerToRealParameters, c: &mut Contribution<'_>) -> Result<(), Error> {
        let u = c.integer_input("u")?;
        c.output("y", move |e| e.read(u));
        Ok(())
    }
}

component! {
    /// Whole number nearest to a signal.
    ///
    /// # Equations
    /// `y` is `u` rounded; halves are rounded away from zero.
    ///
    /// # Events
    /// The nearest whole number changes.
    pub struct RealToInteger = "Modelica.Blocks.Math.RealToInteger" {}
    ports {
        /// Input signal
        u: Input,
    }
    variables {
        /// Signal
        y: Integer,
    }
}

impl Component for RealToInteger {
    fn contribute(_: RealToIntegerParameters, c: &mut Contribution<'_>) -> Result<(), Error> {
        let u = c.input("u")?;
        let y = c.discrete("y", 0.0).integer().done();
        c.signal("y", move |e| {
            let u = e.read(u)?;
            let magnitude = e.whole("magnitude", u.abs() + 0.5);
            // The magnitude is zero where the sign changes, so that this is no event.
            let name = e.full("positive");
            let value = select(e.model().sampled(&name, u), magnitude, -magnitude);
            e.model().update(y, value);
            Ok(value)
        });
        Ok(())
    }
}

component! {
    /// Whether a signal is not below a threshold.
    ///
    /// # Equations
    /// `y = u >= threshold`.
    ///
    /// # Events
    /// The signal reaches the threshold.
    pub struct RealToBoolean = "Modelica.Blocks.Math.RealToBoolean" {
        /// Threshold for the comparison
        threshold: Real = 0.5,
    }
    ports {
        /// Input signal
        u: Input,
    }
    variables {
        /// Signal
        y: Boolean,
    }
}

impl Component for RealToBoolean {
    fn contribute(p: RealToBooleanParameters, c: &mut Contribution<'_>) -> Result<(), Error> {
        let u = c.input("u")?;
        let nominal = nominal(c, p.threshold);
        c.boolean_output("y", move |e| {
            let u = e.read(u)?;
            Ok(!e.relation("less", p.threshold - u).nominal(nominal).done())
        });
        Ok(())
    }
}

component! {
    /// Whether a whole number is not below a threshold.
    ///
    /// # Equations
    /// `y = u >= threshold`.
    pub struct IntegerToBoolean = "Modelica.Blocks.Math.IntegerToBoolean" {
        /// Threshold for the comparison
        threshold: Integer["1"] = 1,
    }
    ports {
        /// Input signal
        u: IntegerInput,
    }
    variables {
        /// Signal
        y: Boolean,
    }
}

impl Component for IntegerToBoolean {
    fn contribute(p: IntegerToBooleanParameters, c: &mut Contribution<'_>) -> Result<(), Error> {
        let u = c.integer_input("u")?;
        c.boolean_output("y", move |e| Ok(e.read(u)?.ge(p.threshold as f64)));
        Ok(())
    }
}
