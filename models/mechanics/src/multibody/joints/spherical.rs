//! Spherical joint.

use super::free_orientation::{FreeOrientation, Names};
use crate::component::{Component, Contribution};
use crate::error::Error;
use crate::ports;
use crate::start::{Start, StateSelect};

/// Spherical joint: two origins coincide, all rotations are free.
///
/// # Equations
/// `frame_b.r_0 = frame_a.r_0`; no torques.
///
/// # Variables
/// In an open chain the quaternion `Q` from `frame_a` to `frame_b` and the relative angular velocity
/// `w_rel` in rad/s, resolved in `frame_b`, are states; where the joint is part of a loop, or with
/// `use_quaternions(false)`, the angles `phi` in rad and their derivatives `phi_d`.
///
/// # Reference
/// Modelica.Mechanics.MultiBody.Joints.Spherical.
#[derive(Clone, Debug, Default)]
pub struct Spherical {
    orientation: FreeOrientation,
}

ports! {
    /// Ports of a [`Spherical`] joint.
    pub struct SphericalPorts {
        /// Frame on one side.
        frame_a: frame,
        /// Frame on the other side.
        frame_b: frame,
    }
}

const NAMES: Names = Names { quaternion: "Q", w: "w_rel", phi: "phi", phi_d: "phi_d" };

impl Spherical {
    /// Start angles in rad, about the axes `sequence_start` one after the other.
    #[must_use]
    pub fn angles_start(mut self, angles: [Start; 3]) -> Self {
        self.orientation.angles = angles;
        self
    }

    /// Axes of the start angles; by default 1, 2, 3.
    #[must_use]
    pub fn sequence_start(mut self, sequence: [usize; 3]) -> Self {
        self.orientation.sequence = sequence;
        self
    }

    /// Start value of the relative angular velocity in rad/s, resolved in `frame_a`.
    #[must_use]
    pub fn w_rel_a_start(mut self, w: [Start; 3]) -> Self {
        self.orientation.w = w;
        self
    }

    /// Whether a quaternion describes the orientation (default), or three angles.
    #[must_use]
    pub fn use_quaternions(mut self, use_quaternions: bool) -> Self {
        self.orientation.use_quaternions = use_quaternions;
        self
    }

    /// Axes of the angles that describe the orientation; by default 1, 2, 3.
    #[must_use]
    pub fn sequence_angle_states(mut self, sequence: [usize; 3]) -> Self {
        self.orientation.states_sequence = sequence;
        self
    }

    /// The orientation must be described by states of this joint.
    #[must_use]
    pub fn enforce_states(mut self) -> Self {
        self.orientation.select = StateSelect::Always;
        self
    }
}

impl Component for Spherical {
    type Ports = SphericalPorts;

    fn contribute(&self, c: &mut Contribution<'_>) -> Result<(), Error> {
        let (a, b) = (c.frame("frame_a"), c.frame("frame_b"));
        self.orientation.join(c, [a, b], &[], NAMES, None)?;
        Ok(())
    }
}
