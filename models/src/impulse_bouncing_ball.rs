//! Ball with spin that bounces on a floor.
//!
//! A ball falls onto a rough floor, rotates about a horizontal axis and bounces without loss.
//! Friction converts its rotation to horizontal velocity.
//!
//! The system is the example `BouncingBall` of MultiBondLib.Mechanics3DwithImpulses, with its
//! delayed impact friction: the friction impulse acts half a millisecond after the normal impulse,
//! and is smaller than that of Coulomb's law.

use coupler::impulses::*;
use coupler::prelude::*;

/// The model.
pub fn model(m: &mut Assembly) {
    m.add("World3D1", World::new().g(9.81));
    add! { m,
        fixed1 "Fixed1": Fixed::new(),
        movement "FreeBodyMovement1": FreeBodyMovement::new()
            .init_type(InitType::PositionVelocity).x_start([-2.0, 1.25, 0.0])
            .w_start([0, 0, -1440]),
        insert1 "InsertImpulse1": InsertImpulse::new(),
        insert2 "InsertImpulse2": InsertImpulse::new(),
        ball "SimpleBody2": SimpleBody::new().m(1).inertia([0.04; 3]),
        collision "CollisionSpherePlane1": CollisionSpherePlane::new()
            .ra(0.25).mu_r(0.1).delayed_friction(true).rests(false).contact_duration(1e-3),
    }

    m.chain((movement.frame_b, insert2, ball.frame_a));
    m.connect(fixed1.frame_b, insert1.frame_a);
    m.connect(collision.frame_a, ball.frame_a);
    m.connect(collision.frame_b, insert1.frame_b);

    m.output("x", movement.x[0]);
    m.output("y", movement.x[1]);
    m.output("v_x", movement.v[0]);
    m.output("v_y", movement.v[1]);
    m.output("w", movement.w[2]);
    m.stop_time(10);
    m.step_size(0.004);
}
