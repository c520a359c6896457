//! The number type in which equations are evaluated: a value, or a value with a tangent.

use std::fmt::Debug;
use std::ops::{Add, Div, Mul, Neg, Sub};

/// A number type in which the equations of a model can be evaluated.
///
/// Transcendental functions come from `libm`, so that results have the same bits on every platform.
pub trait Scalar:
    Copy
    + Debug
    + Send
    + Sync
    + From<f64>
    + Neg<Output = Self>
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Div<Output = Self>
    + Add<f64, Output = Self>
    + Sub<f64, Output = Self>
    + Mul<f64, Output = Self>
    + Div<f64, Output = Self>
    + 'static
{
    /// Whether the number carries a tangent.
    const HAS_TANGENT: bool;

    /// The value without its tangent.
    fn value(self) -> f64;
    /// The same tangent at another value.
    fn with_value(self, value: f64) -> Self;
    /// Whether the tangent (if there is one) is finite.
    fn tangent_is_finite(self) -> bool;
    /// `c - self`.
    fn subtract_from(self, c: f64) -> Self;
    /// `c / self`.
    fn divide_into(self, c: f64) -> Self;
    /// Square root; the tangent at zero is zero.
    fn sqrt(self) -> Self;
    /// Sine and cosine.
    fn sin_cos(self) -> (Self, Self);
    /// Exponential function.
    fn exp(self) -> Self;
    /// Natural logarithm.
    fn ln(self) -> Self;
    /// Absolute value; the tangent at zero is zero.
    fn abs(self) -> Self;
    /// Sign (-1, 0, 1); its tangent is zero.
    fn sign(self) -> Self;
    /// Largest integer that is at most the number; its tangent is zero.
    fn floor(self) -> Self;
    /// Angle of the point `(x, self)`; the tangent at the origin is zero.
    fn atan2(self, x: Self) -> Self;
    /// Power with a real exponent; the tangent of the exponent has no effect where the power is
    /// zero.
    fn pow(self, exponent: Self) -> Self;
    /// The smaller of two (the first on a tie).
    #[inline(always)]
    fn min(self, other: Self) -> Self {
        if other.value() < self.value() { other } else { self }
    }
    /// The larger of two (the first on a tie).
    #[inline(always)]
    fn max(self, other: Self) -> Self {
        if other.value() > self.value() { other } else { self }
    }
}

impl Scalar for f64 {
    const HAS_TANGENT: bool = false;

    #[inline(always)]
    fn value(self) -> f64 {
        self
    }
    #[inline(always)]
    fn with_value(self, value: f64) -> f64 {
        value
    }
    #[inline(always)]
    fn tangent_is_finite(self) -> bool {
        true
    }
    #[inline(always)]
    fn subtract_from(self, c: f64) -> f64 {
        c - self
    }
    #[inline(always)]
    fn divide_into(self, c: f64) -> f64 {
        c / self
    }
    #[inline(always)]
    fn sqrt(self) -> f64 {
        f64::sqrt(self)
    }
    #[inline]
    fn sin_cos(self) -> (f64, f64) {
        libm::sincos(self)
    }
    #[inline]
    fn exp(self) -> f64 {
        libm::exp(self)
    }
    #[inline]
    fn ln(self) -> f64 {
        libm::log(self)
    }
    #[inline(always)]
    fn abs(self) -> f64 {
        f64::abs(self)
    }
    #[inline(always)]
    fn sign(self) -> f64 {
        if self > 0.0 {
            1.0
        } else if self < 0.0 {
            -1.0
        } else {
            0.0
        }
    }
    #[inline]
    fn floor(self) -> f64 {
        libm::floor(self)
    }
    #[inline]
    fn atan2(self, x: f64) -> f64 {
        libm::atan2(self, x)
    }
    #[inline]
    fn pow(self, exponent: f64) -> f64 {
        libm::pow(self, exponent)
    }
}

/// A value with one tangent: forward-mode differentiation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Dual {
    /// The value.
    pub value: f64,
    /// Its derivative in the direction of the seeds.
    pub tangent: f64,
}

impl Dual {
    /// A value with its tangent.
    #[inline(always)]
    pub const fn new(value: f64, tangent: f64) -> Self {
        Dual { value, tangent }
    }

    /// A function value with the tangent `slope * tangent`; a zero tangent stays zero.
    #[inline(always)]
    fn chain(self, value: f64, slope: f64) -> Self {
        Dual { value, tangent: if self.tangent == 0.0 { 0.0 } else { slope * self.tangent } }
    }
}

