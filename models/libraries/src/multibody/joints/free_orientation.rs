//! A free orientation between two frames: its start values and its variables.

use mechanics::assembly::element;
use mechanics::component::CoordinateId;
use mechanics::declaration::{group, prelude::*};
use mechanics::orientation::{
    NULL_QUATERNION, Sequence, angle_rates, axes_rotations, axes_rotations_angles,
    quaternion_from_rotation, turns_quaternion,
};
use mechanics::statements::contributions::multibody::QuaternionOrientation;
use mechanics::statements::contributions::multibody::SuccessiveTurn;
use mechanics::statements::contributions::start_variable::StartVariable;
use mechanics::statements::motion::ends::FrameEnd;
use mechanics::vector::{Matrix, Vector};

/// Names of the variables.
#[derive(Clone, Copy, Debug)]
pub(crate) struct OrientationNames {
    /// The quaternion.
    pub quaternion: &'static str,
    /// Relative angular velocity in frame `b`.
    pub w: &'static str,
    /// Angles.
    pub phi: &'static str,
    /// Derivatives of the angles.
    pub phi_d: &'static str,
}

group! {
    /// Start values and description of a free orientation.
    pub struct Orientation(orientation) {
        /// Start angles about the axes of `sequence_start`; if one is fixed, all are
        angles_start: [Start; 3]["rad"] = [free(); 3],
        /// Axes of the successive rotations by the start angles
        sequence_start: [usize; 3][structural] = [1, 2, 3],
        /// Whether start values are those of the quaternion; if not, they are those of the angles
        /// phi, which are then variables too. The states are the same
        use_quaternions: bool = true,
        /// Axes of the angles phi; without them x, y, z or, in a loop, those that the build
        /// chooses
        sequence_angle_states "sequence_angleStates"?: [usize; 3][structural],
    }
}

group! {
    /// Variables of a free orientation: a quaternion and angles.
    pub struct OrientationVariables(orientation_variables) {}
    variables {
        /// Component of the quaternion from frame_a to frame_b; the fourth one is the scalar part
        q "Q"?: Quaternion["1"],
        /// Angle of a rotation of the sequence
        phi?: Vector["rad"],
        /// Derivative of the angle
        phi_d?: Vector["rad/s"],
    }
}

/// Start values and states of a free orientation.
#[derive(Clone, Debug)]
pub(crate) struct FreeOrientation {
    /// Start angles in rad, for the axes of `sequence`.
    pub angles: [Start; 3],
    /// Axes of the start angles.
    pub sequence: Sequence,
    /// Start value of the angular velocity in rad/s, resolved in frame `a`.
    pub w: [Start; 3],
    /// Whether `w` is resolved in frame `b` instead.
    pub w_in_b: bool,
    /// Whether the quaternion is given a start value, instead of three angles about
    /// `states_sequence`.
    pub use_quaternions: bool,
    /// Axes of these angles; `None`: the default axes, or in a loop the axes chosen by the build.
    pub states_sequence: Option<Sequence>,
    /// Preference of the coordinates as states.
    pub select: StateSelect,
}

impl Default for FreeOrientation {
    fn default() -> Self {
        FreeOrientation {
            angles: [free(); 3],
            sequence: Sequence::XYZ,
            w: [free(); 3],
            w_in_b: false,
            use_quaternions: true,
            states_sequence: None,
            select: StateSelect::Default,
        }
    }
}

impl Orientation {
    /// The free orientation with a start value of the angular velocity in rad/s, resolved in frame
    /// `a`.
    pub(crate) fn turning(self, w: [Start; 3], select: StateSelect) -> FreeOrientation {
        FreeOrientation {
            angles: self.angles_start,
            sequence: self.sequence_start,
            w,
            w_in_b: false,
            use_quaternions: self.use_quaternions,
            states_sequence: self.sequence_angle_states,
            select,
        }
    }
}

/// The value of an expression that contains constants only.
fn number(ex: Ex) -> f64 {
    ex.constant_value().unwrap_or(f64::NAN)
}

/// Start values all of which are fixed or given if one of these is.
fn alike(starts: [Start; 3]) -> impl Fn(f64) -> Start {
    let fixed = starts.iter().any(|start| start.fixed);
    let given = starts.iter().any(|start| start.given);
    move |value| Start { value, fixed, given }
}

impl FreeOrientation {
    /// The orientation of frame `b` relative to frame `a` for the start angles.
    pub fn start_rotation(&self) -> Matrix {
        axes_rotations(self.sequence, &self.angles.map(|start| Ex::from(start.value)))
    }

    /// Adds a joint from `a` to `b` with these translations, followed by this orientation.
    pub fn join(
        &self,
        c: &mut Contribution<'_>,
        [a, b]: [FrameEnd; 2],
        slides: &[CoordinateId],
        names: OrientationNames,
        optional: Option<usize>,
    ) -> [CoordinateId; 3] {
        let (t, states) = (self.start_rotation(), self.states_sequence.unwrap_or_default());
        let w = Vector::from(self.w.map(|start| Ex::from(start.value)));
        let w = if self.w_in_b { w } else { t * w };
        let (angle, speed) = (alike(self.angles), alike(self.w));
        let angles = match states == self.sequence {
            true => self.angles.map(|start| Ex::from(start.value)),
            false => axes_rotations_angles(&t, states, Ex::zero()),
        };
        let rates = angle_rates(states, &angles, &w);
        let axes = states.axes().map(|axis| [X, Y, Z][axis - 1]);
        let turn = |c: &mut Contribution<'_>, k: usize| {
            let angle = start_variable(c, names.phi, k, "rad", angle(number(angles[k])));
            let speed = start_variable(c, names.phi_d, k, "rad/s", speed(number(rates[k])));
            SuccessiveTurn { axis: axes[k], angle, speed }
        };
        let turns = [turn(c, 0), turn(c, 1), turn(c, 2)];
        let quaternion = match self.use_quaternions {
            true => quaternion_from_rotation(&t, &NULL_QUATERNION.map(Ex::from)),
            false => turns_quaternion(axes, &angles),
        };
        let quaternion = [0, 1, 2, 3]
            .map(|k| start_variable(c, names.quaternion, k, "1", angle(number(quaternion[k]))));
        let speeds = [0, 1, 2].map(|k| start_variable(c, names.w, k, "rad/s", speed(number(w[k]))));
        let orientation = QuaternionOrientation {
            quaternion,
            turns,
            given_sequence: self.states_sequence.is_some(),
            starts_from_angles: !self.use_quaternions,
        };
        c.spherical_joint(a, b, slides, (orientation, speeds, self.select), optional)
    }
}

/// An element of a variable, whose unit and description are declared by components.
fn start_variable(
    c: &mut Contribution<'_>,
    local: &'static str,
    k: usize,
    unit: &'static str,
    start: Start,
) -> StartVariable {
    c.named_start_variable(element(local, k + 1), unit, start)
}
