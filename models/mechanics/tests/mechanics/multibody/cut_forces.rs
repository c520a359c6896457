//! Cut forces and torques: the loads that rigid connections transmit, in chains and in loops.

use crate::common::linkages::Closing;
use crate::common::{energy_rate, simulation, start, step, value, vector};
use fmu_runtime::Simulation;
use libraries::multibody::*;
use libraries::prelude::*;
use nalgebra::{Matrix3, Vector3};

const G: f64 = 9.80665;

fn assert_vector(found: Vector3<f64>, wanted: [f64; 3], what: &str) {
    let gap = (found - Vector3::from(wanted)).norm();
    assert!(gap < 1e-9 * (1.0 + found.norm()), "{what}: {found:?} is not {wanted:?}");
}

/// A sensor between two frames.
fn sensor(m: &mut Assembly, name: &str, [a, b]: [Frame; 2]) -> CutForceAndTorquePorts {
    let sensor = m.add(name, CutForceAndTorque::new());
    m.connect(a, sensor.frame_a);
    m.connect(sensor.frame_b, b);
    sensor
}

#[test]
fn a_clamped_beam_carries_its_weight() {
    let mut model = start(|m| {
        let world = m.add("world", World::new());
        let clamp = m.add("clamp", FixedRotation::new().n(Z).angle(90.0));
        let beam =
            m.add("beam", BodyShape::new().r([0.0, -2.0, 0.0]).r_cm([0.0, -1.0, 0.0]).m(3.0));
        let tip = m.add("tip", Body::new().m(1.0).r_cm([0.0; 3]));
        m.connect(world.frame_b, clamp.frame_a);
        sensor(m, "root", [clamp.frame_b, beam.frame_a]);
        sensor(m, "end", [beam.frame_b, tip.frame_a]);
        let other = m.add("other", CutForce::new().resolve_in_frame(ResolveInFrameA::World));
        let torque = m.add("torque", CutTorque::new().positive_sign(false));
        let last = m.add("last", Body::new().m(0.5).r_cm([0.0, 1.0, 0.0]));
        m.connect(beam.frame_b, other.frame_a);
        m.connect(other.frame_b, torque.frame_a);
        m.connect(torque.frame_b, last.frame_a);
    });
    // The beam points along the world's x axis, and its x axis upwards.
    assert_vector(vector(&mut model, "root.force"), [4.5 * G, 0.0, 0.0], "root.force");
    let moment = (3.0 * 1.0 + 1.0 * 2.0 + 0.5 * 1.0) * G;
    assert_vector(vector(&mut model, "root.torque"), [0.0, 0.0, moment], "root.torque");
    assert_vector(vector(&mut model, "end.force"), [G, 0.0, 0.0], "end.force");
    assert_vector(vector(&mut model, "end.torque"), [0.0; 3], "end.torque");
    assert_vector(vector(&mut model, "other.force"), [0.0, 0.5 * G, 0.0], "other.force");
    assert_vector(vector(&mut model, "torque.torque"), [0.0, 0.0, 0.5 * G], "torque.torque");
}

#[test]
fn the_tension_of_a_pendulum_is_weight_and_centripetal_force() {
    for behind in [false, true] {
        let mut model = start(|m| {
            let world = m.add("world", World::new());
            let joint = m.add("joint", Revolute::new().n(Z).phi(fixed(0.4)).w(fixed(1.5)));
            let body = m.add("body", Body::new().m(2.0).r_cm([0.7, 0.0, 0.0]).inertia([0.0; 3]));
            if behind {
                m.connect(world.frame_b, joint.frame_a);
                sensor(m, "sensor", [joint.frame_b, body.frame_a]);
            } else {
                sensor(m, "sensor", [world.frame_b, joint.frame_a]);
                m.connect(joint.frame_b, body.frame_a);
            }
        });
        for _ in 0..3 {
            let (phi, w) = (value(&mut model, "joint.phi"), value(&mut model, "joint.w"));
            let along = 2.0 * (G * phi.sin() - 0.7 * w * w);
            let rod = Vector3::new(phi.cos(), phi.sin(), 0.0);
            let wanted = if behind { Vector3::new(along, 0.0, 0.0) } else { rod * along };
            assert_vector(vector(&mut model, "sensor.force"), wanted.into(), "sensor.force");
            assert_vector(vector(&mut model, "sensor.torque"), [0.0; 3], "sensor.torque");
            step(&mut model, 0.1);
        }
    }
}

