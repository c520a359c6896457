//! Sliding frame whose position follows a sine.
//!
//! A prismatic joint is driven through the flange of its axis by a position that a filter of 50 Hz
//! makes smooth.
//!
//! The system is the example `Surfaces` of Modelica.Mechanics.MultiBody without what it only
//! draws.

use coupler::multibody::*;
use coupler::prelude::*;
use coupler::translational;

/// The model.
pub fn model(m: &mut Assembly) {
    add! { m,
        world: World::new(),
        prismatic: Prismatic::new().n(X).v(fixed(0)),
        position: translational::Position::new(),
        sine: Sine::new().amplitude(2).f(0.5),
    }

    m.connect(world.frame_b, prismatic.frame_a);
    m.connect(sine.y, position.s_ref);
    m.connect(position.flange, prismatic.axis);

    m.output("s", prismatic.s);
    m.output("v", prismatic.v);
    m.stop_time(5);
}
