//! Cue that strikes a ball.
//!
//! A cue with a heavy end flies against a ball at rest, a little above its centre, without gravity.
//! The impulse sets the ball moving; friction on its surface turns it.
//!
//! The system is the example `CueStrikingBall` of MultiBondLib.Mechanics3DwithImpulses, with its
//! friction in stages.

use coupler::impulses::*;
use coupler::prelude::*;

/// The model.
pub fn model(m: &mut Assembly) {
    m.add("World3D1", World::default().g(0.0));
    let cue = FreeBodyMovement::default()
        .init_type(InitType::PositionVelocity)
        .x_start([-2.0, 0.05, 0.0])
        .v_start([4.0, 0.0, 0.0]);
    let cue = m.add("FreeBodyMovement2", cue);
    let insert1 = m.add("InsertImpulse1", InsertImpulse);
    let tip = m.add("SimpleBody1", SimpleBody::m(3.0).inertia([0.02; 3]));
    let shaft = m.add("FixedTranslation2", FixedTranslation::r([-1.5, 0.0, 0.0]));
    let butt = m.add("SimpleBody3", SimpleBody::m(6.0).inertia([0.02, 0.2, 0.2]));
    let ball = Body::m(4.0).inertia([0.02; 3]).init_type(InitType::PositionVelocity);
    let ball = m.add("Body1", ball);
    let insert2 = m.add("InsertImpulse2", InsertImpulse);
    let collision = CollisionSphereSphere::radii(0.03, 0.15)
        .elasticity(0.8)
        .mu_r(0.2)
        .staged_friction(true)
        .rests(false)
        .contact_duration(1e-3);
    let collision = m.add("CollisionSphereSphere1", collision);

    m.connect(cue.frame_b, insert1.frame_a);
    m.connect(insert1.frame_b, tip.frame_a);
    m.connect(tip.frame_a, shaft.frame_a);
    m.connect(shaft.frame_b, butt.frame_a);
    m.connect(ball.frame_a, insert2.frame_a);
    m.connect(collision.frame_a, tip.frame_a);
    m.connect(collision.frame_b, ball.frame_a);

    m.output("cue_v", cue.v[0]);
    m.output("cue_w", cue.w[2]);
    m.output("v_x", ball.v[0]);
    m.output("v_y", ball.v[1]);
    m.output("w", ball.w[2]);
    m.stop_time(10.0);
    m.step_size(0.004);
}