/// A chain of joints with a sensor at each side of a body, and another way round behind it.
fn chain(m: &mut Assembly, reversed: bool) {
    let world = m.add("world", World::new());
    let first = m.add("first", Revolute::new().n([0.3, 0.1, 1.0]).phi(fixed(0.5)).w(fixed(2.0)));
    let slide = m.add("slide", Prismatic::new().n([1.0, 0.4, 0.0]).s(fixed(0.2)).v(fixed(-0.5)));
    let link =
        BodyShape::new().r([0.3, 0.5, -0.2]).r_cm([0.1, 0.3, 0.0]).m(1.5).inertia([0.2, 0.3, 0.4]);
    let link = m.add("link", link.products([0.01, -0.02, 0.03]));
    let second =
        m.add("second", Revolute::new().n([0.0, 1.0, 0.2]).phi(fixed(-0.3)).w(fixed(-3.0)));
    let last = Body::new().m(0.8).r_cm([0.4, 0.0, 0.1]).inertia([0.05, 0.06, 0.07]);
    let last = m.add("last", last);
    m.connect(world.frame_b, first.frame_a);
    m.connect(first.frame_b, slide.frame_a);
    let before = m.add("before", CutForceAndTorque::new());
    let behind = m.add("behind", CutForceAndTorque::new());
    let power = m.add("power", Power::new());
    if reversed {
        m.connect(slide.frame_b, before.frame_b);
        m.connect(before.frame_a, link.frame_a);
    } else {
        m.connect(slide.frame_b, before.frame_a);
        m.connect(before.frame_b, link.frame_a);
    }
    m.connect(link.frame_b, power.frame_a);
    m.connect(power.frame_b, behind.frame_a);
    m.connect(behind.frame_b, second.frame_a);
    m.connect(second.frame_b, last.frame_a);
}

/// Force and torque that move a body, at its frame and in its axes, gravity included.
fn newton_euler(
    model: &mut Simulation,
    (mass, r_cm, inertia): (f64, [f64; 3], Matrix3<f64>),
    name: &str,
    to_frame: Matrix3<f64>,
) -> (Vector3<f64>, Vector3<f64>) {
    let (w, z) = (vector(model, &format!("{name}.w_a")), vector(model, &format!("{name}.z_a")));
    let origin = name.trim_end_matches(".body");
    let a = to_frame * (vector(model, &format!("{origin}.a_0")) + Vector3::new(0.0, G, 0.0));
    let c = Vector3::from(r_cm);
    let force = (a + z.cross(&c) + w.cross(&w.cross(&c))) * mass;
    (force, inertia * z + w.cross(&(inertia * w)) + c.cross(&force))
}

/// The rotation from the world to a frame that is turned by angles about axes, one after the other.
fn rotation(turns: &[([f64; 3], f64)]) -> Matrix3<f64> {
    turns.iter().fold(Matrix3::identity(), |t, &(n, phi)| {
        let e = nalgebra::Unit::new_normalize(Vector3::from(n));
        nalgebra::Rotation3::from_axis_angle(&e, phi).matrix().transpose() * t
    })
}

#[test]
fn cut_loads_are_those_of_newton_and_euler_on_both_sides() {
    for reversed in [false, true] {
        let mut model = start(|m| chain(m, reversed));
        for _ in 0..3 {
            let (phi1, phi2) = (value(&mut model, "first.phi"), value(&mut model, "second.phi"));
            let of_link = rotation(&[([0.3, 0.1, 1.0], phi1)]);
            let turn = rotation(&[([0.0, 1.0, 0.2], phi2)]);
            let last = (0.8, [0.4, 0.0, 0.1], Matrix3::from_diagonal(&[0.05, 0.06, 0.07].into()));
            let (force, torque) = newton_euler(&mut model, last, "last", turn * of_link);
            let (force, torque) = (turn.transpose() * force, turn.transpose() * torque);
            assert_vector(vector(&mut model, "behind.force"), force.into(), "behind.force");
            assert_vector(vector(&mut model, "behind.torque"), torque.into(), "behind.torque");

            let inertia = Matrix3::new(0.2, 0.01, -0.02, 0.01, 0.3, 0.03, -0.02, 0.03, 0.4);
            let link = (1.5, [0.1, 0.3, 0.0], inertia);
            let (own_force, own_torque) = newton_euler(&mut model, link, "link.body", of_link);
            let r = Vector3::new(0.3, 0.5, -0.2);
            let (all, moment) = (own_force + force, own_torque + torque + r.cross(&force));
            let sign = if reversed { -1.0 } else { 1.0 };
            assert_vector(vector(&mut model, "before.force") * sign, all.into(), "before.force");
            let found = vector(&mut model, "before.torque") * sign;
            assert_vector(found, moment.into(), "before.torque");
            step(&mut model, 0.05);
        }
    }
}

