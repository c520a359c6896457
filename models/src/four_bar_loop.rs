//! Four-bar loop that hits a floor.
//!
//! A rod connects a crank and a slider, with a spherical joint at one end and two revolute joints
//! at the other. This loop has one degree of freedom. The tip of the crank hits a floor, and the
//! impulse acts on all joints of the loop at once.
//!
//! The system is the example `FourBarLoop` of MultiBondLib.Mechanics3DwithImpulses; there the
//! forces on the two sides of `CloseLoop` do not have opposite directions.

use coupler::impulses::*;
use coupler::prelude::*;

/// The model.
pub fn model(m: &mut Assembly) {
    m.add("World3D1", World::new().g(9.81));
    add! { m,
        fixed1 "Fixed1": Fixed::new(),
        fixed2 "Fixed2": Fixed::new(),
        revolute1 "Revolute1": Revolute::new()
            .n(X).init_type(InitType::PositionVelocity).w_start(300).enforce_states(true),
        crank "FixedTranslation1": FixedTranslation::new().r([0.0, 0.5, 0.1]),
        spherical "Spherical1": Spherical::new().use_quaternions(false),
        rod "FixedTranslation3": FixedTranslation::new().r([1.0, -0.3, -0.1]),
        close "CloseLoop1": CloseLoop::new(),
        insert1 "InsertImpulse1": InsertImpulse::new(),
        insert2 "InsertImpulse2": InsertImpulse::new(),
        base "FixedTranslation4": FixedTranslation::new().r([1.2, 0.0, 0.0]),
        prismatic "Prismatic1": Prismatic::new().n(X),
        slider "FixedTranslation2": FixedTranslation::new().r([0.0, 0.2, 0.0]),
        revolute4 "Revolute4": Revolute::new().n(Z),
        revolute6 "Revolute6": Revolute::new().n(Y),
        collision "CollisionSpherePlane1": CollisionSpherePlane::new().ra(0.05).rests(false),
    }

    m.chain((fixed1.frame_b, revolute1, crank, spherical, rod, close.frame_a));
    m.chain((fixed1.frame_b, insert1, base, prismatic, slider.frame_a));
    m.chain((slider.frame_b, revolute4, revolute6, close.frame_b));
    m.connect(insert2.frame_b, fixed2.frame_b);
    m.connect(collision.frame_a, crank.frame_b);
    m.connect(collision.frame_b, insert2.frame_a);

    let bodies = [
        (5, crank.frame_a, [0.0, 0.25, 0.05]),
        (6, rod.frame_a, [0.5, -0.15, -0.05]),
        (7, slider.frame_a, [0.0, 0.1, 0.0]),
    ];
    for (k, frame, r) in bodies {
        add! { m,
            arm [format!("FixedTranslation{k}")]: FixedTranslation::new().r(r),
            body [format!("Body{}", k - 4)]: Body::new().m(0.5).inertia([0.05; 3]),
        }
        m.chain((frame, arm, body.frame_a));
    }

    m.output("phi", revolute1.phi);
    m.output("w", revolute1.w);
    m.output("s", prismatic.s);
    m.output("v", prismatic.v);
    m.stop_time(10);
    m.step_size(0.004);
}
