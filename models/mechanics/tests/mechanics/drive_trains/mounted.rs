//! Drive trains on moving parts: rotors, housings and gears that act on the frames that carry them.

use crate::common;
use crate::common::{energy, refusal, run_to, settle, start, step, value, vector};
use fmu_runtime::Simulation;
use libraries::multibody::{self, *};
use libraries::prelude::*;
use libraries::rotational::{
    Brake, ConstantTorque, IdealGear, Inertia, SpringDamper, Torque2, TorqueSensor,
};
use nalgebra::{Matrix3, Vector3};
use std::f64::consts::TAU;

fn assert_near(found: f64, wanted: f64, tolerance: f64, what: &str) {
    assert!((found - wanted).abs() <= tolerance, "{what}: {found} is not {wanted}");
}

#[test]
fn a_rotor_on_a_fixed_frame_moves_as_published() {
    let mut model = start(|m| {
        m.add("world", World::new().g(0.0));
        let fixed_frame = m.add("fixed", Fixed::new());
        let rotor = multibody::Rotor1D::new().J(2.0).phi(fixed(0.0)).w(fixed(0.0));
        let rotor = m.add("rotor1D", rotor);
        let mounting = m.add("mounting1D", Mounting1D::new());
        let torque = m.add("torque", Torque2::new());
        let sine = m.add("sine", Sine::new().amplitude(1.0).f(1.0));
        m.connect(fixed_frame.frame_b, rotor.frame_a);
        m.connect(fixed_frame.frame_b, mounting.frame_a);
        m.connect(mounting.flange_b, torque.flange_a);
        m.connect(torque.flange_b, rotor.flange_a);
        m.connect(sine.y, torque.tau);
    });
    for (t, phi, w) in [
        (0.132, 0.00116496725, 0.0258345926),
        (0.396, 0.0238148685, 0.142760126),
        (0.66022, 0.0632426364, 0.122119471),
        (1.05622, 0.0796682358, 0.00491001143),
    ] {
        run_to(&mut model, t);
        let (have_phi, have_w) = (value(&mut model, "rotor1D.phi"), value(&mut model, "rotor1D.w"));
        assert_near(have_phi, phi, 1e-5, "rotor1D.phi");
        assert_near(have_w, w, 1e-5, "rotor1D.w");
        let exact = (t - (TAU * t).sin() / TAU) / (2.0 * TAU);
        assert_near(have_phi, exact, 1e-9, "rotor1D.phi");
    }
}

#[test]
fn rotors_and_a_bevel_gear_on_three_joints_move_as_published() {
    let mut model = start(|m| {
        let world = m.add("world", World::new());
        let mut end = world.frame_b;
        for (k, axis, amplitude, f) in [(1, X, 110.0, 5.0), (2, Y, 120.0, 6.0), (3, Z, 130.0, 7.0)]
        {
            let joint = Revolute::new().n(axis).phi(fixed(0.0)).w(fixed(0.0));
            let joint = m.add(format!("revolute{k}"), joint);
            let sine = m.add(format!("sine{k}"), Sine::new().amplitude(amplitude).f(f));
            let torque = m.add(format!("torque{k}"), libraries::rotational::Torque::new());
            m.connect(sine.y, torque.tau);
            m.connect(torque.flange, joint.axis);
            m.connect(end, joint.frame_a);
            end = joint.frame_b;
        }
        let body = m.add("bodyBox", BodyBox::new().r([0.1; 3]).length(0.1).width(0.1));
        let one = multibody::Rotor1D::new().J(1.1).phi(fixed(0.0)).w(fixed(0.0));
        let one = m.add("inertia1", one);
        let gear = m.add("bevelGear", BevelGear1D::new().ratio(10.0).n_a(X).n_b(Y));
        let two = m.add("inertia2", multibody::Rotor1D::new().J(18.2).n(Y));
        let mounting = m.add("mounting1D", Mounting1D::new());
        let torque = m.add("torque", Torque2::new());
        let sine = m.add("sine", Sine::new().amplitude(140.0).f(8.0));
        m.connect(sine.y, torque.tau);
        m.connect(mounting.flange_b, torque.flange_a);
        m.connect(torque.flange_b, one.flange_a);
        m.connect(one.flange_b, gear.flange_a);
        m.connect(gear.flange_b, two.flange_a);
        for frame in [body.frame_a, one.frame_a, gear.frame_a, two.frame_a, mounting.frame_a] {
            m.connect(end, frame);
        }
    });
    let ranges = [("inertia2.phi", 0.1), ("inertia2.w", 0.5), ("revolute1.phi", 20.0)];
    for (t, published) in
        [(0.1, [0.014469845, 0.18796667, 6.1166558]), (0.2, [0.036569282, 0.26199716, 12.420096])]
    {
        run_to(&mut model, t);
        for ((name, range), wanted) in ranges.into_iter().zip(published) {
            assert_near(value(&mut model, name), wanted, 1e-3 * range, name);
        }
    }
}

