//! A model of a driven wheel on an arm whose pivot swings through the level of the floor.

use libraries::impulses::CollisionSpherePlane;
use libraries::multibody::*;
use libraries::prelude::*;
use libraries::rotational;

/// At that level the wheel cannot move sideways, so any sideways force would make it stick.
pub fn driven_wheel(m: &mut Assembly) {
    let world = m.add("world", World::new());
    let along = m.add("along", Prismatic::new().n(X).s(fixed(0.0)).v(fixed(0.0)));
    let up = m.add("up", Prismatic::new().n(Y).s(fixed(0.03)).v(fixed(0.0)));
    let chassis = m.add("chassis", Body::new().m(300.0).r_cm([0.0; 3]));
    let pivot = m.add("pivot", Revolute::new().n(X).phi(fixed(-0.06)).w(guess(0.0)));
    let arm = m.add("arm", FixedTranslation::new().r([0.0, 0.3, 0.5]));
    let axle = m.add("axle", Revolute::new().n(Z).phi(fixed(0.0)).w(fixed(0.0)));
    let wheel = m.add("wheel", Body::new().m(15.0).r_cm([0.0; 3]).inertia([0.6, 0.6, 1.0]));
    m.connect(world.frame_b, along.frame_a);
    m.connect(along.frame_b, up.frame_a);
    m.connect(up.frame_b, chassis.frame_a);
    m.connect(up.frame_b, pivot.frame_a);
    m.connect(pivot.frame_b, arm.frame_a);
    m.connect(arm.frame_b, axle.frame_a);
    m.connect(axle.frame_b, wheel.frame_a);

    let spring = m.add("spring", rotational::SpringDamper::new().c(2e4).d(300.0).phi_rel0(-0.07));
    m.connect(spring.flange_a, pivot.support);
    m.connect(spring.flange_b, pivot.axis);
    let torque = m.add("torque", Constant::new().k(-200.0));
    let motor = m.add("motor", rotational::Torque::new());
    m.connect(torque.y, motor.tau);
    m.connect(motor.flange, axle.axis);
    m.connect(motor.support, axle.support);

    let tyre = m.add("tyre", CollisionSpherePlane::new().ra(0.3).elasticity(0.0).mu_r(0.8));
    m.connect(wheel.frame_a, tyre.frame_a);
    m.connect(world.frame_b, tyre.frame_b);
    m.stop_time(2.0);
}
