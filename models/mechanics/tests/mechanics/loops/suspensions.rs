//! A wheel suspension with wishbones, and the same with a rod instead of each leg of a wishbone.

use crate::common::linkages::{assert_same, at, move_freely};
use crate::common::{start, value};
use libraries::multibody::*;
use libraries::prelude::*;

/// The points at which the legs of a wishbone are held and at which they meet, in m from the car.
struct Wishbone {
    name: &'static str,
    front: [f64; 3],
    rear: [f64; 3],
    ball: [f64; 3],
}

const LOWER: Wishbone = Wishbone {
    name: "lower",
    front: [0.2, 0.3, -0.02],
    rear: [-0.15, 0.32, 0.0],
    ball: [0.0, 0.7, -0.03],
};
const UPPER: Wishbone = Wishbone {
    name: "upper",
    front: [0.12, 0.38, 0.24],
    rear: [-0.1, 0.4, 0.22],
    ball: [-0.02, 0.66, 0.27],
};
const RACK: [f64; 3] = [-0.12, 0.25, 0.05];
const ARM: [f64; 3] = [-0.14, 0.68, 0.06];
const CENTRE: [f64; 3] = [0.0, 0.75, 0.1];

fn minus(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    std::array::from_fn(|i| a[i] - b[i])
}

fn distance(a: [f64; 3], b: [f64; 3]) -> f64 {
    minus(a, b).iter().map(|c| c * c).sum::<f64>().sqrt()
}

/// A quarter of a car: a body that moves vertically and rolls, an upright with a wheel that spins,
/// and a rack. With `rods`, rods replace the legs of the massless wishbones.
fn quarter(m: &mut Assembly, rods: bool, rough: f64) {
    let world = m.add("world", World::new().n([0.0, 0.0, -1.0]));
    let heave = m.add("heave", Prismatic::new().n(Z).s(fixed(0.1)).v(fixed(-0.5)).states(Always));
    let roll = m.add("roll", Revolute::new().n(X).phi(fixed(0.05)).w(fixed(0.3)).states(Always));
    let car = m.add("car", Body::new().m(300.0).r_cm([0.0, 0.0, 0.3]).inertia([40.0, 60.0, 70.0]));
    let ride = m.add("ride", libraries::translational::Spring::new().c(8e4));
    m.connect(world.frame_b, heave.frame_a);
    m.connect(heave.frame_b, roll.frame_a);
    m.connect(roll.frame_b, car.frame_a);
    m.connect(heave.axis, ride.flange_b);
    m.connect(heave.support, ride.flange_a);

    // The upright's frame is where its axle meets the wheel.
    let upright = Body::new().m(12.0).r_cm([0.0, -0.03, 0.0]).inertia([0.3, 0.2, 0.3]);
    let [x, y, _] = CENTRE.map(|r| guess(r + rough));
    let upright = upright.r_0([x, y, fixed(0.25)]);
    let upright = upright.v_0([guess(0.0), guess(0.0), fixed(0.2)]);
    let upright = upright.angles_start(guess_vector([0.05, rough, -rough]));
    let upright = m.add("upright", upright.use_quaternions(false));
    let axle = m.add("axle", Revolute::new().n(Y).phi(fixed(0.0)).w(fixed(60.0)).states(Always));
    let wheel = m.add("wheel", Body::new().m(15.0).r_cm([0.0; 3]).inertia([0.6, 1.0, 0.6]));
    m.connect(upright.frame_a, axle.frame_a);
    m.connect(axle.frame_b, wheel.frame_a);

    for Wishbone { name, front, rear, ball } in [LOWER, UPPER] {
        let held = at(m, format!("{name}_held"), upright.frame_a, minus(ball, CENTRE));
        if rods {
            for (leg, foot) in [("front", front), ("rear", rear)] {
                let foot_ = at(m, format!("{name}_{leg}_foot"), car.frame_a, foot);
                let rod = SphericalSpherical::new().rod_length(distance(foot, ball));
                let rod = m.add(format!("{name}_{leg}"), rod);
                m.connect(foot_, rod.frame_a);
                m.connect(held, rod.frame_b);
            }
        } else {
            let hinge = Revolute::new().n(minus(front, rear)).phi(guess(rough));
            let hinge = m.add(format!("{name}_hinge"), hinge);
            let foot = at(m, format!("{name}_foot"), car.frame_a, rear);
            let joint = m.add(format!("{name}_ball"), Spherical::new());
            m.connect(foot, hinge.frame_a);
            let tip = at(m, format!("{name}_bone"), hinge.frame_b, minus(ball, rear));
            m.connect(tip, joint.frame_a);
            m.connect(joint.frame_b, held);
        }
    }

    let rack = m.add("rack", Prismatic::new().n(Y).s(fixed(0.01)).v(fixed(0.1)).states(Always));
    let rack_mass = m.add("rack_mass", Body::new().m(2.0).r_cm([0.0; 3]));
    let centring = m.add("centring", libraries::translational::Spring::new().c(2e4));
    let rack_place = at(m, "rack_place", car.frame_a, RACK);
    m.connect(rack_place, rack.frame_a);
    m.connect(rack.frame_b, rack_mass.frame_a);
    m.connect(rack.axis, centring.flange_b);
    m.connect(rack.support, centring.flange_a);
    let arm = at(m, "arm", upright.frame_a, minus(ARM, CENTRE));
    let tie = m.add("tie", SphericalSpherical::new().rod_length(distance(RACK, ARM)));
    m.connect(rack.frame_b, tie.frame_a);
    m.connect(arm, tie.frame_b);

    // The strut between the car and the foot of the upright.
    let dome = at(m, "dome", car.frame_a, [0.0, 0.45, 0.5]);
    let foot = at(m, "foot", upright.frame_a, minus(LOWER.ball, CENTRE));
    let strut = m.add("strut", Spring::new().c(3e4).s_unstretched(0.6));
    m.connect(dome, strut.frame_a);
    m.connect(foot, strut.frame_b);
    let tyre = m.add("tyre", Spring::new().c(2e5).s_unstretched(0.3));
    let road = at(m, "road", world.frame_b, [0.0, 0.75, -0.1]);
    m.connect(road, tyre.frame_a);
    m.connect(wheel.frame_a, tyre.frame_b);
}

#[test]
fn massless_wishbones_guide_a_wheel_like_rods() {
    let mut models = [(false, 0.0), (true, 0.0), (false, 0.02), (true, 0.02)]
        .map(|(rods, rough)| start(|m| quarter(m, rods, rough)));
    for model in &mut models {
        assert_eq!(
            model.continuous_states().len(),
            10,
            "heave, roll, rack, axle, and one freedom of the wheel"
        );
        move_freely(model, 0.1, 1e-4, |_| ());
    }
    let names = ["heave.s", "roll.phi", "upright.w_a[1]", "upright.w_a[3]", "upright.r_0[3]"];
    let [one, others @ ..] = &mut models;
    for other in others {
        assert_same(one, other, &names, 1e-8);
        assert_same(one, other, &["tie.f_rod"], 1e-6);
    }
    assert!(value(one, "axle.w") > 50.0);
}