/// A free body with two rotors coupled by a bevel gear, a third rotor, and parts that hold or drive
/// them.
fn satellite(m: &mut Assembly, driven: bool) {
    m.add("world", World::new().gravity_type(GravityType::None));
    let body = Body::new()
        .m(3.0)
        .r_cm([0.0; 3])
        .inertia([0.9, 1.1, 0.7])
        .products([0.03, -0.02, 0.05])
        .angles_start(fixed_vector([0.2, 0.4, -0.3]))
        .w_0_start(fixed_vector([0.7, -1.2, 0.9]));
    let body = m.add("body", body);
    for (name, axis) in [("x", X), ("y", Y), ("z", Z)] {
        let rod = m.add(name, FixedTranslation::new().r(axis));
        m.connect(body.frame_a, rod.frame_a);
    }
    let rotor = |m: &mut Assembly, name: &str, rotor: multibody::Rotor1D| {
        let rotor = m.add(name, rotor);
        m.connect(body.frame_a, rotor.frame_a);
        rotor
    };
    let rotors = ROTORS.map(|(j, n)| multibody::Rotor1D::new().J(j).n(n).phi(fixed(0.1)));
    let [one, two, three] = rotors;
    let one = rotor(m, "one", one.w(fixed(4.0)));
    let two = rotor(m, "two", two.phi(guess(0.0)));
    let three = rotor(m, "three", three.w(fixed(-6.0)));
    let gear = m.add("gear", BevelGear1D::new().ratio(-2.5).n_a(ROTORS[0].1).n_b(ROTORS[1].1));
    let mounting = m.add("mounting", Mounting1D::new().n(ROTORS[2].1.map(|c| c / 3.0)));
    for frame in [gear.frame_a, mounting.frame_a] {
        m.connect(body.frame_a, frame);
    }
    m.connect(one.flange_b, gear.flange_a);
    m.connect(gear.flange_b, two.flange_a);
    if driven {
        let torque = m.add("torque", Torque2::new());
        let sine = m.add("sine", Sine::new().amplitude(3.0).f(2.0));
        m.connect(sine.y, torque.tau);
        m.connect(mounting.flange_b, torque.flange_a);
        m.connect(torque.flange_b, three.flange_a);
    } else {
        let spring = m.add("spring", SpringDamper::new().c(9.0).d(0.0));
        m.connect(mounting.flange_b, spring.flange_a);
        m.connect(spring.flange_b, three.flange_a);
    }
}

/// Moments of inertia and axes of the rotors; the third axis has the length 3.
const ROTORS: [(f64, [f64; 3]); 3] =
    [(0.05, [0.6, 0.0, 0.8]), (0.08, [0.0, 1.0, 0.0]), (0.04, [2.0, -2.0, 1.0])];

/// Angular momentum in world axes.
fn angular_momentum(model: &mut Simulation) -> Vector3<f64> {
    let inertia = Matrix3::new(0.9, 0.03, -0.02, 0.03, 1.1, 0.05, -0.02, 0.05, 0.7);
    let mut local = inertia * vector(model, "body.w_a");
    for ((j, n), name) in ROTORS.into_iter().zip(["one", "two", "three"]) {
        local += Vector3::from(n).normalize() * (j * value(model, &format!("{name}.w")));
    }
    let axis = |model: &mut Simulation, name: &str| {
        vector(model, &format!("{name}.frame_b.r_0")) - vector(model, "body.frame_a.r_0")
    };
    axis(model, "x") * local[0] + axis(model, "y") * local[1] + axis(model, "z") * local[2]
}

