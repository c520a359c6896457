//! Linear systems: of second order, and as a transfer function.

use crate::signals::init::{Init, begin, begin_alone, starts, state};
use crate::signals::interfaces::block;
use equations::select;
use mechanics::assembly::element;
use mechanics::declaration::prelude::*;
use mechanics::port::PortId;

component! {
    /// System of second order.
    ///
    /// # Equations
    /// `der(y) = yd`, `der(yd) = w (w (k u - y) - 2 D yd)`.
    pub struct SecondOrder = "Modelica.Blocks.Continuous.SecondOrder" {
        /// Gain
        k: Real = 1,
        /// Angular frequency
        w: Real,
        /// Damping
        D: Real,
        /// How the block begins
        init_type "initType": Init = Init::NoInit,
        /// Start value of the output
        y_start: Real = 0,
        /// Start value of the derivative of the output
        yd_start: Real = 0,
        ..block,
    }
    variables {
        /// Derivative of the output
        yd: Real,
    }
}

impl Component for SecondOrder {
    fn contribute(p: SecondOrderParameters, c: &mut Contribution<'_>) -> Result<(), Error> {
        let input = c.input("u")?;
        let states =
            [("y", p.y_start), ("yd", p.yd_start)].map(|(name, x)| state(c, name, Some(x), 1.0));
        states.iter().for_each(|&state| begin_alone(c, p.init_type, state, false));
        let [y, yd] = states.map(|(_, x)| x);
        c.signal("y", move |_| Ok(y));
        c.law(move |e| {
            let u = e.read(input)?;
            e.model().derivative(y, yd);
            e.model().derivative(yd, p.w * (p.w * (p.k * u - y) - 2.0 * p.D * yd));
            Ok(())
        });
        Ok(())
    }
}

/// A system with one input and one output in controller canonical form.
#[derive(Clone)]
pub(super) struct Canonical {
    /// Factors of the states in the derivative of the first one.
    pub first: Vec<Ex>,
    /// Factor of the input in it.
    pub input: Ex,
    /// The derivative of each other state is this factor times the state before.
    pub chain: Vec<f64>,
    /// Factors of the states in the output.
    pub output: Vec<Ex>,
    /// Factor of the input in the output.
    pub direct: Ex,
}

impl Canonical {
    /// States the derivatives of the states `x`, and the output, which it returns.
    pub fn contribute(
        self,
        c: &mut Contribution<'_>,
        input: PortId,
        x: &[Ex],
        begin: impl FnOnce(&mut Contribution<'_>, Ex, Ex) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let Canonical { first, input: factor, chain, output, direct } = self;
        let weighted = |factors: Vec<Ex>| -> Ex {
            factors.into_iter().zip(x).fold(Ex::zero(), |sum, (k, &x)| sum + k * x)
        };
        let (first, output, x) = (weighted(first), weighted(output), x.to_vec());
        begin(c, output, direct)?;
        c.law(move |e| {
            let u = e.read(input)?;
            let model = e.model();
            for (k, &state) in x.iter().enumerate() {
                let derivative = match k.checked_sub(1) {
                    None => first + factor * u,
                    Some(before) => x[before] * chain[before],
                };
                model.derivative(state, derivative);
            }
            Ok(())
        });
        c.output("y", move |e| Ok(output + direct * e.read(input)?));
        Ok(())
    }
}

component! {
    /// Linear transfer function.
    ///
    /// # Equations
    /// `y = (b[1] s^m + .. + b[m+1]) / (a[1] s^n + .. + a[n+1]) u` in controller canonical form:
    /// `a[1] der(x[1]) = u - a[2] x[1] - .. - a[n+1] x[n]`, `der(x[i]) = x[i-1]`.
    ///
    /// A zero among the coefficients is a fixed value. With `initType = InitialOutput`, the
    /// derivatives of `y` are zero as well, up to that of the order `n - 1`.
    pub struct TransferFunction = "Modelica.Blocks.Continuous.TransferFunction" {
        /// Coefficients of the numerator, that of the highest power first
        b: [Real] = [1],
        /// Coefficients of the denominator, that of the highest power first
        a: [Real] = [1],
        /// How the block begins
        init_type "initType": Init = Init::NoInit,
        /// Start values of the states, 0 if they are not given
        x_start?: [Real],
        /// Start value of the output, for `initType = InitialOutput`
        y_start: Real[on demand] = 0,
        ..block,
    }
    variables {
        /// State
        x?: Array,
        /// State, multiplied by the last coefficient of the denominator if this is positive
        x_scaled?: Array,
    }
}

impl Component for TransferFunction {
    fn contribute(p: TransferFunctionParameters, c: &mut Contribution<'_>) -> Result<(), Error> {
        let TransferFunctionParameters { a, b, .. } = p;
        let input = c.input("u")?;
        if b.is_empty() || b.len() > a.len() {
            let (b, a) = (b.len(), a.len());
            let why = format!(
                "a transfer function with {b} coefficients in b and {a} in a is not proper"
            );
            return Err(c.refuse("b", why));
        }
        c.require(&["a[1]"], a[0].abs().gt(0.0), "the first coefficient must not be zero")?;
        let n = a.len() - 1;
        let starts = starts(c, ("x_start", p.x_start), n)?;
        // States have the magnitude of the input divided by the last coefficient.
        let norm = a.iter().fold(Ex::zero(), |sum, &a| sum + a.square()).sqrt();
        let least = 100.0 * f64::EPSILON * norm;
        let magnitude = select(a[n].abs().gt(least), a[n].abs(), 1.0);
        let nominal = 1.0 / c.magnitude(magnitude);
        let scale = select(a[n].gt(least), a[n], 1.0);
        let of = |(i, start)| state(c, element("x", i), start, nominal);
        let states: Vec<_> = (1..).zip(starts).map(of).collect();
        let x: Vec<Ex> = states.iter().map(|&(_, x)| x).collect();
        for (i, &x) in (1..).zip(&x) {
            c.output(element("x_scaled", i), move |_| Ok(x * scale));
        }
        let bb = [vec![Ex::zero(); a.len() - b.len()], b].concat();
        let direct = bb[0] / a[0];
        let system = Canonical {
            first: a[1..].iter().map(|&a_i| -a_i / a[0]).collect(),
            input: 1.0 / a[0],
            chain: vec![1.0; n.saturating_sub(1)],
            output: (1..=n).map(|i| bb[i] - direct * a[i]).collect(),
            direct,
        };
        system.contribute(c, input, &x, |c, of_states, direct| {
            // The output determines the first state, the others the derivatives of `y`.
            let last_first: Vec<_> = states.into_iter().rev().collect();
            begin(c, p.init_type, &last_first, p.y_start, move |e| {
                Ok(of_states + direct * e.read(input)?)
            })
        })
    }
}
