//! Ball on a spring that bounces.
//!
//! A ball that does not turn hangs on a spring and falls on a floor, elastically. The spring is a
//! part that only the continuous motion knows: no impulse goes through it. Kinetic and potential
//! energy together stay what they are at the start.
//!
//! The system is the example `MixedModel` of MultiBondLib.Mechanics3DwithImpulses.

use coupler::impulses::*;
use coupler::prelude::*;

/// The model.
pub fn model(m: &mut Assembly) {
    m.add("World3D1", World::default().g(9.81));
    let joint = FreeTranslationalMovement::default()
        .init_type(InitType::PositionVelocity)
        .x_start([0.2, 0.5, 0.0]);
    let joint = m.add("FreeTranslationalMovement1", joint);
    let body = m.add("SimpleBody1", SimpleBody::default());
    let fixed1 = m.add("Fixed1", Fixed::default().r([0.0, 1.0, 0.0]));
    let fixed2 = m.add("Fixed2", Fixed::default());
    let insert1 = m.add("InsertImpulse1", InsertImpulse);
    let insert2 = m.add("InsertImpulse2", InsertImpulse);
    let spring = m.add("Spring1", Spring::c(12.0).s0(0.5));
    let continuous = m.add("ConnectContinousFrame1", ConnectContinuousFrame);
    let collision = m.add("CollisionSpherePlane1", CollisionSpherePlane::ra(0.05).rests(false));

    m.connect(joint.frame_b, insert1.frame_a);
    m.connect(insert1.frame_b, body.frame_a);
    m.connect(fixed2.frame_b, insert2.frame_a);
    m.connect(collision.frame_a, body.frame_a);
    m.connect(collision.frame_b, insert2.frame_b);
    m.connect(fixed1.frame_b, spring.frame_a);
    m.connect(spring.frame_b, continuous.frame_a);
    m.connect(continuous.frame_b, body.frame_a);

    m.output("x", joint.x[0]);
    m.output("y", joint.x[1]);
    m.output("v_x", joint.v[0]);
    m.output("v_y", joint.v[1]);
    m.stop_time(10.0);
    m.step_size(0.004);
}
