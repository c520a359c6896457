//! Wheels that roll without slip: published motion, the constraints of rolling, energy, and known
//! solutions.

use crate::common::{along, energy, run_to, simulation, start, step, value, vector};
use fmu_runtime::Simulation;
use libraries::multibody::*;
use libraries::prelude::*;
use libraries::rotational;
use nalgebra::Vector3;

const DOWN: [f64; 3] = [0.0, 0.0, -1.0];

/// The published wheel with given start angles and rates.
pub(super) fn wheel(m: &mut Assembly, angles: [f64; 3], der_angles: [f64; 3]) {
    m.add("world", World::new().n(DOWN));
    let wheel = RollingWheel::new().radius(0.3).m(2.0).I_axis(0.06).I_long(0.12);
    let wheel = wheel.x(fixed(0.2)).y(fixed(0.2)).angles(fixed_vector(angles));
    m.add("wheel1", wheel.der_angles(fixed_vector(der_angles)));
}

#[test]
fn a_wheel_rolls_as_published() {
    // The published curve itself deviates by this much from the limit of small steps, after the
    // wheel has nearly fallen several times.
    let mut model = start(|m| wheel(m, [0.0; 3], [0.0, 5.0, 1.0]));
    assert_eq!(model.continuous_states().len(), 8, "five positions, three speeds");
    let published = [
        (0.4, [2.20993589, 0.853871566, 2.32081617], [2.990559, 0.792465807, 0.00996517768]),
        (1.0, [4.79831043, 0.92493879, 1.77917119], [9.60553532, 0.700568891, -0.70936222]),
        (2.0, [2.34036744, 0.65340193, 5.24792447], [-6.96662717, -0.83945281, -0.432778275]),
        (4.0, [0.668754947, -0.965464985, 2.09168314], [-5.85027942, 0.16254678, -2.23778481]),
    ];
    for (t, angles, rest) in published {
        run_to(&mut model, t);
        let have = vector(&mut model, "wheel1.angles");
        let gap = (have - Vector3::from(angles)).amax();
        assert!(gap < 1e-3, "angles at {t} s: {have} {angles:?}");
        let have =
            ["der_angles[3]", "x", "y"].map(|name| value(&mut model, &format!("wheel1.{name}")));
        let gap = (Vector3::from(have) - Vector3::from(rest)).amax();
        assert!(gap < 5e-3, "at {t} s: {have:?} {rest:?}");
    }
}

/// The velocity of the wheel's lowest point, and its height above the plane.
fn slip(model: &mut Simulation) -> (Vector3<f64>, f64) {
    let r_0 = vector(model, "wheel1.r_0");
    let delta = vector(model, "wheel1.r_road_0") - r_0;
    let [psi, beta] = [1, 2].map(|k| value(model, &format!("wheel1.angles[{k}]")));
    let rates = vector(model, "wheel1.der_angles");
    // The angular velocity in world axes: about z, then the turned y, then the turned x.
    let w = Vector3::z() * rates[0]
        + Vector3::new(-psi.sin(), psi.cos(), 0.0) * rates[1]
        + Vector3::new(psi.cos() * beta.cos(), psi.sin() * beta.cos(), -beta.sin()) * rates[2];
    (vector(model, "wheel1.v_0") + w.cross(&delta), (r_0 + delta).z)
}

#[test]
fn a_rolling_wheel_does_not_slip_and_keeps_its_energy() {
    let mut model = start(|m| wheel(m, [0.3, 0.2, -0.25], [0.4, 6.0, -0.7]));
    let first = energy(&mut model);
    for n in 0..2000 {
        if n % 100 == 0 {
            let (slip, height) = slip(&mut model);
            assert!(slip.norm() < 1e-12 && height.abs() < 1e-14, "{n}: {slip} {height:e}");
            let radius =
                (vector(&mut model, "wheel1.r_road_0") - vector(&mut model, "wheel1.r_0")).norm();
            assert!((radius - 0.3).abs() < 1e-14);
        }
        step(&mut model, 2.5e-4);
    }
    let drift = energy(&mut model) - first;
    assert!(drift.abs() < 1e-8, "{drift:e}");
}

