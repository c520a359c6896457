//! Complex numbers of expressions: vectors and rotations in a plane.

use equations::Ex;
use std::ops::{Add, Mul, Neg};

/// `x + i y`.
#[derive(Clone, Copy, Debug)]
pub struct Complex {
    /// Real part.
    pub x: Ex,
    /// Imaginary part.
    pub y: Ex,
}

impl Complex {
    /// The complex conjugate: the mirror image at the real axis.
    pub fn conjugate(self) -> Complex {
        Complex { y: -self.y, ..self }
    }

    /// A real multiple.
    pub fn scaled(self, factor: Ex) -> Complex {
        Complex { x: self.x * factor, y: self.y * factor }
    }

    /// The square of the length.
    pub fn square(self) -> Ex {
        self.dot(self)
    }

    /// The scalar product of two vectors.
    pub fn dot(self, other: Complex) -> Ex {
        self.x * other.x + self.y * other.y
    }

    /// The vector product of two vectors.
    pub fn cross(self, other: Complex) -> Ex {
        self.x * other.y - self.y * other.x
    }

    /// The angle between the real axis and this number of length one, in rad.
    pub fn angle(self) -> Ex {
        self.y.atan2(self.x).with_sin_cos(self.y, self.x)
    }
}

impl Add for Complex {
    type Output = Complex;

    fn add(self, other: Complex) -> Complex {
        Complex { x: self.x + other.x, y: self.y + other.y }
    }
}

impl Neg for Complex {
    type Output = Complex;

    fn neg(self) -> Complex {
        Complex { x: -self.x, y: -self.y }
    }
}

impl Mul for Complex {
    type Output = Complex;

    fn mul(self, other: Complex) -> Complex {
        Complex { x: self.x * other.x - self.y * other.y, y: self.x * other.y + self.y * other.x }
    }
}
