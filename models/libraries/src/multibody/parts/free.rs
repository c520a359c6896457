//! The joint of a body that nothing else connects to the world, and its variables.

use crate::multibody::joints::{Orientation, OrientationNames};
use mechanics::assembly::element;
use mechanics::component::{CoordinateId, joint_priority};
use mechanics::declaration::{group, prelude::*};
use mechanics::statements::contributions::multibody::CoordinateType;
use mechanics::statements::motion::ends::FrameEnd;
use mechanics::statements::spatial::pose::Pose;
use mechanics::vector::Vector;

group! {
    /// Start values of a body that nothing else connects to the world.
    pub struct Free(free) {
        /// Start value of the position of frame_a, resolved in world frame
        r_0: [Start; 3]["m"] = [free(); 3],
        /// Start value of the velocity of frame_a, resolved in world frame
        v_0: [Start; 3]["m/s"] = [free(); 3],
        /// Initial acceleration of frame_a, resolved in world frame; used only if it is fixed
        a_0: [Start; 3]["m/s2"] = [free(); 3],
        /// Start value of the angular velocity, resolved in world frame; if one component is fixed,
        /// all are
        w_0_start: [Start; 3]["rad/s"] = [free(); 3],
        /// Initial angular acceleration, resolved in world frame; used only if one component is
        /// fixed
        z_0_start: [Start; 3]["rad/s2"] = [free(); 3],
        /// True if states describe the motion of the body itself, instead of that of joints
        enforce_states "enforceStates": bool = false,
    }
}

group! {
    /// The orientation of `frame_a` of a free body inside another component.
    pub struct InnerOrientation(inner_orientation) {}
    variables {
        /// Quaternion from the world frame to frame_a; the fourth component is the scalar part
        q "body.Q"?: Quaternion["1"],
        /// Angles of the successive rotations from the world frame to frame_a about the axes of
        /// sequence_angleStates
        phi "body.phi"?: Vector["rad"],
        /// Derivatives of body.phi
        phi_d "body.phi_d"?: Vector["rad/s"],
    }
}

/// Variables of the orientation of a body.
pub(super) const ORIENTATION: OrientationNames =
    OrientationNames { quaternion: "Q", w: "w_a", phi: "phi", phi_d: "phi_d" };
/// Variables of the orientation of a body inside another component.
pub(super) const INNER_ORIENTATION: OrientationNames =
    OrientationNames { quaternion: "body.Q", w: "body.w_a", phi: "body.phi", phi_d: "body.phi_d" };

impl Free {
    /// Adds the joint that is used if nothing else connects the body to the world.
    pub(super) fn join(
        self,
        c: &mut Contribution<'_>,
        frame: FrameEnd,
        orientation: Orientation,
        names: OrientationNames,
    ) {
        let select = if self.enforce_states { Prefer } else { StateSelect::Default };
        let world = c.ground(Pose::identity());
        let slides = slides(c, [self.r_0, self.v_0, self.a_0], select);
        let orientation = orientation.turning(self.w_0_start, select);
        let optional = (!self.enforce_states).then_some(joint_priority::BODY);
        let turns = orientation.join(c, [world, frame], &slides, names, optional);
        if self.z_0_start.iter().any(|start| start.fixed) {
            let z_0 = Vector::from(self.z_0_start.map(|start| Ex::from(start.value)));
            let z_a = orientation.start_rotation() * z_0;
            let z_a = [z_a[0], z_a[1], z_a[2]];
            c.initial_angular_acceleration(turns, z_a, move |e| e.acceleration(frame).z);
        }
    }
}

/// Adds the joint that is used if nothing else connects the point mass to the world, with start
/// values of its position and velocity.
pub(super) fn join_point(c: &mut Contribution<'_>, frame: FrameEnd, [r_0, v_0]: [[Start; 3]; 2]) {
    let world = c.ground(Pose::identity());
    let slides = slides(c, [r_0, v_0, [free(); 3]], StateSelect::Default);
    c.optional_joint(world, frame, &slides, Some(joint_priority::POINT_MASS));
}

/// Translation in the world, with start values of position, velocity and acceleration.
fn slides(
    c: &mut Contribution<'_>,
    [r_0, v_0, a_0]: [[Start; 3]; 3],
    select: StateSelect,
) -> [CoordinateId; 3] {
    [0, 1, 2].map(|k| {
        let position = c.named_start_variable(element("r_0", k + 1), "m", r_0[k]);
        let speed = c.named_start_variable(element("v_0", k + 1), "m/s", v_0[k]);
        let coordinate =
            c.coordinate(CoordinateType::Prismatic, [X, Y, Z][k], [position, speed], select);
        if a_0[k].fixed {
            c.initial_acceleration(coordinate, a_0[k].value);
        }
        coordinate
    })
}
