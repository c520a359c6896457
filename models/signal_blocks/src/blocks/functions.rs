//! Functions of one or two signals.

use super::interfaces::{angle_of, blocks};
use crate::signals::blocks::{of_input, of_inputs};
use crate::signals::interfaces::{block, two_inputs};
use equations::{Bool, select};
use mechanics::declaration::prelude::*;
use mechanics::statements::laws::signal_view::SignalView;
use std::f64::consts::{E, LN_10, PI, TAU};

/// A function that does not exist for all numbers.
struct Partial {
    /// Whether it exists, as far as its relation tells.
    exists: fn(&mut SignalView<'_>, Ex) -> Bool,
    /// Its values; beyond the end of its domain, which an event must first pass, the value there.
    law: fn(Ex) -> Ex,
    /// What does not exist.
    missing: &'static str,
}

/// Ends the simulation with an error that names the block as soon as a value does not exist.
fn require(e: &mut SignalView<'_>, exists: Bool, missing: &str) {
    let name = e.full("y");
    e.model().assert(None, exists, &format!("{name}: {missing} does not exist"), false);
}

/// Defines the output of a block by a function that does not exist for all numbers.
fn of_domain(c: &mut Contribution<'_>, function: Partial) -> Result<(), Error> {
    let u = c.input("u")?;
    c.output("y", move |e| {
        let u = e.read(u)?;
        let exists = (function.exists)(e, u);
        require(e, exists, function.missing);
        Ok((function.law)(u))
    });
    Ok(())
}

/// Whether a signal is not negative.
fn not_negative(e: &mut SignalView<'_>, u: Ex) -> Bool {
    !e.relation("negative", -u).done()
}

/// Whether a signal is positive.
fn positive(e: &mut SignalView<'_>, u: Ex) -> Bool {
    e.relation("positive", u).done()
}

/// Whether a signal is from -1 to 1.
fn within_one(e: &mut SignalView<'_>, u: Ex) -> Bool {
    !e.relation("outside", u.abs() - 1.0).done()
}

/// The natural logarithm of a positive number.
fn ln(u: Ex) -> Ex {
    u.max(f64::MIN_POSITIVE).ln()
}

/// The cosine of an arc sine, and the sine of an arc cosine.
fn other_leg(u: Ex) -> Ex {
    (1.0 - u * u).max(0.0).sqrt()
}

/// The hyperbolic tangent, exact also where exponential functions are infinite.
fn tanh(u: Ex) -> Ex {
    let small = (u.abs() * -2.0).exp();
    u.sign() * (1.0 - small) / (1.0 + small)
}

blocks! { block, of_input;
    /// Hyperbolic sine of a signal.
    ///
    /// # Equations
    /// `y = sinh(u)`.
    Sinh = "Modelica.Blocks.Math.Sinh": |u: Ex| (u.exp() - (-u).exp()) / 2.0;

    /// Hyperbolic cosine of a signal.
    ///
    /// # Equations
    /// `y = cosh(u)`.
    Cosh = "Modelica.Blocks.Math.Cosh": |u: Ex| (u.exp() + (-u).exp()) / 2.0;

    /// Hyperbolic tangent of a signal.
    ///
    /// # Equations
    /// `y = tanh(u)`.
    Tanh = "Modelica.Blocks.Math.Tanh": tanh;

    /// Exponential function of a signal.
    ///
    /// # Equations
    /// `y = exp(u)`.
    Exp = "Modelica.Blocks.Math.Exp": Ex::exp;

    /// Sine of an angle in rad.
    ///
    /// # Equations
    /// `y = sin(u)`.
    Sin = "Modelica.Blocks.Math.Sin": Ex::sin;

    /// Cosine of an angle in rad.
    ///
    /// # Equations
    /// `y = cos(u)`.
    Cos = "Modelica.Blocks.Math.Cos": Ex::cos;

    /// Tangent of an angle in rad.
    ///
    /// # Equations
    /// `y = tan(u)`.
    Tan = "Modelica.Blocks.Math.Tan": Ex::tan;
}

blocks! { angle_of, of_input;
    /// Angle whose tangent is a signal.
    ///
    /// # Equations
    /// `y = atan(u)`, between `-pi/2` and `pi/2`.
    Atan = "Modelica.Blocks.Math.Atan": |u: Ex| u.atan2(1.0);
}

blocks! { angle_of, of_domain;
    /// Angle whose sine is a signal.
    ///
    /// # Equations
    /// `y = asin(u)`, from `-pi/2` to `pi/2`.
    ///
    /// # Events
    /// A signal beyond -1 or 1 ends the simulation with an error.
    Asin = "Modelica.Blocks.Math.Asin": Partial {
        exists: within_one,
        law: |u| u.atan2(other_leg(u)),
        missing: "the arc sine of a number that is not from -1 to 1",
    };

    /// Angle whose cosine is a signal.
    ///
    /// # Equations
    /// `y = acos(u)`, from 0 to `pi`.
    ///
    /// # Events
    /// A signal beyond -1 or 1 ends the simulation with an error.
    Acos = "Modelica.Blocks.Math.Acos": Partial {
        exists: within_one,
        law: |u| other_leg(u).atan2(u),
        missing: "the arc cosine of a number that is not from -1 to 1",
    };
}

blocks! { block, of_domain;
    /// Square root of a signal.
    ///
    /// # Equations
    /// `y = sqrt(u)`.
    ///
    /// # Events
    /// A negative signal ends the simulation with an error.
    Sqrt = "Modelica.Blocks.Math.Sqrt": Partial {
        exists: not_negative,
        law: |u| u.max(0.0).sqrt(),
        missing: "the square root of a negative number",
    };

    /// Logarithm of a signal to the base 10.
    ///
    /// # Equations
    /// `y = log10(u)`.
    ///
    /// # Events
    /// A signal that is not positive ends the simulation with an error.
    Log10 = "Modelica.Blocks.Math.Log10": Partial {
        exists: positive,
        law: |u| ln(u) / LN_10,
        missing: "the logarithm of a number that is not positive",
    };
}

component! {
    /// Logarithm of a signal.
    ///
    /// # Equations
    /// `y = log(u) / log(base)`: the natural logarithm, unless another base is given.
    ///
    /// # Events
    /// A signal that is not positive ends the simulation with an error.
    pub struct Log = "Modelica.Blocks.Math.Log" {
        /// Base of the logarithm
        base: Real[> 0] = E,
        ..block,
    }
}

impl Component for Log {
    fn contribute(p: LogParameters, c: &mut Contribution<'_>) -> Result<(), Error> {
        c.require(&["base"], !p.base.equals(1.0), "must not be 1")?;
        let u = c.input("u")?;
        c.output("y", move |e| {
            let u = e.read(u)?;
            let exists = positive(e, u);
            require(e, exists, "the logarithm of a number that is not positive");
            Ok(ln(u) / p.base.ln())
        });
        Ok(())
    }
}

component! {
    /// Power of a constant base.
    ///
    /// # Equations
    /// `y = base^u`, computed as `exp(u log(base))`, unless `useExp` is false.
    pub struct Power = "Modelica.Blocks.Math.Power" {
        /// Base of the power
        base: Real = E,
        /// Whether the exponential function computes the power
        use_exp "useExp": bool = true,
        ..block,
    }
}

impl Component for Power {
    fn contribute(p: PowerParameters, c: &mut Contribution<'_>) -> Result<(), Error> {
        if p.use_exp {
            c.require(&["base"], p.base.gt(0.0), "must be positive, unless useExp is false")?;
        }
        of_input(c, move |u| if p.use_exp { (u * p.base.ln()).exp() } else { p.base.pow(u) })
    }
}

component! {
    /// Power of a signal with a constant exponent.
    ///
    /// # Equations
    /// `y = u^exponent`.
    ///
    /// # Events
    /// A negative signal ends the simulation with an error, unless the exponent is a whole number.
    pub struct Exponentiation = "Modelica.Blocks.Math.Exponentiation" {
        /// Exponent
        exponent: Real = 2,
        ..block,
    }
}

impl Component for Exponentiation {
    fn contribute(p: ExponentiationParameters, c: &mut Contribution<'_>) -> Result<(), Error> {
        let exponent = p.exponent;
        let u = c.input("u")?;
        c.output("y", move |e| {
            let u = e.read(u)?;
            let is_whole = exponent.floor().equals(exponent);
            let exists = not_negative(e, u) | is_whole;
            require(e, exists, "a power of a negative number whose exponent is not whole");
            Ok(select(is_whole, u.pow(exponent), u.max(0.0).pow(exponent)))
        });
        Ok(())
    }
}

component! {
    /// Sign of a signal.
    ///
    /// # Equations
    /// `y` is 1 if `u` is positive, -1 if it is negative, else 0.
    ///
    /// # Events
    /// The signal changes its sign, if `generateEvent` is true.
    pub struct Sign = "Modelica.Blocks.Math.Sign" {
        /// Whether the jump of the output is an event
        generate_event "generateEvent": bool = false,
        ..block,
    }
}

impl Component for Sign {
    fn contribute(p: SignParameters, c: &mut Contribution<'_>) -> Result<(), Error> {
        let u = c.input("u")?;
        c.output("y", move |e| {
            let u = e.read(u)?;
            if !p.generate_event {
                return Ok(select(u.gt(0.0), 1.0, select(u.lt(0.0), -1.0, 0.0)));
            }
            let positive = e.relation("positive", u).done();
            let negative = e.relation("negative", -u).done();
            let sign = select(positive, 1.0, select(negative, -1.0, 0.0));
            // While initial values are determined, relations are not yet known.
            Ok(select(e.model().initial(), u.sign(), sign))
        });
        Ok(())
    }
}

component! {
    /// Angle without full turns.
    ///
    /// # Equations
    /// `y = u - 2 pi k` with a whole number `k` of turns: above `-pi` up to `pi`, or from 0 to
    /// below `2 pi` with `positiveRange`.
    ///
    /// # Events
    /// The number of turns changes, where the output jumps.
    pub struct WrapAngle = "Modelica.Blocks.Math.WrapAngle" {
        /// Whether the output is from 0 to below `2 pi`
        positive_range "positiveRange": bool = false,
    }
    ports {
        /// Angle
        u: Input["rad"],
    }
    variables {
        /// Angle without full turns
        y: Real["rad"],
    }
}

impl Component for WrapAngle {
    fn contribute(p: WrapAngleParameters, c: &mut Contribution<'_>) -> Result<(), Error> {
        let u = c.input("u")?;
        c.output("y", move |e| {
            let u = e.read(u)?;
            // The range from 0 contains its lower end. The other one contains its upper end, from
            // which it is counted downwards.
            Ok(match p.positive_range {
                true => u - TAU * e.whole("turns", u / TAU),
                false => u + TAU * e.whole("turns", (PI - u) / TAU),
            })
        });
        Ok(())
    }
}

blocks! { two_inputs, of_inputs;
    /// Quotient of two signals.
    ///
    /// # Equations
    /// `y = u1 / u2`.
    Division = "Modelica.Blocks.Math.Division": |u1: Ex, u2: Ex| u1 / u2;
}

/// Defines the output of a block that chooses one of two signals.
fn of_two_alike(
    c: &mut Contribution<'_>,
    law: impl FnOnce(Ex, Ex) -> Ex + 'static,
) -> Result<(), Error> {
    c.passes_unit("u1", "y");
    c.passes_unit("u2", "y");
    of_inputs(c, law)
}

blocks! { two_inputs, of_two_alike;
    /// Larger one of two signals.
    ///
    /// # Equations
    /// `y = max(u1, u2)`. The kink causes no event.
    Max = "Modelica.Blocks.Math.Max": |u1: Ex, u2: Ex| u1.max(u2);

    /// Smaller one of two signals.
    ///
    /// # Equations
    /// `y = min(u1, u2)`. The kink causes no event.
    Min = "Modelica.Blocks.Math.Min": |u1: Ex, u2: Ex| u1.min(u2);
}

component! {
    /// Angle of a point in the plane.
    ///
    /// # Equations
    /// `y = atan2(u1, u2)`, above `-pi` up to `pi`.
    pub struct Atan2 = "Modelica.Blocks.Math.Atan2" {}
    ports {
        /// Second coordinate of the point
        u1: Input,
        /// First coordinate of the point
        u2: Input,
    }
    variables {
        /// Angle from the first axis
        y: Real["rad"],
    }
}

impl Component for Atan2 {
    fn contribute(_: Atan2Parameters, c: &mut Contribution<'_>) -> Result<(), Error> {
        of_inputs(c, |u1, u2| u1.atan2(u2))
    }
}

component! {
    /// Side of a right triangle from the two others.
    ///
    /// # Equations
    /// `y = sqrt(u1^2 + u2^2)` is the hypotenuse; with `u1IsHypotenuse`, `y = sqrt(u1^2 - u2^2)` is
    /// a leg, or 0 if `u2` is longer than `u1`.
    ///
    /// # Events
    /// `u2` becomes longer or shorter than the hypotenuse `u1`.
    pub struct Pythagoras = "Modelica.Blocks.Math.Pythagoras" {
        /// Whether `u1` is the hypotenuse
        u1_is_hypotenuse "u1IsHypotenuse": bool = false,
        ..two_inputs,
    }
    variables {
        /// Whether there is such a triangle
        valid: Boolean,
    }
}

impl Component for Pythagoras {
    fn contribute(p: PythagorasParameters, c: &mut Contribution<'_>) -> Result<(), Error> {
        c.passes_unit("u1", "y");
        c.passes_unit("u2", "y");
        if !p.u1_is_hypotenuse {
            c.boolean_output("valid", |_| Ok(Bool::constant(true)));
            return of_inputs(c, |u1, u2| (u1 * u1 + u2 * u2).sqrt());
        }
        let (u1, u2) = (c.input("u1")?, c.input("u2")?);
        c.boolean_output("valid", move |e| {
            let (u1, u2) = (e.read(u1)?, e.read(u2)?);
            Ok(!e.relation("too long", u2 * u2 - u1 * u1).done())
        });
        of_inputs(c, |u1, u2| (u1 * u1 - u2 * u2).max(0.0).sqrt())
    }
}