#[test]
fn a_free_carrier_with_rotors_keeps_its_energy_and_its_angular_momentum() {
    let mut model = start(|m| satellite(m, false));
    let (first, momentum) = (energy(&mut model), angular_momentum(&mut model));
    let before = vector(&mut model, "body.w_a");
    step(&mut model, 1.0);
    assert_near(energy(&mut model), first, 1e-9 * first, "energy");
    let drift = (angular_momentum(&mut model) - momentum).norm();
    assert!(drift < 1e-9 * momentum.norm(), "{drift:e}");
    assert!((vector(&mut model, "body.w_a") - before).norm() > 0.1);
    let gap = value(&mut model, "one.w") + 2.5 * value(&mut model, "two.w");
    assert_near(gap, 0.0, 1e-12, "gear");
}

#[test]
fn torques_inside_a_free_carrier_leave_its_angular_momentum() {
    let mut model = start(|m| satellite(m, true));
    let momentum = angular_momentum(&mut model);
    let first = energy(&mut model);
    step(&mut model, 0.3);
    let drift = (angular_momentum(&mut model) - momentum).norm();
    assert!(drift < 1e-9 * momentum.norm(), "{drift:e}");
    assert!((energy(&mut model) - first).abs() > 0.1);
}

/// An arm with two joints whose links carry a rotor, its drive, and a third joint.
struct Arm {
    carrier: Frame,
    end: Frame,
}

/// The axis of the rotor, and its inertia along and across it.
const AXIS: [f64; 3] = [0.0, 0.6, 0.8];
const ALONG: f64 = 0.3;
const ACROSS: f64 = 0.2;

fn arm(m: &mut Assembly) -> Arm {
    arm_in(m, World::new())
}

fn arm_in(m: &mut Assembly, world: World) -> Arm {
    let world = m.add("world", world);
    let first = m.add("first", Revolute::new().n(Z).phi(fixed(0.3)).w(fixed(1.0)));
    let link =
        BodyShape::new().r([0.4, 0.1, 0.0]).r_cm([0.2, 0.0, 0.1]).m(2.0).inertia([0.1, 0.2, 0.3]);
    let link = m.add("link", link);
    let second =
        m.add("second", Revolute::new().n([1.0, 0.5, 0.0]).phi(fixed(-0.2)).w(fixed(-2.0)));
    let carrier = BodyShape::new().r([0.1, 0.0, 0.3]).r_cm([0.0, 0.2, 0.1]).m(1.0);
    let carrier = m.add("carrier", carrier.inertia([0.2, 0.1, 0.15]).products([0.01, 0.02, 0.0]));
    m.connect(world.frame_b, first.frame_a);
    m.connect(first.frame_b, link.frame_a);
    m.connect(link.frame_b, second.frame_a);
    m.connect(second.frame_b, carrier.frame_a);
    Arm { carrier: carrier.frame_a, end: carrier.frame_b }
}

/// A symmetric body that rotates like a rotor.
fn wheel(m: &mut Assembly) -> BodyPorts {
    let [x, y, z] = AXIS;
    let part = |a: f64, b: f64| (ALONG - ACROSS) * a * b;
    let diagonal = [x, y, z].map(|c| ACROSS + part(c, c));
    let body = Body::new().m(0.5).r_cm([0.0; 3]).inertia(diagonal);
    m.add("wheel", body.products([part(y, x), part(z, x), part(z, y)]))
}

/// A motor on the carrier, made of bodies and joints; returns the joint of the rotor.
fn motor_3d(m: &mut Assembly, carrier: Frame) -> RevolutePorts {
    let joint = m.add("joint", Revolute::new().n(AXIS).phi(fixed(0.0)).w(fixed(5.0)));
    let wheel = wheel(m);
    let torque = m.add("torque", libraries::rotational::Torque::new());
    let sine = m.add("sine", Sine::new().amplitude(4.0).f(1.5));
    m.connect(sine.y, torque.tau);
    m.connect(carrier, joint.frame_a);
    m.connect(joint.frame_b, wheel.frame_a);
    m.connect(torque.flange, joint.axis);
    joint
}

