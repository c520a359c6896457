//! Cue that strikes a ball.
//!
//! A cue with a heavy end hits a ball at rest, a little above its centre, without gravity. The
//! impulse accelerates the ball, and the friction on its surface makes it rotate.
//!
//! The system is the example `CueStrikingBall` of MultiBondLib.Mechanics3DwithImpulses, with its
//! delayed impact friction.

use coupler::impulses::*;
use coupler::prelude::*;

/// The model.
pub fn model(m: &mut Assembly) {
    m.add("World3D1", World::new().g(0));
    add! { m,
        cue "FreeBodyMovement2": FreeBodyMovement::new()
            .init_type(InitType::PositionVelocity).x_start([-2.0, 0.05, 0.0])
            .v_start([4, 0, 0]),
        insert1 "InsertImpulse1": InsertImpulse::new(),
        tip "SimpleBody1": SimpleBody::new().m(3).inertia([0.02; 3]),
        shaft "FixedTranslation2": FixedTranslation::new().r([-1.5, 0.0, 0.0]),
        butt "SimpleBody3": SimpleBody::new().m(6).inertia([0.02, 0.2, 0.2]),
        ball "Body1": Body::new().m(4).inertia([0.02; 3]).init_type(InitType::PositionVelocity),
        insert2 "InsertImpulse2": InsertImpulse::new(),
        collision "CollisionSphereSphere1": CollisionSphereSphere::new()
            .ra(0.03).rb(0.15).elasticity(0.8).mu_r(0.2).delayed_friction(true).rests(false)
            .contact_duration(1e-3),
    }

    m.chain((cue.frame_b, insert1, tip.frame_a));
    m.chain((tip.frame_a, shaft, butt.frame_a));
    m.connect(ball.frame_a, insert2.frame_a);
    m.connect(collision.frame_a, tip.frame_a);
    m.connect(collision.frame_b, ball.frame_a);

    m.output("cue_v", cue.v[0]);
    m.output("cue_w", cue.w[2]);
    m.output("v_x", ball.v[0]);
    m.output("v_y", ball.v[1]);
    m.output("w", ball.w[2]);
    m.stop_time(10);
    m.step_size(0.004);
}
