//! A wheel on the road.

use super::body::{inner_rotation, publish_inner_motion, translation};
use super::inertia_tensor::{ROUNDING, TRIANGLE};
use crate::multibody::joints::{Rolling, rolling};
use mechanics::declaration::prelude::*;
use mechanics::vector::{Matrix, zero};

component! {
    /// Wheel that rolls without slip on the plane z = 0 of the world.
    ///
    /// It is a wheel, a hoop or a coin on the floor.
    ///
    /// # Equations
    /// Those of a [`RollingWheelJoint`](crate::multibody::RollingWheelJoint) and of a body named
    /// `body` with its centre of mass in `frame_a`.
    pub struct RollingWheel = "Modelica.Mechanics.MultiBody.Parts.RollingWheel" {
        /// Radius of the wheel
        radius: Real["m", > 0, fixed],
        /// Mass of the wheel
        m: Real["kg", >= 0, structural zero],
        /// Moment of inertia about the axle
        I_axis: Real["kg.m2", >= 0, structural zero],
        /// Moment of inertia about an axis perpendicular to the axle
        I_long: Real["kg.m2", >= 0, structural zero],
        /// Start value of the centre's x-coordinate
        x: Start["m"] = fixed(0),
        /// Start value of the centre's y-coordinate
        y: Start["m"] = fixed(0),
        /// Start values of the angles of the successive rotations about z, y and x
        angles: [Start; 3]["rad"] = [fixed(0); 3],
        /// Start values of the derivatives of the angles
        der_angles: [Start; 3]["rad/s"] = [fixed(0); 3],
        ..rolling,
        ..translation,
        ..inner_rotation,
    }
}

impl Component for RollingWheel {
    fn contribute(p: RollingWheelParameters, c: &mut Contribution<'_>) -> Result<(), Error> {
        let RollingWheelParameters { radius, m, I_axis, I_long, x, y, angles, der_angles } = p;
        let frame = c.frame("frame_a");
        Rolling { radius, x, y, angles, der_angles }.join(c, frame);
        let inertia = wheel_inertia(c, (["I_axis", "I_long"], [I_axis, I_long]));
        c.body(frame, m, zero(), inertia);
        publish_inner_motion(c, frame);
        Ok(())
    }
}

/// The inertia tensor of a wheel whose axle is along y, from the moments of inertia about its axle
/// and across it, which parameters of these names give.
pub(super) fn wheel_inertia(
    c: &mut Contribution<'_>,
    (names, [i_axis, i_long]): ([&str; 2], [Ex; 2]),
) -> Matrix {
    c.remark(&names, i_axis.le(i_long * 2.0 * (1.0 + ROUNDING)), TRIANGLE);
    let o = Ex::zero();
    Matrix::new(i_long, o, o, o, i_axis, o, o, o, i_long)
}
