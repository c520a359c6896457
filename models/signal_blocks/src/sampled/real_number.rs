//! Numbers with which a controller computes: those of a test, and expressions of a model.

use equations::{Bool, Ex, select};
use std::fmt::Debug;
use std::ops::{Add, BitAnd, BitOr, Div, Mul, Neg, Not, Sub};

/// Truth values of comparisons between numbers of a kind.
pub trait Truth:
    Copy + Debug + BitAnd<Output = Self> + BitOr<Output = Self> + Not<Output = Self>
{
}

impl Truth for bool {}
impl Truth for Bool {}

/// Declares the functions of one number.
macro_rules! real_number {
    ($($(#[$line:meta])* $function:ident)*) => {
        /// Numbers with which a controller computes. A comparison of expressions is no `bool`, so
        /// [`RealNumber::select`] takes the place of `if`.
        pub trait RealNumber:
            Copy
            + 'static
            + Debug
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
        {
            /// The truth values of comparisons.
            type Truth: Truth;

            /// The first number if a condition is true, the second one otherwise.
            fn select(condition: Self::Truth, then: Self, otherwise: Self) -> Self;

            /// Whether it is less than another number.
            fn lt(self, other: Self) -> Self::Truth;

            /// Whether it is not greater than another number.
            fn le(self, other: Self) -> Self::Truth;

            /// The least of two numbers.
            fn min(self, other: Self) -> Self;

            /// The greatest of two numbers.
            fn max(self, other: Self) -> Self;

            /// The angle of the vector `(x, self)` in rad.
            fn atan2(self, x: Self) -> Self;

            $($(#[$line])* fn $function(self) -> Self;)*
        }

        impl RealNumber for f64 {
            type Truth = bool;

            fn select(condition: bool, then: f64, otherwise: f64) -> f64 {
                if condition { then } else { otherwise }
            }

            fn lt(self, other: f64) -> bool {
                self < other
            }

            fn le(self, other: f64) -> bool {
                self <= other
            }

            fn min(self, other: f64) -> f64 {
                f64::min(self, other)
            }

            fn max(self, other: f64) -> f64 {
                f64::max(self, other)
            }

            fn atan2(self, x: f64) -> f64 {
                f64::atan2(self, x)
            }

            $(fn $function(self) -> f64 { f64::$function(self) })*
        }

        impl RealNumber for Ex {
            type Truth = Bool;

            fn select(condition: Bool, then: Ex, otherwise: Ex) -> Ex {
                select(condition, then, otherwise)
            }

            fn lt(self, other: Ex) -> Bool {
                Ex::lt(self, other)
            }

            fn le(self, other: Ex) -> Bool {
                Ex::le(self, other)
            }

            fn min(self, other: Ex) -> Ex {
                Ex::min(self, other)
            }

            fn max(self, other: Ex) -> Ex {
                Ex::max(self, other)
            }

            fn atan2(self, x: Ex) -> Ex {
                Ex::atan2(self, x)
            }

            $(fn $function(self) -> Ex { Ex::$function(self) })*
        }
    };
}

real_number! {
    /// The magnitude.
    abs
    /// The greatest whole number that is not greater.
    floor
    /// The square root.
    sqrt
    /// The exponential function.
    exp
    /// The natural logarithm.
    ln
    /// The sine of an angle in rad.
    sin
    /// The cosine of an angle in rad.
    cos
    /// The tangent of an angle in rad.
    tan
}
