//! A free orientation with start values in degrees.

use super::init::States;
use crate::multibody::{FreeOrientation, OrientationNames, RelativePose};
use mechanics::component::CoordinateId;
use mechanics::declaration::{group, prelude::*};
use mechanics::statements::contributions::constraints::Holds;
use mechanics::statements::laws::acceleration_view::AccelerationView;
use mechanics::statements::motion::ends::FrameEnd;
use mechanics::statements::spatial::pose::{Pose, Twist};
use mechanics::vector::{Vector, constant};
use std::rc::Rc;

const NAMES: OrientationNames =
    OrientationNames { quaternion: "Q", w: "w", phi: "phi", phi_d: "phi_d" };

group! {
    /// The start values of an orientation, and its coordinates.
    pub struct OrientationStarts(orientation_starts) {
        /// Start angles of the successive rotations about the axes `sequence_angles`
        phi_start?: [Real; 3]["deg", structural],
        /// Start value of the angular velocity, resolved in the rotated frame
        w_start?: [Real; 3]["deg/s", structural],
        /// Initial derivatives of the components of the angular velocity
        z_start?: [Real; 3]["deg/s2", structural],
        /// Axes of the successive rotations; without them x, y, z or, for the angles that describe
        /// the orientation in a loop, those that the build chooses
        sequence_angles?: [usize; 3][structural],
        /// Whether start values are those of the quaternion; if not, they are those of the angles
        /// phi, which are then variables too. The states are the same
        use_quaternions: bool = true,
    }
    variables {
        /// Component of the quaternion from frame_a to frame_b; the fourth one is the scalar part
        q "Q"?: Quaternion["1"],
        /// Angle of a rotation of the sequence
        phi?: Vector["rad"],
        /// Derivative of the angle
        phi_d?: Vector["rad/s"],
    }
}

impl OrientationStarts {
    /// Adds a joint from `a` to `b` with these translations, followed by this orientation.
    pub fn join(
        self,
        c: &mut Contribution<'_>,
        [a, b]: [FrameEnd; 2],
        slides: &[CoordinateId],
        states: &States,
        optional: Option<usize>,
    ) -> Result<(), Error> {
        let OrientationStarts { sequence_angles, use_quaternions, .. } = self;
        let sequence = sequence_angles.unwrap_or_default();
        let given = [self.phi_start, self.w_start, self.z_start];
        let radians = given.map(|vector| vector.map(|vector| vector.map(f64::to_radians)));
        let [angles, w, z] = states.init_type.vectors(radians);
        let mut orientation = FreeOrientation {
            angles,
            sequence,
            w,
            w_in_b: true,
            use_quaternions,
            states_sequence: sequence_angles,
            select: states.select(),
        };
        // The rates of the angles follow from this velocity only if the angles are known. Otherwise
        // the velocity is an initial condition of its own.
        let moving = w[0].fixed && w.iter().any(|start| start.value != 0.0);
        if moving && !angles[0].fixed && !use_quaternions {
            orientation.w = w.map(|start| guess(start.value));
            start_velocity(c, [a, b], w.map(|start| start.value));
        }
        let coordinates = orientation.join(c, [a, b], slides, NAMES, optional);
        states.apply_to(c, slides);
        states.apply_to(c, &coordinates);
        if z[0].fixed {
            let z = z.map(|start| Ex::from(start.value));
            c.initial_angular_acceleration(coordinates, z, move |e| {
                angular_acceleration(e, [a, b])
            });
        }
        Ok(())
    }
}

/// Publishes the motion of `b` relative to `a`: `w` and `z`, resolved in `b`.
pub(super) fn publish_rotation(c: &mut Contribution<'_>, [a, b]: [FrameEnd; 2]) {
    c.law(move |e| {
        let w = RelativePose::new([e.pose(a), e.pose(b)]).w(&e.velocity(a), &e.velocity(b));
        e.publish("w", &w);
        Ok(())
    });
    c.after(move |e| {
        let z = angular_acceleration(e, [a, b]);
        e.publish("z", &z);
        Ok(())
    });
}

/// The derivative of the angular velocity of `b` relative to `a`, in the axes of `b`.
fn angular_acceleration(e: &AccelerationView<'_>, [a, b]: [FrameEnd; 2]) -> Vector {
    let velocities = [e.velocity(a), e.velocity(b)];
    let accelerations = [e.acceleration(a), e.acceleration(b)];
    RelativePose::new([e.pose(a), e.pose(b)]).z(&velocities, &accelerations)
}

/// Requires given components of the relative angular velocity in frame `b` at the start.
fn start_velocity(c: &mut Contribution<'_>, frames: [FrameEnd; 2], w: [f64; 3]) {
    let residual = move |poses: &[Pose], velocities: &[Twist]| {
        let now = RelativePose::new([poses[0], poses[1]]).w(&velocities[0], &velocities[1]);
        (now - constant(w)).iter().copied().collect()
    };
    c.constraint(&frames, &[], None, Holds::StartSpeed(Rc::new(residual)));
}
