//! Sensor of the motion of a frame.

use super::measure::{Absolute, Angles, OfFrame, of_frame};
use crate::multibody::ResolveInFrameA;
use mechanics::declaration::prelude::*;

component! {
    /// Ideal sensor of the absolute motion of a frame.
    ///
    /// # Equations
    /// With `v_0 = der(frame_a.r_0)`, `r`, `v` and `a` are the vectors `frame_a.r_0`, `v_0` and
    /// `der(v_0)`. `w` is the angular velocity of `frame_a`, and `z` is its derivative in the
    /// world. All vectors are resolved in `resolve_in_frame`. Successive rotations by `angles`
    /// about the axes of `sequence` lead from the world to `frame_a`. Each output exists only if
    /// its `get_` parameter is true.
    pub struct AbsoluteSensor = "Modelica.Mechanics.MultiBody.Sensors.AbsoluteSensor" {
        /// True if the position is measured
        get_r: bool = false,
        /// True if the velocity is measured
        get_v: bool = false,
        /// True if the acceleration is measured
        get_a: bool = false,
        /// True if the angles are measured
        get_angles: bool = false,
        /// True if the angular velocity is measured
        get_w: bool = false,
        /// True if the angular acceleration is measured
        get_z: bool = false,
        /// Axes of the successive rotations
        sequence: [usize; 3]["1", on demand] = [1, 2, 3],
        /// Guess of the first angle; of two solutions, the nearer one is used
        guess_angle1 "guessAngle1": Real["rad", on demand] = 0,
        ..of: of_frame,
    }
    variables {
        /// Absolute position vector
        r?: Vector["m"],
        /// Absolute velocity vector
        v?: Vector["m/s"],
        /// Absolute acceleration vector
        a?: Vector["m/s2"],
        /// Angles of the rotation
        angles?: Vector["rad"],
        /// Absolute angular velocity vector
        w?: Vector["rad/s"],
        /// Absolute angular acceleration vector
        z?: Vector["rad/s2"],
    }
}

impl Component for AbsoluteSensor {
    fn contribute(p: AbsoluteSensorParameters, c: &mut Contribution<'_>) -> Result<(), Error> {
        let motion = Absolute::new(c, p.of.resolve_in_frame)?;
        if p.get_r {
            motion.position(c);
        }
        if p.get_v {
            motion.velocity(c);
        }
        if p.get_a {
            motion.acceleration(c);
        }
        if p.get_angles {
            let (sequence, guess_angle1) = (p.sequence.declare(c)?, p.guess_angle1.declare(c)?);
            Angles { sequence, guess_angle1 }.publish(c, move |e| e.pose(motion.frame).t);
        }
        if p.get_w {
            motion.angular_velocity(c);
        }
        if p.get_z {
            motion.angular_acceleration(c);
        }
        Ok(())
    }
}
