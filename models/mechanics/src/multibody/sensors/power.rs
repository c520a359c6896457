//! A sensor of the power that goes through a rigid connection.

use crate::component::{Contribution, OldComponent};
use crate::error::Error;
use crate::ports;
use crate::vector::dot;

/// Sensor of the power in a rigid connection.
///
/// # Equations
/// `frame_a` and `frame_b` coincide; `power` is that of `frame_a.f` and `frame_a.t` along the
/// motion of the frame: it flows from `frame_a` to `frame_b`. The sensor only transmits.
///
/// # Variables
/// `power` in W.
///
/// # Reference
/// Modelica.Mechanics.MultiBody.Sensors.Power.
#[derive(Clone, Debug, Default)]
pub struct Power;

ports! {
    /// Ports and variables of a [`Power`] sensor.
    pub struct PowerPorts {
        /// Frame on one side.
        frame_a: frame,
        /// Frame on the other side.
        frame_b: frame,
        /// Power from `frame_a` to `frame_b` in W.
        power: quantity,
    }
}

impl OldComponent for Power {
    type Ports = PowerPorts;

    fn contribute(&self, c: &mut Contribution<'_>) -> Result<(), Error> {
        let (a, b) = (c.frame("frame_a"), c.frame("frame_b"));
        let cut = c.cut(a, b);
        c.after(move |e| {
            let (load, velocity) = (e.cut_load(&cut), e.velocity(a));
            let power = dot(&load.v, &velocity.v) + dot(&load.w, &velocity.w);
            e.variable("power", power).unit("W").describe("Power from frame_a to frame_b");
            Ok(())
        });
        Ok(())
    }
}
