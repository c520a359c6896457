//! Blocks whose output follows from their inputs at the same instant.

use super::{ANY, give, setting};
use crate::component::{Contribution, OldComponent};
use crate::error::Error;
use crate::ports;
use equations::{Ex, select};

ports! {
    /// Input and output of a block with one input.
    pub struct BlockPorts {
        /// The input.
        u: input,
        /// The output.
        y: quantity,
    }
}

ports! {
    /// Inputs and output of a block with two inputs.
    pub struct TwoInputsPorts {
        /// The first input.
        u1: input,
        /// The second input.
        u2: input,
        /// The output.
        y: quantity,
    }
}

/// Gives the output of a block with one input.
fn of_input(c: &mut Contribution<'_>, law: impl FnOnce(Ex) -> Ex + 'static) -> Result<(), Error> {
    let u = c.input("u")?;
    give(c, "y", move |e| Ok(law(e.read(u)?)));
    Ok(())
}

/// Gives the output of a block with two inputs.
fn of_inputs(
    c: &mut Contribution<'_>,
    law: impl FnOnce(Ex, Ex) -> Ex + 'static,
) -> Result<(), Error> {
    let (u1, u2) = (c.input("u1")?, c.input("u2")?);
    give(c, "y", move |e| {
        let u1 = e.read(u1)?;
        Ok(law(u1, e.read(u2)?))
    });
    Ok(())
}

/// Product of a signal with a constant.
///
/// # Equations
/// `y = k u`.
///
/// # Variables
/// `k` in the unit of the output per unit of the input. The output has the unit of the input unless
/// it has one of its own.
///
/// # Reference
/// Modelica.Blocks.Math.Gain.
#[derive(Clone, Debug)]
pub struct Gain {
    k: f64,
    unit: Option<&'static str>,
}

impl Gain {
    /// Of the factor `k`.
    pub fn k(k: f64) -> Self {
        Gain { k, unit: None }
    }

    /// The unit of the output, where it is not that of the input: `Gain::k(25.0).unit("N.m")` makes
    /// a torque from an angle.
    #[must_use]
    pub fn unit(self, unit: &'static str) -> Self {
        Gain { unit: Some(unit), ..self }
    }
}

impl OldComponent for Gain {
    type Ports = BlockPorts;

    fn contribute(&self, c: &mut Contribution<'_>) -> Result<(), Error> {
        let k = setting(c, "k", self.k, ANY, None, "Gain")?.tunable().done();
        let Some(unit) = self.unit else {
            c.passes_unit("u", "y");
            return of_input(c, move |u| k * u);
        };
        let u = c.input("u")?;
        c.signal("y", move |e| {
            let y = k * e.read(u)?;
            e.variable("y", y).unit(unit).describe("Signal");
            Ok(y)
        });
        Ok(())
    }
}

/// Sum of two signals with factors.
///
/// # Equations
/// `y = k1 u1 + k2 u2`.
///
/// # Variables
/// `k1`, `k2` in the unit of the output per unit of the input.
///
/// # Reference
/// Modelica.Blocks.Math.Add.
#[derive(Clone, Debug)]
pub struct Add {
    k1: f64,
    k2: f64,
}

impl Add {
    /// With the factors `k1` and `k2`.
    pub fn k1_k2(k1: f64, k2: f64) -> Self {
        Add { k1, k2 }
    }
}

impl Default for Add {
    fn default() -> Self {
        Add::k1_k2(1.0, 1.0)
    }
}

impl OldComponent for Add {
    type Ports = TwoInputsPorts;

    fn contribute(&self, c: &mut Contribution<'_>) -> Result<(), Error> {
        let k1 = setting(c, "k1", self.k1, ANY, None, "Gain of the first input")?.tunable().done();
        let k2 = setting(c, "k2", self.k2, ANY, None, "Gain of the second input")?.tunable().done();
        // Other factors may convert.
        for (input, factor) in [("u1", self.k1), ("u2", self.k2)] {
            if factor.abs() == 1.0 {
                c.passes_unit(input, "y");
            }
        }
        of_inputs(c, move |u1, u2| k1 * u1 + k2 * u2)
    }
}

/// Difference of two signals: the wanted value minus the measured one.
///
/// # Equations
/// `y = u1 - u2`.
///
/// # Variables
/// None of its own.
///
/// # Reference
/// Modelica.Blocks.Math.Feedback.
#[derive(Clone, Debug)]
pub struct Feedback;

impl OldComponent for Feedback {
    type Ports = TwoInputsPorts;

    fn contribute(&self, c: &mut Contribution<'_>) -> Result<(), Error> {
        c.passes_unit("u1", "y");
        c.passes_unit("u2", "y");
        of_inputs(c, |u1, u2| u1 - u2)
    }
}

