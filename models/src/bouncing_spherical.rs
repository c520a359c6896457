//! Spherical pendulum that bounces on a floor.
//!
//! A pendulum on a ball joint swings around and falls on a floor below it. The floor is smooth: the
//! bob keeps its velocity along it.
//!
//! The system is the example `BouncingSpherical` of MultiBondLib.Mechanics3DwithImpulses.

use coupler::impulses::*;
use coupler::prelude::*;

/// The model.
pub fn model(m: &mut Assembly) {
    m.add("World3D1", World::default().g(9.81));
    let fixed1 = m.add("Fixed1", Fixed::default().r([0.0, -1.0, 0.0]));
    let fixed2 = m.add("Fixed2", Fixed::default());
    let spherical = Spherical::default()
        .use_quaternions(false)
        .init_type(InitType::PositionVelocity)
        .w_start([0.0, 80.0, 0.0]);
    let spherical = m.add("Spherical1", spherical);
    let rod = m.add("FixedTranslation1", FixedTranslation::r([-1.3, 0.0, 0.0]));
    let insert1 = m.add("InsertImpulse1", InsertImpulse);
    let insert2 = m.add("InsertImpulse2", InsertImpulse);
    let body = m.add("SimpleBody1", SimpleBody::m(1.0));
    let collision = m.add("CollisionSpherePlane1", CollisionSpherePlane::ra(0.2).rests(false));

    m.connect(fixed2.frame_b, spherical.frame_a);
    m.connect(spherical.frame_b, rod.frame_a);
    m.connect(rod.frame_b, insert1.frame_a);
    m.connect(insert1.frame_b, body.frame_a);
    m.connect(fixed1.frame_b, insert2.frame_a);
    m.connect(collision.frame_a, body.frame_a);
    m.connect(collision.frame_b, insert2.frame_b);

    for (k, axis) in ["x", "y", "z"].into_iter().enumerate() {
        m.output(format!("w_{axis}"), spherical.w[k]);
    }
    m.output("gap", collision.gap);
    m.stop_time(10.0);
    m.step_size(0.004);
}
