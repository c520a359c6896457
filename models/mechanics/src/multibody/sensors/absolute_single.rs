//! Sensors of one quantity of the motion of a frame.

use super::measure::{Absolute, Angles};
use crate::component::{Contribution, OldComponent};
use crate::error::Error;
use crate::multibody::resolve::{Axes, ResolveInFrameA};
use crate::{ports, setters};

/// Ideal sensor of the absolute position of a frame.
///
/// # Equations
/// `r` is the vector `frame_a.r_0` in the axes of `resolve_in_frame`.
///
/// # Variables
/// `r` in m; `resolve_in_frame` is `frame_a` unless given.
///
/// # Reference
/// Modelica.Mechanics.MultiBody.Sensors.AbsolutePosition.
#[derive(Clone, Debug)]
pub struct AbsolutePosition {
    resolve_in_frame: ResolveInFrameA,
}

ports! {
    /// Ports and variables of an [`AbsolutePosition`].
    pub struct AbsolutePositionPorts {
        /// The measured frame.
        frame_a: frame,
        /// The frame in which the vector is resolved, with that choice only.
        frame_resolve: frame,
        /// Position in m.
        r: vector,
    }
}

impl Default for AbsolutePosition {
    fn default() -> Self {
        AbsolutePosition { resolve_in_frame: ResolveInFrameA::FrameA }
    }
}

setters! {
    impl AbsolutePosition {
        /// Axes in which the vector is resolved.
        resolve_in_frame: ResolveInFrameA,
    }
}

impl OldComponent for AbsolutePosition {
    type Ports = AbsolutePositionPorts;

    fn contribute(&self, c: &mut Contribution<'_>) -> Result<(), Error> {
        let frame = c.frame("frame_a");
        let axes = Axes::new(c, self.resolve_in_frame)?;
        Absolute { frame, axes }.position(c);
        Ok(())
    }
}

/// Ideal sensor of the absolute velocity of the origin of a frame.
///
/// # Equations
/// `v` is the vector `der(frame_a.r_0)` in the axes of `resolve_in_frame`.
///
/// # Variables
/// `v` in m/s; `resolve_in_frame` is `frame_a` unless given.
///
/// # Reference
/// Modelica.Mechanics.MultiBody.Sensors.AbsoluteVelocity.
#[derive(Clone, Debug)]
pub struct AbsoluteVelocity {
    resolve_in_frame: ResolveInFrameA,
}

ports! {
    /// Ports and variables of an [`AbsoluteVelocity`].
    pub struct AbsoluteVelocityPorts {
        /// The measured frame.
        frame_a: frame,
        /// The frame in which the vector is resolved, with that choice only.
        frame_resolve: frame,
        /// Velocity in m/s.
        v: vector,
    }
}

impl Default for AbsoluteVelocity {
    fn default() -> Self {
        AbsoluteVelocity { resolve_in_frame: ResolveInFrameA::FrameA }
    }
}

setters! {
    impl AbsoluteVelocity {
        /// Axes in which the vector is resolved.
        resolve_in_frame: ResolveInFrameA,
    }
}

impl OldComponent for AbsoluteVelocity {
    type Ports = AbsoluteVelocityPorts;

    fn contribute(&self, c: &mut Contribution<'_>) -> Result<(), Error> {
        let frame = c.frame("frame_a");
        let axes = Axes::new(c, self.resolve_in_frame)?;
        Absolute { frame, axes }.velocity(c);
        Ok(())
    }
}

/// Ideal sensor of the angles of a frame.
///
/// # Equations
/// `angles` turn the world, about the axes of `sequence`, into `frame_a`.
///
/// # Variables
/// `angles` in rad; `sequence` is `{1, 2, 3}` and `guess_angle1` is 0 rad unless given.
///
/// # Reference
/// Modelica.Mechanics.MultiBody.Sensors.AbsoluteAngles.
#[derive(Clone, Debug)]
pub struct AbsoluteAngles {
    sequence: [usize; 3],
    guess_angle1: f64,
}

ports! {
    /// Ports and variables of an [`AbsoluteAngles`].
    pub struct AbsoluteAnglesPorts {
        /// The measured frame.
        frame_a: frame,
        /// Angles in rad.
        angles: vector,
    }
}

impl Default for AbsoluteAngles {
    fn default() -> Self {
        let Angles { sequence, guess_angle1 } = Angles::default();
        AbsoluteAngles { sequence, guess_angle1 }
    }
}

setters! {
    impl AbsoluteAngles {
        /// Axes of the three rotations, 1 to 3.
        sequence: [usize; 3],
        /// Near which value the first angle is, in rad.
        guess_angle1: f64,
    }
}

impl OldComponent for AbsoluteAngles {
    type Ports = AbsoluteAnglesPorts;

    fn contribute(&self, c: &mut Contribution<'_>) -> Result<(), Error> {
        let frame = c.frame("frame_a");
        let angles = Angles { sequence: self.sequence, guess_angle1: self.guess_angle1 };
        angles.publish(c, move |e| e.pose(frame).t)
    }
}

/// Ideal sensor of the absolute angular velocity of a frame.
///
/// # Equations
/// `w` is the angular velocity of `frame_a` in the axes of `resolve_in_frame`.
///
/// # Variables
/// `w` in rad/s; `resolve_in_frame` is `frame_a` unless given.
///
/// # Reference
/// Modelica.Mechanics.MultiBody.Sensors.AbsoluteAngularVelocity.
#[derive(Clone, Debug)]
pub struct AbsoluteAngularVelocity {
    resolve_in_frame: ResolveInFrameA,
}

ports! {
    /// Ports and variables of an [`AbsoluteAngularVelocity`].
    pub struct AbsoluteAngularVelocityPorts {
        /// The measured frame.
        frame_a: frame,
        /// The frame in which the vector is resolved, with that choice only.
        frame_resolve: frame,
        /// Angular velocity in rad/s.
        w: vector,
    }
}

impl Default for AbsoluteAngularVelocity {
    fn default() -> Self {
        AbsoluteAngularVelocity { resolve_in_frame: ResolveInFrameA::FrameA }
    }
}

setters! {
    impl AbsoluteAngularVelocity {
        /// Axes in which the vector is resolved.
        resolve_in_frame: ResolveInFrameA,
    }
}

impl OldComponent for AbsoluteAngularVelocity {
    type Ports = AbsoluteAngularVelocityPorts;

    fn contribute(&self, c: &mut Contribution<'_>) -> Result<(), Error> {
        let frame = c.frame("frame_a");
        let axes = Axes::new(c, self.resolve_in_frame)?;
        Absolute { frame, axes }.angular_velocity(c);
        Ok(())
    }
}