impl From<f64> for Dual {
    #[inline(always)]
    fn from(value: f64) -> Self {
        Dual { value, tangent: 0.0 }
    }
}

impl Neg for Dual {
    type Output = Dual;
    #[inline(always)]
    fn neg(self) -> Dual {
        Dual::new(-self.value, -self.tangent)
    }
}

impl Add for Dual {
    type Output = Dual;
    #[inline(always)]
    fn add(self, b: Dual) -> Dual {
        Dual::new(self.value + b.value, self.tangent + b.tangent)
    }
}

impl Sub for Dual {
    type Output = Dual;
    #[inline(always)]
    fn sub(self, b: Dual) -> Dual {
        Dual::new(self.value - b.value, self.tangent - b.tangent)
    }
}

impl Mul for Dual {
    type Output = Dual;
    #[inline(always)]
    fn mul(self, b: Dual) -> Dual {
        Dual::new(self.value * b.value, self.tangent * b.value + self.value * b.tangent)
    }
}

impl Div for Dual {
    type Output = Dual;
    #[inline(always)]
    fn div(self, b: Dual) -> Dual {
        let value = self.value / b.value;
        Dual::new(value, (self.tangent - value * b.tangent) / b.value)
    }
}

impl Add<f64> for Dual {
    type Output = Dual;
    #[inline(always)]
    fn add(self, b: f64) -> Dual {
        Dual::new(self.value + b, self.tangent)
    }
}

impl Sub<f64> for Dual {
    type Output = Dual;
    #[inline(always)]
    fn sub(self, b: f64) -> Dual {
        Dual::new(self.value - b, self.tangent)
    }
}

impl Mul<f64> for Dual {
    type Output = Dual;
    #[inline(always)]
    fn mul(self, b: f64) -> Dual {
        Dual::new(self.value * b, self.tangent * b)
    }
}

impl Div<f64> for Dual {
    type Output = Dual;
    #[inline(always)]
    fn div(self, b: f64) -> Dual {
        Dual::new(self.value / b, self.tangent / b)
    }
}

impl Scalar for Dual {
    const HAS_TANGENT: bool = true;

    #[inline(always)]
    fn value(self) -> f64 {
        self.value
    }
    #[inline(always)]
    fn with_value(self, value: f64) -> Dual {
        Dual::new(value, self.tangent)
    }
    #[inline(always)]
    fn tangent_is_finite(self) -> bool {
        self.tangent.is_finite()
    }
    #[inline(always)]
    fn subtract_from(self, c: f64) -> Dual {
        Dual::new(c - self.value, -self.tangent)
    }
    #[inline(always)]
    fn divide_into(self, c: f64) -> Dual {
        let value = c / self.value;
        Dual::new(value, -value * self.tangent / self.value)
    }
    #[inline]
    fn sqrt(self) -> Dual {
        let value = self.value.sqrt();
        self.chain(value, if value == 0.0 { 0.0 } else { 0.5 / value })
    }
    #[inline]
    fn sin_cos(self) -> (Dual, Dual) {
        let (s, c) = libm::sincos(self.value);
        (Dual::new(s, c * self.tangent), Dual::new(c, -s * self.tangent))
    }
    #[inline]
    fn exp(self) -> Dual {
        let value = libm::exp(self.value);
        self.chain(value, value)
    }
    #[inline]
    fn ln(self) -> Dual {
        self.chain(libm::log(self.value), 1.0 / self.value)
    }
    #[inline(always)]
    fn abs(self) -> Dual {
        self.chain(f64::abs(self.value), Scalar::sign(self.value))
    }
    #[inline(always)]
    fn sign(self) -> Dual {
        Dual::from(Scalar::sign(self.value))
    }
    #[inline]
    fn floor(self) -> Dual {
        Dual::from(libm::floor(self.value))
    }
    #[inline]
    fn atan2(self, x: Dual) -> Dual {
        let square = self.value * self.value + x.value * x.value;
        let tangent = if square == 0.0 {
            0.0
        } else {
            (x.value * self.tangent - self.value * x.tangent) / square
        };
        Dual::new(libm::atan2(self.value, x.value), tangent)
    }
    #[inline]
    fn pow(self, exponent: Dual) -> Dual {
        let value = libm::pow(self.value, exponent.value);
        let mut tangent = 0.0;
        if self.tangent != 0.0 {
            tangent += exponent.value * libm::pow(self.value, exponent.value - 1.0) * self.tangent;
        }
        if exponent.tangent != 0.0 && value != 0.0 {
            tangent += value * libm::log(self.value) * exponent.tangent;
        }
        Dual::new(value, tangent)
    }
}
