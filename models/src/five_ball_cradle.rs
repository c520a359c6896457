//! Newton's cradle with balls that touch.
//!
//! Five pendulums hang in a row, and their balls touch. The first one is raised and falls back onto
//! the row. The impulse is transmitted from ball to ball, and the last ball leaves the row.

use coupler::impulses::*;
use coupler::prelude::*;

/// The model.
pub fn model(m: &mut Assembly) {
    m.add("world", World::new().g(9.81));
    let balls: [Frame; 5] = std::array::from_fn(|k| {
        let n = k + 1;
        let raised = if k == 0 { -40.0 } else { 0.0 };
        add! { m,
            joint [format!("joint{n}")]:
                Revolute::new().n(Z).init_type(InitType::PositionVelocity).phi_start(raised),
            pivot [format!("pivot{n}")]: Fixed::new().r([0.5 * k as f64, 0.0, 0.0]),
            rod [format!("rod{n}")]: FixedTranslation::new().r([0, -2, 0]),
            ball [format!("ball{n}")]: SimpleBody::new().m(1).inertia([0.01; 3]),
        }
        m.chain((pivot.frame_b, joint, rod, ball.frame_a));
        m.output(format!("phi{n}"), joint.phi);
        ball.frame_a
    });
    for (k, pair) in balls.windows(2).enumerate() {
        add! { m,
            contact [format!("contact{}", k + 1)]: CollisionSphereSphere::new().ra(0.25).rb(0.25),
        }
        m.connect(contact.frame_a, pair[0]);
        m.connect(contact.frame_b, pair[1]);
    }
    m.stop_time(10);
    m.step_size(0.004);
}
