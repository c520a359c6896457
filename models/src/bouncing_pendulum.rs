//! Pendulum that bounces on a floor.
//!
//! A pendulum falls from the horizontal on a floor below its pivot, which throws it up again. The
//! impulse goes through the joint into its support; the mass that the floor feels is that of the
//! ball seen along the vertical.
//!
//! The system is the example `BouncingPendulum` of MultiBondLib.Mechanics3DwithImpulses.

use coupler::impulses::*;
use coupler::prelude::*;

/// The model.
pub fn model(m: &mut Assembly) {
    m.add("World3D1", World::default().g(9.81));
    let fixed1 = m.add("Fixed1", Fixed::default());
    let fixed2 = m.add("Fixed2", Fixed::default().r([0.0, 0.5, 0.0]));
    let revolute = Revolute::n(Z).init_type(InitType::PositionVelocity).enforce_states();
    let revolute = m.add("Revolute1", revolute);
    let rod = m.add("FixedTranslation1", FixedTranslation::r([-0.6, 0.0, 0.0]));
    let insert1 = m.add("InsertImpulse1", InsertImpulse);
    let insert2 = m.add("InsertImpulse2", InsertImpulse);
    let body = m.add("SimpleBody1", SimpleBody::default());
    let collision = m.add("CollisionSpherePlane1", CollisionSpherePlane::ra(0.05).rests(false));

    m.connect(fixed2.frame_b, revolute.frame_a);
    m.connect(revolute.frame_b, rod.frame_a);
    m.connect(rod.frame_b, insert1.frame_a);
    m.connect(insert1.frame_b, body.frame_a);
    m.connect(insert2.frame_b, fixed1.frame_b);
    m.connect(collision.frame_a, body.frame_a);
    m.connect(collision.frame_b, insert2.frame_a);

    m.output("phi", revolute.phi);
    m.output("w", revolute.w);
    m.output("gap", collision.gap);
    m.stop_time(10.0);
    m.step_size(0.004);
}