/// A motor on the carrier, made as a drive train: rotor and housing.
fn motor_1d(m: &mut Assembly, carrier: Frame) -> (Rotor1DPorts, Mounting1DPorts) {
    let wheel = wheel(m);
    let rotor = multibody::Rotor1D::new().J(ALONG).n(AXIS).phi(fixed(0.0)).w(fixed(5.0));
    let rotor = m.add("rotor", rotor);
    let mounting = m.add("mounting", Mounting1D::new().n(AXIS));
    let torque = m.add("torque", Torque2::new());
    let sine = m.add("sine", Sine::new().amplitude(4.0).f(1.5));
    m.connect(sine.y, torque.tau);
    for frame in [wheel.frame_a, rotor.frame_a, mounting.frame_a] {
        m.connect(carrier, frame);
    }
    m.connect(mounting.flange_b, torque.flange_a);
    m.connect(torque.flange_b, rotor.flange_a);
    (rotor, mounting)
}

/// Compares two models along their motions.
fn assert_same(mut one: Simulation, mut other: Simulation, pairs: &[(&str, &str)], steps: usize) {
    for _ in 0..steps {
        for (a, b) in pairs {
            let (x, y) = (value(&mut one, a), value(&mut other, b));
            assert!((x - y).abs() < 1e-9 * (1.0 + x.abs()), "{a}: {x} is not {b}: {y}");
        }
        step(&mut one, 1e-3);
        step(&mut other, 1e-3);
    }
}

const JOINTS: [(&str, &str); 4] = [
    ("first.w", "first.w"),
    ("first.a", "first.a"),
    ("second.w", "second.w"),
    ("second.a", "second.a"),
];

#[test]
fn a_rotor_with_its_housing_moves_as_a_symmetric_body_on_a_joint() {
    let bodies = start(|m| {
        let arm = arm(m);
        motor_3d(m, arm.carrier);
    });
    let train = start(|m| {
        let arm = arm(m);
        motor_1d(m, arm.carrier);
    });
    let mut pairs = JOINTS.to_vec();
    pairs.extend([("joint.w", "rotor.w"), ("joint.a", "rotor.a")]);
    pairs.push(("energy.kinetic", "energy.kinetic"));
    assert_same(bodies, train, &pairs, 300);
}

/// A chain of joints and bodies.
fn tail(m: &mut Assembly, mut end: Frame) {
    for (k, axis) in [Z, X, Y, Z, Y, X].into_iter().enumerate() {
        let joint = Revolute::new().n(axis).phi(fixed(0.2)).w(fixed(0.5));
        let joint = m.add(format!("tail{k}"), joint);
        let body = BodyShape::new().r([0.2, 0.1, 0.0]).r_cm([0.1, 0.0, 0.1]).m(0.3);
        let body = m.add(format!("part{k}"), body.inertia([0.01, 0.02, 0.015]));
        m.connect(end, joint.frame_a);
        m.connect(joint.frame_b, body.frame_a);
        end = body.frame_b;
    }
}

#[test]
fn a_carrier_of_a_rotor_carries_a_chain_as_well() {
    let bodies = start(|m| {
        let arm = arm(m);
        motor_3d(m, arm.carrier);
        tail(m, arm.end);
    });
    let train = start(|m| {
        let arm = arm(m);
        motor_1d(m, arm.carrier);
        tail(m, arm.end);
    });
    let mut pairs = JOINTS.to_vec();
    pairs.extend([("joint.a", "rotor.a"), ("tail0.a", "tail0.a"), ("tail5.a", "tail5.a")]);
    assert_same(bodies, train, &pairs, 50);
}

/// A link behind the arm, at a joint about the axis of the rotor.
fn driven_link(m: &mut Assembly, arm: &Arm) -> RevolutePorts {
    let third = m.add("third", Revolute::new().n(AXIS).phi(fixed(0.0)).w(guess(0.5)));
    let last = Body::new().m(0.7).r_cm([0.3, 0.1, 0.0]).inertia([0.02, 0.03, 0.04]);
    let last = m.add("last", last);
    m.connect(arm.end, third.frame_a);
    m.connect(third.frame_b, last.frame_a);
    third
}

