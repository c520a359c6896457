//! A free orientation with its start in degrees.

use super::init::{ANGULAR, InitType, States, check_vectors};
use crate::assembly::element;
use crate::compile::structure::{FrameEnd, Holds, Pose, Twist};
use crate::component::{Contribution, CoordinateId};
use crate::error::Error;
use crate::multibody::{FreeOrientation, Names, Relative, second_rates};
use crate::orientation::Sequence;
use crate::vector::{Vector, constant};
use equations::Ex;
use std::rc::Rc;

const NAMES: Names = Names { quaternion: "Q", w: "w", phi: "phi", phi_d: "phi_d" };

/// Start of an orientation, and how it is described.
#[derive(Clone, Copy, Debug)]
pub(super) struct Orientation {
    /// Start angles in deg.
    pub phi_start: Option<[f64; 3]>,
    /// Start value of the relative angular velocity in deg/s, resolved in frame `b`.
    pub w_start: Option<[f64; 3]>,
    /// Initial derivative of its components in deg/s2.
    pub z_start: Option<[f64; 3]>,
    /// Whether a quaternion describes it; otherwise angles.
    pub use_quaternions: bool,
    /// Axes of the angles.
    pub sequence: [usize; 3],
}

impl Default for Orientation {
    fn default() -> Self {
        let (phi_start, w_start, z_start) = (None, None, None);
        Orientation { phi_start, w_start, z_start, use_quaternions: true, sequence: [1, 2, 3] }
    }
}

impl Orientation {
    /// Adds a joint from `a` to `b` whose slides are followed by this orientation.
    pub fn join(
        &self,
        c: &mut Contribution<'_>,
        [a, b]: [FrameEnd; 2],
        slides: &[CoordinateId],
        states: States,
        optional: Option<usize>,
    ) -> Result<(), Error> {
        let given = [self.phi_start, self.w_start, self.z_start];
        check_vectors(c, ANGULAR, given)?;
        let sequence = c.check_sequence("sequence_angles", self.sequence)?;
        let radians = given.map(|vector| vector.map(|vector| vector.map(f64::to_radians)));
        let [angles, w, z] = states.init_type.vectors(radians);
        let select = states.select();
        let mut orientation = FreeOrientation {
            angles,
            sequence,
            w,
            w_in_b: true,
            use_quaternions: self.use_quaternions,
            states_sequence: sequence,
            select,
        };
        // The rates of angles that are not known yet follow from this velocity only with them.
        let moving = w[0].fixed && w.iter().any(|start| start.value != 0.0);
        if moving && !angles[0].fixed && !self.use_quaternions {
            orientation.w = w.map(|start| crate::start::guess(start.value));
            start_velocity(c, [a, b], w.map(|start| start.value));
        }
        let coordinates = orientation.join(c, [a, b], slides, NAMES, optional);
        states.tell(c, slides);
        states.tell(c, &coordinates);
        if z[0].fixed {
            self.check_accelerations(c, states.init_type)?;
            let z = z.map(|start| start.value);
            start_acceleration(c, [a, b], (coordinates, sequence), z);
        }
        Ok(())
    }

    fn check_accelerations(&self, c: &Contribution<'_>, init_type: InitType) -> Result<(), Error> {
        if self.use_quaternions && init_type != InitType::PositionVelocityAcceleration {
            let [x, y, z] = self.z_start.unwrap_or_default();
            return Err(c.refuse(
                "z_start",
                format!(
                    "{{{x}, {y}, {z}}} deg/s2 cannot determine a quaternion: fix the position too, \
                     or describe the orientation by angles"
                ),
            ));
        }
        Ok(())
    }
}

/// Publishes the motion of `b` relative to `a`: `w` and `z`, resolved in `b`.
pub(super) fn publish_rotation(c: &mut Contribution<'_>, [a, b]: [FrameEnd; 2]) {
    c.law(move |e| {
        let w = Relative::new([e.pose(a), e.pose(b)]).w(&e.velocity(a), &e.velocity(b));
        let text = "Angular velocity of frame_b relative to frame_a, resolved in frame_b";
        e.vector("w", &w, "rad/s", text);
        Ok(())
    });
    c.after(move |e| {
        let velocities = [e.velocity(a), e.velocity(b)];
        let accelerations = [e.acceleration(a), e.acceleration(b)];
        let z = Relative::new([e.pose(a), e.pose(b)]).z(&velocities, &accelerations);
        e.vector("z", &z, "rad/s2", "Derivative of the components of w");
        Ok(())
    });
}

/// The relative angular velocity has given components in frame `b` at the start.
fn start_velocity(c: &mut Contribution<'_>, frames: [FrameEnd; 2], w: [f64; 3]) {
    let gap = move |poses: &[Pose], velocities: &[Twist]| {
        let now = Relative::new([poses[0], poses[1]]).w(&velocities[0], &velocities[1]);
        (now - constant(w)).iter().copied().collect()
    };
    c.constraint(&frames, &[], None, Holds::StartSpeed(Rc::new(gap)));
}

/// The components of the relative angular velocity in frame `b` have given derivatives at the
/// start.
fn start_acceleration(
    c: &mut Contribution<'_>,
    [a, b]: [FrameEnd; 2],
    (coordinates, sequence): ([CoordinateId; 3], Sequence),
    z: [f64; 3],
) {
    for (k, coordinate) in coordinates.into_iter().enumerate() {
        c.initial_acceleration_law(coordinate, move |e| {
            let angles = [1, 2, 3].map(|i| element(NAMES.phi, i));
            if !e.is_known(angles[0]) {
                return Ok(z[k].into());
            }
            let [x, y, last] = angles;
            let angles: [Ex; 3] = [e.read_own(x)?, e.read_own(y)?, e.read_own(last)?];
            let w: Vector = Relative::new([e.pose(a), e.pose(b)]).w(&e.velocity(a), &e.velocity(b));
            Ok(second_rates(sequence, &angles, [&w, &constant(z)])[k])
        });
    }
}

/// The methods that set what is kept in the field `orientation`.
macro_rules! orientation_setters {
    ($Component:ident) => {
        impl $Component {
            /// Start angles in deg, about the axes `sequence_angles` one after the other.
            #[must_use]
            pub fn phi_start(mut self, phi_start: [f64; 3]) -> Self {
                self.orientation.phi_start = Some(phi_start);
                self
            }

            /// Start value of the angular velocity in deg/s, resolved in the turned frame.
            #[must_use]
            pub fn w_start(mut self, w_start: [f64; 3]) -> Self {
                self.orientation.w_start = Some(w_start);
                self
            }

            /// Initial derivative of the components of the angular velocity in deg/s2.
            #[must_use]
            pub fn z_start(mut self, z_start: [f64; 3]) -> Self {
                self.orientation.z_start = Some(z_start);
                self
            }

            /// Axes of the angles, 1 to 3; by default 1, 2, 3.
            #[must_use]
            pub fn sequence_angles(mut self, sequence: [usize; 3]) -> Self {
                self.orientation.sequence = sequence;
                self
            }
        }

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
pub(super) use orientation_setters;
