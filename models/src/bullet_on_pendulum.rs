//! Bullet that hits a pendulum.
//!
//! A ball hits a pendulum at rest, without gravity. The bob has the same mass as the ball. Because
//! the rod rotates with it, the effective mass of the pendulum is slightly larger, and the ball
//! bounces back with a very small speed.
//!
//! The system is the example `BulletOnPendulum` of MultiBondLib.Mechanics3DwithImpulses.

use coupler::impulses::*;
use coupler::prelude::*;

/// The model.
pub fn model(m: &mut Assembly) {
    m.add("World3D1", World::new().g(0));
    add! { m,
        bullet "FreeTranslationalMovement1": FreeTranslationalMovement::new()
            .init_type(InitType::PositionVelocity).x_start([-2, -2, 0])
            .v_start([4, 0, 0]),
        insert1 "InsertImpulse1": InsertImpulse::new(),
        body1 "SimpleBody1": SimpleBody::new().m(1),
        fixed "Fixed1": Fixed::new().r([1, 0, 0]),
        revolute "Revolute2":
            Revolute::new().n(Z).init_type(InitType::PositionVelocity).enforce_states(true),
        rod "FixedTranslation2": FixedTranslation::new().r([0, -2, 0]),
        insert2 "InsertImpulse2": InsertImpulse::new(),
        body2 "SimpleBody2": SimpleBody::new().m(1),
        collision "CollisionSphereSphere1":
            CollisionSphereSphere::new().ra(0.25).rb(0.25).rests(false),
    }

    m.chain((bullet.frame_b, insert1, body1.frame_a));
    m.chain((fixed.frame_b, revolute, rod, insert2, body2.frame_a));
    m.connect(collision.frame_a, body1.frame_a);
    m.connect(collision.frame_b, body2.frame_a);

    m.output("x", bullet.x[0]);
    m.output("v", bullet.v[0]);
    m.output("phi", revolute.phi);
    m.output("w", revolute.w);
    m.stop_time(10);
    m.step_size(0.004);
}