#[test]
fn a_motor_and_a_gear_drive_a_joint_as_their_bodies_do() {
    let bodies = start(|m| {
        let arm = arm(m);
        let third = driven_link(m, &arm);
        let joint = motor_3d(m, arm.carrier);
        let gear = m.add("gear", IdealGear::new().ratio(10.0));
        m.connect(joint.axis, gear.flange_a);
        m.connect(gear.flange_b, third.axis);
    });
    let train = start(|m| {
        let arm = arm(m);
        let third = driven_link(m, &arm);
        let (rotor, mounting) = motor_1d(m, arm.carrier);
        let gear = m.add("gear", IdealGear::new().ratio(10.0));
        m.connect(rotor.flange_b, gear.flange_a);
        m.connect(gear.flange_b, third.axis);
        m.connect(gear.support, mounting.flange_b);
        m.connect(third.support, mounting.flange_b);
    });
    let mut pairs = JOINTS.to_vec();
    pairs.extend([("joint.w", "rotor.w"), ("third.a", "third.a")]);
    assert_same(bodies, train, &pairs, 300);
}

/// A brake between the rotor and the housing.
fn brake(m: &mut Assembly, (rotor, mounting): (Rotor1DPorts, Mounting1DPorts), force: f64) {
    let brake = m.add("brake", Brake::new().fn_max(force));
    let on = m.add("on", Constant::new().k(1.0));
    m.connect(on.y, brake.f_normalized);
    m.connect(brake.flange_a, rotor.flange_b);
    m.connect(brake.support, mounting.flange_b);
}

#[test]
fn a_rotor_that_is_held_in_its_housing_is_a_part_of_the_carrier() {
    let locked = start(|m| {
        let arm = arm(m);
        let wheel = wheel(m);
        m.connect(arm.carrier, wheel.frame_a);
    });
    let mut braked = start(|m| {
        let arm = arm(m);
        let wheel = wheel(m);
        m.connect(arm.carrier, wheel.frame_a);
        let rotor = multibody::Rotor1D::new().J(ALONG).n(AXIS).phi(fixed(0.0)).w(fixed(0.0));
        let rotor = m.add("rotor", rotor);
        let mounting = m.add("mounting", Mounting1D::new().n(AXIS));
        m.connect(arm.carrier, rotor.frame_a);
        m.connect(arm.carrier, mounting.frame_a);
        brake(m, (rotor, mounting), 1e4);
    });
    settle(&mut braked);
    assert_eq!(value(&mut braked, "brake.mode"), 0.0);
    assert_same(locked, braked, &JOINTS, 200);
}

#[test]
fn the_power_of_a_brake_between_rotor_and_housing_is_lost() {
    let mut model = start(|m| {
        let arm = arm(m);
        let motor = motor_1d(m, arm.carrier);
        brake(m, motor, 3.0);
    });
    for _ in 0..20 {
        let loss = value(&mut model, "brake.lossPower");
        let power = 4.0 * (TAU * 1.5 * model.time()).sin() * value(&mut model, "rotor.w");
        let rate = common::energy_rate(&mut model);
        assert!(loss > 1.0, "{loss}");
        assert_near(rate, power - loss, 1e-5 * loss, "energy");
        step(&mut model, 0.005);
    }
}

#[test]
fn a_torque_sensor_at_a_housing_measures_the_torque_on_the_carrier() {
    let mut model = start(|m| {
        let arm = arm(m);
        motor_1d(m, arm.carrier);
        let housing = m.add("housing", Mounting1D::new().n(X));
        let sensor = m.add("sensor", TorqueSensor::new());
        let load = m.add("load", ConstantTorque::new().tau_constant(2.0));
        let ground = m.add("ground", multibody::Fixed::new());
        let outside = m.add("outside", Mounting1D::new());
        m.connect(arm.carrier, housing.frame_a);
        m.connect(ground.frame_b, outside.frame_a);
        m.connect(load.support, outside.flange_b);
        m.connect(load.flange, sensor.flange_a);
        m.connect(sensor.flange_b, housing.flange_b);
    });
    assert_near(value(&mut model, "sensor.tau"), 2.0, 1e-12, "sensor.tau");
    let mut plain = start(|m| {
        let arm = arm(m);
        motor_1d(m, arm.carrier);
        let none = m.add("none", Constant::new().k(0.0));
        let two = m.add("two", Constant::new().k(2.0));
        let torque = m.add("load", WorldTorque::new().resolve_in_frame(ResolveInFrameB::FrameB));
        m.connect(torque.torque, [two.y, none.y, none.y]);
        m.connect(torque.frame_b, arm.carrier);
    });
    for (a, _) in JOINTS {
        let (x, y) = (value(&mut model, a), value(&mut plain, a));
        assert_near(x, y, 1e-10 * (1.0 + y.abs()), a);
    }
}

