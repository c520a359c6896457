//! Initial conditions on single scalars of the relative motion of two frames.

use super::relative_motion::{RelativePose, second_rates};
use mechanics::component::{CoordinateId, joint_priority};
use mechanics::declaration::prelude::*;
use mechanics::orientation::{Sequence, angle_rates};
use mechanics::statements::contributions::constraints::Holds;
use mechanics::statements::contributions::multibody::CoordinateType;
use mechanics::statements::contributions::start_variable::StartVariable;
use mechanics::statements::laws::signal_view::SignalView;
use mechanics::statements::motion::ends::FrameEnd;
use mechanics::statements::spatial::pose::{Pose, Twist};
use std::rc::Rc;

component! {
    /// Free motion with initial conditions on any of its scalars.
    ///
    /// It starts a free body where only some of its positions, speeds and accelerations are given.
    ///
    /// # Equations
    /// `frame_b.r_0 = frame_a.r_0 + R_a' r_rel_a`, `v_rel_a = der(r_rel_a)`,
    /// `a_rel_a = der(v_rel_a)`. The successive rotations by `angle_i` about the axes of
    /// `sequence_start` lead from `frame_a` to `frame_b`; `angle_d` and `angle_dd` are the
    /// derivatives of the angles. `w_rel_b` is the relative angular velocity resolved in `frame_b`,
    /// and `z_rel_b` is its derivative. There are no forces and no torques.
    ///
    /// Each of these vectors exists only if start values are given for it. A fixed start value is
    /// an initial condition. If nothing else connects `frame_b` to the world and start angles are
    /// given, position and angles are the coordinates of a joint. If one of them must be a state,
    /// this joint takes precedence over others. Only coordinates can have fixed accelerations.
    pub struct FreeMotionScalarInit = "Modelica.Mechanics.MultiBody.Joints.FreeMotionScalarInit" {
        /// Axes of the successive rotations
        sequence_start: [usize; 3]["1"] = [1, 2, 3],
        /// Start values of the position from frame_a to frame_b, resolved in frame_a
        r_rel_a?: [Start; 3]["m"],
        /// Start values of the derivatives of the position
        v_rel_a?: [Start; 3]["m/s"],
        /// Initial second derivatives of the position; used only if they are fixed
        a_rel_a?: [Start; 3]["m/s2"],
        /// Start angles of the rotations from frame_a to frame_b
        angle?: [Start; 3]["rad"],
        /// Start values of the derivatives of the angles
        angle_d?: [Start; 3]["rad/s"],
        /// Initial second derivatives of the angles; used only if they are fixed
        angle_dd?: [Start; 3]["rad/s2"],
        /// Start values of the relative angular velocity, resolved in frame_b
        w_rel_b?: [Start; 3]["rad/s"],
        /// Derivatives of the relative angular velocity, which are published but cannot be fixed
        z_rel_b?: [Start; 3]["rad/s2"],
        /// Preference of the components of the position, and their derivatives, as states
        r_rel_a_states: [StateSelect; 3] = [Avoid; 3],
        /// Preference of the angles, and their derivatives, as states
        angle_states: [StateSelect; 3] = [Avoid; 3],
    }
    ports {
        /// Frame of reference
        frame_a: Frame,
        /// Frame whose motion is described
        frame_b: Frame,
    }
    variables {
        /// First component of the position from frame_a to frame_b, resolved in frame_a
        r_rel_a_1?: Real["m"],
        /// Second component of the position from frame_a to frame_b, resolved in frame_a
        r_rel_a_2?: Real["m"],
        /// Third component of the position from frame_a to frame_b, resolved in frame_a
        r_rel_a_3?: Real["m"],
        /// First derivative of r_rel_a_1
        v_rel_a_1?: Real["m/s"],
        /// First derivative of r_rel_a_2
        v_rel_a_2?: Real["m/s"],
        /// First derivative of r_rel_a_3
        v_rel_a_3?: Real["m/s"],
        /// Second derivative of r_rel_a_1
        a_rel_a_1?: Real["m/s2"],
        /// Second derivative of r_rel_a_2
        a_rel_a_2?: Real["m/s2"],
        /// Second derivative of r_rel_a_3
        a_rel_a_3?: Real["m/s2"],
        /// First angle of the sequence from frame_a to frame_b
        angle_1?: Real["rad"],
        /// Second angle of the sequence from frame_a to frame_b
        angle_2?: Real["rad"],
        /// Third angle of the sequence from frame_a to frame_b
        angle_3?: Real["rad"],
        /// First derivative of angle_1
        angle_d_1?: Real["rad/s"],
        /// First derivative of angle_2
        angle_d_2?: Real["rad/s"],
        /// First derivative of angle_3
        angle_d_3?: Real["rad/s"],
        /// Second derivative of angle_1
        angle_dd_1?: Real["rad/s2"],
        /// Second derivative of angle_2
        angle_dd_2?: Real["rad/s2"],
        /// Second derivative of angle_3
        angle_dd_3?: Real["rad/s2"],
        /// First component of the relative angular velocity, resolved in frame_b
        w_rel_b_1?: Real["rad/s"],
        /// Second component of the relative angular velocity, resolved in frame_b
        w_rel_b_2?: Real["rad/s"],
        /// Third component of the relative angular velocity, resolved in frame_b
        w_rel_b_3?: Real["rad/s"],
        /// First derivative of w_rel_b_1
        z_rel_b_1?: Real["rad/s2"],
        /// First derivative of w_rel_b_2
        z_rel_b_2?: Real["rad/s2"],
        /// First derivative of w_rel_b_3
        z_rel_b_3?: Real["rad/s2"],
    }
}

