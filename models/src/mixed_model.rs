//! Bouncing ball on a spring.
//!
//! A ball that does not rotate hangs on a spring and bounces elastically on a floor. The spring is
//! a component without impulses. The sum of kinetic and potential energy is conserved.
//!
//! The system is the example `MixedModel` of MultiBondLib.Mechanics3DwithImpulses.

use coupler::impulses::*;
use coupler::prelude::*;

/// The model.
pub fn model(m: &mut Assembly) {
    m.add("World3D1", World::new().g(9.81));
    add! { m,
        joint "FreeTranslationalMovement1": FreeTranslationalMovement::new()
            .init_type(InitType::PositionVelocity).x_start([0.2, 0.5, 0.0]),
        body "SimpleBody1": SimpleBody::new(),
        fixed1 "Fixed1": Fixed::new().r([0, 1, 0]),
        fixed2 "Fixed2": Fixed::new(),
        insert1 "InsertImpulse1": InsertImpulse::new(),
        insert2 "InsertImpulse2": InsertImpulse::new(),
        spring "Spring1": Spring::new().c(12).s0(0.5),
        continuous "ConnectContinousFrame1": ConnectContinuousFrame::new(),
        collision "CollisionSpherePlane1": CollisionSpherePlane::new().ra(0.05).rests(false),
    }

    m.chain((joint.frame_b, insert1, body.frame_a));
    m.connect(fixed2.frame_b, insert2.frame_a);
    m.connect(collision.frame_a, body.frame_a);
    m.connect(collision.frame_b, insert2.frame_b);
    m.chain((fixed1.frame_b, spring, continuous, body.frame_a));

    m.output("x", joint.x[0]);
    m.output("y", joint.x[1]);
    m.output("v_x", joint.v[0]);
    m.output("v_y", joint.v[1]);
    m.stop_time(10);
    m.step_size(0.004);
}
