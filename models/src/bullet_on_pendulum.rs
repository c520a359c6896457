//! Bullet that hits a pendulum.
//!
//! A ball flies against a pendulum at rest, without gravity. The bob is as heavy as the ball; as
//! its rod turns with it, it feels a little heavier, so that the ball bounces back by a very
//! little.
//!
//! The system is the example `BulletOnPendulum` of MultiBondLib.Mechanics3DwithImpulses.

use coupler::impulses::*;
use coupler::prelude::*;

/// The model.
pub fn model(m: &mut Assembly) {
    m.add("World3D1", World::default().g(0.0));
    let bullet = FreeTranslationalMovement::default()
        .init_type(InitType::PositionVelocity)
        .x_start([-2.0, -2.0, 0.0])
        .v_start([4.0, 0.0, 0.0]);
    let bullet = m.add("FreeTranslationalMovement1", bullet);
    let insert1 = m.add("InsertImpulse1", InsertImpulse);
    let body1 = m.add("SimpleBody1", SimpleBody::m(1.0));
    let fixed = m.add("Fixed1", Fixed::default().r([1.0, 0.0, 0.0]));
    let revolute = Revolute::n(Z).init_type(InitType::PositionVelocity).enforce_states();
    let revolute = m.add("Revolute2", revolute);
    let rod = m.add("FixedTranslation2", FixedTranslation::r([0.0, -2.0, 0.0]));
    let insert2 = m.add("InsertImpulse2", InsertImpulse);
    let body2 = m.add("SimpleBody2", SimpleBody::m(1.0));
    let collision =
        m.add("CollisionSphereSphere1", CollisionSphereSphere::radii(0.25, 0.25).rests(false));

    m.connect(bullet.frame_b, insert1.frame_a);
    m.connect(insert1.frame_b, body1.frame_a);
    m.connect(fixed.frame_b, revolute.frame_a);
    m.connect(revolute.frame_b, rod.frame_a);
    m.connect(rod.frame_b, insert2.frame_a);
    m.connect(insert2.frame_b, body2.frame_a);
    m.connect(collision.frame_a, body1.frame_a);
    m.connect(collision.frame_b, body2.frame_a);

    m.output("x", bullet.x[0]);
    m.output("v", bullet.v[0]);
    m.output("phi", revolute.phi);
    m.output("w", revolute.w);
    m.stop_time(10.0);
    m.step_size(0.004);
}
