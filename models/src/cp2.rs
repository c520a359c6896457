//! Five free balls that attract and hit each other.
//!
//! Five heavy balls without joints fall towards each other because of their own gravity and collide
//! without loss. Momentum and energy are conserved. The positions after some collisions depend on
//! the smallest rounding errors, so the experiment ends after 2 s.
//!
//! The system is the example `CP2` of MultiBondLib.Mechanics3DwithImpulses, which lasts 10 s.

use coupler::impulses::*;
use coupler::prelude::*;

/// The model.
pub fn model(m: &mut Assembly) {
    m.add("World3D1", World::new().g(0));
    add! { m,
        gravity "gravityPool": GravityPool::new().m([1e10; 5]),
        collisions "collisionPool": CollisionPool::new().spheres(5).rests(false),
    }
    let starts =
        [[-1.0, 0.0, 0.0], [1.0, 1.0, 0.0], [1.0, 0.0, -0.5], [0.0, 0.0, 1.0], [0.0, -1.0, -0.8]];
    for (k, x) in starts.into_iter().enumerate() {
        let n = k + 1;
        add! { m,
            body [format!("Body{n}")]: Body::new()
                .m(1e10).inertia([0.04e10; 3]).use_quaternions(false)
                .init_type(InitType::PositionVelocity).x_start(x),
            insert [format!("InsertImpulse{n}")]: InsertImpulse::new(),
        }
        m.connect(body.frame_a, insert.frame_b);
        m.connect(gravity.frame(n), body.frame_a);
        m.connect(collisions.frames[k], body.frame_a);
        for (i, axis) in ["x", "y", "z"].into_iter().enumerate() {
            m.output(format!("{axis}{n}"), body.x[i]);
        }
    }
    m.stop_time(2);
    m.step_size(0.002);
}
