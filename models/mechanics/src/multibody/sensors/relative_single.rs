//! Sensors of one quantity of the motion of a frame relative to another one.

use super::measure::{Angles, Relative};
use crate::component::{Contribution, OldComponent};
use crate::error::Error;
use crate::multibody::resolve::{Axes, ResolveInFrameAB};
use crate::{ports, setters};

/// Ideal sensor of the position of a frame relative to another one.
///
/// # Equations
/// `r_rel` is the vector `frame_b.r_0 - frame_a.r_0` in the axes of `resolve_in_frame`.
///
/// # Variables
/// `r_rel` in m; `resolve_in_frame` is `frame_a` unless given.
///
/// # Reference
/// Modelica.Mechanics.MultiBody.Sensors.RelativePosition.
#[derive(Clone, Debug)]
pub struct RelativePosition {
    resolve_in_frame: ResolveInFrameAB,
}

ports! {
    /// Ports and variables of a [`RelativePosition`].
    pub struct RelativePositionPorts {
        /// The frame from which it is measured.
        frame_a: frame,
        /// The frame that is measured.
        frame_b: frame,
        /// The frame in which the vector is resolved, with that choice only.
        frame_resolve: frame,
        /// Position in m.
        r_rel: vector,
    }
}

impl Default for RelativePosition {
    fn default() -> Self {
        RelativePosition { resolve_in_frame: ResolveInFrameAB::FrameA }
    }
}

setters! {
    impl RelativePosition {
        /// Axes in which the vector is resolved.
        resolve_in_frame: ResolveInFrameAB,
    }
}

impl OldComponent for RelativePosition {
    type Ports = RelativePositionPorts;

    fn contribute(&self, c: &mut Contribution<'_>) -> Result<(), Error> {
        let (a, b) = (c.frame("frame_a"), c.frame("frame_b"));
        let axes = Axes::new(c, self.resolve_in_frame)?;
        Relative { a, b, of: axes, shown: axes }.position(c);
        Ok(())
    }
}

/// Ideal sensor of the velocity of a frame relative to another one.
///
/// # Equations
/// With `T` of `frame_a`: the derivative of `T (frame_b.r_0 - frame_a.r_0)`, as seen from `frame_a`
/// even if that turns; `v_rel` is this vector in the axes of `resolve_in_frame`.
///
/// # Variables
/// `v_rel` in m/s; `resolve_in_frame` is `frame_a` unless given.
///
/// # Reference
/// Modelica.Mechanics.MultiBody.Sensors.RelativeVelocity.
#[derive(Clone, Debug)]
pub struct RelativeVelocity {
    resolve_in_frame: ResolveInFrameAB,
}

ports! {
    /// Ports and variables of a [`RelativeVelocity`].
    pub struct RelativeVelocityPorts {
        /// The frame from which it is measured.
        frame_a: frame,
        /// The frame that is measured.
        frame_b: frame,
        /// The frame in which the vector is resolved, with that choice only.
        frame_resolve: frame,
        /// Velocity in m/s.
        v_rel: vector,
    }
}

impl Default for RelativeVelocity {
    fn default() -> Self {
        RelativeVelocity { resolve_in_frame: ResolveInFrameAB::FrameA }
    }
}

setters! {
    impl RelativeVelocity {
        /// Axes in which the vector is resolved.
        resolve_in_frame: ResolveInFrameAB,
    }
}

impl OldComponent for RelativeVelocity {
    type Ports = RelativeVelocityPorts;

    fn contribute(&self, c: &mut Contribution<'_>) -> Result<(), Error> {
        let (a, b) = (c.frame("frame_a"), c.frame("frame_b"));
        let shown = Axes::new(c, self.resolve_in_frame)?;
        Relative { a, b, of: Axes::Frame(a), shown }.velocity(c);
        Ok(())
    }
}

/// Ideal sensor of the angles of a frame relative to another one.
///
/// # Equations
/// `angles` turn `frame_a`, about the axes of `sequence`, into `frame_b`.
///
/// # Variables
/// `angles` in rad; `sequence` is `{1, 2, 3}` and `guess_angle1` is 0 rad unless given.
///
/// # Reference
/// Modelica.Mechanics.MultiBody.Sensors.RelativeAngles.
#[derive(Clone, Debug)]
pub struct RelativeAngles {
    sequence: [usize; 3],
    guess_angle1: f64,
}

ports! {
    /// Ports and variables of a [`RelativeAngles`].
    pub struct RelativeAnglesPorts {
        /// The frame from which it is measured.
        frame_a: frame,
        /// The frame that is measured.
        frame_b: frame,
        /// Angles in rad.
        angles: vector,
    }
}

impl Default for RelativeAngles {
    fn default() -> Self {
        let Angles { sequence, guess_angle1 } = Angles::default();
        RelativeAngles { sequence, guess_angle1 }
    }
}

setters! {
    impl RelativeAngles {
        /// Axes of the three rotations, 1 to 3.
        sequence: [usize; 3],
        /// Near which value the first angle is, in rad.
        guess_angle1: f64,
    }
}

impl OldComponent for RelativeAngles {
    type Ports = RelativeAnglesPorts;

    fn contribute(&self, c: &mut Contribution<'_>) -> Result<(), Error> {
        let (a, b) = (c.frame("frame_a"), c.frame("frame_b"));
        let angles = Angles { sequence: self.sequence, guess_angle1: self.guess_angle1 };
        angles.publish(c, move |e| e.pose(b).t * e.pose(a).t.transpose())
    }
}

/// Ideal sensor of the angular velocity of a frame relative to another one.
///
/// # Equations
/// `w_rel` is the difference of the angular velocities of `frame_b` and `frame_a` in the axes of
/// `resolve_in_frame`.
///
/// # Variables
/// `w_rel` in rad/s; `resolve_in_frame` is `frame_a` unless given.
///
/// # Reference
/// Modelica.Mechanics.MultiBody.Sensors.RelativeAngularVelocity.
#[derive(Clone, Debug)]
pub struct RelativeAngularVelocity {
    resolve_in_frame: ResolveInFrameAB,
}

ports! {
    /// Ports and variables of a [`RelativeAngularVelocity`].
    pub struct RelativeAngularVelocityPorts {
        /// The frame from which it is measured.
        frame_a: frame,
        /// The frame that is measured.
        frame_b: frame,
        /// The frame in which the vector is resolved, with that choice only.
        frame_resolve: frame,
        /// Angular velocity in rad/s.
        w_rel: vector,
    }
}

impl Default for RelativeAngularVelocity {
    fn default() -> Self {
        RelativeAngularVelocity { resolve_in_frame: ResolveInFrameAB::FrameA }
    }
}

setters! {
    impl RelativeAngularVelocity {
        /// Axes in which the vector is resolved.
        resolve_in_frame: ResolveInFrameAB,
    }
}

impl OldComponent for RelativeAngularVelocity {
    type Ports = RelativeAngularVelocityPorts;

    fn contribute(&self, c: &mut Contribution<'_>) -> Result<(), Error> {
        let (a, b) = (c.frame("frame_a"), c.frame("frame_b"));
        let axes = Axes::new(c, self.resolve_in_frame)?;
        Relative { a, b, of: axes, shown: axes }.angular_velocity(c);
        Ok(())
    }
}