#[test]
fn drive_trains_of_one_dimension_do_not_act_on_frames() {
    let plain = start(|m| {
        arm(m);
        let inertia = m.add("rotor", Inertia::new().J(2.0).phi(fixed(0.0)).w(fixed(5.0)));
        let load = m.add("load", ConstantTorque::new().tau_constant(2.0));
        m.connect(load.flange, inertia.flange_b);
    });
    let train = start(|m| {
        let world = m.add("other", FixedTranslation::new().r(X));
        let arm = arm_in(m, World::new().drive_train_mechanics_3d(false));
        m.connect(world.frame_a, arm.carrier);
        let rotor = multibody::Rotor1D::new().J(2.0).phi(fixed(0.0)).w(fixed(5.0));
        let rotor = m.add("rotor", rotor);
        let mounting = m.add("mounting", Mounting1D::new());
        let load = m.add("load", ConstantTorque::new().tau_constant(2.0));
        m.connect(rotor.frame_a, arm.carrier);
        m.connect(load.support, mounting.flange_b);
        m.connect(load.flange, rotor.flange_b);
    });
    let mut pairs = JOINTS.to_vec();
    pairs.push(("rotor.a", "rotor.a"));
    assert_same(plain, train, &pairs, 50);
}

#[test]
fn a_rotor_that_is_not_exact_ignores_the_acceleration_of_its_housing() {
    let model = |exact: bool| {
        start(move |m| {
            let arm = arm(m);
            let wheel = wheel(m);
            let rotor = multibody::Rotor1D::new().J(ALONG).n(AXIS).w(fixed(5.0)).exact(exact);
            let rotor = m.add("rotor", rotor);
            m.connect(arm.carrier, wheel.frame_a);
            m.connect(arm.carrier, rotor.frame_a);
        })
    };
    let (mut exact, mut rough) = (model(true), model(false));
    assert_near(value(&mut rough, "rotor.a"), 0.0, 0.0, "rotor.a");
    let z = Vector3::from(AXIS).dot(&vector(&mut exact, "carrier.body.z_a"));
    assert!(z.abs() > 0.1);
    assert_near(value(&mut exact, "rotor.a"), -z, 1e-10, "rotor.a");
}

/// A motor with a gear on the carrier, which drives the third joint; `held` says which supports are
/// connected to the housing: those of motor, gear and joint.
fn geared_drive(m: &mut Assembly, held: [bool; 3]) {
    let arm = arm(m);
    let third = driven_link(m, &arm);
    let mounting = m.add("mounting", Mounting1D::new().n(AXIS));
    let motor = m.add("motor", libraries::rotational::Torque::new());
    let sine = m.add("sine", Sine::new().amplitude(4.0).f(1.5).phase(0.5));
    let rotor = m.add("rotor", multibody::Rotor1D::new().J(ALONG).n(AXIS));
    let gear = m.add("gear", IdealGear::new().ratio(10.0));
    let wheel = wheel(m);
    m.connect(sine.y, motor.tau);
    for frame in [wheel.frame_a, rotor.frame_a, mounting.frame_a] {
        m.connect(arm.carrier, frame);
    }
    m.chain((motor.flange, rotor.flange_a));
    m.chain((rotor.flange_b, gear, third.axis));
    for (support, held) in [motor.support, gear.support, third.support].into_iter().zip(held) {
        if held {
            m.connect(support, mounting.flange_b);
        }
    }
}

#[test]
fn a_drive_moves_alike_whichever_of_its_supports_are_connected() {
    let pairs = [JOINTS.as_slice(), &[("third.a", "third.a"), ("rotor.a", "rotor.a")]].concat();
    for k in 0..7 {
        let whole = start(|m| geared_drive(m, [true; 3]));
        let held = [k & 1 != 0, k & 2 != 0, k & 4 != 0];
        let half = start(|m| geared_drive(m, held));
        assert_same(whole, half, &pairs, 30);
    }
}

/// A housing at a frame.
fn mounted_at(m: &mut Assembly, name: &str, frame: Frame, n: [f64; 3]) -> Flange {
    let mounting = m.add(name, Mounting1D::new().n(n));
    m.connect(mounting.frame_a, frame);
    mounting.flange_b
}

