//! The first rod of a planar assembly.
//!
//! The rod rotates about one axis, so its orientation needs neither roots nor products of general
//! rotations.

use equations::{Ex, select};
use mechanics::component::Contribution;
use mechanics::statements::contributions::constraints::Situation;
use mechanics::statements::motion::ends::FrameEnd;
use mechanics::statements::motion::rates_along::End;
use mechanics::statements::spatial::pose::{Acceleration, Pose, Twist};
use mechanics::vector::{Matrix, Vector, constant, cross, dot, norm, planar_rotation_of, scale};

/// A distance from the plane below this part of the rod comes from data that are rounded.
const ROUNDED: f64 = 1e-6;

/// A rod from frame `a` to the origin of frame `b` that is perpendicular to an axis.
///
/// The angular velocity of the rod is a linear function of the velocities of both ends, also of
/// velocities out of the plane. The rod therefore has the reactions of a rod with a universal
/// joint.
#[derive(Clone, Copy, Debug)]
pub(super) struct PlanarRod {
    /// The axis, resolved in frame `a`.
    n: [f64; 3],
    /// The vector along the rod, resolved in its own frame; m.
    r_rod: Vector,
}

impl PlanarRod {
    /// `None` if it is not known that the rod is perpendicular to the axis.
    pub fn new(n: [f64; 3], r_rod: Vector) -> Option<Self> {
        dot(&constant(n), &r_rod).is_constant_zero().then_some(PlanarRod { n, r_rod })
    }

    /// The axis, resolved in frame `a`.
    pub fn axis(&self) -> [f64; 3] {
        self.n
    }

    /// The vector along the rod in m, resolved in its own frame.
    pub fn vector(&self) -> Vector {
        self.r_rod
    }

    /// Fixes `frame` to the rod between the ends, at the origin of the first one.
    pub fn derive(self, c: &mut Contribution<'_>, ends: [FrameEnd; 2], frame: FrameEnd) {
        let pose = move |a: &Pose, b: &Pose| Pose { r: a.r, t: self.rotation(a, b) * a.t };
        c.derived(ends, frame, pose, move |poses, velocities| self.velocity(poses, velocities));
        c.derived_acceleration(move |ends| self.acceleration(ends));
    }

    /// Requires that the ends lie in one plane across the axis at the start.
    pub fn require_plane(self, c: &mut Contribution<'_>, ends: [FrameEnd; 2]) {
        let out_of_plane = move |at: &Situation<'_>| {
            let [a, b] = [&at.poses[0], &at.poses[1]];
            let apart = dot(&constant(self.n), &(a.t * (b.r - a.r)));
            let rounding = norm(&self.r_rod) * ROUNDED;
            vec![select(apart.abs().le(rounding), 0.0, apart)]
        };
        let text = "its joints do not lie in one plane across n_a at the start";
        c.check_at_start(&ends, &[], "m", out_of_plane, text);
    }

    /// The rod in the plane, in the axes of frame `a`, and the inverse of its squared length. The
    /// length is computed from parameters if the distance of the ends across the plane is one.
    fn in_plane(&self, a: &Pose, b: &Pose) -> (Vector, Ex) {
        let (n, rod) = (constant(self.n), a.t * (b.r - a.r));
        let across = dot(&n, &rod);
        let squared_length = dot(&self.r_rod, &self.r_rod) - across.square();
        (rod - scale(&n, across), Ex::one() / squared_length)
    }

    /// Maps coordinates of frame `a` to those of the rod.
    fn rotation(&self, a: &Pose, b: &Pose) -> Matrix {
        let (rod, inverse) = self.in_plane(a, b);
        let x = scale(&self.r_rod, inverse);
        let y = cross(&constant(self.n), &x);
        planar_rotation_of(self.n, dot(&y, &rod), dot(&x, &rod))
    }

    /// Velocity of the rod in its own axes.
    fn velocity(&self, [a, b]: [&Pose; 2], [va, vb]: [&Twist; 2]) -> Twist {
        let (t, turn) = (self.rotation(a, b), Turn::new(self, [a, b], [va, vb]));
        let own = scale(&turn.n, turn.along) - scale(&cross(&turn.n, &self.r_rod), turn.across);
        Twist { w: t * turn.without_axis(&va.w) + own, v: t * va.v }
    }

    /// Acceleration of the rod in its own axes.
    ///
    /// With the rod `u`, the relative velocity `d` and the relative acceleration `a` of its ends,
    /// the rate of `n . (u x d)` is `n . (u x a) - n . (w x (u x d))`, where `w` is the angular
    /// velocity of frame `a`.
    fn acceleration(&self, [a, b]: [&End; 2]) -> Acceleration {
        let t = self.rotation(&a.pose, &b.pose);
        let turn = Turn::new(self, [&a.pose, &b.pose], [&a.velocity, &b.velocity]);
        let Turn { n, rod, inverse, relative, .. } = turn;
        let (w, dw) = (a.velocity.w, a.acceleration.z);
        let of_b = a.pose.t * (b.pose.t.transpose() * b.acceleration.a);
        let change = of_b - a.acceleration.a;
        let along = dot(&cross(&n, &rod), &change) - dot(&n, &cross(&w, &cross(&rod, &relative)));
        let turned = cross(&dw, &rod) + cross(&w, &(relative * Ex::from(2.0) - cross(&w, &rod)));
        let across = dot(&n, &(change - turned));
        let own = scale(&n, along * inverse) - scale(&cross(&n, &self.r_rod), across * inverse);
        let rate = relative - cross(&w, &rod);
        let of_rod =
            turn.without_axis(&w) + scale(&n, turn.along) - scale(&cross(&n, &rod), turn.across);
        let of_a =
            turn.without_axis(&dw) + cross(&w, &of_rod) - scale(&cross(&n, &rate), turn.across);
        Acceleration { z: t * of_a + own, a: t * a.acceleration.a }
    }
}

/// How a rod turns, in the axes of frame `a`.
#[derive(Clone, Copy)]
struct Turn {
    /// The axis.
    n: Vector,
    /// The rod in the plane in m, and the inverse of its squared length.
    rod: Vector,
    inverse: Ex,
    /// The velocity of its second end relative to the first one, in m/s.
    relative: Vector,
    /// Its angular velocity about the axis in rad/s, and the one out of the plane, in rad/s per m
    /// of the rod; the latter is zero if the motion is planar.
    along: Ex,
    across: Ex,
}

impl Turn {
    fn new(of: &PlanarRod, [a, b]: [&Pose; 2], [va, vb]: [&Twist; 2]) -> Turn {
        let (n, (rod, inverse)) = (constant(of.n), of.in_plane(a, b));
        let relative = a.t * (b.t.transpose() * vb.v) - va.v;
        let along = dot(&cross(&n, &rod), &relative) * inverse;
        let across = dot(&n, &(relative - cross(&va.w, &rod))) * inverse;
        Turn { n, rod, inverse, relative, along, across }
    }

    /// A vector without its component along the axis.
    fn without_axis(&self, w: &Vector) -> Vector {
        w - scale(&self.n, dot(&self.n, w))
    }
}
