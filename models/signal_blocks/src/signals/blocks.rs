//! Blocks whose output is a function of their inputs at the same time.

use super::interfaces::{block, two_inputs};
use equations::select;
use mechanics::declaration::{group, prelude::*};
use mechanics::statements::laws::signal_view::SignalView;

/// Defines the output of a block with one input.
pub(crate) fn of_input(
    c: &mut Contribution<'_>,
    law: impl FnOnce(Ex) -> Ex + 'static,
) -> Result<(), Error> {
    let u = c.input("u")?;
    c.output("y", move |e| Ok(law(e.read(u)?)));
    Ok(())
}

/// Defines the output of a block with two inputs.
pub(crate) fn of_inputs(
    c: &mut Contribution<'_>,
    law: impl FnOnce(Ex, Ex) -> Ex + 'static,
) -> Result<(), Error> {
    let (u1, u2) = (c.input("u1")?, c.input("u2")?);
    c.output("y", move |e| {
        let u1 = e.read(u1)?;
        Ok(law(u1, e.read(u2)?))
    });
    Ok(())
}

/// States that the sum has the unit of its inputs, except where a factor other than 1 may convert.
pub(crate) fn pass_units(c: &mut Contribution<'_>, inputs: &[(&'static str, Ex)]) {
    for &(input, factor) in inputs {
        if c.fixed_number(factor).map(f64::abs) == Some(1.0) {
            c.passes_unit(input, "y");
        }
    }
}

component! {
    /// Product of a signal with a constant.
    ///
    /// # Equations
    /// `y = k u`.
    ///
    /// The output has the unit of the input unless another one is given:
    /// `Gain::new().k(25).unit("N.m")` converts an angle to a torque.
    pub struct Gain = "Modelica.Blocks.Math.Gain" {
        /// Gain
        k: Real,
        /// Unit of the output, if it is not that of the input
        unit?: String,
        ..block,
    }
}

impl Component for Gain {
    fn contribute(p: GainParameters, c: &mut Contribution<'_>) -> Result<(), Error> {
        let GainParameters { k, unit } = p;
        if unit.is_none() {
            c.passes_unit("u", "y");
        }
        let u = c.input("u")?;
        c.signal("y", move |e| {
            let y = k * e.read(u)?;
            let published = e.variable("y", y);
            if let Some(unit) = unit {
                published.unit(&unit);
            }
            Ok(y)
        });
        Ok(())
    }
}

component! {
    /// Weighted sum of two signals.
    ///
    /// # Equations
    /// `y = k1 u1 + k2 u2`.
    pub struct Add = "Modelica.Blocks.Math.Add" {
        /// Gain of the first input
        k1: Real = 1,
        /// Gain of the second input
        k2: Real = 1,
        ..two_inputs,
    }
}

impl Component for Add {
    fn contribute(p: AddParameters, c: &mut Contribution<'_>) -> Result<(), Error> {
        pass_units(c, &[("u1", p.k1), ("u2", p.k2)]);
        of_inputs(c, move |u1, u2| p.k1 * u1 + p.k2 * u2)
    }
}

component! {
    /// Weighted sum of three signals.
    ///
    /// # Equations
    /// `y = k1 u1 + k2 u2 + k3 u3`.
    pub struct Add3 = "Modelica.Blocks.Math.Add3" {
        /// Gain of the first input
        k1: Real = 1,
        /// Gain of the second input
        k2: Real = 1,
        /// Gain of the third input
        k3: Real = 1,
        ..two_inputs,
    }
    ports {
        /// Third input signal
        u3: Input,
    }
}

impl Component for Add3 {
    fn contribute(p: Add3Parameters, c: &mut Contribution<'_>) -> Result<(), Error> {
        pass_units(c, &[("u1", p.k1), ("u2", p.k2), ("u3", p.k3)]);
        let [u1, u2, u3] = [c.input("u1")?, c.input("u2")?, c.input("u3")?];
        c.output("y", move |e| {
            let two = p.k1 * e.read(u1)? + p.k2 * e.read(u2)?;
            Ok(two + p.k3 * e.read(u3)?)
        });
        Ok(())
    }
}

