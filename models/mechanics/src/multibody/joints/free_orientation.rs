//! A free orientation between two frames: its start, and the variables that describe it.

use crate::assembly::element;
use crate::compile::structure::{Ball, Candidate, FrameEnd, Freedom};
use crate::component::{Contribution, CoordinateId};
use crate::error::Error;
use crate::orientation::{
    NULL_QUATERNION, angle_rates, axes_rotations, axes_rotations_angles, quaternion_from_rotation,
};
use crate::start::{Start, StateSelect};
use crate::vector::{Matrix, Vector, X, Y, Z};
use equations::Ex;

/// How the variables are called.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Names {
    /// The quaternion.
    pub quaternion: &'static str,
    /// Relative angular velocity in frame `b`.
    pub w: &'static str,
    /// Angles.
    pub phi: &'static str,
    /// Their derivatives.
    pub phi_d: &'static str,
    /// The start value of the angular velocity.
    pub w_start: &'static str,
}

/// Start values and states of a free orientation.
#[derive(Clone, Debug)]
pub(crate) struct FreeOrientation {
    /// Start angles in rad, by `sequence`.
    pub angles: [Start; 3],
    /// Axes of the start angles.
    pub sequence: [usize; 3],
    /// Start value of the angular velocity in rad/s, resolved in frame `a`.
    pub w: [Start; 3],
    /// Whether `w` is resolved in frame `b` instead.
    pub w_in_b: bool,
    /// Whether a quaternion describes it; otherwise three angles by `states_sequence`.
    pub use_quaternions: bool,
    /// Axes of the angles that are states.
    pub states_sequence: [usize; 3],
    /// Preference as states.
    pub select: StateSelect,
}

impl Default for FreeOrientation {
    fn default() -> Self {
        FreeOrientation {
            angles: [Start::default(); 3],
            sequence: [1, 2, 3],
            w: [Start::default(); 3],
            w_in_b: false,
            use_quaternions: true,
            states_sequence: [1, 2, 3],
            select: StateSelect::Default,
        }
    }
}

/// The value of an expression of constants.
fn number(ex: Ex) -> f64 {
    ex.constant_value().unwrap_or(f64::NAN)
}

/// Start values with their rates where angles follow each other about given axes.
struct StartAngles {
    phi: [f64; 3],
    phi_d: [f64; 3],
}

impl FreeOrientation {
    /// The orientation of frame `b` in frame `a` that the start angles describe.
    pub fn start_rotation(&self, c: &Contribution<'_>) -> Result<Matrix, Error> {
        let sequence = c.check_sequence("sequence_start", self.sequence)?;
        Ok(axes_rotations(sequence, &self.angles.map(|start| Ex::from(start.value))))
    }

