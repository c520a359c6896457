//! Ball that bounces and comes to rest on a floor.
//!
//! A ball is thrown onto a rough floor without spin. Every impact halves its vertical speed, and
//! friction makes it rotate, until it stays on the floor and rolls.

use coupler::impulses::*;
use coupler::prelude::*;

/// The model.
pub fn model(m: &mut Assembly) {
    add! { m,
        world: World::new().g(9.81),
        ball: Body::new()
            .m(1).inertia([0.025; 3]).init_type(InitType::PositionVelocity)
            .x_start([0.0, 1.25, 0.0]).v_start([1, 0, 0]),
        floor: CollisionSpherePlane::new().ra(0.25).elasticity(0.5).mu_r(0.1),
    }

    m.connect(floor.frame_a, ball.frame_a);
    m.connect(floor.frame_b, world.frame_b);

    m.output("x", ball.x[0]);
    m.output("y", ball.x[1]);
    m.output("v_x", ball.v[0]);
    m.output("v_y", ball.v[1]);
    m.output("w", ball.w[2]);
    m.output("closed", floor.closed);
    m.stop_time(5);
    m.step_size(0.002);
}
