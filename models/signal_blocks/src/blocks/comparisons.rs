//! Comparisons of signals, with and without hysteresis.

use super::interfaces::{blocks, differ, nominal, value_before};
use equations::Bool;
use mechanics::declaration::{group, prelude::*};
use mechanics::statements::laws::signal_view::SignalView;

group! {
    /// A comparison of two signals.
    pub struct Comparison(comparison) {}
    ports {
        /// First input signal
        u1: Input,
        /// Second input signal
        u2: Input,
    }
    variables {
        /// Whether the comparison holds
        y: Boolean,
    }
}

/// Defines the output of a comparison by a residual, and by what the output is while the residual
/// is positive.
fn of_comparison(
    c: &mut Contribution<'_>,
    law: impl FnOnce(Ex, Ex) -> (Ex, bool) + 'static,
) -> Result<(), Error> {
    let [u1, u2] = [c.input("u1")?, c.input("u2")?];
    c.boolean_output("y", move |e| {
        let (residual, holds) = law(e.read(u1)?, e.read(u2)?);
        let is_positive = e.relation("positive", residual).done();
        Ok(if holds { is_positive } else { !is_positive })
    });
    Ok(())
}

blocks! { comparison, of_comparison;
    /// Whether one signal is above another.
    ///
    /// # Equations
    /// `y = u1 > u2`.
    ///
    /// # Events
    /// The signals become equal.
    Greater = "Modelica.Blocks.Logical.Greater": |u1, u2| (u1 - u2, true);

    /// Whether one signal is not below another.
    ///
    /// # Equations
    /// `y = u1 >= u2`.
    ///
    /// # Events
    /// The signals become equal.
    GreaterEqual = "Modelica.Blocks.Logical.GreaterEqual": |u1, u2| (u2 - u1, false);

    /// Whether one signal is below another.
    ///
    /// # Equations
    /// `y = u1 < u2`.
    ///
    /// # Events
    /// The signals become equal.
    Less = "Modelica.Blocks.Logical.Less": |u1, u2| (u2 - u1, true);

    /// Whether one signal is not above another.
    ///
    /// # Equations
    /// `y = u1 <= u2`.
    ///
    /// # Events
    /// The signals become equal.
    LessEqual = "Modelica.Blocks.Logical.LessEqual": |u1, u2| (u1 - u2, false);
}

component! {
    /// Detector of the zeros of a signal.
    ///
    /// # Equations
    /// `y` is true in one event iteration while `enable` is true and `u >= 0` changes. It is false
    /// while `enable` changes.
    ///
    /// # Events
    /// The signal passes zero.
    pub struct ZeroCrossing = "Modelica.Blocks.Logical.ZeroCrossing" {}
    ports {
        /// Input signal
        u: Input,
        /// Whether zeros are detected
        enable: BooleanInput,
    }
    variables {
        /// Whether the signal passes zero
        y: Boolean,
    }
}

impl Component for ZeroCrossing {
    fn contribute(_: ZeroCrossingParameters, c: &mut Contribution<'_>) -> Result<(), Error> {
        let (u, enable) = (c.input("u")?, c.boolean_input("enable")?);
        c.boolean_output("y", move |e| {
            let u = e.read(u)?;
            let enable = e.read_truth(enable)?;
            let is_negative = e.relation("negative", -u).done();
            let is_above = enable & !is_negative;
            let crosses = differ(is_above, value_before(e, "u >= 0: before", is_above, false));
            let switches = differ(enable, value_before(e, "enable: before", enable, false));
            Ok(crosses & !switches)
        });
        Ok(())
    }
}

/// Defines a Boolean output that depends on its own value in the event iteration before.
fn of_itself(
    c: &mut Contribution<'_>,
    start: bool,
    law: impl FnOnce(&mut SignalView<'_>, Bool) -> Result<Bool, Error> + 'static,
) {
    let name = c.full("y: before");
    c.boolean_output("y", move |e| {
        let before = e.model().memory(&name, f64::from(start));
        let y = law(e, before.pre_bool())?;
        e.model().update(before, y);
        Ok(y)
    });
}

component! {
    /// Comparison of a signal with a threshold that depends on the last result.
    ///
    /// # Equations
    /// `y` becomes true if `u > uHigh`, and false if `u < uLow`.
    ///
    /// # Events
    /// The signal reaches `uLow` or `uHigh`.
    pub struct Hysteresis = "Modelica.Blocks.Logical.Hysteresis" {
        /// Threshold below which the output becomes false
        u_low "uLow": Real,
        /// Threshold above which the output becomes true
        u_high "uHigh": Real,
        /// Value before the start
        pre_y_start: bool = false,
    }
    ports {
        /// Input signal
        u: Input,
    }
    variables {
        /// Whether the signal is high
        y: Boolean,
    }
}

impl Component for Hysteresis {
    fn contribute(p: HysteresisParameters, c: &mut Contribution<'_>) -> Result<(), Error> {
        let HysteresisParameters { u_low, u_high, pre_y_start } = p;
        c.require(&["uLow", "uHigh"], u_low.lt(u_high), "uLow must be below uHigh")?;
        let nominal = nominal(c, u_low.abs().max(u_high.abs()));
        let u = c.input("u")?;
        of_itself(c, pre_y_start, move |e, before| {
            let u = e.read(u)?;
            let is_high = e.relation("high", u - u_high).nominal(nominal).done();
            let is_low = e.relation("low", u_low - u).nominal(nominal).done();
            Ok((!before & is_high) | (before & !is_low))
        });
        Ok(())
    }
}

component! {
    /// Controller that switches on below a reference, and off above it.
    ///
    /// # Equations
    /// `y` becomes true if `u < reference - bandwidth / 2`, and false if
    /// `u >= reference + bandwidth / 2`.
    ///
    /// # Events
    /// The signal reaches an end of the band around the reference.
    pub struct OnOffController = "Modelica.Blocks.Logical.OnOffController" {
        /// Width of the band around the reference
        bandwidth: Real[>= 0],
        /// Value before the start
        pre_y_start: bool = false,
    }
    ports {
        /// Reference signal
        reference: Input,
        /// Measured signal
        u: Input,
    }
    variables {
        /// Whether the controller is on
        y: Boolean,
    }
}

impl Component for OnOffController {
    fn contribute(p: OnOffControllerParameters, c: &mut Contribution<'_>) -> Result<(), Error> {
        let [reference, u] = [c.input("reference")?, c.input("u")?];
        of_itself(c, p.pre_y_start, move |e, before| {
            let error = e.read(reference)? - e.read(u)?;
            let is_below = e.relation("below", error - p.bandwidth / 2.0).done();
            let is_not_above = e.relation("not above", error + p.bandwidth / 2.0).done();
            Ok((before & is_not_above) | is_below)
        });
        Ok(())
    }
}
