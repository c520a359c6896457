//! A sensor of the power that flows through a rigid connection.

use mechanics::declaration::prelude::*;
use mechanics::vector::dot;

component! {
    /// Sensor of the power in a rigid connection.
    ///
    /// # Equations
    /// `frame_a` and `frame_b` coincide, and the sensor transmits force and torque. `power` is the
    /// power of `frame_a.f` and `frame_a.t`.
    pub struct Power = "Modelica.Mechanics.MultiBody.Sensors.Power" {}
    ports {
        /// Frame on the first side
        frame_a: Frame,
        /// Frame on the second side
        frame_b: Frame,
    }
    variables {
        /// Power from frame_a to frame_b
        power: Real["W"],
    }
}

impl Component for Power {
    fn contribute(_: PowerParameters, c: &mut Contribution<'_>) -> Result<(), Error> {
        let (a, b) = (c.frame("frame_a"), c.frame("frame_b"));
        let cut = c.cut(a, b);
        c.after(move |e| {
            let (load, velocity) = (e.cut_load(&cut), e.velocity(a));
            e.variable("power", dot(&load.force, &velocity.v) + dot(&load.torque, &velocity.w));
            Ok(())
        });
        Ok(())
    }
}