/// Product of two signals.
///
/// # Equations
/// `y = u1 u2`.
///
/// # Variables
/// None of its own.
///
/// # Reference
/// Modelica.Blocks.Math.Product.
#[derive(Clone, Debug)]
pub struct Product;

impl OldComponent for Product {
    type Ports = TwoInputsPorts;

    fn contribute(&self, c: &mut Contribution<'_>) -> Result<(), Error> {
        of_inputs(c, |u1, u2| u1 * u2)
    }
}

/// Absolute value of a signal.
///
/// # Equations
/// `y = |u|`.
///
/// # Variables
/// None of its own.
///
/// # Reference
/// Modelica.Blocks.Math.Abs; as there, the corner makes no event.
#[derive(Clone, Debug)]
pub struct Abs;

impl OldComponent for Abs {
    type Ports = BlockPorts;

    fn contribute(&self, c: &mut Contribution<'_>) -> Result<(), Error> {
        c.passes_unit("u", "y");
        of_input(c, Ex::abs)
    }
}

/// Signal within limits.
///
/// # Equations
/// `y = uMax` if `u > uMax`, `uMin` if `u < uMin`, else `u`.
///
/// # Variables
/// `uMax`, `uMin` in the unit of the signal.
///
/// # Events
/// Where the signal reaches or leaves a limit: the slope of `y` jumps there.
///
/// # Reference
/// Modelica.Blocks.Nonlinear.Limiter.
#[derive(Clone, Debug)]
pub struct Limiter {
    u_min: f64,
    u_max: f64,
}

impl Limiter {
    /// Between `-u_max` and `u_max`.
    pub fn u_max(u_max: f64) -> Self {
        Limiter { u_min: -u_max, u_max }
    }

    /// Between `u_min` and `u_max`.
    pub fn u_min_u_max(u_min: f64, u_max: f64) -> Self {
        Limiter { u_min, u_max }
    }
}

impl OldComponent for Limiter {
    type Ports = BlockPorts;

    fn contribute(&self, c: &mut Contribution<'_>) -> Result<(), Error> {
        let text = "Upper limit";
        let u_max = setting(c, "uMax", self.u_max, ANY, None, text)?.tunable().done();
        let text = "Lower limit";
        let u_min = setting(c, "uMin", self.u_min, ANY, None, text)?.tunable().done();
        c.require(&["uMin", "uMax"], u_min.le(u_max), "uMin must not be above uMax")?;
        let magnitude = self.u_max.abs().max(self.u_min.abs());
        let nominal = if magnitude > 0.0 { magnitude } else { 1.0 };
        c.passes_unit("u", "y");
        let input = c.input("u")?;
        give(c, "y", move |e| {
            let u = e.read(input)?;
            let names = [e.full("above"), e.full("below")];
            let model = e.model();
            let above = model.relation(&names[0], u - u_max).nominal(nominal).done();
            let below = model.relation(&names[1], u_min - u).nominal(nominal).done();
            let limited = select(above, u_max, select(below, u_min, u));
            // Relations are not known yet where initial values are determined.
            Ok(select(model.initial(), u.min(u_max).max(u_min), limited))
        });
        Ok(())
    }
}

/// Comparison of a signal with a threshold.
///
/// # Equations
/// `y` is true if `u > threshold`.
///
/// # Variables
/// `threshold` in the unit of the signal.
///
/// # Events
/// The signal reaches the threshold.
///
/// # Reference
/// Modelica.Blocks.Logical.GreaterThreshold.
#[derive(Clone, Debug)]
pub struct GreaterThreshold {
    threshold: f64,
}

impl GreaterThreshold {
    /// With the `threshold`.
    pub fn threshold(threshold: f64) -> Self {
        GreaterThreshold { threshold }
    }
}

impl OldComponent for GreaterThreshold {
    type Ports = BlockPorts;

    fn contribute(&self, c: &mut Contribution<'_>) -> Result<(), Error> {
        let text = "The signal is compared with this";
        let threshold = setting(c, "threshold", self.threshold, ANY, None, text)?;
        let threshold = threshold.tunable().done();
        let nominal = if self.threshold == 0.0 { 1.0 } else { self.threshold.abs() };
        let input = c.input("u")?;
        c.signal("y", move |e| {
            let u = e.read(input)?;
            let name = e.full("greater");
            let y = e.model().relation(&name, u - threshold).nominal(nominal).done();
            e.variable("y", y).describe("Whether the signal is above the threshold");
            Ok(y.as_ex())
        });
        Ok(())
    }
}
