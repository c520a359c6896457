//! The sign of a speed, made continuous around zero.

use equations::{Ex, select};
use mechanics::component::Contribution;
use mechanics::declaration::choice;
use mechanics::declaration::{Parameter, Setting};
use mechanics::error::Error;

choice! {
    /// How the sign of a speed is made continuous around zero.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
    pub enum Regularization {
        /// `2 / (1 + exp(-v / (0.01 v0))) - 1`: smooth everywhere, and within 1e-2 of the sign from
        /// `|v| = 0.06 v0` on.
        #[default]
        Exp,
        /// A quarter of a sine period up to `v0`: its slope is continuous.
        Sine,
        /// A straight line up to `v0`.
        Linear,
        /// `1 - cos` up to `v0`: its slope is zero at zero.
        CoSine,
    }
}

/// Names of the kinds, in the order of their values.
const ITEMS: [(i32, &str, &str); 4] = [
    (1, "Exp", "Exponential function, smooth"),
    (2, "Sine", "Sine, smooth slope"),
    (3, "Linear", "Straight line"),
    (4, "CoSine", "Cosine, no slope at zero"),
];

/// The choice is visible as a fixed value of the FMU.
impl Setting for Regularization {
    type Declared = Self;

    fn declare(self, c: &mut Contribution<'_>, of: &'static Parameter) -> Result<Self, Error> {
        let constant = c.constant(of.name, f64::from(self as u8) + 1.0);
        of.describe(constant).enumeration("Regularization", &ITEMS);
        Ok(self)
    }
}

impl Regularization {
    /// The regularized sign of a speed; `v0` is positive, in the unit of the speed.
    ///
    /// The function is odd, continuous, increasing and between -1 and 1; it needs no events.
    pub fn sign(self, v: Ex, v0: Ex) -> Ex {
        // The branches have the right slope at zero, whereas the derivatives of a sign and of an
        // absolute value are zero there.
        let forward = v.ge(0.0);
        let speed = select(forward, v, -v);
        let part = speed / v0;
        let quarter = part * std::f64::consts::FRAC_PI_2;
        let within = |law: Ex| select(part.lt(1.0), law, 1.0);
        let magnitude = match self {
            Regularization::Exp => {
                // An exponential of a negative argument cannot overflow.
                let rest = (-(part * 100.0)).exp();
                (Ex::one() - rest) / (Ex::one() + rest)
            }
            Regularization::Sine => within(quarter.sin()),
            Regularization::Linear => within(part),
            Regularization::CoSine => within(Ex::one() - quarter.cos()),
        };
        select(forward, magnitude, -magnitude)
    }
}
