//! How a body starts if nothing holds it, and the variables that describe it then.

use crate::assembly::element;
use crate::compile::structure::{Candidate, FrameEnd, Freedom, Pose};
use crate::component::{Contribution, CoordinateId};
use crate::error::Error;
use crate::multibody::joints::{FreeOrientation, Names};
use crate::start::Start;
use crate::vector::{Vector, X, Y, Z};
use equations::Ex;

/// Start values of a body in the world.
#[derive(Clone, Debug, Default)]
pub(super) struct Free {
    /// Position of `frame_a` in m, in world axes.
    pub r_0: [Start; 3],
    /// Velocity of `frame_a` in m/s, in world axes.
    pub v_0: [Start; 3],
    /// Acceleration of `frame_a` in m/s2, in world axes.
    pub a_0: [Start; 3],
    /// Angular acceleration in rad/s2, in world axes.
    pub z_0: [Start; 3],
    /// Orientation and angular velocity of `frame_a`.
    pub orientation: FreeOrientation,
    /// Whether these variables describe the body even if joints hold it.
    pub enforce_states: bool,
}

/// The order in which parts are held in the world themselves: those of low number first.
pub(super) const BODY: usize = 0;
/// Point masses have no orientation: whatever has one comes first.
pub(super) const POINT_MASS: usize = 1;

impl Free {
    /// The joint that holds a body if nothing else does; `inner` is put in front of the names of
    /// the orientation's variables.
    pub fn join(
        &self,
        c: &mut Contribution<'_>,
        frame: FrameEnd,
        inner: &'static str,
    ) -> Result<(), Error> {
        let names = match inner {
            "" => Names { quaternion: "Q", w: "w_a", phi: "phi", phi_d: "phi_d" },
            _ => {
                Names { quaternion: "body.Q", w: "body.w_a", phi: "body.phi", phi_d: "body.phi_d" }
            }
        };
        let world = c.ground(Pose::identity());
        let slides = self.slides(c)?;
        let optional = (!self.enforce_states).then_some(BODY);
        let turns = self.orientation.join(c, [world, frame], &slides, names, optional);
        for (k, start) in self.z_0.iter().enumerate() {
            c.finite(&format!("z_0_start[{}]", k + 1), start.value, "rad/s2")?;
        }
        if self.z_0.iter().any(|start| start.fixed) {
            let z_0 = Vector::from(self.z_0.map(|start| Ex::from(start.value)));
            let z_a = self.orientation.start_rotation() * z_0;
            c.initial_angular_acceleration(frame, turns, [z_a[0], z_a[1], z_a[2]]);
        }
        Ok(())
    }

    /// The joint that holds a point mass if nothing else does.
    pub fn join_point(&self, c: &mut Contribution<'_>, frame: FrameEnd) -> Result<(), Error> {
        let world = c.ground(Pose::identity());
        let slides = self.slides(c)?;
        c.optional_joint(world, frame, &slides, Some(POINT_MASS));
        Ok(())
    }

    fn slides(&self, c: &mut Contribution<'_>) -> Result<[CoordinateId; 3], Error> {
        let candidate = |c: &mut Contribution<'_>, local, k, unit, text, start: Start| {
            let local = element(local, k + 1);
            c.finite(local, start.value, unit)?;
            Ok::<Candidate, Error>(c.named_candidate(local, unit, text, start))
        };
        let axes = [X, Y, Z];
        let mut slide = |k: usize| {
            let text = "Position vector from world frame to frame_a, resolved in world frame";
            let r_0 = candidate(c, "r_0", k, "m", text, self.r_0[k])?;
            let text = "Absolute velocity of frame_a, resolved in world frame";
            let v_0 = candidate(c, "v_0", k, "m/s", text, self.v_0[k])?;
            let select = self.orientation.select;
            c.finite(element("a_0", k + 1), self.a_0[k].value, "m/s2")?;
            let coordinate = c.coordinate(Freedom::Slide, axes[k], [r_0, v_0], select);
            if self.a_0[k].fixed {
                c.initial_acceleration(coordinate, self.a_0[k].value);
            }
            Ok::<_, Error>(coordinate)
        };
        Ok([slide(0)?, slide(1)?, slide(2)?])
    }
}

/// The methods that set how a body starts, kept in its field `free`.
macro_rules! free_setters {
    ($Component:ident) => {
        impl $Component {
            /// Start value of the position of `frame_a` in m, resolved in the world frame.
            #[must_use]
            pub fn r_0(mut self, r_0: [crate::start::Start; 3]) -> Self {
                self.free.r_0 = r_0;
                self
            }

            /// Start value of the velocity of `frame_a` in m/s, resolved in the world frame.
            #[must_use]
            pub fn v_0(mut self, v_0: [crate::start::Start; 3]) -> Self {
                self.free.v_0 = v_0;
                self
            }

            /// Start angles in rad that turn the world frame into `frame_a`, about the axes
            /// `sequence_start` one after the other. One that is fixed fixes all three.
            #[must_use]
            pub fn angles_start(mut self, angles: [crate::start::Start; 3]) -> Self {
                self.free.orientation.angles = angles;
                self
            }

            /// Axes of the start angles; by default 1, 2, 3.
            #[must_use]
            pub fn sequence_start(mut self, sequence: [usize; 3]) -> Self {
                self.free.orientation.sequence =
                    crate::orientation::Sequence::new(sequence).unwrap_or_default();
                self
            }

            /// Start value of the angular velocity in rad/s, resolved in the world frame. A
            /// component that is fixed fixes all three.
            #[must_use]
            pub fn w_0_start(mut self, w_0: [crate::start::Start; 3]) -> Self {
                self.free.orientation.w = w_0;
                self
            }

            /// Initial acceleration of `frame_a` in m/s2, resolved in the world frame; counts only
            /// where it is fixed, which is refused if something else holds the body.
            #[must_use]
            pub fn a_0(mut self, a_0: [crate::start::Start; 3]) -> Self {
                self.free.a_0 = a_0;
                self
            }

            /// Initial angular acceleration in rad/s2, resolved in the world frame; counts only if
            /// it is fixed, which is refused if something else holds the body. A component that is
            /// fixed fixes all three. It determines the orientation at the start, or if that is
            /// fixed the angular velocity.
            #[must_use]
            pub fn z_0_start(mut self, z_0: [crate::start::Start; 3]) -> Self {
                self.free.z_0 = z_0;
                self
            }

            /// Position and orientation of the body are states rather than those of the joints
            /// that hold it.
            #[must_use]
            pub fn enforce_states(mut self) -> Self {
                self.free.enforce_states = true;
                self.free.orientation.select = crate::start::StateSelect::Prefer;
                self
            }

            /// Whether a quaternion describes the orientation (default), or three angles. These
            /// fail near positions where their first and last axis are parallel.
            #[must_use]
            pub fn use_quaternions(mut self, use_quaternions: bool) -> Self {
                self.free.orientation.use_quaternions = use_quaternions;
                self
            }

            /// Axes of the angles that describe the orientation; by default 1, 2, 3.
            #[must_use]
            pub fn sequence_angle_states(mut self, sequence: [usize; 3]) -> Self {
                self.free.orientation.states_sequence =
                    crate::orientation::Sequence::new(sequence).unwrap_or_default();
                self
            }
        }
    };
}
pub(super) use free_setters;
