//! How a link moves on the link before it: one arm for each kind of joint.

use super::kinematic_tree::KinematicTree;
use crate::ids::{CoordinateId, JointId, Span};
use crate::statements::contributions::multibody::{Coordinate, CoordinateType};
use crate::statements::spatial::pose::{Acceleration, Pose, Twist};
use crate::vector::{Matrix, Vector, constant, cross, identity, planar_rotation, scale, zero};
use equations::Ex;

/// Where all coordinates are.
pub trait CoordinateValues {
    /// The value of a coordinate.
    fn q(&self, coordinate: CoordinateId) -> Ex;
    /// The speed of a coordinate.
    fn speed(&self, coordinate: CoordinateId) -> Ex;
    /// The free orientation of a joint, from frame `a` to frame `b`.
    fn orientation(&self, joint: JointId) -> Matrix;
}

/// What is known of a coordinate: its value and rates.
#[derive(Clone, Copy, Debug)]
pub struct Rate {
    /// Value, in rad or m.
    pub q: Ex,
    /// Derivative.
    pub v: Ex,
    /// Second derivative, or the requested part of it.
    pub a: Ex,
}

/// The step from a frame `a`, where a joint is on a link, to the frame `b` of the link behind it.
pub enum LinkJoint {
    /// The link turns about an axis, the same in both frames.
    Turn(Axis),
    /// The link slides along an axis.
    Slide(Axis),
    /// The link has a free orientation.
    Free {
        /// The joint.
        joint: JointId,
        /// The components of the relative angular velocity, in the joint's own frame `b`.
        angular_velocity: Span<CoordinateId>,
        /// Whether that frame is the one before the step.
        reversed: bool,
    },
}

/// A coordinate with its axis.
pub struct Axis {
    coordinate: CoordinateId,
    e: [f64; 3],
    offset: Ex,
}

impl Axis {
    /// How far the link turns or slides.
    fn position(&self, q: Ex) -> Ex {
        q + self.offset
    }
}

impl LinkJoint {
    /// The step of one or three coordinates of a joint; `reversed` if it leads from the joint's own
    /// frame `b` to its frame `a`.
    pub fn new(
        kinematic_tree: KinematicTree<'_>,
        joint: JointId,
        coordinates: Span<CoordinateId>,
        reversed: bool,
    ) -> Self {
        let coordinate = coordinates.first();
        let Coordinate { coordinate_type, axis, offset, .. } =
            kinematic_tree.multibody().coordinates[coordinate];
        let e = if reversed { axis.map(|c| 0.0 - c) } else { axis };
        let axis = Axis { coordinate, e, offset };
        match coordinate_type {
            CoordinateType::Revolute => LinkJoint::Turn(axis),
            // No joint has an auxiliary coordinate.
            CoordinateType::Prismatic | CoordinateType::Auxiliary => LinkJoint::Slide(axis),
            CoordinateType::AngularVelocity => {
                LinkJoint::Free { joint, angular_velocity: coordinates, reversed }
            }
        }
    }

    /// The matrix `t_ba`.
    fn rotation(&self, at: &impl CoordinateValues) -> Matrix {
        match self {
            LinkJoint::Turn(axis) => planar_rotation(axis.e, axis.position(at.q(axis.coordinate))),
            LinkJoint::Slide(_) => identity(),
            LinkJoint::Free { joint, reversed: false, .. } => at.orientation(*joint),
            LinkJoint::Free { joint, reversed: true, .. } => at.orientation(*joint).transpose(),
        }
    }

    /// The pose `x_ab`.
    pub fn pose(&self, at: &impl CoordinateValues) -> Pose {
        let r_ab = match self {
            LinkJoint::Slide(axis) => {
                scale(&constant(axis.e), axis.position(at.q(axis.coordinate)))
            }
            LinkJoint::Turn(_) | LinkJoint::Free { .. } => zero(),
        };
        Pose { r: r_ab, t: self.rotation(at) }
    }

    /// The velocity of frame `b`, for the speeds of the coordinates.
    pub fn velocity(
        &self,
        at: &impl CoordinateValues,
        v_a: &Twist,
        speed: impl Fn(CoordinateId) -> Ex,
    ) -> Twist {
        let t_ba = self.rotation(at);
        match self {
            LinkJoint::Turn(axis) => {
                let (e, speed) = (constant(axis.e), speed(axis.coordinate));
                Twist { w: t_ba * v_a.w + scale(&e, speed), v: t_ba * v_a.v }
            }
            LinkJoint::Slide(axis) => {
                let (e, speed) = (constant(axis.e), speed(axis.coordinate));
                let r_ab = scale(&e, axis.position(at.q(axis.coordinate)));
                Twist { w: v_a.w, v: v_a.v + cross(&v_a.w, &r_ab) + scale(&e, speed) }
            }
            LinkJoint::Free { angular_velocity, reversed, .. } => {
                let own = vector(*angular_velocity, speed);
                let w = if *reversed { t_ba * (v_a.w - own) } else { t_ba * v_a.w + own };
                Twist { w, v: t_ba * v_a.v }
            }
        }
    }

    /// The acceleration of frame `b`.
    pub fn acceleration(
        &self,
        at: &impl CoordinateValues,
        v_a: &Twist,
        a_a: &Acceleration,
        rate: impl Fn(CoordinateId) -> Rate,
    ) -> Acceleration {
        let t_ba = self.rotation(at);
        match self {
            LinkJoint::Turn(axis) => {
                let (e, rate) = (constant(axis.e), rate(axis.coordinate));
                let coriolis = cross(&(t_ba * v_a.w), &scale(&e, rate.v));
                Acceleration { z: t_ba * a_a.z + coriolis + scale(&e, rate.a), a: t_ba * a_a.a }
            }
            LinkJoint::Slide(axis) => {
                let (e, rate) = (constant(axis.e), rate(axis.coordinate));
                let (r_ab, w) = (scale(&e, axis.position(rate.q)), &v_a.w);
                let coriolis = cross(w, &scale(&e, rate.v)) * Ex::from(2.0);
                let centripetal = cross(w, &cross(w, &r_ab));
                let a = a_a.a + cross(&a_a.z, &r_ab) + centripetal + coriolis + scale(&e, rate.a);
                Acceleration { z: a_a.z, a }
            }
            LinkJoint::Free { angular_velocity, reversed, .. } => {
                let own = vector(*angular_velocity, |c| rate(c).v);
                let change = vector(*angular_velocity, |c| rate(c).a);
                let coriolis = cross(&v_a.w, &own);
                let z = if *reversed {
                    t_ba * (a_a.z - coriolis - change)
                } else {
                    t_ba * a_a.z + cross(&(t_ba * v_a.w), &own) + change
                };
                Acceleration { z, a: t_ba * a_a.a }
            }
        }
    }
}

/// A vector of three coordinates.
fn vector(coordinates: Span<CoordinateId>, value: impl Fn(CoordinateId) -> Ex) -> Vector {
    Vector::from_fn(|k, _| value(coordinates.nth(k)))
}
