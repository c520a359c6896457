//! Sliding frame whose position follows a sine.
//!
//! A prismatic joint is driven at its flange `axis` by a position signal, which a filter of 50 Hz
//! smooths.
//!
//! The system is the example `Surfaces` of Modelica.Mechanics.MultiBody without the components that
//! are used for animation only.

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
