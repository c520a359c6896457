//! Newton's cradle.
//!
//! Five pendulums hang in a row with very small gaps. Two of them are raised on one side and one on
//! the other side, twice as high. Their balls hit the row and each other without loss.
//!
//! The system is the example `NewtonsCradle` of MultiBondLib.Mechanics3DwithImpulses.

use coupler::impulses::*;
use coupler::prelude::*;

/// The model.
pub fn model(m: &mut Assembly) {
    m.add("World3D1", World::new().g(9.81));
    let mut balls: Vec<Frame> = Vec::new();
    for (k, phi) in [-40.0, -40.0, 0.0, 0.0, 80.0].into_iter().enumerate() {
        let n = k + 1;
        add! { m,
            fixed [format!("Fixed{n}")]: Fixed::new().r([0.5 * k as f64, 0.0, 0.0]),
            revolute [format!("Revolute{n}")]: Revolute::new()
                .n(Z).init_type(InitType::PositionVelocity).phi_start(phi).enforce_states(true),
            rod [format!("FixedTranslation{n}")]: FixedTranslation::new().r([0, -2, 0]),
            insert [format!("InsertImpulse{n}")]: InsertImpulse::new(),
            body [format!("SimpleBody{n}")]: SimpleBody::new().m(1).inertia([0.01; 3]),
        }
        m.chain((fixed.frame_b, revolute, rod, insert, body.frame_a));
        balls.push(body.frame_a);
        m.output(format!("phi{n}"), revolute.phi);
    }
    for (k, pair) in balls.windows(2).enumerate() {
        add! { m,
            collision [format!("CollisionSphereSphere{}", k + 1)]:
                CollisionSphereSphere::new().ra(0.2499).rb(0.2499).rests(false),
        }
        m.connect(collision.frame_a, pair[0]);
        m.connect(collision.frame_b, pair[1]);
    }
    m.stop_time(10);
    m.step_size(0.004);
}
