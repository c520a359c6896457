//! Mechanisms in generalised coordinates: Jacobians, mass matrix, bias and forces against the
//! recursive kinematics and dynamics, energies, and Newton and Euler body by body.

use crate::common;
use crate::common::{Random, energy_rate, start, value};
use libraries::multibody::*;
use libraries::prelude::*;
use libraries::rotational;
use mechanics::Mechanism;
use nalgebra::{DVector, Vector3};

/// The properties of every body of a random tree.
const INERTIA: [f64; 3] = [0.3, 0.5, 0.4];
const PRODUCTS: [f64; 3] = [0.05, 0.02, -0.03];
const CENTRE: [f64; 3] = [0.2, -0.1, 0.3];
const MASS: f64 = 1.3;

fn body(random: &mut Random) -> BodyShape {
    BodyShape::new().r(random.vector()).r_cm(CENTRE).m(MASS).inertia(INERTIA).products(PRODUCTS)
}

/// A tree of revolute, prismatic and spherical joints, some of them reversed, and bodies; `links`
/// of them.
fn tree(m: &mut Assembly, seed: u64, links: usize) {
    let mut random = Random(seed);
    let world = m.add("world", World::new().n(random.vector()));
    let mut ends = vec![world.frame_b];
    for k in 0..links {
        let at = ends[(random.number().abs() * ends.len() as f64) as usize];
        let (name, kind) = (format!("j{k}"), random.number());
        let (a, b) = if kind > 0.0 {
            let joint = m.add(name, Revolute::new().n(random.vector()));
            (joint.frame_a, joint.frame_b)
        } else if kind > -0.5 {
            let joint = m.add(name, Prismatic::new().n(random.vector()));
            (joint.frame_a, joint.frame_b)
        } else {
            let joint = m.add(name, Spherical::new().enforce_states(true));
            (joint.frame_a, joint.frame_b)
        };
        let turned = random.number() > 0.3;
        let body = m.add(format!("b{k}"), body(&mut random));
        m.connect(at, if turned { b } else { a });
        m.connect(if turned { a } else { b }, body.frame_a);
        ends.push(body.frame_b);
    }
}

/// A four-bar linkage in space on a turning arm, with four pendulums on its crank and a motor
/// behind a gear: loops, branches of a core, flanges, a damper, a torque, dry friction.
fn machine(m: &mut Assembly) {
    let world = m.add("world", World::new());
    let arm_joint = m.add("arm_joint", Revolute::new().n([0.1, 1.0, 0.2]).w(guess(0.4)));
    let arm = m.add("arm", body(&mut Random(3)));
    m.connect(world.frame_b, arm_joint.frame_a);
    m.connect(arm_joint.frame_b, arm.frame_a);

    let j1 = m.add("j1", Revolute::new().n(X).w(guess(2.0)).states(Always));
    let j2 = m.add("j2", Prismatic::new().n(X).s(guess(-0.2)));
    let b0 = m.add("b0", FixedTranslation::new().r([1.2, 0.0, 0.0]));
    let b1 = m.add("b1", BodyCylinder::new().r([0.0, 0.5, 0.1]).diameter(0.05));
    let b2 = m.add("b2", BodyCylinder::new().r([0.0, 0.2, 0.0]).diameter(0.05));
    let rod = UniversalSpherical::new().n1_a(Y).r_rod_ia([-1.0, 0.3, 0.1]).compute_rod_length(true);
    let rod = m.add("rod", rod);
    m.connect(arm.frame_b, j1.frame_a);
    m.connect(j1.frame_b, b1.frame_a);
    m.connect(arm.frame_b, b0.frame_a);
    m.connect(b0.frame_b, j2.frame_a);
    m.connect(j2.frame_b, b2.frame_a);
    m.connect(rod.frame_a, b2.frame_b);
    m.connect(rod.frame_b, b1.frame_b);

    let mut at = b1.frame_b;
    for k in 0..4 {
        let joint = m.add(format!("p{k}"), Revolute::new().n([0.3, 1.0, k as f64]).phi(guess(0.5)));
        let bob = m.add(format!("bob{k}"), body(&mut Random(k as u64 + 7)));
        m.connect(at, joint.frame_a);
        m.connect(joint.frame_b, bob.frame_a);
        at = bob.frame_b;
    }

    let gear = m.add("gear", rotational::IdealGear::new().ratio(20.0));
    let motor = m.add("motor", rotational::Inertia::new().J(0.01));
    let torque = m.add("torque", rotational::ConstantTorque::new().tau_constant(0.7));
    let damper = m.add("damper", rotational::Damper::new().d(0.02));
    let friction = m.add("friction", rotational::BearingFriction::new().tau_pos(0.1));
    let ground = m.add("ground", rotational::Fixed::new());
    m.connect(torque.flange, motor.flange_a);
    m.connect(motor.flange_b, friction.flange_a);
    m.connect(friction.flange_b, gear.flange_a);
    m.connect(gear.flange_b, arm_joint.axis);
    m.connect(damper.flange_a, motor.flange_b);
    m.connect(damper.flange_b, ground.flange);
}

