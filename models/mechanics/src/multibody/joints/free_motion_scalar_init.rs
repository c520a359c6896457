//! Initial conditions on the relative motion of two frames, scalar by scalar.

use super::relative_motion::{Relative, second_rates};
use crate::compile::structure::{Candidate, FrameEnd, Freedom, Holds, Pose, Twist};
use crate::component::{Contribution, CoordinateId, OldComponent};
use crate::error::Error;
use crate::orientation::{Sequence, angle_rates};
use crate::ports;
use crate::start::{Start, StateSelect};
use crate::vector::{X, Y, Z};
use equations::Ex;
use std::rc::Rc;

/// How three scalars are called, one by one.
type Names = [&'static str; 3];

const R_REL_A: Names = ["r_rel_a_1", "r_rel_a_2", "r_rel_a_3"];
const V_REL_A: Names = ["v_rel_a_1", "v_rel_a_2", "v_rel_a_3"];
const A_REL_A: Names = ["a_rel_a_1", "a_rel_a_2", "a_rel_a_3"];
const ANGLE: Names = ["angle_1", "angle_2", "angle_3"];
const ANGLE_D: Names = ["angle_d_1", "angle_d_2", "angle_d_3"];
const ANGLE_DD: Names = ["angle_dd_1", "angle_dd_2", "angle_dd_3"];
const W_REL_B: Names = ["w_rel_b_1", "w_rel_b_2", "w_rel_b_3"];
const Z_REL_B: Names = ["z_rel_b_1", "z_rel_b_2", "z_rel_b_3"];

const POSITION: &str = "Component of the position from frame_a to frame_b, resolved in frame_a";
const VELOCITY: &str = "First derivative of a component of the position";
const ACCELERATION: &str = "Second derivative of a component of the position";
const TURN: &str = "Angle of a sequence that turns frame_a into frame_b";
const TURN_D: &str = "First derivative of an angle";
const TURN_DD: &str = "Second derivative of an angle";
const SPIN: &str = "Component of the relative angular velocity, resolved in frame_b";
const SPIN_D: &str = "First derivative of a component of the relative angular velocity";

/// Free motion with initial conditions on any of its scalars.
///
/// # Equations
/// `frame_b.r_0 = frame_a.r_0 + R_a' r_rel_a`, `v_rel_a = der(r_rel_a)`, `a_rel_a = der(v_rel_a)`;
/// the angles `angle_i` about the axes of `sequence_start` turn `frame_a` into `frame_b`, `angle_d`
/// and `angle_dd` are their derivatives; `w_rel_b` is the relative angular velocity resolved in
/// `frame_b`, `z_rel_b` its derivative; no forces, no torques.
///
/// # Variables
/// `r_rel_a_i` in m, `v_rel_a_i` in m/s, `a_rel_a_i` in m/s2, `angle_i` in rad, `angle_d_i` in
/// rad/s, `angle_dd_i` in rad/s2, `w_rel_b_i` in rad/s, `z_rel_b_i` in rad/s2, each group if start
/// values are given for it. A fixed start value is an initial condition. If nothing else holds
/// `frame_b` and start angles are given, position and angles are coordinates of a joint; so they
/// are, before others, if one of them must be a state. Accelerations may be fixed in that case
/// only.
///
/// # Reference
/// Modelica.Mechanics.MultiBody.Joints.FreeMotionScalarInit.
#[derive(Clone, Debug)]
pub struct FreeMotionScalarInit {
    r_rel_a: Option<[Start; 3]>,
    v_rel_a: Option<[Start; 3]>,
    a_rel_a: Option<[Start; 3]>,
    sequence_start: [usize; 3],
    angle: Option<[Start; 3]>,
    angle_d: Option<[Start; 3]>,
    angle_dd: Option<[Start; 3]>,
    w_rel_b: Option<[Start; 3]>,
    z_rel_b: Option<[Start; 3]>,
    r_states: [StateSelect; 3],
    angle_states: [StateSelect; 3],
}

ports! {
    /// Ports and variables of a [`FreeMotionScalarInit`]; variables exist if start values are
    /// given.
    pub struct FreeMotionScalarInitPorts {
        /// The frame from which the motion is seen.
        frame_a: frame,
        /// The frame whose motion it is.
        frame_b: frame,
        /// Component of the position in m.
        r_rel_a_1: quantity,
        /// Component of the position in m.
        r_rel_a_2: quantity,
        /// Component of the position in m.
        r_rel_a_3: quantity,
        /// Its derivative in m/s.
        v_rel_a_1: quantity,
        /// Its derivative in m/s.
        v_rel_a_2: quantity,
        /// Its derivative in m/s.
        v_rel_a_3: quantity,
        /// Its second derivative in m/s2.
        a_rel_a_1: quantity,
        /// Its second derivative in m/s2.
        a_rel_a_2: quantity,
        /// Its second derivative in m/s2.
        a_rel_a_3: quantity,
        /// Angle in rad.
        angle_1: quantity,
        /// Angle in rad.
        angle_2: quantity,
        /// Angle in rad.
        angle_3: quantity,
        /// Its derivative in rad/s.
        angle_d_1: quantity,
        /// Its derivative in rad/s.
        angle_d_2: quantity,
        /// Its derivative in rad/s.
        angle_d_3: quantity,
        /// Its second derivative in rad/s2.
        angle_dd_1: quantity,
        /// Its second derivative in rad/s2.
        angle_dd_2: quantity,
        /// Its second derivative in rad/s2.
        angle_dd_3: quantity,
        /// Component of the relative angular velocity in rad/s.
        w_rel_b_1: quantity,
        /// Component of the relative angular velocity in rad/s.
        w_rel_b_2: quantity,
        /// Component of the relative angular velocity in rad/s.
        w_rel_b_3: quantity,
        /// Its derivative in rad/s2.
        z_rel_b_1: quantity,
        /// Its derivative in rad/s2.
        z_rel_b_2: quantity,
        /// Its derivative in rad/s2.
        z_rel_b_3: quantity,
    }
}

impl Default for FreeMotionScalarInit {
    fn default() -> Self {
        FreeMotionScalarInit {
            r_rel_a: None,
            v_rel_a: None,
            a_rel_a: None,
            sequence_start: [1, 2, 3],
            angle: None,
            angle_d: None,
            angle_dd: None,
            w_rel_b: None,
            z_rel_b: None,
            r_states: [StateSelect::Avoid; 3],
            angle_states: [StateSelect::Avoid; 3],
        }
    }
}

impl FreeMotionScalarInit {
    /// Start values of the position from `frame_a` to `frame_b` in m, resolved in `frame_a`.
    #[must_use]
    pub fn r_rel_a(self, start: [Start; 3]) -> Self {
        FreeMotionScalarInit { r_rel_a: Some(start), ..self }
    }

    /// Start values of the derivative of these components in m/s.
    #[must_use]
    pub fn v_rel_a(self, start: [Start; 3]) -> Self {
        FreeMotionScalarInit { v_rel_a: Some(start), ..self }
    }

    /// Initial second derivatives of these components in m/s2; they count only if they are fixed.
    #[must_use]
    pub fn a_rel_a(self, start: [Start; 3]) -> Self {
        FreeMotionScalarInit { a_rel_a: Some(start), ..self }
    }

    /// Axes of the angles; by default 1, 2, 3.
    #[must_use]
    pub fn sequence_start(self, sequence_start: [usize; 3]) -> Self {
        FreeMotionScalarInit { sequence_start, ..self }
    }

    /// Start angles in rad that turn `frame_a` into `frame_b`.
    #[must_use]
    pub fn angle(self, start: [Start; 3]) -> Self {
        FreeMotionScalarInit { angle: Some(start), ..self }
    }

    /// Start values of the derivatives of the angles in rad/s.
    #[must_use]
    pub fn angle_d(self, start: [Start; 3]) -> Self {
        FreeMotionScalarInit { angle_d: Some(start), ..self }
    }

    /// Initial second derivatives of the angles in rad/s2; they count only if they are fixed.
    #[must_use]
    pub fn angle_dd(self, start: [Start; 3]) -> Self {
        FreeMotionScalarInit { angle_dd: Some(start), ..self }
    }

    /// Start values of the relative angular velocity in rad/s, resolved in `frame_b`.
    #[must_use]
    pub fn w_rel_b(self, start: [Start; 3]) -> Self {
        FreeMotionScalarInit { w_rel_b: Some(start), ..self }
    }

    /// Shows the derivative of the relative angular velocity in rad/s2; it cannot be fixed.
    #[must_use]
    pub fn z_rel_b(self, start: [Start; 3]) -> Self {
        FreeMotionScalarInit { z_rel_b: Some(start), ..self }
    }

    /// Preference of the components of the position, and their derivatives, as states.
    #[must_use]
    pub fn r_rel_a_states(self, r_states: [StateSelect; 3]) -> Self {
        FreeMotionScalarInit { r_states, ..self }
    }

    /// Preference of the angles, and their derivatives, as states.
    #[must_use]
    pub fn angle_states(self, angle_states: [StateSelect; 3]) -> Self {
        FreeMotionScalarInit { angle_states, ..self }
    }

    /// Whether the orientation is described by angles here.
    fn uses_angles(&self) -> bool {
        self.angle.is_some() || self.angle_d.is_some() || self.angle_dd.is_some()
    }

    /// The joint from `a` to `b`; gives its coordinates.
    fn join(
        &self,
        c: &mut Contribution<'_>,
        [a, b]: [FrameEnd; 2],
        sequence: Sequence,
    ) -> Result<[CoordinateId; 6], Error> {
        let scalar = |c: &mut Contribution<'_>, local, unit, text, start: Start| {
            c.finite(local, start.value, unit)?;
            let candidate = c.named_candidate(local, unit, text, start);
            Ok::<_, Error>(Candidate { published: false, ..candidate })
        };
        let r = self.r_rel_a.unwrap_or_default();
        let v = self.v_rel_a.unwrap_or_default();
        let mut slide = |k: usize| {
            let r = scalar(c, R_REL_A[k], "m", POSITION, r[k])?;
            let v = scalar(c, V_REL_A[k], "m/s", VELOCITY, v[k])?;
            let axis = [X, Y, Z][k];
            Ok::<_, Error>(c.coordinate(Freedom::Slide, axis, [r, v], self.r_states[k]))
        };
        let slides = [slide(0)?, slide(1)?, slide(2)?];
        let (angle, angle_d) = (self.angle.unwrap_or_default(), self.angle_d.unwrap_or_default());
        let mut turn = |k: usize| {
            let angle = scalar(c, ANGLE[k], "rad", TURN, angle[k])?;
            let angle_d = scalar(c, ANGLE_D[k], "rad/s", TURN_D, angle_d[k])?;
            let axis = [X, Y, Z][sequence.axes()[k] - 1];
            Ok::<_, Error>(c.coordinate(
                Freedom::Turn,
                axis,
                [angle, angle_d],
                self.angle_states[k],
            ))
        };
        let turns = [turn(0)?, turn(1)?, turn(2)?];
        let all = [slides[0], slides[1], slides[2], turns[0], turns[1], turns[2]];
        let wanted = |select: &StateSelect| *select == StateSelect::Always;
        let is_joint =
            self.uses_angles() || self.r_states.iter().chain(&self.angle_states).any(wanted);
        c.optional_joint(a, b, &all, if is_joint { None } else { Some(usize::MAX) });
        Ok(all)
    }

    /// Initial conditions that are no start values of coordinates.
    fn conditions(
        &self,
        c: &mut Contribution<'_>,
        frames: [FrameEnd; 2],
        coordinates: &[CoordinateId; 6],
    ) -> Result<(), Error> {
        let accelerations = [(self.a_rel_a, A_REL_A, "m/s2"), (self.angle_dd, ANGLE_DD, "rad/s2")];
        for (group, (starts, names, unit)) in accelerations.into_iter().enumerate() {
            for (k, start) in starts.unwrap_or_default().into_iter().enumerate() {
                c.finite(names[k], start.value, unit)?;
                if start.fixed {
                    c.initial_acceleration(coordinates[3 * group + k], start.value);
                }
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
            c.finite(W_REL_B[k], start.value, "rad/s")?;
            if start.fixed {
                let slot = c.named_candidate(W_REL_B[k], "rad/s", SPIN, start).slot;
                let gap = move |poses: &[Pose], velocities: &[Twist]| {
                    let relative = Relative::new([poses[0], poses[1]]);
                    vec![relative.w(&velocities[0], &velocities[1])[k] - slot]
                };
                c.constraint(&frames, &[], None, Holds::StartSpeed(Rc::new(gap)));
            }
        }
        Ok(())
    }

    /// Publishes the scalars that are in use.
    fn publish(&self, c: &mut Contribution<'_>, [a, b]: [FrameEnd; 2], sequence: Sequence) {
        let used = self.clone();
        c.law(move |e| {
            let relative = Relative::new([e.pose(a), e.pose(b)]);
            let (va, vb) = (e.velocity(a), e.velocity(b));
            let w = relative.w(&va, &vb);
            let angles = relative.angles(sequence);
            let mut show = |used: bool, names: Names, value: &[Ex; 3], unit: &str, text: &str| {
                for k in (0..3).filter(|_| used) {
                    if !e.is_known(names[k]) {
                        e.variable(names[k], value[k]).unit(unit).describe(text);
                    }
                }
            };
            show(used.r_rel_a.is_some(), R_REL_A, &relative.r.into(), "m", POSITION);
            let v = relative.v(&va, &vb);
            show(used.v_rel_a.is_some(), V_REL_A, &v.into(), "m/s", VELOCITY);
            show(used.angle.is_some(), ANGLE, &angles, "rad", TURN);
            if used.angle_d.is_some() {
                show(true, ANGLE_D, &angle_rates(sequence, &angles, &w), "rad/s", TURN_D);
            }
            show(used.w_rel_b.is_some(), W_REL_B, &w.into(), "rad/s", SPIN);
            Ok(())
        });
        let used = self.clone();
        c.after(move |e| {
            let relative = Relative::new([e.pose(a), e.pose(b)]);
            let velocities = [e.velocity(a), e.velocity(b)];
            let accelerations = [e.acceleration(a), e.acceleration(b)];
            let z = relative.z(&velocities, &accelerations);
            let mut show = |names: Names, value: &[Ex; 3], unit: &str, text: &str| {
                for k in 0..3 {
                    e.variable(names[k], value[k]).unit(unit).describe(text);
                }
            };
            if used.a_rel_a.is_some() {
                let second = relative.a(&velocities, &accelerations);
                show(A_REL_A, &second.into(), "m/s2", ACCELERATION);
            }
            if used.angle_dd.is_some() {
                let angles = relative.angles(sequence);
                let w = relative.w(&velocities[0], &velocities[1]);
                let second = second_rates(sequence, &angles, [&w, &z]);
                show(ANGLE_DD, &second, "rad/s2", TURN_DD);
            }
            if used.z_rel_b.is_some() {
                show(Z_REL_B, &z.into(), "rad/s2", SPIN_D);
            }
            Ok(())
        });
    }
}

impl OldComponent for FreeMotionScalarInit {
    type Ports = FreeMotionScalarInitPorts;

    fn contribute(&self, c: &mut Contribution<'_>) -> Result<(), Error> {
        let text = "Axes of the angles";
        let sequence = c.sequence("sequence_start", self.sequence_start, text)?;
        let frames = [c.frame("frame_a"), c.frame("frame_b")];
        let coordinates = self.join(c, frames, sequence)?;
        self.conditions(c, frames, &coordinates)?;
        self.publish(c, frames, sequence);
        Ok(())
    }
}
