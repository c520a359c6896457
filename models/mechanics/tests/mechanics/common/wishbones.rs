//! A vehicle in space with four double wishbones, tie rods and struts on a hard floor.

use super::linkages::{at, attach};
use libraries::impulses::CollisionSpherePlane;
use libraries::multibody::*;
use libraries::prelude::*;

/// A revolute joint between two frames. If `stands`, it starts at rest, and its angle is a state.
fn hinge(m: &mut Assembly, name: String, n: [f64; 3], [a, b]: [Frame; 2], stands: bool) {
    let joint = Revolute::new().n(n);
    let stands = stands.then(|| joint.clone().phi(fixed(0.0)).w(fixed(0.0)).states(Always));
    let joint = m.add(name, stands.unwrap_or(joint));
    m.connect(a, joint.frame_a);
    m.connect(joint.frame_b, b);
}

/// The place of a wheel.
struct Corner {
    chassis: Frame,
    floor: Frame,
    /// Distance from the middle of the chassis in m, forwards.
    x: f64,
    /// 1 or -1.
    side: f64,
}

impl Corner {
    /// The wheel on its suspension, with a contact `foot`.
    fn build(&self, m: &mut Assembly, (name, foot): (&str, &str)) {
        let (x, s) = (self.x, self.side);
        let n = |local: &str| format!("{name}_{local}");
        let low = at(m, n("low"), self.chassis, [x, -0.05, 0.35 * s]);
        let high = at(m, n("high"), self.chassis, [x, 0.25, 0.4 * s]);
        let shape = |r: [f64; 3], r_cm: [f64; 3], mass: f64, i: f64| {
            BodyShape::new().r(r).r_cm(r_cm).m(mass).inertia([i; 3])
        };
        let lower = shape([0.0, 0.0, 0.35 * s], [0.0, 0.0, 0.17 * s], 3.0, 0.05);
        let lower = m.add(n("lower"), lower);
        hinge(m, n("lower_joint"), X, [low, lower.frame_a], true);
        let upright = shape([0.0, 0.3, -0.05 * s], [0.0, 0.1, 0.05 * s], 8.0, 0.1);
        let upright = m.add(n("upright"), upright);
        let upper = shape([0.0, 0.0, 0.25 * s], [0.0, 0.0, 0.12 * s], 2.0, 0.03);
        let upper = m.add(n("upper"), upper);
        hinge(m, n("upper_joint"), X, [high, upper.frame_a], false);
        let ends = [("lower_ball", lower, upright.frame_a), ("upper_ball", upper, upright.frame_b)];
        for (ball, arm, end) in ends {
            let ball = m.add(n(ball), Spherical::new());
            m.connect(arm.frame_b, ball.frame_a);
            m.connect(ball.frame_b, end);
        }
        let rack = at(m, n("rack"), self.chassis, [x - 0.15, 0.05, 0.38 * s]);
        let knuckle = at(m, n("knuckle"), upright.frame_a, [-0.15, 0.1, -0.02 * s]);
        let tie = m.add(n("tie_rod"), SphericalSpherical::new().compute_rod_length(true));
        m.connect(tie.frame_a, rack);
        m.connect(tie.frame_b, knuckle);
        let tower = at(m, n("tower"), self.chassis, [x, 0.5, 0.4 * s]);
        let seat = at(m, n("seat"), lower.frame_a, [0.0, 0.0, 0.17 * s]);
        let strut = SpringDamperParallel::new().c(4e4).d(3e3).s_unstretched(0.71);
        let strut = m.add(n("strut"), strut);
        m.connect(strut.frame_a, tower);
        m.connect(strut.frame_b, seat);
        self.wheel(m, upright.frame_a, (name, foot));
    }

    fn wheel(&self, m: &mut Assembly, upright: Frame, (name, foot): (&str, &str)) {
        let n = |local: &str| format!("{name}_{local}");
        let hub = at(m, n("hub"), upright, [0.0, 0.1, 0.1 * self.side]);
        let axle =
            m.add(n("axle"), Revolute::new().n(Z).phi(fixed(0.0)).w(fixed(0.0)).states(Always));
        m.connect(hub, axle.frame_a);
        let wheel = Body::new().m(15.0).r_cm([0.0; 3]).inertia([0.6, 0.6, 1.0]);
        attach(m, n("wheel"), axle.frame_b, wheel);
        let tyre = CollisionSpherePlane::new().ra(0.3).elasticity(0.0).mu_r(0.8);
        let tyre = m.add(foot, tyre);
        m.connect(tyre.frame_a, axle.frame_b);
        m.connect(tyre.frame_b, self.floor);
    }
}

/// The vehicle, which rolls freely; the contacts of its wheels are `foot0` to `foot3`, the rear
/// ones last.
pub fn wishbone_vehicle(m: &mut Assembly) {
    let world = m.add("world", World::new());
    let zero = fixed_vector([0.0; 3]);
    let chassis = Body::new().m(1200.0).r_cm([0.0, 0.2, 0.0]).inertia([500.0, 1800.0, 1600.0]);
    let chassis = chassis.r_0(fixed_vector([0.0, 0.26, 0.0])).v_0(zero);
    let chassis = m.add("chassis", chassis.angles_start(zero).w_0_start(zero));
    let corners = [
        (("front_left", "foot0"), 1.3, -1.0),
        (("front_right", "foot1"), 1.3, 1.0),
        (("rear_left", "foot2"), -1.3, -1.0),
        (("rear_right", "foot3"), -1.3, 1.0),
    ];
    for (names, x, side) in corners {
        let corner = Corner { chassis: chassis.frame_a, floor: world.frame_b, x, side };
        corner.build(m, names);
    }
}