impl Component for FreeMotionScalarInit {
    fn contribute(
        p: FreeMotionScalarInitParameters,
        c: &mut Contribution<'_>,
    ) -> Result<(), Error> {
        let frames = [c.frame("frame_a"), c.frame("frame_b")];
        let coordinates = p.join(c, frames);
        p.conditions(c, frames, &coordinates)?;
        p.publish(c, frames);
        Ok(())
    }
}

/// The names of three scalars.
type ScalarNames = [&'static str; 3];

const R_REL_A: ScalarNames = ["r_rel_a_1", "r_rel_a_2", "r_rel_a_3"];
const V_REL_A: ScalarNames = ["v_rel_a_1", "v_rel_a_2", "v_rel_a_3"];
const A_REL_A: ScalarNames = ["a_rel_a_1", "a_rel_a_2", "a_rel_a_3"];
const ANGLE: ScalarNames = ["angle_1", "angle_2", "angle_3"];
const ANGLE_D: ScalarNames = ["angle_d_1", "angle_d_2", "angle_d_3"];
const ANGLE_DD: ScalarNames = ["angle_dd_1", "angle_dd_2", "angle_dd_3"];
const W_REL_B: ScalarNames = ["w_rel_b_1", "w_rel_b_2", "w_rel_b_3"];
const Z_REL_B: ScalarNames = ["z_rel_b_1", "z_rel_b_2", "z_rel_b_3"];

impl FreeMotionScalarInitParameters {
    /// Adds the joint; returns its coordinates.
    fn join(&self, c: &mut Contribution<'_>, [a, b]: [FrameEnd; 2]) -> [CoordinateId; 6] {
        let scalar = |c: &mut Contribution<'_>, local, unit, start: Start| {
            let candidate = c.named_start_variable(local, unit, start);
            StartVariable { published: false, ..candidate }
        };
        let (r, v) = (self.r_rel_a.unwrap_or_default(), self.v_rel_a.unwrap_or_default());
        let slides = [0, 1, 2].map(|k| {
            let motion = [scalar(c, R_REL_A[k], "m", r[k]), scalar(c, V_REL_A[k], "m/s", v[k])];
            c.coordinate(CoordinateType::Prismatic, [X, Y, Z][k], motion, self.r_rel_a_states[k])
        });
        let (phi, w) = (self.angle.unwrap_or_default(), self.angle_d.unwrap_or_default());
        let turns = [0, 1, 2].map(|k| {
            let motion = [scalar(c, ANGLE[k], "rad", phi[k]), scalar(c, ANGLE_D[k], "rad/s", w[k])];
            let axis = [X, Y, Z][self.sequence_start.axes()[k] - 1];
            c.coordinate(CoordinateType::Revolute, axis, motion, self.angle_states[k])
        });
        let [x, y, z] = slides;
        let all = [x, y, z, turns[0], turns[1], turns[2]];
        let uses_angles = [self.angle, self.angle_d, self.angle_dd].iter().any(Option::is_some);
        let states = [self.r_rel_a_states, self.angle_states];
        let is_joint = uses_angles || states.as_flattened().contains(&Always);
        c.optional_joint(a, b, &all, (!is_joint).then_some(joint_priority::LAST));
        all
    }

    /// Initial conditions that are not start values of coordinates.
    fn conditions(
        &self,
        c: &mut Contribution<'_>,
        frames: [FrameEnd; 2],
        coordinates: &[CoordinateId; 6],
    ) -> Result<(), Error> {
        let accelerations = [self.a_rel_a, self.angle_dd].map(Option::unwrap_or_default);
        for (start, &coordinate) in accelerations.as_flattened().iter().zip(coordinates) {
            if start.fixed {
                c.initial_acceleration(coordinate, start.value);
            }
        }
        for (k, start) in self.z_rel_b.unwrap_or_default().into_iter().enumerate() {
            if start.fixed {
                return Err(c.refuse(
                    Z_REL_B[k],
                    format!("{} rad/s2 cannot be an initial condition; fix angle_dd", start.value),
                ));
            }
        }
        for (k, start) in self.w_rel_b.unwrap_or_default().into_iter().enumerate() {
            if start.fixed {
                let slot = c.named_start_variable(W_REL_B[k], "rad/s", start).slot;
                let residual = move |poses: &[Pose], velocities: &[Twist]| {
                    let relative = RelativePose::new([poses[0], poses[1]]);
                    vec![relative.w(&velocities[0], &velocities[1])[k] - slot]
                };
                c.constraint(&frames, &[], None, Holds::StartSpeed(Rc::new(residual)));
            }
        }
        Ok(())
    }

    /// Publishes the scalars for which start values are given.
    fn publish(&self, c: &mut Contribution<'_>, [a, b]: [FrameEnd; 2]) {
        let (used, sequence): (_, Sequence) = (self.clone(), self.sequence_start);
        c.law(move |e| {
            let relative = RelativePose::new([e.pose(a), e.pose(b)]);
            let (va, vb) = (e.velocity(a), e.velocity(b));
            let w = relative.w(&va, &vb);
            let angles = relative.angles(sequence);
            show(e, used.r_rel_a, R_REL_A, &relative.r.into());
            let v = relative.v(&va, &vb);
            show(e, used.v_rel_a, V_REL_A, &v.into());
            show(e, used.angle, ANGLE, &angles);
            if used.angle_d.is_some() {
                show(e, used.angle_d, ANGLE_D, &angle_rates(sequence, &angles, &w));
            }
            show(e, used.w_rel_b, W_REL_B, &w.into());
            Ok(())
        });
        let used = self.clone();
        c.after(move |e| {
            let relative = RelativePose::new([e.pose(a), e.pose(b)]);
            let velocities = [e.velocity(a), e.velocity(b)];
            let accelerations = [e.acceleration(a), e.acceleration(b)];
            let z = relative.z(&velocities, &accelerations);
            if used.a_rel_a.is_some() {
                let second = relative.a(&velocities, &accelerations);
                show(e, used.a_rel_a, A_REL_A, &second.into());
            }
            if used.angle_dd.is_some() {
                let angles = relative.angles(sequence);
                let w = relative.w(&velocities[0], &velocities[1]);
                let second = second_rates(sequence, &angles, [&w, &z]);
                show(e, used.angle_dd, ANGLE_DD, &second);
            }
            show(e, used.z_rel_b, Z_REL_B, &z.into());
            Ok(())
        });
    }
}

/// Publishes three scalars if start values are given, unless they are coordinates.
fn show(e: &mut SignalView<'_>, given: Option<[Start; 3]>, names: ScalarNames, values: &[Ex; 3]) {
    for (name, value) in names.into_iter().zip(values).filter(|_| given.is_some()) {
        if !e.is_known(name) {
            e.variable(name, *value);
        }
    }
}