#[test]
fn an_upright_wheel_rolls_straight_at_constant_speed() {
    let mut model = start(|m| wheel(m, [0.5, 0.0, 0.0], [0.0, 4.0, 0.0]));
    // After a quarter turn, at 0.39 s, its angles are singular.
    run_to(&mut model, 1.0);
    let along = 0.3 * 4.0;
    let (x, y) = (value(&mut model, "wheel1.x"), value(&mut model, "wheel1.y"));
    assert!((x - 0.2 - along * 0.5_f64.cos()).abs() < 1e-12, "{x}");
    assert!((y - 0.2 - along * 0.5_f64.sin()).abs() < 1e-12, "{y}");
}

#[test]
fn an_inclined_wheel_rolls_in_a_circle_at_the_known_speed() {
    // The axle is inclined by `lean` against the plane and turns with `omega` about the vertical.
    // The centre moves at `radius * n`, where `n` is the angular velocity about the axle, and the
    // rate of angular momentum is the moment of the contact force about the centre.
    let (r, m, i_axis, i_long, g) = (0.3, 2.0, 0.06, 0.12, 9.80665);
    let (lean, omega) = (0.3_f64, 0.6_f64);
    let (s, c) = lean.sin_cos();
    let n = s * (i_long * omega * omega * c - m * g * r) / (c * omega * (i_axis + m * r * r));
    let spin = n - omega * s;
    let mut model = start(|m| wheel(m, [0.0, 0.0, lean], [omega + spin * s, spin * c, 0.0]));
    let first = vector(&mut model, "wheel1.r_0");
    assert!((vector(&mut model, "wheel1.v_0") - Vector3::x() * (r * n)).norm() < 1e-12);
    let centre = first + Vector3::y() * (r * n / omega);
    let circle = (r * n / omega).abs();
    let quarter = std::f64::consts::FRAC_PI_2 / omega;
    for _ in 0..4 {
        step(&mut model, 0.25 * quarter);
        let r_0 = vector(&mut model, "wheel1.r_0");
        assert!((r_0.z - r * c).abs() < 1e-9, "{r_0}");
        let gap = (r_0 - centre).norm() / circle - 1.0;
        assert!(gap.abs() < 1e-8, "{gap:e}");
    }
    // After a quarter of the circle the wheel is beside its centre.
    let beside = centre + Vector3::x() * (r * n / omega);
    let gap = (vector(&mut model, "wheel1.r_0") - beside).norm() / circle;
    assert!(gap < 1e-8, "{gap:e}");
}

#[test]
fn the_road_carries_and_steers_a_wheel() {
    let mut model = start(|m| wheel(m, [0.3, 0.2, -0.25], [0.4, 6.0, -0.7]));
    for _ in 0..5 {
        let force = vector(&mut model, "wheel1.f_wheel_0");
        let needed = (vector(&mut model, "wheel1.a_0") + Vector3::z() * 9.80665) * 2.0;
        assert!((force - needed).norm() < 1e-9, "{force} {needed}");
        let [n, long, lat] =
            ["f_n", "f_long", "f_lat"].map(|f| value(&mut model, &format!("wheel1.{f}")));
        assert!((n - needed.z).abs() < 1e-9 && n > 0.0, "{n}");
        assert!((long.hypot(lat) - needed.xy().norm()).abs() < 1e-9, "{long} {lat}");
        step(&mut model, 0.05);
    }
}

#[test]
fn the_road_drives_an_axle() {
    let mut model = start(driven);
    for _ in 0..5 {
        let get = |model: &mut Simulation, name: &str| value(model, &format!("wheelSet.{name}"));
        let phi = get(&mut model, "phi");
        let (ahead, across) =
            (Vector3::new(phi.cos(), phi.sin(), 0.0), Vector3::new(-phi.sin(), phi.cos(), 0.0));
        // The wheels are alike: the middle is their common centre of mass.
        let h = 1e-5;
        let momenta = along(&mut model, &[h, -h], |model| {
            let (v_x, v_y) = (get(model, "der_x"), get(model, "der_y"));
            Vector3::new(v_x, v_y, 0.0) * 1.0 + vector(model, "body.v_0") * 0.01
        });
        let momentum_rate = (momenta[0] - momenta[1]) / (2.0 * h);
        let force = ahead
            * -(get(&mut model, "rolling1.f_long") + get(&mut model, "rolling2.f_long"))
            + across * get(&mut model, "rolling1.f_lat");
        assert!((force - momentum_rate).norm() < 1e-6, "{force} {momentum_rate}");
        assert!(force.norm() > 0.1);
        let next = model.time() + 0.1;
        run_to(&mut model, next);
    }
}