/// An arm of five joints with motors behind gears, each with dry friction.
fn robot(m: &mut Assembly) {
    let world = m.add("world", World::new());
    let ground = m.add("ground", rotational::Fixed::new());
    let mut at = world.frame_b;
    for (k, axis) in [Y, Z, [0.0, 1.0, 1.0], X, Z].into_iter().enumerate() {
        let joint = m.add(format!("j{k}"), Revolute::new().n(axis).w(guess(0.3)));
        let link = m.add(format!("b{k}"), body(&mut Random(k as u64 + 11)));
        let gear = m.add(format!("gear{k}"), rotational::IdealGear::new().ratio(-30.0));
        let motor = m.add(format!("motor{k}"), rotational::Inertia::new().J(0.002));
        let friction = rotational::BearingFriction::new().tau_pos(0.2);
        let friction = m.add(format!("friction{k}"), friction);
        let spring = m.add(format!("spring{k}"), rotational::SpringDamper::new().c(0.3).d(0.01));
        m.connect(at, joint.frame_a);
        m.connect(joint.frame_b, link.frame_a);
        m.connect(gear.flange_b, joint.axis);
        m.connect(friction.flange_b, gear.flange_a);
        m.connect(motor.flange_b, friction.flange_a);
        m.connect(spring.flange_a, motor.flange_a);
        m.connect(spring.flange_b, ground.flange);
        at = link.frame_b;
    }
}

/// A double pendulum whose first joint is moved, with a spring and a damper in space.
fn driven(m: &mut Assembly) {
    let world = m.add("world", World::new());
    let first = m.add("first", Revolute::new().n([0.2, 0.3, 1.0]));
    let second = m.add("second", Revolute::new().n([1.0, 0.3, 0.2]));
    let (one, two) = (m.add("one", body(&mut Random(1))), m.add("two", body(&mut Random(2))));
    let spring = m.add("spring", SpringDamperParallel::new().c(30.0).d(2.0));
    let position = m.add("position", rotational::Position::new().exact(true));
    let angle = m.add("angle", Sine::new().amplitude(0.8).f(0.5));
    m.connect(angle.y, position.phi_ref);
    m.connect(position.flange, first.axis);
    m.connect(world.frame_b, first.frame_a);
    m.connect(first.frame_b, one.frame_a);
    m.connect(one.frame_b, second.frame_a);
    m.connect(second.frame_b, two.frame_a);
    m.connect(world.frame_b, spring.frame_a);
    m.connect(spring.frame_b, two.frame_b);
}

/// New values near the present ones for all positions and speeds.
fn near(mechanism: &mut Mechanism, random: &mut Random, by: f64) -> Vec<(String, f64)> {
    let coordinates = mechanism.coordinates().to_vec();
    let names = coordinates.into_iter().flat_map(|c| c.position.into_iter().chain([c.speed]));
    names
        .map(|name| {
            let now = mechanism.value(&name).unwrap();
            (name, now + by * random.number())
        })
        .collect()
}

fn borrowed(states: &[(String, f64)]) -> Vec<(&str, f64)> {
    states.iter().map(|(name, value)| (name.as_str(), *value)).collect()
}

fn trees() -> impl Iterator<Item = (u64, usize)> {
    (1..=8).map(|seed| (seed, 1 + seed as usize % 6))
}

fn vector(mechanism: &mut Mechanism, name: &str) -> Vector3<f64> {
    Vector3::from_fn(|i, _| mechanism.value(&format!("{name}[{}]", i + 1)).unwrap())
}

