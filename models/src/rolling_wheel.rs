//! Wheel that rolls on a plane without slip.
//!
//! A wheel rolls on the plane `z = 0` and initially rotates slightly about the vertical. It moves
//! in curves, tilts and becomes upright again. It has five degrees of freedom in position and three
//! in velocity, because the contact point is at rest.
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
