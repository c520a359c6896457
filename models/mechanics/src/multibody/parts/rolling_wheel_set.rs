//! Two wheels on one axle on the road.

use super::rolling_wheel::{wheel_inertia, wheel_shape};
use crate::component::{Contribution, OldComponent};
use crate::error::Error;
use crate::multibody::joints::{RollingSet, RollingWheelSetPorts, rolling_set_setters};
use crate::vector::zero;

/// Two wheels on one axle that roll without slip on the plane z = 0 of the world.
///
/// # Equations
/// Those of a [`RollingWheelSetJoint`](crate::multibody::RollingWheelSetJoint) and of two bodies
/// with their centres of mass in `frame1` and `frame2`.
///
/// # Variables
/// `R_wheel`, `track` in m; of one wheel: `m_wheel` in kg, `I_wheelAxis` about the axle and
/// `I_wheelLong` across it in kg.m2; `x`, `y` in m, `phi`, `theta1`, `theta2` in rad, `der_theta1`,
/// `der_theta2` in rad/s. Their start values are initial conditions, unless guesses are given.
///
/// # Reference
/// Modelica.Mechanics.MultiBody.Parts.RollingWheelSet.
#[derive(Clone, Debug)]
pub struct RollingWheelSet {
    m_wheel: f64,
    i_wheel_axis: f64,
    i_wheel_long: f64,
    rolling: RollingSet,
}

impl RollingWheelSet {
    /// With wheels of the radius `R_wheel` in m, `track` in m apart, each of the mass `m_wheel` in
    /// kg and with the moments of inertia `[I_wheelAxis, I_wheelLong]` in kg.m2.
    pub fn radius_track_m_inertia(
        r_wheel: f64,
        track: f64,
        m_wheel: f64,
        [i_wheel_axis, i_wheel_long]: [f64; 2],
    ) -> Self {
        let rolling = RollingSet::new(r_wheel, track, true);
        RollingWheelSet { m_wheel, i_wheel_axis, i_wheel_long, rolling }
    }
}

rolling_set_setters!(RollingWheelSet);

impl OldComponent for RollingWheelSet {
    type Ports = RollingWheelSetPorts;

    fn contribute(&self, c: &mut Contribution<'_>) -> Result<(), Error> {
        let axle = self.rolling.join(c, "R_wheel")?;
        let m = c.amount("m_wheel", self.m_wheel, "kg", "Mass of one wheel")?;
        let text = "Moment of inertia of one wheel about the axle";
        let i_axis = c.amount("I_wheelAxis", self.i_wheel_axis, "kg.m2", text)?;
        let text = "Moment of inertia of one wheel across the axle";
        let i_long = c.amount("I_wheelLong", self.i_wheel_long, "kg.m2", text)?;
        for (wheel, name) in axle.wheels.into_iter().zip(["frame1", "frame2"]) {
            c.body(wheel, m, zero(), wheel_inertia(i_axis, i_long));
            c.shape(name, |_| wheel_shape(axle.radius, 0.01));
        }
        Ok(())
    }
}
