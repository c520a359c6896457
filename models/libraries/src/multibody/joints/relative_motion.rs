//! The motion of one frame relative to another one.

use equations::{Ex, differentiate, substitute};
use mechanics::orientation::{Sequence, angle_rates, axes_rates, axes_rotations_angles};
use mechanics::statements::spatial::pose::{Acceleration, Pose, Twist};
use mechanics::vector::{Matrix, Vector, cross};

/// The pose of frame `b` relative to frame `a`.
pub struct RelativePose {
    /// Position in the axes of `a`.
    pub r: Vector,
    /// Maps coordinates of `a` to those of `b`.
    pub t: Matrix,
}

impl RelativePose {
    /// From the poses of both in the world.
    pub fn new([a, b]: [Pose; 2]) -> Self {
        RelativePose { r: a.t * (b.r - a.r), t: b.t * a.t.transpose() }
    }

    /// Derivative of `r`.
    pub fn v(&self, va: &Twist, vb: &Twist) -> Vector {
        self.t.transpose() * vb.v - va.v - cross(&va.w, &self.r)
    }

    /// Second derivative of `r`, from velocities and accelerations of the frames in their own axes.
    pub fn a(&self, [va, vb]: &[Twist; 2], [aa, ab]: &[Acceleration; 2]) -> Vector {
        let coriolis = cross(&va.w, &self.v(va, vb)) * Ex::from(2.0);
        let centripetal = cross(&va.w, &cross(&va.w, &self.r));
        self.t.transpose() * ab.a - aa.a - cross(&aa.z, &self.r) - coriolis - centripetal
    }

    /// Relative angular velocity in the axes of `b`.
    pub fn w(&self, va: &Twist, vb: &Twist) -> Vector {
        vb.w - self.t * va.w
    }

    /// The derivative of the relative angular velocity, in the axes of `b`.
    pub fn z(&self, [va, vb]: &[Twist; 2], [aa, ab]: &[Acceleration; 2]) -> Vector {
        ab.z - self.t * aa.z + cross(&self.w(va, vb), &(self.t * va.w))
    }

    /// The angles of a sequence of rotations from `a` to `b`.
    pub fn angles(&self, sequence: Sequence) -> [Ex; 3] {
        axes_rotations_angles(&self.t, sequence, Ex::zero())
    }
}

/// The second derivatives of angles, from the angular velocity and its derivative.
pub fn second_rates(sequence: Sequence, angles: &[Ex; 3], [w, z]: [&Vector; 2]) -> [Ex; 3] {
    let first = angle_rates(sequence, angles, w);
    let symbols: [Ex; 3] = std::array::from_fn(|_| Ex::symbol());
    let along = axes_rates(sequence, &symbols) * Vector::from(first);
    let seeds: Vec<(Ex, Ex)> = symbols.into_iter().zip(first).collect();
    let values: Vec<(Ex, Ex)> = symbols.into_iter().zip(*angles).collect();
    let turning = substitute(&differentiate(along.as_slice(), &seeds), &values);
    let turning = Vector::new(turning[0], turning[1], turning[2]);
    angle_rates(sequence, angles, &(z - turning))
}