/// A torque between two flanges.
fn torque_between(m: &mut Assembly, ends: [Flange; 2]) {
    let torque = m.add("torque", Torque2::new());
    let tau = m.add("tau", Constant::new().k(1.0));
    m.connect(tau.y, torque.tau);
    m.connect(ends[0], torque.flange_a);
    m.connect(ends[1], torque.flange_b);
}

#[test]
fn impossible_housings_are_named() {
    let message = refusal(|m| {
        m.add("world", World::new());
        m.add("rotor", multibody::Rotor1D::new().J(1.0));
    });
    assert!(message.contains("rotor.frame_a: it is not connected"), "{message}");
    let behind_the_joint = |m: &mut Assembly| {
        let arm = arm(m);
        let third = driven_link(m, &arm);
        let mounting = mounted_at(m, "mounting", third.frame_b, AXIS);
        m.connect(mounting, third.axis);
        (arm, third)
    };
    let message = refusal(|m| {
        behind_the_joint(m);
    });
    let sentence = "third: its drive train is mounted on another part, at mounting.frame_a, so it \
                    is not known what holds the housing of the joint: mount the drive train on the \
                    part at third.frame_a, or connect the support of third as well";
    assert!(message.contains(sentence), "{message}");
    let message = refusal(|m| {
        let (arm, third) = behind_the_joint(m);
        let other = mounted_at(m, "other", arm.end, AXIS);
        m.connect(other, third.support);
    });
    assert!(message.contains("mounting, other: a drive train moves the frame"), "{message}");
}

#[test]
fn one_drive_train_on_several_parts_is_refused_by_name() {
    let message = refusal(|m| {
        let arm = arm(m);
        let ends = [mounted_at(m, "a", arm.carrier, X), mounted_at(m, "b", arm.end, Y)];
        torque_between(m, ends);
    });
    let sentence = "a and b: one drive train is mounted at the frames of both, but the directions \
                    of their axes differ by 1.571 rad, so its torques do not balance: give n the \
                    same direction in both, or connect the shafts by a BevelGear1D";
    assert!(message.contains(sentence), "{message}");
    let message = refusal(|m| {
        let world = m.add("world", World::new());
        let first = m.add("first", Universal::new().n_a(X).n_b(Y));
        let body = m.add("body", Body::new().m(1.0).r_cm([0.1, 0.2, 0.3]).inertia([1.0; 3]));
        let second = m.add("second", Universal::new().n_a(X).n_b(Y));
        let tail = m.add("tail", Body::new().m(1.0).r_cm([0.3, 0.2, 0.3]).inertia([1.0; 3]));
        m.chain((world.frame_b, first, body.frame_a));
        m.chain((body.frame_a, second, tail.frame_a));
        let ends = [mounted_at(m, "a", body.frame_a, X), mounted_at(m, "b", tail.frame_a, X)];
        torque_between(m, ends);
    });
    assert!(message.contains("a and b: one drive train"), "{message}");
    assert!(message.contains("these parts turn against each other"), "{message}");
    let on_both = |m: &mut Assembly| {
        let arm = arm(m);
        let third = driven_link(m, &arm);
        let ends = [("a", arm.end), ("b", third.frame_b)];
        let ends = ends.map(|(name, frame)| mounted_at(m, name, frame, AXIS));
        torque_between(m, ends);
        ends
    };
    let message = refusal(|m| {
        let [a, _] = on_both(m);
        let load = m.add("load", ConstantTorque::new().tau_constant(2.0));
        m.connect(load.flange, a);
    });
    let sentence = "load.support: its drive train is mounted on several parts, at a.frame_a and \
                    b.frame_a, so it is not known on which of them it rests: connect it to the \
                    Mounting1D on this part";
    assert!(message.contains(sentence), "{message}");
    let message = refusal(|m| {
        let [a, _] = on_both(m);
        let inertia = m.add("inertia", Inertia::new().J(2.0));
        m.connect(inertia.flange_a, a);
    });
    assert!(message.contains("inertia: its drive train is mounted on several parts"), "{message}");
    let message = refusal(|m| {
        on_both(m);
    });
    assert_eq!(message, "");
}
