//! A wheel on the road.

use super::body::motion;
use crate::component::{Contribution, OldComponent};
use crate::error::Error;
use crate::multibody::joints::{Rolling, rolling_setters};
use crate::ports;
use crate::scene::{Form, Length, Shape};
use crate::vector::{Matrix, Y, constant, scale, zero};
use equations::Ex;

/// Wheel that rolls without slip on the plane z = 0 of the world.
///
/// # Equations
/// Those of a [`RollingWheelJoint`](crate::multibody::RollingWheelJoint) and of a body named `body`
/// with its centre of mass in `frame_a`.
///
/// # Variables
/// `radius` in m, `m` in kg, `I_axis` about the axle and `I_long` across it in kg.m2; `x`, `y`, `z`
/// in m, `angles` in rad, `der_angles` in rad/s; `f_n`, `f_long`, `f_lat` and `f_wheel_0` in N. The
/// start values of `x`, `y`, `angles` and `der_angles` are initial conditions, unless guesses are
/// given.
///
/// # Reference
/// Modelica.Mechanics.MultiBody.Parts.RollingWheel.
#[derive(Clone, Debug)]
pub struct RollingWheel {
    m: f64,
    i_axis: f64,
    i_long: f64,
    rolling: Rolling,
}

ports! {
    /// Ports and variables of a [`RollingWheel`].
    pub struct RollingWheelPorts {
        /// Frame in the wheel's centre; its y-axis is the axle.
        frame_a: frame,
        /// Position of the centre in m.
        x: quantity,
        /// Position of the centre in m.
        y: quantity,
        /// Height of the centre in m.
        z: quantity,
        /// Angles about z, y and x in rad.
        angles: vector,
        /// Their derivatives in rad/s.
        der_angles: vector,
        /// Force of the road along the normal in N.
        f_n: quantity,
        /// Force of the road along the track in N.
        f_long: quantity,
        /// Force of the road across the track in N.
        f_lat: quantity,
    }
}

impl RollingWheel {
    /// Of a radius in m and a mass in kg, with the moments of inertia `[I_axis, I_long]` in kg.m2
    /// about its axle and across it.
    pub fn radius_m_inertia(radius: f64, m: f64, [i_axis, i_long]: [f64; 2]) -> Self {
        RollingWheel { m, i_axis, i_long, rolling: Rolling::new(radius, true) }
    }
}

rolling_setters!(RollingWheel);

impl OldComponent for RollingWheel {
    type Ports = RollingWheelPorts;

    fn contribute(&self, c: &mut Contribution<'_>) -> Result<(), Error> {
        let frame = c.frame("frame_a");
        self.rolling.join(c, frame)?;
        let m = c.amount("m", self.m, "kg", "Mass of the wheel")?;
        let i_axis =
            c.amount("I_axis", self.i_axis, "kg.m2", "Moment of inertia about the axle")?;
        let text = "Moment of inertia across the axle";
        let i_long = c.amount("I_long", self.i_long, "kg.m2", text)?;
        c.body(frame, m, zero(), wheel_inertia(i_axis, i_long));
        motion(c, frame, "body.");
        c.shape("frame_a", |_| wheel_shape(self.rolling.radius.into(), 0.035));
        Ok(())
    }
}

/// The inertia tensor of a wheel whose axle is along y.
pub(super) fn wheel_inertia(i_axis: Ex, i_long: Ex) -> Matrix {
    let o = Ex::zero();
    Matrix::new(i_long, o, o, o, i_axis, o, o, o, i_long)
}

/// A wheel of a radius and half a width in m.
pub(super) fn wheel_shape(radius: Ex, half_width: f64) -> Shape {
    let axle = constant(Y);
    Shape {
        r_shape: scale(&axle, Ex::from(-half_width)),
        length: Length::Fixed(Ex::from(2.0 * half_width)),
        extra: Ex::from(0.8),
        color: [30; 3],
        ..Shape::along(Form::Cylinder, axle, [radius * 2.0; 2])
    }
}