#[test]
fn velocities_of_the_recursion_are_jacobians_times_speeds() {
    for (seed, links) in trees() {
        let mut mechanism = Mechanism::new(|m| tree(m, seed, links)).unwrap();
        let states = near(&mut mechanism, &mut Random(seed), 1.0);
        let here = mechanism.at(0.0, &borrowed(&states)).unwrap();
        let speeds = here.speeds.clone();
        let frames: Vec<_> =
            (0..links).map(|k| here.frame(&format!("b{k}.frame_a")).unwrap()).collect();
        for (k, frame) in frames.iter().enumerate() {
            let v = vector(&mut mechanism, &format!("b{k}.v_0"));
            let w = frame.t.transpose() * vector(&mut mechanism, &format!("b{k}.body.w_a"));
            assert!((&frame.jacobian_t * &speeds - v).amax() < 1e-12 * (1.0 + v.amax()), "{seed}");
            assert!((&frame.jacobian_r * &speeds - w).amax() < 1e-12 * (1.0 + w.amax()), "{seed}");
        }
    }
}

#[test]
fn velocities_are_derivatives_of_positions_in_loops_and_with_prescribed_motions() {
    for (text, frames) in [
        (machine as fn(&mut Assembly), ["b2.frame_b", "bob1.frame_b", "rod.frame_ia"]),
        (driven, ["one.frame_b", "two.frame_a", "two.frame_b"]),
    ] {
        let mut mechanism = Mechanism::new(text).unwrap();
        let states = near(&mut mechanism, &mut Random(5), 0.2);
        let (t, h) = (0.3, 1e-5);
        let here = mechanism.at(t, &borrowed(&states)).unwrap();
        let velocities = frames.map(|name| here.frame(name).unwrap().v);
        let coordinates = mechanism.coordinates().to_vec();
        let mut moved = |by: f64| {
            let of = |name: &str| states.iter().find(|s| s.0 == name).unwrap().1;
            let at: Vec<(String, f64)> = coordinates
                .iter()
                .filter_map(|c| {
                    let position = c.position.clone()?;
                    let value = of(&position) + by * of(&c.speed);
                    Some((position, value))
                })
                .collect();
            let there = mechanism.at(t + by, &borrowed(&at)).unwrap();
            frames.map(|name| there.frame(name).unwrap().r)
        };
        let (after, before) = (moved(h), moved(-h));
        for k in 0..frames.len() {
            let rate = (after[k] - before[k]) / (2.0 * h);
            assert!((rate - velocities[k]).amax() < 1e-8, "{}", frames[k]);
        }
    }
}

/// The kinetic energy with other speeds.
fn kinetic(mechanism: &mut Mechanism, speeds: &[(&str, f64)]) -> f64 {
    mechanism.at(0.0, speeds).unwrap();
    mechanism.value("energy.kinetic").unwrap()
}

#[test]
fn the_mass_matrix_is_the_hessian_of_the_kinetic_energy() {
    let mut mechanisms: Vec<Mechanism> =
        trees().map(|(seed, links)| Mechanism::new(|m| tree(m, seed, links)).unwrap()).collect();
    mechanisms.push(Mechanism::new(machine).unwrap());
    mechanisms.push(Mechanism::new(robot).unwrap());
    for mut mechanism in mechanisms {
        let states = near(&mut mechanism, &mut Random(9), 0.2);
        let mass = mechanism.at(0.0, &borrowed(&states)).unwrap().mass;
        let names: Vec<String> = mechanism.coordinates().iter().map(|c| c.speed.clone()).collect();
        let mut energy = |moving: &[usize]| {
            let of = |k: usize| if moving.contains(&k) { 1.0 } else { 0.0 };
            let speeds: Vec<(&str, f64)> =
                names.iter().enumerate().map(|(k, name)| (name.as_str(), of(k))).collect();
            kinetic(&mut mechanism, &speeds)
        };
        for i in 0..names.len() {
            let own = energy(&[i]);
            assert!((mass[(i, i)] - 2.0 * own).abs() < 1e-11 * (1.0 + own), "{}", names[i]);
            for j in 0..i {
                let both = energy(&[i, j]) - own - energy(&[j]);
                let scale = 1.0 + mass[(i, i)].max(mass[(j, j)]);
                assert!((mass[(i, j)] - both).abs() < 1e-11 * scale, "{}, {}", names[i], names[j]);
            }
        }
    }
}

/// `M a + k - Q` over the largest of its terms.
fn imbalance(mechanism: &mut Mechanism, t: f64, states: &[(String, f64)]) -> f64 {
    let here = mechanism.at(t, &borrowed(states)).unwrap();
    let inertia = &here.mass * &here.accelerations;
    let scale = inertia.amax().max(here.bias.amax()).max(here.forces.amax());
    (inertia + &here.bias - &here.forces).amax() / scale
}

