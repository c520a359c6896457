//! Four-bar loop that hits a floor.
//!
//! A crank and a slider are joined by a rod, with a ball joint at one end and two revolute joints
//! at the other: a loop with one freedom. The tip of the crank hits a floor, and the impulse goes
//! through all joints of the loop at once.
//!
//! The system is the example `FourBarLoop` of MultiBondLib.Mechanics3DwithImpulses; there the two
//! sides of `CloseLoop` do not act on each other in opposite directions.

use coupler::impulses::*;
use coupler::prelude::*;

/// The model.
pub fn model(m: &mut Assembly) {
    m.add("World3D1", World::default().g(9.81));
    let fixed1 = m.add("Fixed1", Fixed::default());
    let fixed2 = m.add("Fixed2", Fixed::default());
    let revolute1 = Revolute::n(X).init_type(InitType::PositionVelocity).w_start(300.0);
    let revolute1 = m.add("Revolute1", revolute1.enforce_states());
    let crank = m.add("FixedTranslation1", FixedTranslation::r([0.0, 0.5, 0.1]));
    let spherical = m.add("Spherical1", Spherical::default().use_quaternions(false));
    let rod = m.add("FixedTranslation3", FixedTranslation::r([1.0, -0.3, -0.1]));
    let close = m.add("CloseLoop1", CloseLoop);
    let insert1 = m.add("InsertImpulse1", InsertImpulse);
    let insert2 = m.add("InsertImpulse2", InsertImpulse);
    let base = m.add("FixedTranslation4", FixedTranslation::r([1.2, 0.0, 0.0]));
    let prismatic = m.add("Prismatic1", Prismatic::n(X));
    let slider = m.add("FixedTranslation2", FixedTranslation::r([0.0, 0.2, 0.0]));
    let revolute4 = m.add("Revolute4", Revolute::n(Z));
    let revolute6 = m.add("Revolute6", Revolute::n(Y));
    let collision = m.add("CollisionSpherePlane1", CollisionSpherePlane::ra(0.05).rests(false));

    m.connect(fixed1.frame_b, revolute1.frame_a);
    m.connect(revolute1.frame_b, crank.frame_a);
    m.connect(crank.frame_b, spherical.frame_a);
    m.connect(spherical.frame_b, rod.frame_a);
    m.connect(rod.frame_b, close.frame_a);
    m.connect(fixed1.frame_b, insert1.frame_a);
    m.connect(insert1.frame_b, base.frame_a);
    m.connect(base.frame_b, prismatic.frame_a);
    m.connect(prismatic.frame_b, slider.frame_a);
    m.connect(slider.frame_b, revolute4.frame_a);
    m.connect(revolute4.frame_b, revolute6.frame_a);
    m.connect(revolute6.frame_b, close.frame_b);
    m.connect(insert2.frame_b, fixed2.frame_b);
    m.connect(collision.frame_a, crank.frame_b);
    m.connect(collision.frame_b, insert2.frame_a);

    let bodies = [
        (5, crank.frame_a, [0.0, 0.25, 0.05]),
        (6, rod.frame_a, [0.5, -0.15, -0.05]),
        (7, slider.frame_a, [0.0, 0.1, 0.0]),
    ];
    for (k, frame, r) in bodies {
        let arm = m.add(format!("FixedTranslation{k}"), FixedTranslation::r(r));
        let body = m.add(format!("Body{}", k - 4), Body::m(0.5).inertia([0.05; 3]));
        m.connect(frame, arm.frame_a);
        m.connect(arm.frame_b, body.frame_a);
    }

    m.output("phi", revolute1.phi);
    m.output("w", revolute1.w);
    m.output("s", prismatic.s);
    m.output("v", prismatic.v);
    m.stop_time(10.0);
    m.step_size(0.004);
}
