//! Newton's cradle with balls that touch.
//!
//! Five pendulums hang in a row, and their balls touch. One of them is raised and falls back on the
//! row: the impulse goes through the row from ball to ball, and the last one leaves it.

use coupler::impulses::*;
use coupler::prelude::*;

/// The model.
pub fn model(m: &mut Assembly) {
    m.add("world", World::new().g(9.81));
    let balls: [Frame; 5] = std::array::from_fn(|k| {
        let name = |kind: &str| format!("{kind}{}", k + 1);
        let raised = if k == 0 { -40.0 } else { 0.0 };
        let joint = Revolute::new().n(Z).init_type(InitType::PositionVelocity).phi_start(raised);
        let joint = m.add(name("joint"), joint);
        let pivot = m.add(name("pivot"), Fixed::new().r([0.5 * k as f64, 0.0, 0.0]));
        let rod = m.add(name("rod"), FixedTranslation::new().r([0.0, -2.0, 0.0]));
        let ball = m.add(name("ball"), SimpleBody::new().m(1.0).inertia([0.01; 3]));
        m.output(name("phi"), joint.phi);
        m.connect(pivot.frame_b, joint.frame_a);
        m.connect(joint.frame_b, rod.frame_a);
        m.connect(rod.frame_b, ball.frame_a);
        ball.frame_a
    });
    for (k, pair) in balls.windows(2).enumerate() {
        let contact = CollisionSphereSphere::new().ra(0.25).rb(0.25);
        let contact = m.add(format!("contact{}", k + 1), contact);
        m.connect(contact.frame_a, pair[0]);
        m.connect(contact.frame_b, pair[1]);
    }
    m.stop_time(10.0);
    m.step_size(0.004);
}