#[test]
fn accelerations_of_the_recursion_balance_the_projected_forces() {
    for (seed, links) in trees() {
        let mut mechanism = Mechanism::new(|m| tree(m, seed, links)).unwrap();
        for trial in 0..3 {
            let states = near(&mut mechanism, &mut Random(seed + trial), 1.0);
            let error = imbalance(&mut mechanism, 0.0, &states);
            assert!(error < 1e-12, "{seed}: {error:e}");
        }
    }
    for text in [machine as fn(&mut Assembly), robot, driven] {
        let mut mechanism = Mechanism::new(text).unwrap();
        for trial in 1..5 {
            let states = near(&mut mechanism, &mut Random(trial), 0.2);
            let error = imbalance(&mut mechanism, 0.1 * trial as f64, &states);
            assert!(error < 1e-11, "{error:e}");
        }
    }
}

#[test]
fn reactions_of_newton_and_euler_do_no_work() {
    for (seed, links) in trees() {
        let mut mechanism = Mechanism::new(|m| tree(m, seed, links)).unwrap();
        let states = near(&mut mechanism, &mut Random(seed), 1.0);
        let here = mechanism.at(0.0, &borrowed(&states)).unwrap();
        let frames: Vec<_> =
            (0..links).map(|k| here.frame(&format!("b{k}.frame_a")).unwrap()).collect();
        let gravity = Random(seed).vector();
        let gravity = Vector3::from(gravity).normalize() * 9.80665;
        let [a, b, c] = INERTIA;
        let [d, e, f] = PRODUCTS;
        let inertia = nalgebra::Matrix3::new(a, d, e, d, b, f, e, f, c);
        let mut work = DVector::zeros(here.speeds.len());
        let mut scale: f64 = 0.0;
        for (k, frame) in frames.iter().enumerate() {
            let back = frame.t.transpose();
            let w = vector(&mut mechanism, &format!("b{k}.body.w_a"));
            let z = vector(&mut mechanism, &format!("b{k}.body.z_a"));
            let a_0 = vector(&mut mechanism, &format!("b{k}.a_0"));
            let r = Vector3::from(CENTRE);
            let a = a_0 + back * (z.cross(&r) + w.cross(&w.cross(&r)));
            let force = (a - gravity) * MASS;
            let moment = back * (inertia * z + w.cross(&(inertia * w)));
            let about_origin = moment + (back * r).cross(&force);
            work +=
                frame.jacobian_t.transpose() * force + frame.jacobian_r.transpose() * about_origin;
            scale = scale.max(force.amax()).max(about_origin.amax());
        }
        assert!(work.amax() < 1e-11 * scale, "{seed}: {:e} of {scale}", work.amax());
    }
}

#[test]
fn energy_changes_by_the_power_of_forces_without_a_potential() {
    let mut model = start(machine);
    for _ in 0..5 {
        common::step(&mut model, 0.02);
        let rate = energy_rate(&mut model);
        let of = |model: &mut fmu_runtime::Simulation, name: &str| value(model, name);
        let input = 0.7 * of(&mut model, "motor.w");
        let loss = of(&mut model, "damper.lossPower") + of(&mut model, "friction.lossPower");
        assert!(loss > 1e-6, "something is lost");
        assert!(
            (rate - (input - loss)).abs() < 1e-6 * (1.0 + input.abs()),
            "{rate}, {input}, {loss}"
        );
    }
}

#[test]
fn unknown_names_are_refused() {
    let mut mechanism = Mechanism::new(driven).unwrap();
    let wrong = mechanism.at(0.0, &[("third.phi", 1.0)]).unwrap_err();
    assert_eq!(wrong.to_string(), "third.phi: it is not a continuous state");
    let here = mechanism.at(0.0, &[]).unwrap();
    let wrong = here.frame("one.frame_c").unwrap_err();
    assert_eq!(wrong.to_string(), "one.frame_c: there is no frame of this name");
}

#[test]
fn drive_trains_on_moving_parts_are_refused() {
    let text = |m: &mut Assembly| {
        let world = m.add("world", World::new());
        let joint = m.add("joint", Revolute::new().n(Y));
        let carrier = m.add("carrier", body(&mut Random(1)));
        let rotor = m.add("rotor", Rotor1D::new().J(0.1));
        m.connect(world.frame_b, joint.frame_a);
        m.connect(joint.frame_b, carrier.frame_a);
        m.connect(carrier.frame_b, rotor.frame_a);
    };
    let refused = Mechanism::new(text).unwrap_err().to_string();
    assert!(refused.starts_with("rotor: drive trains on moving parts"), "{refused}");
}