component! {
    /// Difference of two signals: reference minus measurement.
    ///
    /// # Equations
    /// `y = u1 - u2`.
    pub struct Feedback = "Modelica.Blocks.Math.Feedback" { ..two_inputs }
}

impl Component for Feedback {
    fn contribute(_: FeedbackParameters, c: &mut Contribution<'_>) -> Result<(), Error> {
        c.passes_unit("u1", "y");
        c.passes_unit("u2", "y");
        of_inputs(c, |u1, u2| u1 - u2)
    }
}

component! {
    /// Product of two signals.
    ///
    /// # Equations
    /// `y = u1 u2`.
    pub struct Product = "Modelica.Blocks.Math.Product" { ..two_inputs }
}

impl Component for Product {
    fn contribute(_: ProductParameters, c: &mut Contribution<'_>) -> Result<(), Error> {
        of_inputs(c, |u1, u2| u1 * u2)
    }
}

component! {
    /// Absolute value of a signal.
    ///
    /// # Equations
    /// `y = |u|`.
    ///
    /// # Events
    /// The signal changes its sign, if `generateEvent` is true.
    pub struct Abs = "Modelica.Blocks.Math.Abs" {
        /// Whether the kink causes an event
        generate_event "generateEvent": bool = false,
        ..block,
    }
}

impl Component for Abs {
    fn contribute(p: AbsParameters, c: &mut Contribution<'_>) -> Result<(), Error> {
        c.passes_unit("u", "y");
        let u = c.input("u")?;
        c.output("y", move |e| {
            let u = e.read(u)?;
            if !p.generate_event {
                return Ok(u.abs());
            }
            let negative = e.relation("negative", -u).done();
            // While initial values are determined, relations are not yet known.
            Ok(select(e.model().initial(), u.abs(), select(negative, -u, u)))
        });
        Ok(())
    }
}

component! {
    /// Signal limited to a range.
    ///
    /// # Equations
    /// `y = uMax` if `u > uMax`, `uMin` if `u < uMin`, else `u`.
    ///
    /// # Events
    /// The signal reaches or leaves a limit, where the slope of `y` jumps; none with `strict`.
    pub struct Limiter = "Modelica.Blocks.Nonlinear.Limiter" {
        /// Upper limit
        u_max "uMax": Real,
        /// Lower limit
        u_min "uMin": Real = -u_max,
        /// Whether the limits act without events
        strict: bool = false,
        ..block,
    }
}

impl Component for Limiter {
    fn contribute(p: LimiterParameters, c: &mut Contribution<'_>) -> Result<(), Error> {
        let limits = Limits::of(c, [("uMin", p.u_min), ("uMax", p.u_max)], p.strict)?;
        c.passes_unit("u", "y");
        let input = c.input("u")?;
        c.output("y", move |e| {
            let u = e.read(input)?;
            Ok(limits.of_signal(e, u))
        });
        Ok(())
    }
}

/// The lower and the upper limit of a signal.
#[derive(Clone, Copy)]
pub(crate) struct Limits {
    pub(crate) min: Ex,
    pub(crate) max: Ex,
    /// Their magnitude, or 1.
    pub(crate) nominal: f64,
    /// Whether they act without events.
    pub(crate) strict: bool,
}

impl Limits {
    /// Two parameters, of which the first one must not be larger.
    pub(crate) fn of(
        c: &mut Contribution<'_>,
        [(lower, min), (upper, max)]: [(&str, Ex); 2],
        strict: bool,
    ) -> Result<Self, Error> {
        let sentence = format!("{lower} must not be above {upper}");
        c.require(&[lower, upper], min.le(max), &sentence)?;
        let magnitude = c.magnitude(max.abs().max(min.abs()));
        let nominal = if magnitude > 0.0 { magnitude } else { 1.0 };
        Ok(Limits { min, max, nominal, strict })
    }

    /// The nearest value within the limits.
    pub(crate) fn nearest(self, u: Ex) -> Ex {
        u.min(self.max).max(self.min)
    }