/// The axes of a frame in the world, as rows: rods show where they point.
fn rods(m: &mut Assembly, name: &str, frame: Frame) {
    for (axis, n) in [("x", X), ("y", Y), ("z", Z)] {
        let rod = m.add(format!("{name}_{axis}"), FixedTranslation::new().r(n));
        m.connect(frame, rod.frame_a);
    }
}

fn axes(model: &mut Simulation, name: &str) -> Matrix3<f64> {
    let rows = ["x", "y", "z"].map(|axis| {
        let end = vector(model, &format!("{name}_{axis}.frame_b.r_0"));
        (end - vector(model, &format!("{name}_{axis}.frame_a.r_0"))).transpose()
    });
    Matrix3::from_rows(&rows)
}

/// Which frame of a universal joint comes first.
#[derive(Clone, Copy)]
enum Universals {
    Straight,
    Turned,
}

/// A crank, a rod with a spherical joint and a universal joint, and a slider, all of them bodies,
/// joined by sensors or directly.
fn linkage(m: &mut Assembly, universal: Universals, sensors: bool) {
    let join = |m: &mut Assembly, name: &str, [a, b]: [Frame; 2]| {
        if sensors {
            sensor(m, name, [a, b]);
        } else {
            m.connect(a, b);
        }
    };
    let world = m.add("world", World::new());
    let rest = m.add("rest", FixedTranslation::new().r([1.2, 0.0, 0.0]));
    let j1 = m.add("j1", Revolute::new().n(X).phi(fixed(0.0)).w(fixed(5.0)).states(Always));
    let j2 = m.add("j2", Prismatic::new().n(X).s(guess(-0.2)));
    let body = |r: [f64; 3], m: f64| {
        BodyShape::new().r(r).r_cm(r.map(|c| 0.4 * c)).m(m).inertia([0.02, 0.03, 0.04])
    };
    let b1 = m.add("b1", body([0.0, 0.5, 0.1], 2.0));
    let b2 = m.add("b2", body([0.0, 0.2, 0.0], 1.5));
    let b3 = m.add("b3", body([-1.0, 0.3, 0.1], 1.0).products([0.001, 0.002, -0.001]));
    m.connect(world.frame_b, rest.frame_a);
    m.connect(world.frame_b, j1.frame_a);
    m.connect(rest.frame_b, j2.frame_a);
    join(m, "s0", [j1.frame_b, b1.frame_a]);
    join(m, "s4", [j2.frame_b, b2.frame_a]);
    let ball = m.add("ball", Spherical::new());
    join(m, "s1", [b1.frame_b, ball.frame_a]);
    join(m, "s2", [ball.frame_b, b3.frame_b]);
    let joint = m.add("universal", Universal::new().n_a(Y).n_b(Z));
    let ends = match universal {
        Universals::Straight => [joint.frame_a, joint.frame_b],
        Universals::Turned => [joint.frame_b, joint.frame_a],
    };
    m.connect(b2.frame_b, ends[0]);
    join(m, "s3", [ends[1], b3.frame_a]);
    for (name, frame) in [("e1", b1.frame_a), ("e2", b2.frame_a), ("e3", b3.frame_a)] {
        rods(m, name, frame);
    }
}

/// Force and torque in world axes, from sensors that show them in the axes of a body.
fn load(model: &mut Simulation, name: &str, t: Matrix3<f64>) -> (Vector3<f64>, Vector3<f64>) {
    let load = |model: &mut Simulation, what: &str| vector(model, &format!("{name}.{what}"));
    (t.transpose() * load(model, "force"), t.transpose() * load(model, "torque"))
}

