//! Sensors of one quantity of the motion of a frame.

use super::measure::{Absolute, Angles, OfFrame, angles, of_frame};
use crate::multibody::ResolveInFrameA;
use mechanics::declaration::prelude::*;

component! {
    /// Ideal sensor of the absolute position of a frame.
    ///
    /// # Equations
    /// `r` is the vector `frame_a.r_0` in the axes of `resolve_in_frame`.
    pub struct AbsolutePosition = "Modelica.Mechanics.MultiBody.Sensors.AbsolutePosition" {
        ..of: of_frame,
    }
    variables {
        /// Absolute position vector
        r: Vector["m"],
    }
}

impl Component for AbsolutePosition {
    fn contribute(p: AbsolutePositionParameters, c: &mut Contribution<'_>) -> Result<(), Error> {
        Absolute::new(c, p.of.resolve_in_frame)?.position(c);
        Ok(())
    }
}

component! {
    /// Ideal sensor of the absolute velocity of the origin of a frame.
    ///
    /// # Equations
    /// `v` is the vector `der(frame_a.r_0)` in the axes of `resolve_in_frame`.
    pub struct AbsoluteVelocity = "Modelica.Mechanics.MultiBody.Sensors.AbsoluteVelocity" {
        ..of: of_frame,
    }
    variables {
        /// Absolute velocity vector
        v: Vector["m/s"],
    }
}

impl Component for AbsoluteVelocity {
    fn contribute(p: AbsoluteVelocityParameters, c: &mut Contribution<'_>) -> Result<(), Error> {
        Absolute::new(c, p.of.resolve_in_frame)?.velocity(c);
        Ok(())
    }
}

component! {
    /// Ideal sensor of the angles of a frame.
    ///
    /// # Equations
    /// Successive rotations by `angles` about the axes of `sequence` lead from the world to
    /// `frame_a`.
    pub struct AbsoluteAngles = "Modelica.Mechanics.MultiBody.Sensors.AbsoluteAngles" {
        ..angles: angles,
    }
    ports {
        /// Measured frame
        frame_a: Frame,
    }
}

impl Component for AbsoluteAngles {
    fn contribute(p: AbsoluteAnglesParameters, c: &mut Contribution<'_>) -> Result<(), Error> {
        let frame = c.frame("frame_a");
        p.angles.publish(c, move |e| e.pose(frame).t);
        Ok(())
    }
}

component! {
    /// Ideal sensor of the absolute angular velocity of a frame.
    ///
    /// # Equations
    /// `w` is the angular velocity of `frame_a` in the axes of `resolve_in_frame`.
    pub struct AbsoluteAngularVelocity =
        "Modelica.Mechanics.MultiBody.Sensors.AbsoluteAngularVelocity" {
        ..of: of_frame,
    }
    variables {
        /// Absolute angular velocity vector
        w: Vector["rad/s"],
    }
}

impl Component for AbsoluteAngularVelocity {
    fn contribute(
        p: AbsoluteAngularVelocityParameters,
        c: &mut Contribution<'_>,
    ) -> Result<(), Error> {
        Absolute::new(c, p.of.resolve_in_frame)?.angular_velocity(c);
        Ok(())
    }
}
