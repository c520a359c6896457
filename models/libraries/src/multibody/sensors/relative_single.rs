//! Sensors of one quantity of the motion of a frame relative to another one.

use super::measure::{Angles, BetweenFrames, RelativeMeasurement, angles, between_frames};
use crate::multibody::ResolveInFrameAB;
use mechanics::declaration::prelude::*;

component! {
    /// Ideal sensor of the position of a frame relative to another one.
    ///
    /// # Equations
    /// `r_rel` is the vector `frame_b.r_0 - frame_a.r_0` in the axes of `resolve_in_frame`.
    pub struct RelativePosition = "Modelica.Mechanics.MultiBody.Sensors.RelativePosition" {
        ..of: between_frames,
    }
    variables {
        /// Relative position vector
        r_rel: Vector["m"],
    }
}

impl Component for RelativePosition {
    fn contribute(p: RelativePositionParameters, c: &mut Contribution<'_>) -> Result<(), Error> {
        RelativeMeasurement::new(c, [p.of.resolve_in_frame; 2])?.position(c);
        Ok(())
    }
}

component! {
    /// Ideal sensor of the velocity of a frame relative to another one.
    ///
    /// # Equations
    /// With the orientation `T` of `frame_a`, `v_rel` is the derivative of
    /// `T (frame_b.r_0 - frame_a.r_0)`, that is, the velocity relative to the rotating `frame_a`.
    /// It is then resolved in the axes of `resolve_in_frame`.
    pub struct RelativeVelocity = "Modelica.Mechanics.MultiBody.Sensors.RelativeVelocity" {
        ..of: between_frames,
    }
    variables {
        /// Relative velocity vector
        v_rel: Vector["m/s"],
    }
}

impl Component for RelativeVelocity {
    fn contribute(p: RelativeVelocityParameters, c: &mut Contribution<'_>) -> Result<(), Error> {
        RelativeMeasurement::new(c, [ResolveInFrameAB::FrameA, p.of.resolve_in_frame])?.velocity(c);
        Ok(())
    }
}

component! {
    /// Ideal sensor of the angles of a frame relative to another one.
    ///
    /// # Equations
    /// Successive rotations by `angles` about the axes of `sequence` lead from `frame_a` to
    /// `frame_b`.
    pub struct RelativeAngles = "Modelica.Mechanics.MultiBody.Sensors.RelativeAngles" {
        ..angles: angles,
    }
    ports {
        /// Frame of reference
        frame_a: Frame,
        /// Measured frame
        frame_b: Frame,
    }
}

impl Component for RelativeAngles {
    fn contribute(p: RelativeAnglesParameters, c: &mut Contribution<'_>) -> Result<(), Error> {
        let (a, b) = (c.frame("frame_a"), c.frame("frame_b"));
        p.angles.publish(c, move |e| e.pose(b).t * e.pose(a).t.transpose());
        Ok(())
    }
}

component! {
    /// Ideal sensor of the angular velocity of a frame relative to another one.
    ///
    /// # Equations
    /// `w_rel` is the difference of the angular velocities of `frame_b` and `frame_a` in the axes
    /// of `resolve_in_frame`.
    pub struct RelativeAngularVelocity =
        "Modelica.Mechanics.MultiBody.Sensors.RelativeAngularVelocity" {
        ..of: between_frames,
    }
    variables {
        /// Relative angular velocity vector
        w_rel: Vector["rad/s"],
    }
}

impl Component for RelativeAngularVelocity {
    fn contribute(
        p: RelativeAngularVelocityParameters,
        c: &mut Contribution<'_>,
    ) -> Result<(), Error> {
        RelativeMeasurement::new(c, [p.of.resolve_in_frame; 2])?.angular_velocity(c);
        Ok(())
    }
}