#[test]
fn cut_loads_in_a_loop_balance_every_body() {
    for universal in [Universals::Straight, Universals::Turned] {
        let mut model = start(|m| linkage(m, universal, true));
        for _ in 0..3 {
            let [t1, t2, t3] = ["e1", "e2", "e3"].map(|name| axes(&mut model, name));
            let diagonal = Matrix3::from_diagonal(&[0.02, 0.03, 0.04].into());
            let products = Matrix3::new(0.0, 0.001, 0.002, 0.001, 0.0, -0.001, 0.002, -0.001, 0.0);
            for (name, r, mass, inertia, t, near, far) in [
                ("b1", [0.0, 0.5, 0.1], 2.0, diagonal, t1, ("s0", t1), ("s1", t1)),
                ("b3", [-1.0, 0.3, 0.1], 1.0, diagonal + products, t3, ("s3", t3), ("s2", t3)),
            ] {
                let body = (mass, r.map(|c| 0.4 * c), inertia);
                let (force, torque) = newton_euler(&mut model, body, &format!("{name}.body"), t);
                let (force, torque) = (t.transpose() * force, t.transpose() * torque);
                let ((f, m), (g, n)) =
                    (load(&mut model, near.0, near.1), load(&mut model, far.0, far.1));
                // The load at the sensor at the far end of `b3` acts on the body.
                let sign = if name == "b3" { 1.0 } else { -1.0 };
                let arm = t.transpose() * Vector3::from(r);
                assert_vector(f + g * sign, force.into(), name);
                assert_vector(m + (n + arm.cross(&g)) * sign, torque.into(), name);
            }
            assert!(vector(&mut model, "s1.force").norm() > 1.0);
            assert_vector(vector(&mut model, "s1.torque"), [0.0; 3], "s1.torque");
            assert_vector(vector(&mut model, "s2.torque"), [0.0; 3], "s2.torque");
            let across = load(&mut model, "s1", t1).0 - load(&mut model, "s2", t3).0;
            assert!(across.norm() < 1e-9, "{across:?}");
            let (drive, slip) =
                (vector(&mut model, "s0.torque")[0], vector(&mut model, "s4.force")[0]);
            assert!(drive.abs() < 1e-9 && slip.abs() < 1e-9, "{drive} {slip}");
            let body = (1.5, [0.0, 0.08, 0.0], diagonal);
            let (own, _) = newton_euler(&mut model, body, "b2.body", t2);
            let (on_rod, _) = load(&mut model, "s3", t3);
            let (all, _) = load(&mut model, "s4", t2);
            assert_vector(all - on_rod, (t2.transpose() * own).into(), "slider");
            step(&mut model, 0.06);
        }
    }
}

#[test]
fn sensors_do_not_change_the_motion_of_a_loop() {
    let mut with = start(|m| linkage(m, Universals::Straight, true));
    let mut without = start(|m| linkage(m, Universals::Straight, false));
    step(&mut with, 0.1);
    step(&mut without, 0.1);
    for name in ["j1.phi", "j1.w", "j1.a", "j2.s"] {
        let (a, b) = (value(&mut with, name), value(&mut without, name));
        assert!((a - b).abs() < 1e-10 * (1.0 + b.abs()), "{name}: {a} is not {b}");
    }
}

/// A planar linkage with a sensor in its coupler, closed by a revolute joint or by the conditions
/// that a plane requires.
fn planar(m: &mut Assembly, closing: Closing) {
    let world = m.add("world", World::new());
    let rest = m.add("rest", FixedTranslation::new().r([-0.15, 1.0, 0.0]));
    let j1 = m.add("j1", Revolute::new().n(Z).phi(fixed(0.0)).w(fixed(1.0)).states(Always));
    let [j2, j3] = ["j2", "j3"].map(|name| m.add(name, Revolute::new().n(Z)));
    let b1 = m.add("b1", BodyBox::new().r([0.4, 0.0, 0.0]).width(0.05));
    let b2 = m.add("b2", BodyBox::new().r([0.1, 1.1, 0.0]).width(0.05));
    let b4 = m.add("b4", BodyBox::new().r([0.65, 0.1, 0.0]).width(0.05));
    m.connect(world.frame_b, j1.frame_a);
    m.connect(world.frame_b, rest.frame_a);
    m.connect(j1.frame_b, b1.frame_a);
    m.connect(b1.frame_b, j2.frame_a);
    m.connect(rest.frame_b, j3.frame_a);
    m.connect(j3.frame_b, b4.frame_a);
    sensor(m, "s", [j2.frame_b, b2.frame_a]);
    closing.close(m, "j4", Z, [b4.frame_b, b2.frame_b]);
}

#[test]
fn in_a_planar_loop_the_forces_in_the_plane_are_determined() {
    let [mut full, mut plane] =
        [Closing::Revolute, Closing::Planar].map(|closing| start(|m| planar(m, closing)));
    for _ in 0..20 {
        for name in ["s.force[1]", "s.force[2]", "s.torque[3]"] {
            let (a, b) = (value(&mut full, name), value(&mut plane, name));
            assert!((a - b).abs() < 1e-8 * (1.0 + a.abs()), "{name}: {a} is not {b}");
        }
        assert!(value(&mut full, "s.force[2]").abs() > 0.1);
        assert!(value(&mut full, "s.torque[3]").abs() < 1e-9);
        step(&mut full, 5e-3);
        step(&mut plane, 5e-3);
    }
}

