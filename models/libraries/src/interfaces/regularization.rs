//! The sign of a speed, made continuous around zero.

use equations::{Ex, select};
use mechanics::declaration::choice;

choice! {
    /// How the sign of a speed is made continuous around zero.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
    pub enum Regularization {
        /// Exponential function, smooth: `2 / (1 + exp(-v / (0.01 v0))) - 1`, within 1e-2 of the
        /// sign from `|v| = 0.06 v0` on.
        #[default]
        Exp,
        /// Sine, smooth slope: a quarter of a period up to `v0`.
        Sine,
        /// Straight line up to `v0`.
        Linear,
        /// Cosine, no slope at zero: `1 - cos` up to `v0`.
        CoSine,
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
