//! Two wheels on one axle on the road.

use super::rolling_wheel::wheel_inertia;
use crate::multibody::joints::{RollingSet, rolling_set};
use mechanics::declaration::prelude::*;
use mechanics::vector::zero;

component! {
    /// Two wheels on one axle that roll without slip on the plane z = 0 of the world.
    ///
    /// It is an axle of a cart or of a robot with two wheels.
    ///
    /// # Equations
    /// Those of a [`RollingWheelSetJoint`](crate::multibody::RollingWheelSetJoint) and of two
    /// bodies with their centres of mass in `frame1` and `frame2`.
    pub struct RollingWheelSet = "Modelica.Mechanics.MultiBody.Parts.RollingWheelSet" {
        /// Radius of one wheel
        r_wheel "R_wheel": Real["m", > 0, fixed],
        /// Distance between the two wheels
        track: Real["m", > 0, fixed],
        /// Mass of one wheel
        m_wheel: Real["kg", >= 0, structural zero],
        /// Moment of inertia of one wheel about the axle
        I_wheel_axis "I_wheelAxis": Real["kg.m2", >= 0, structural zero],
        /// Moment of inertia of one wheel about an axis perpendicular to the axle
        I_wheel_long "I_wheelLong": Real["kg.m2", >= 0, structural zero],
        /// Start value of the x-coordinate of the middle
        x: Start["m"] = fixed(0),
        /// Start value of the y-coordinate of the middle
        y: Start["m"] = fixed(0),
        /// Start value of the angle of the axle about the vertical
        phi: Start["rad"] = fixed(0),
        /// Start value of the angle of wheel 1
        theta1: Start["rad"] = fixed(0),
        /// Start value of the angle of wheel 2
        theta2: Start["rad"] = fixed(0),
        /// Start value of the derivative of theta1
        der_theta1: Start["rad/s"] = fixed(0),
        /// Start value of the derivative of theta2
        der_theta2: Start["rad/s"] = fixed(0),
        ..rolling_set,
    }
}

impl Component for RollingWheelSet {
    fn contribute(p: RollingWheelSetParameters, c: &mut Contribution<'_>) -> Result<(), Error> {
        let (theta, der_theta) = ([p.theta1, p.theta2], [p.der_theta1, p.der_theta2]);
        let (radius, track) = (p.r_wheel, p.track);
        let set = RollingSet { radius, track, x: p.x, y: p.y, phi: p.phi, theta, der_theta };
        let moments = (["I_wheelAxis", "I_wheelLong"], [p.I_wheel_axis, p.I_wheel_long]);
        let inertia = wheel_inertia(c, moments);
        for wheel in set.join(c) {
            c.body(wheel, p.m_wheel, zero(), inertia);
        }
        Ok(())
    }
}