#[test]
fn power_through_a_sensor_is_the_energy_that_arrives_behind_it() {
    let mut model = start(|m| {
        let world = m.add("world", World::new().gravity_type(GravityType::None));
        let joint =
            m.add("joint", Revolute::new().n([0.1, 0.3, 1.0]).phi(fixed(0.2)).w(fixed(1.0)));
        let sine = m.add("sine", Sine::new().amplitude(5.0).f(0.7));
        let drive = m.add("drive", libraries::rotational::Torque::new());
        let power = m.add("power", Power::new());
        let body = Body::new().m(1.2).r_cm([0.5, -0.3, 0.2]).inertia([0.1, 0.2, 0.3]);
        let body = m.add("body", body.products([0.01, 0.02, 0.03]));
        m.connect(sine.y, drive.tau);
        m.connect(drive.flange, joint.axis);
        m.connect(world.frame_b, joint.frame_a);
        m.connect(joint.frame_b, power.frame_a);
        m.connect(power.frame_b, body.frame_a);
    });
    step(&mut model, 0.3);
    let (rate, power) = (energy_rate(&mut model), value(&mut model, "power.power"));
    assert!(power.abs() > 0.1);
    assert!((rate - power).abs() < 1e-7 * power.abs(), "{rate} is not {power}");
}

#[test]
fn power_through_sensors_along_a_chain_leaves_what_the_bodies_take() {
    let mut model = start(|m| chain(m, false));
    // All energy, of gravity too, comes from the joint's fixed side, which does no work.
    let rate = energy_rate(&mut model);
    assert!(rate.abs() < 1e-6, "{rate}");
    let (f, t) = (vector(&mut model, "behind.force"), vector(&mut model, "behind.torque"));
    let of_link = rotation(&[([0.3, 0.1, 1.0], value(&mut model, "first.phi"))]);
    let w = vector(&mut model, "link.body.w_a");
    let r = Vector3::new(0.3, 0.5, -0.2);
    let v = of_link * vector(&mut model, "link.v_0") + w.cross(&r);
    let power = f.dot(&v) + t.dot(&w);
    let shown = value(&mut model, "power.power");
    assert!((power - shown).abs() < 1e-9 * (1.0 + power.abs()), "{power} is not {shown}");
}

#[test]
fn a_drive_may_read_a_cut_force() {
    let model = |measured: bool| {
        start(move |m| {
            let world = m.add("world", World::new());
            let joint = m.add("joint", Revolute::new().n(Z).phi(fixed(0.3)).w(fixed(2.0)));
            let body = Body::new().m(2.0).r_cm([0.7, 0.0, 0.0]).inertia([0.1; 3]);
            let body = m.add("body", body);
            let gain = m.add("gain", Gain::new().k(-0.1).unit("N.m"));
            let drive = m.add("drive", libraries::rotational::Torque::new());
            m.connect(gain.y, drive.tau);
            m.connect(drive.flange, joint.axis);
            m.connect(world.frame_b, joint.frame_a);
            if measured {
                let s = sensor(m, "s", [joint.frame_b, body.frame_a]);
                m.connect(s.force[1], gain.u);
            } else {
                m.connect(joint.frame_b, body.frame_a);
                let none = m.add("none", Constant::new().k(0.0));
                m.connect(none.y, gain.u);
            }
        })
    };
    let (mut measured, mut free) = (model(true), model(false));
    // J a = tau - m g r cos(phi), tau = -0.1 f_y, f_y = m (r a + g cos(phi))
    let (j, weight) = (0.1 + 2.0 * 0.7 * 0.7, 2.0 * G * 0.3_f64.cos());
    let wanted = -(0.7 * weight + 0.1 * weight) / (j + 0.1 * 2.0 * 0.7);
    let a = value(&mut measured, "joint.a");
    assert!((a - wanted).abs() < 1e-9, "{a} is not {wanted}");
    assert!((value(&mut free, "joint.a") - wanted).abs() > 0.1);
}

#[test]
fn a_sensor_beside_a_rigid_part_is_refused() {
    let message = simulation(|m| {
        let world = m.add("world", World::new());
        let joint = m.add("joint", Revolute::new().n(Z));
        let body = m.add("body", Body::new().m(1.0).r_cm([1.0, 0.0, 0.0]));
        m.connect(world.frame_b, joint.frame_a);
        m.connect(joint.frame_b, body.frame_a);
        for name in ["one", "two"] {
            sensor(m, name, [joint.frame_b, body.frame_a]);
        }
    });
    let Err(message) = message else { panic!("it is accepted") };
    assert!(message.contains("rigid parts form a loop here"), "{message}");
}