    /// Adds a joint from `a` to `b` whose slides are followed by this orientation.
    pub fn join(
        &self,
        c: &mut Contribution<'_>,
        [a, b]: [FrameEnd; 2],
        slides: &[CoordinateId],
        names: Names,
        optional: Option<usize>,
    ) -> Result<[CoordinateId; 3], Error> {
        for (k, start) in self.angles.iter().enumerate() {
            c.finite(&format!("angles_start[{}]", k + 1), start.value, "rad")?;
        }
        for (k, start) in self.w.iter().enumerate() {
            c.finite(&format!("{}[{}]", names.w_start, k + 1), start.value, "rad/s")?;
        }
        let sequence = c.check_sequence("sequence_start", self.sequence)?;
        let angles = self.angles.map(|start| Ex::from(start.value));
        let t = axes_rotations(sequence, &angles);
        let w = Vector::from(self.w.map(|start| Ex::from(start.value)));
        let w = if self.w_in_b { w } else { t * w };
        let angles_fixed = self.angles.iter().any(|start| start.fixed);
        let w_fixed = self.w.iter().any(|start| start.fixed);
        let angle = |value: f64| Start {
            value,
            fixed: angles_fixed,
            given: self.angles.iter().any(|start| start.given),
        };
        let speed = |value: f64| Start {
            value,
            fixed: w_fixed,
            given: self.w.iter().any(|start| start.given),
        };

        let states = c.check_sequence("sequence_angleStates", self.states_sequence)?;
        let turned = if states == sequence {
            let [x, y, z] = self.angles.map(|start| start.value);
            StartAngles { phi: [x, y, z], phi_d: angle_rates(states, &angles, &w).map(number) }
        } else {
            let phi = axes_rotations_angles(&t, states, Ex::zero());
            StartAngles { phi: phi.map(number), phi_d: angle_rates(states, &phi, &w).map(number) }
        };
        let axes = states.axes().map(|axis| [X, Y, Z][axis - 1]);
        let turn = |c: &mut Contribution<'_>, k: usize| {
            let text = "Angle about an axis of the sequence";
            let phi = angle(turned.phi[k]);
            let phi = candidate(c, names.phi, k, "rad", text, phi);
            let text = "Derivative of the angle";
            let phi_d = speed(turned.phi_d[k]);
            (axes[k], phi, candidate(c, names.phi_d, k, "rad/s", text, phi_d))
        };
        let turns = [turn(c, 0), turn(c, 1), turn(c, 2)];
        if !self.use_quaternions {
            let coordinates = turns.map(|(axis, phi, phi_d)| {
                c.coordinate(Freedom::Turn, axis, [phi, phi_d], self.select)
            });
            let all: Vec<CoordinateId> = slides.iter().chain(&coordinates).copied().collect();
            c.optional_joint(a, b, &all, optional);
            return Ok(coordinates);
        }
        let quaternion = quaternion_from_rotation(&t, &NULL_QUATERNION.map(Ex::from));
        let quaternion = [0, 1, 2, 3].map(|k| {
            let text = "Component of the quaternion from frame_a to frame_b; the fourth is scalar";
            let value = angle(number(quaternion[k]));
            candidate(c, names.quaternion, k, "1", text, value)
        });
        let speeds = [0, 1, 2].map(|k| {
            let text = "Angular velocity of frame_b relative to frame_a, resolved in frame_b";
            candidate(c, names.w, k, "rad/s", text, speed(number(w[k])))
        });
        let ball = Ball { quaternion, turns };
        Ok(c.ball_joint(a, b, slides, (ball, speeds, self.select), optional))
    }
}

fn candidate(
    c: &mut Contribution<'_>,
    local: &'static str,
    k: usize,
    unit: &'static str,
    describe: &'static str,
    start: Start,
) -> Candidate {
    c.named_candidate(element(local, k + 1), unit, describe, start)
}

/// The methods that set the free orientation of a joint, kept in its field `orientation`.
macro_rules! orientation_setters {
    ($Component:ident) => {
        impl $Component {
            /// Start angles in rad that turn `frame_a` into `frame_b`, about the axes
            /// `sequence_start` one after the other. One that is fixed fixes all three.
            #[must_use]
            pub fn angles_start(mut self, angles: [crate::start::Start; 3]) -> Self {
                self.orientation.angles = angles;
                self
            }

            /// Axes of the start angles; by default 1, 2, 3.
            #[must_use]
            pub fn sequence_start(mut self, sequence: [usize; 3]) -> Self {
                self.orientation.sequence = sequence;
                self
            }

            /// Start value of the relative angular velocity in rad/s, resolved in `frame_a`. A
            /// component that is fixed fixes all three.
            #[must_use]
            pub fn w_rel_a_start(mut self, w: [crate::start::Start; 3]) -> Self {
                self.orientation.w = w;
                self
            }

            /// Axes of the angles that describe the orientation; by default 1, 2, 3.
            #[must_use]
            pub fn sequence_angle_states(mut self, sequence: [usize; 3]) -> Self {
                self.orientation.states_sequence = sequence;
                self
            }
        }

        $crate::multibody::quaternion_setter!($Component);
    };
}
pub(in crate::multibody) use orientation_setters;

/// The method that chooses how the free orientation in the field `orientation` is described.
macro_rules! quaternion_setter {
    ($Component:ident) => {
        impl $Component {
            /// Whether a quaternion describes the orientation (default), or three angles. These
            /// fail near positions where their first and last axis are parallel.
            #[must_use]
            pub fn use_quaternions(mut self, use_quaternions: bool) -> Self {
                self.orientation.use_quaternions = use_quaternions;
                self
            }
        }
    };
}
pub(crate) use quaternion_setter;