/// An axle with a body in front of it; torques on both wheels.
fn driven(m: &mut Assembly) {
    let world = World::new().n(DOWN);
    m.add("world", world);
    let set = RollingWheelSet::new()
        .r_wheel(0.1)
        .track(0.5)
        .m_wheel(0.5)
        .I_wheel_axis(0.01)
        .I_wheel_long(0.02);
    let set = m.add("wheelSet", set.x(fixed(0.1)).y(fixed(0.1)));
    let arm = m.add("arm", FixedTranslation::new().r([0.2, 0.0, 0.0]));
    let body = m.add("body", Body::new().m(0.01).r_cm([0.0; 3]));
    m.connect(set.frame_middle, arm.frame_a);
    m.connect(arm.frame_b, body.frame_a);
    for (k, (axis, phase)) in
        [(set.axis1, 0.0), (set.axis2, std::f64::consts::FRAC_PI_2)].into_iter().enumerate()
    {
        let sine = m.add(format!("sine{k}"), Sine::new().amplitude(2.0).f(1.0).phase(phase));
        let torque = m.add(format!("torque{k}"), rotational::Torque2::new());
        m.connect(sine.y, torque.tau);
        m.connect(torque.flange_a, axis);
        m.connect(torque.flange_b, set.support);
    }
}

#[test]
fn a_driven_axle_rolls_as_published() {
    let mut model = start(driven);
    assert_eq!(model.continuous_states().len(), 7, "five positions, two speeds");
    let names = ["der_theta1", "der_theta2", "phi", "theta1", "theta2", "x", "y"];
    let published = [
        (
            0.3,
            [
                -27.0056359,
                -20.791325,
                -0.20787133,
                -3.25500166,
                -4.29435831,
                -0.270214728,
                0.169830507,
            ],
        ),
        (
            0.9,
            [
                -2.49276373,
                11.205748,
                3.36123397,
                -19.1860062,
                -2.37983631,
                -0.862818553,
                -0.101884794,
            ],
        ),
        (
            1.5,
            [
                -38.4616928,
                -3.45586841,
                4.14094636,
                -29.4363487,
                -8.73161693,
                -0.102172319,
                0.164983843,
            ],
        ),
        (
            3.0,
            [
                0.252224068,
                0.727701075,
                10.5731906,
                -57.4851409,
                -4.61918766,
                -0.612715308,
                -0.386803612,
            ],
        ),
    ];
    for (t, wanted) in published {
        run_to(&mut model, t);
        for (name, wanted) in names.into_iter().zip(wanted) {
            let have = value(&mut model, &format!("wheelSet.{name}"));
            let gap = (have - wanted).abs();
            assert!(gap < 2e-4 * wanted.abs().max(1.0), "{name} at {t} s: {have} {wanted}");
        }
    }
}

/// An axle that coasts with a body on an arm.
fn coasting(m: &mut Assembly) {
    m.add("world", World::new().n(DOWN));
    let set = RollingWheelSet::new()
        .r_wheel(0.1)
        .track(0.5)
        .m_wheel(0.5)
        .I_wheel_axis(0.01)
        .I_wheel_long(0.02);
    let set = set.phi(fixed(0.4)).der_theta1(fixed(7.0)).der_theta2(fixed(3.0));
    let set = m.add("wheelSet", set);
    let arm = m.add("arm", FixedTranslation::new().r([0.3, 0.1, 0.2]));
    let hinge = m.add("hinge", Revolute::new().n(Y).phi(fixed(0.5)));
    let body = m.add("body", Body::new().m(0.6).r_cm([0.1, 0.0, 0.2]).inertia([0.01, 0.02, 0.03]));
    m.connect(set.frame_middle, arm.frame_a);
    m.connect(arm.frame_b, hinge.frame_a);
    m.connect(hinge.frame_b, body.frame_a);
}

