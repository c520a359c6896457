//! Open chains and trees of joints: energy, Newton and Euler body by body, published pendulums.

use crate::common;
use crate::common::{Random, along, energy, initialize, start, step, value};
use libraries::multibody::*;
use libraries::prelude::*;

/// A tree of joints and bodies without order or symmetry; `links` of them.
fn tree(m: &mut Assembly, seed: u64, links: usize) {
    let mut random = Random(seed);
    let world = m.add("world", World::new().n(random.vector()));
    let mut ends = vec![world.frame_b];
    for k in 0..links {
        let at = ends[(random.number().abs() * ends.len() as f64) as usize];
        let axis = random.vector();
        let (a, b) = if random.number() > -0.3 {
            let joint =
                Revolute::new().n(axis).phi(fixed(random.number())).w(fixed(2.0 * random.number()));
            let joint = m.add(format!("j{k}"), joint);
            (joint.frame_a, joint.frame_b)
        } else {
            let joint =
                Prismatic::new().n(axis).s(fixed(random.number())).v(fixed(random.number()));
            let joint = m.add(format!("j{k}"), joint);
            (joint.frame_a, joint.frame_b)
        };
        let reversed = random.number() > 0.5;
        m.connect(at, if reversed { b } else { a });
        let shape = BodyShape::new()
            .r(random.vector())
            .r_cm(random.vector())
            .m(0.5 + random.number().abs())
            .inertia([0.3 + random.number().abs(), 0.5, 0.4])
            .products([0.05 * random.number(), 0.02, -0.03]);
        let body = m.add(format!("b{k}"), shape);
        m.connect(if reversed { a } else { b }, body.frame_a);
        ends.push(body.frame_b);
    }
}

#[test]
fn trees_conserve_their_energy() {
    for (seed, links) in [(1, 1), (2, 2), (3, 3), (4, 4), (5, 5), (6, 6)] {
        let mut model = start(|m| tree(m, seed, links));
        let initial = energy(&mut model);
        let scale = value(&mut model, "energy.kinetic").abs() + 1.0;
        step(&mut model, 0.2);
        let drift = (energy(&mut model) - initial) / scale;
        assert!(drift.abs() < 1e-8, "{links} links: energy drifts by {drift:e}");
    }
}

#[test]
fn accelerations_are_the_derivatives_of_velocities() {
    let mut model = start(|m| tree(m, 11, 4));
    let names: Vec<String> =
        (0..4)
            .flat_map(|k| {
                (1..=3).flat_map(move |i| {
                    [format!("b{k}.v_0[{i}] b{k}.a_0[{i}]"), format!("b{k}.r_0[{i}] b{k}.v_0[{i}]")]
                })
            })
            .chain((0..4).flat_map(|k| {
                (1..=3).map(move |i| format!("b{k}.body.w_a[{i}] b{k}.body.z_a[{i}]"))
            }))
            .collect();
    let h = 1e-5;
    let read = |model: &mut fmu_runtime::Simulation, which: usize| -> Vec<f64> {
        names.iter().map(|pair| value(model, pair.split(' ').nth(which).unwrap())).collect()
    };
    let values = along(&mut model, &[h, -h], |model| read(model, 0));
    let slopes = read(&mut model, 1);
    for (k, name) in names.iter().enumerate() {
        let difference = (values[0][k] - values[1][k]) / (2.0 * h);
        assert!((difference - slopes[k]).abs() < 1e-6 * (1.0 + difference.abs()), "{name}");
    }
}

#[test]
fn a_physical_pendulum_swings_with_its_period() {
    // m g l / I = 9.80665 * 0.5 / (0.25 + 0.001), released 1e-3 rad from the vertical.
    let text = |m: &mut Assembly| {
        let world = m.add("world", World::new());
        let start = -std::f64::consts::FRAC_PI_2 + 1e-3;
        let rev = m.add("rev", Revolute::new().n(Z).phi(fixed(start)).w(fixed(0.0)));
        let body = m.add("body", Body::new().m(1.0).r_cm([0.5, 0.0, 0.0]));
        m.connect(world.frame_b, rev.frame_a);
        m.connect(rev.frame_b, body.frame_a);
    };
    let mut model = start(text);
    let omega = (9.80665_f64 * 0.5 / 0.251).sqrt();
    let quarter = std::f64::consts::FRAC_PI_2 / omega;
    step(&mut model, quarter);
    let angle = value(&mut model, "rev.phi") + std::f64::consts::FRAC_PI_2;
    assert!(angle.abs() < 1e-9, "{angle}");
}

#[test]
fn a_changed_parameter_moves_like_a_changed_model() {
    let text = |mass: f64, length: f64| {
        move |m: &mut Assembly| {
            let world = m.add("world", World::new());
            let rev = m.add("rev", Revolute::new().n(Z).phi(fixed(0.3)).w(fixed(1.0)));
            let bar = m.add("bar", BodyCylinder::new().r([length, 0.1, 0.0]).density(mass));
            let second = m.add("second", Revolute::new().n(Y).phi(fixed(0.1)).w(fixed(0.0)));
            let end = m.add("end", BodyBox::new().r([0.2, 0.0, 0.3]).width(0.1));
            m.connect(world.frame_b, rev.frame_a);
            m.connect(rev.frame_b, bar.frame_a);
            m.connect(bar.frame_b, second.frame_a);
            m.connect(second.frame_b, end.frame_a);
        }
    };
    let mut rebuilt = start(text(500.0, 0.7));
    let mut changed = common::simulation(text(7700.0, 0.4)).unwrap();
    for (name, number) in [("bar.density", 500.0), ("bar.r[1]", 0.7)] {
        changed.set(name, number).unwrap();
    }
    // The default diameter is a fraction of the length of the text.
    changed.set("bar.diameter", value(&mut rebuilt, "bar.diameter")).unwrap();
    initialize(&mut changed);
    step(&mut rebuilt, 0.1);
    step(&mut changed, 0.1);
    assert_eq!(rebuilt.continuous_states(), changed.continuous_states());
}
