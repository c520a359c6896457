//! Equations in one unknown with two solutions in closed form: for an angle, and for a distance.

use equations::Ex;

/// Smallest discriminant, relative to the largest. It replaces smaller discriminants, and keeps
/// values finite where there is no solution.
const FLOOR: f64 = 1e-12;

/// `cosine cos(angle) + sine sin(angle) + rest = 0`.
#[derive(Clone, Copy, Debug)]
pub struct AngleEquation {
    /// Factor of the cosine.
    pub cosine: Ex,
    /// Factor of the sine.
    pub sine: Ex,
    /// The rest.
    pub rest: Ex,
    /// The largest value of `cosine^2 + sine^2`.
    pub largest: Ex,
}

impl AngleEquation {
    /// The left side.
    pub fn residual(&self, angle: Ex) -> Ex {
        let (s, c) = angle.sin_cos();
        self.cosine * c + self.sine * s + self.rest
    }

    /// The derivative of the left side.
    pub fn slope(&self, angle: Ex) -> Ex {
        let (s, c) = angle.sin_cos();
        self.sine * c - self.cosine * s
    }

    /// `cosine^2 + sine^2`.
    fn amplitude_square(&self) -> Ex {
        self.cosine.square() + self.sine.square()
    }

    fn difference(&self) -> Ex {
        self.amplitude_square() - self.rest.square()
    }

    /// Negative where there is no solution; one at most.
    pub fn discriminant(&self) -> Ex {
        self.difference() * (1.0 / self.largest)
    }

    /// The derivative of the left side with respect to the angle at one solution; at the other
    /// solution it has the other sign.
    pub fn root(&self) -> Ex {
        self.difference().max(self.largest * FLOOR).sqrt()
    }

    /// Sine and cosine of the solution with this derivative.
    pub fn direction(&self, root: Ex) -> [Ex; 2] {
        let Self { cosine, sine, rest, .. } = *self;
        let reciprocal = 1.0 / self.amplitude_square();
        [-(sine * rest) - cosine * root, sine * root - cosine * rest].map(|x| x * reciprocal)
    }
}

/// `(distance + p)^2 = square`.
#[derive(Clone, Copy, Debug)]
pub struct DistanceEquation {
    /// What is added to the distance.
    pub p: Ex,
    /// The square of the sum.
    pub square: Ex,
    /// The largest value of `square`.
    pub largest: Ex,
}

impl DistanceEquation {
    /// The left side minus the right one.
    pub fn residual(&self, distance: Ex) -> Ex {
        (distance + self.p).square() - self.square
    }

    /// Negative where there is no solution; one at most.
    pub fn discriminant(&self) -> Ex {
        self.square * (1.0 / self.largest)
    }

    /// Half the derivative of the residual with respect to the distance at one solution; at the
    /// other solution it has the other sign.
    pub fn root(&self) -> Ex {
        self.square.max(self.largest * FLOOR).sqrt()
    }

    /// The solution with this derivative.
    pub fn distance(&self, root: Ex) -> Ex {
        root - self.p
    }
}
