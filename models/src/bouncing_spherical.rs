//! Spherical pendulum that bounces on a floor.
//!
//! A pendulum on a spherical joint swings around and falls onto a floor below it. The floor is
//! smooth: the bob keeps the component of its velocity along the floor.
//!
//! The system is the example `BouncingSpherical` of MultiBondLib.Mechanics3DwithImpulses.

use coupler::impulses::*;
use coupler::prelude::*;

/// The model.
pub fn model(m: &mut Assembly) {
    m.add("World3D1", World::new().g(9.81));
    add! { m,
        fixed1 "Fixed1": Fixed::new().r([0, -1, 0]),
        fixed2 "Fixed2": Fixed::new(),
        spherical "Spherical1": Spherical::new()
            .use_quaternions(false).init_type(InitType::PositionVelocity).w_start([0, 80, 0]),
        rod "FixedTranslation1": FixedTranslation::new().r([-1.3, 0.0, 0.0]),
        insert1 "InsertImpulse1": InsertImpulse::new(),
        insert2 "InsertImpulse2": InsertImpulse::new(),
        body "SimpleBody1": SimpleBody::new().m(1),
        collision "CollisionSpherePlane1": CollisionSpherePlane::new().ra(0.2).rests(false),
    }

    m.chain((fixed2.frame_b, spherical, rod, insert1, body.frame_a));
    m.connect(fixed1.frame_b, insert2.frame_a);
    m.connect(collision.frame_a, body.frame_a);
    m.connect(collision.frame_b, insert2.frame_b);

    for (k, axis) in ["x", "y", "z"].into_iter().enumerate() {
        m.output(format!("w_{axis}"), spherical.w[k]);
    }
    m.output("gap", collision.gap);
    m.stop_time(10);
    m.step_size(0.004);
}