#[test]
fn a_coasting_axle_does_not_slip_and_keeps_its_energy() {
    let mut model = start(coasting);
    let first = energy(&mut model);
    let turned = value(&mut model, "wheelSet.phi");
    for n in 0..1000 {
        if n % 100 == 0 {
            let get =
                |model: &mut Simulation, name: &str| value(model, &format!("wheelSet.{name}"));
            let phi = get(&mut model, "phi");
            let (w1, w2) = (get(&mut model, "der_theta1"), get(&mut model, "der_theta2"));
            let v = 0.1 * (w1 + w2) / 2.0;
            let rate = 0.1 * (w2 - w1) / 0.5;
            assert!((get(&mut model, "der_x") - v * phi.cos()).abs() < 1e-12);
            assert!((get(&mut model, "der_y") - v * phi.sin()).abs() < 1e-12);
            assert!((get(&mut model, "der_phi") - rate).abs() < 1e-12);
            // This constraint is even holonomic.
            let from_angles =
                turned + 0.1 * (get(&mut model, "theta2") - get(&mut model, "theta1")) / 0.5;
            assert!((phi - from_angles).abs() < 1e-9, "{phi} {from_angles}");
        }
        step(&mut model, 5e-4);
    }
    let drift = energy(&mut model) - first;
    assert!(drift.abs() < 1e-9, "{drift:e}");
}

/// A torque turns an arm about the vertical, at whose end a wheel rolls on an axle.
fn mill(m: &mut Assembly, masses: bool) {
    let world = m.add("world", World::new().n(DOWN));
    let post = m.add("post", FixedTranslation::new().r([0.0, 0.0, 0.3]));
    let turn = m.add("turn", Revolute::new().n(Z).phi(fixed(0.2)).w(fixed(0.4)));
    let arm =
        BodyShape::new().r([0.0, 0.8, 0.0]).r_cm([0.0, 0.4, 0.0]).m(1.5).inertia([0.1, 0.02, 0.09]);
    let arm = m.add("arm", arm);
    let axle = m.add("axle", Revolute::new().n(Y));
    let torque = m.add("torque", rotational::ConstantTorque::new().tau_constant(3.0));
    m.connect(world.frame_b, post.frame_a);
    m.connect(post.frame_b, turn.frame_a);
    m.connect(turn.frame_b, arm.frame_a);
    m.connect(arm.frame_b, axle.frame_a);
    m.connect(torque.flange, turn.axis);
    if masses {
        let wheel = RollingWheel::new().radius(0.3).m(2.0).I_axis(0.06).I_long(0.12);
        let free = guess_vector([0.0; 3]);
        let wheel = wheel.x(guess(0.0)).y(guess(0.0)).angles(free).der_angles(free);
        let wheel = m.add("wheel", wheel);
        m.connect(axle.frame_b, wheel.frame_a);
    } else {
        let wheel = m.add("wheel", RollingWheelJoint::new().radius(0.3));
        let body = m.add("body", Body::new().m(2.0).r_cm([0.0; 3]).inertia([0.12, 0.06, 0.12]));
        m.connect(axle.frame_b, wheel.frame_a);
        m.connect(axle.frame_b, body.frame_a);
    }
}

#[test]
fn a_wheel_on_an_arm_accelerates_with_it() {
    let inertia = 0.09 + 1.5 * 0.4 * 0.4 + 2.0 * 0.8 * 0.8 + 0.12 + 0.06 * (0.8_f64 / 0.3).powi(2);
    let alpha = 3.0 / inertia;
    for masses in [true, false] {
        let mut model = start(|m| mill(m, masses));
        assert_eq!(
            model.continuous_states().len(),
            2 + 1,
            "{masses}: the arm, and the wheel's angle"
        );
        run_to(&mut model, 0.5);
        let w = value(&mut model, "turn.w");
        assert!((w - 0.4 - alpha * 0.5).abs() < 1e-10, "{masses}: {w}");
        let spin = value(&mut model, "axle.w");
        assert!((spin.abs() - w * 0.8 / 0.3).abs() < 1e-10, "{masses}: {spin}");
    }
}

#[test]
fn dimensions_of_wheels_are_checked() {
    let refused = simulation(|m| {
        m.add("wheel", RollingWheel::new().radius(-0.3).m(1.0).I_axis(0.1).I_long(0.1));
    });
    let sentence = refused.err().unwrap_or_default();
    assert!(sentence.contains("wheel.radius = -0.3 m: must be positive"), "{sentence}");
    let refused = simulation(|m| {
        let set = RollingWheelSet::new()
            .r_wheel(0.3)
            .track(0.0)
            .m_wheel(1.0)
            .I_wheel_axis(0.1)
            .I_wheel_long(0.1);
        m.add("set", set);
    });
    let sentence = refused.err().unwrap_or_default();
    assert!(sentence.contains("set.track = 0 m: must be positive"), "{sentence}");
}
