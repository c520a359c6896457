//! Wheel that rolls on a plane without slip.
//!
//! A wheel is rolled along the plane `z = 0` with a little turn about the vertical: it moves in
//! curves, leans over and rights itself. Five positions are free and three speeds: those of the
//! centre follow from the condition that the contact point rests.
//!
//! The system is the example `RollingWheel` of Modelica.Mechanics.MultiBody.

use coupler::multibody::*;
use coupler::prelude::*;

/// The model.
pub fn model(m: &mut Assembly) {
    m.add("world", World::new().n([0, 0, -1]));
    add! { m,
        wheel "wheel1": RollingWheel::new()
            .radius(0.3).m(2).I_axis(0.06).I_long(0.12)
            .x(fixed(0.2)).y(fixed(0.2)).der_angles(fixed_vector([0, 5, 1])),
    }

    m.output("x", wheel.x);
    m.output("y", wheel.y);
    m.stop_time(4);
}
