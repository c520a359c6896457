//! Pendulum that bounces on a floor.
//!
//! A pendulum falls from the horizontal position onto a floor below its pivot and bounces. The
//! joint transmits a part of the impulse to its support. The mass that is effective at the impact
//! is that of the ball in the vertical direction.
//!
//! The system is the example `BouncingPendulum` of MultiBondLib.Mechanics3DwithImpulses.

use coupler::impulses::*;
use coupler::prelude::*;

/// The model.
pub fn model(m: &mut Assembly) {
    m.add("World3D1", World::new().g(9.81));
    add! { m,
        fixed1 "Fixed1": Fixed::new(),
        fixed2 "Fixed2": Fixed::new().r([0.0, 0.5, 0.0]),
        revolute "Revolute1":
            Revolute::new().n(Z).init_type(InitType::PositionVelocity).enforce_states(true),
        rod "FixedTranslation1": FixedTranslation::new().r([-0.6, 0.0, 0.0]),
        insert1 "InsertImpulse1": InsertImpulse::new(),
        insert2 "InsertImpulse2": InsertImpulse::new(),
        body "SimpleBody1": SimpleBody::new(),
        collision "CollisionSpherePlane1": CollisionSpherePlane::new().ra(0.05).rests(false),
    }

    m.chain((fixed2.frame_b, revolute, rod, insert1, body.frame_a));
    m.connect(insert2.frame_b, fixed1.frame_b);
    m.connect(collision.frame_a, body.frame_a);
    m.connect(collision.frame_b, insert2.frame_a);

    m.output("phi", revolute.phi);
    m.output("w", revolute.w);
    m.output("gap", collision.gap);
    m.stop_time(10);
    m.step_size(0.004);
}