    /// A signal within the limits, whose slope jumps where the signal reaches or leaves a limit.
    pub(crate) fn of_signal(self, e: &mut SignalView<'_>, u: Ex) -> Ex {
        if self.strict {
            return self.nearest(u);
        }
        let above = e.relation("above", u - self.max).nominal(self.nominal).done();
        let below = e.relation("below", self.min - u).nominal(self.nominal).done();
        let limited = select(above, self.max, select(below, self.min, u));
        // While initial values are determined, relations are not yet known.
        select(e.model().initial(), self.nearest(u), limited)
    }
}

group! {
    /// A signal that is compared with a threshold.
    pub struct Threshold(threshold) {
        /// Threshold for the comparison
        threshold: Real = 0,
    }
    ports {
        /// Input signal
        u: Input,
    }
}

/// What is above the other in a relation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Above {
    Signal,
    Threshold,
}

impl Threshold {
    /// Defines the output: whether the one is above the other, or whether it is not.
    fn compare(
        self,
        c: &mut Contribution<'_>,
        local: &'static str,
        (above, holds): (Above, bool),
    ) -> Result<(), Error> {
        let magnitude = c.magnitude(self.threshold).abs();
        let nominal = if magnitude > 0.0 { magnitude } else { 1.0 };
        let input = c.input("u")?;
        c.signal("y", move |e| {
            let residual = match above {
                Above::Signal => e.read(input)? - self.threshold,
                Above::Threshold => self.threshold - e.read(input)?,
            };
            let relation = e.relation(local, residual).nominal(nominal).done();
            let y = if holds { relation } else { !relation };
            e.variable("y", y);
            Ok(y.as_ex())
        });
        Ok(())
    }
}

component! {
    /// Comparison of a signal with a threshold.
    ///
    /// # Equations
    /// `y` is true if `u > threshold`.
    ///
    /// # Events
    /// The signal reaches the threshold.
    pub struct GreaterThreshold = "Modelica.Blocks.Logical.GreaterThreshold" { ..than: threshold }
    variables {
        /// Whether the signal is above the threshold
        y: Boolean,
    }
}

impl Component for GreaterThreshold {
    fn contribute(p: GreaterThresholdParameters, c: &mut Contribution<'_>) -> Result<(), Error> {
        p.than.compare(c, "greater", (Above::Signal, true))
    }
}

component! {
    /// Comparison of a signal with a threshold: not less.
    ///
    /// # Equations
    /// `y` is true if `u >= threshold`.
    ///
    /// # Events
    /// The signal reaches the threshold.
    pub struct GreaterEqualThreshold = "Modelica.Blocks.Logical.GreaterEqualThreshold" { ..than: threshold }
    variables {
        /// Whether the signal is not below the threshold
        y: Boolean,
    }
}

impl Component for GreaterEqualThreshold {
    fn contribute(
        p: GreaterEqualThresholdParameters,
        c: &mut Contribution<'_>,
    ) -> Result<(), Error> {
        p.than.compare(c, "less", (Above::Threshold, false))
    }
}

component! {
    /// Comparison of a signal with a threshold: less.
    ///
    /// # Equations
    /// `y` is true if `u < threshold`.
    ///
    /// # Events
    /// The signal reaches the threshold.
    pub struct LessThreshold = "Modelica.Blocks.Logical.LessThreshold" { ..than: threshold }
    variables {
        /// Whether the signal is below the threshold
        y: Boolean,
    }
}

impl Component for LessThreshold {
    fn contribute(p: LessThresholdParameters, c: &mut Contribution<'_>) -> Result<(), Error> {
        p.than.compare(c, "less", (Above::Threshold, true))
    }
}

component! {
    /// Comparison of a signal with a threshold: not greater.
    ///
    /// # Equations
    /// `y` is true if `u <= threshold`.
    ///
    /// # Events
    /// The signal reaches the threshold.
    pub struct LessEqualThreshold = "Modelica.Blocks.Logical.LessEqualThreshold" { ..than: threshold }
    variables {
        /// Whether the signal is not above the threshold
        y: Boolean,
    }
}

impl Component for LessEqualThreshold {
    fn contribute(p: LessEqualThresholdParameters, c: &mut Contribution<'_>) -> Result<(), Error> {
        p.than.compare(c, "greater", (Above::Signal, false))
    }
}
