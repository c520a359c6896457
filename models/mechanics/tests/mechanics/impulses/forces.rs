//! Springs, dampers and gravity of the library of impulses.

use crate::common::counterparts::{INIT, arm, assert_alike, pendulum};
use crate::common::{energy, energy_rate, start, step, value};
use fmu_runtime::Simulation;
use libraries::impulses;
use libraries::multibody;
use libraries::prelude::*;

#[test]
fn a_spring_pulls_as_in_mechanisms_and_keeps_energy_where_its_ends_meet() {
    let joint = || impulses::Revolute::new().phi_start(30.0).init_type(INIT);
    let ours = |m: &mut Assembly| pendulum(m, joint(), impulses::Spring::new().c(15.0).s0(0.5));
    let theirs = |m: &mut Assembly| {
        let world = m.add("world", multibody::World::new().g(9.81));
        let joint = multibody::Revolute::new().n(Z).phi(fixed(30_f64.to_radians())).w(fixed(0.0));
        let joint = m.add("joint", joint);
        let body = multibody::Body::new().m(2.0).r_cm(X).inertia([0.0, 0.0, 0.5]);
        let body = m.add("body", body);
        let rod = m.add("rod", multibody::FixedTranslation::new().r(X));
        let above = m.add("above", multibody::Fixed::new().r([0.0, 2.0, 0.0]));
        let spring = m.add("spring", multibody::Spring::new().c(15.0).s_unstretched(0.5));
        m.connect(world.frame_b, joint.frame_a);
        m.connect(joint.frame_b, body.frame_a);
        m.connect(joint.frame_b, rod.frame_a);
        m.connect(above.frame_b, spring.frame_a);
        m.connect(spring.frame_b, rod.frame_b);
    };
    assert_alike(ours, theirs, ["body.frame_a", "rod.frame_b"]);

    // Through the middle, where the direction of the line changes within `s_small`.
    let mut through = start(|m: &mut Assembly| {
        let world = m.add("world", impulses::World::new().g(0.0));
        let slide = impulses::Prismatic::new().s_start(0.3).v_start(0.0).init_type(INIT);
        let slide = m.add("slide", slide);
        let body = m.add("body", impulses::SimpleBody::new().m(0.5));
        let spring = m.add("spring", impulses::Spring::new().c(20.0).s0(0.1).s_small(0.2));
        m.connect(world.frame_b, slide.frame_a);
        m.connect(slide.frame_b, body.frame_a);
        m.connect(world.frame_b, spring.frame_a);
        m.connect(spring.frame_b, body.frame_a);
    });
    let begin = energy(&mut through);
    for _ in 0..1000 {
        step(&mut through, 1e-3);
        assert!((energy(&mut through) - begin).abs() < 1e-6, "{} {begin}", energy(&mut through));
    }
    assert!(value(&mut through, "slide.s") < 0.29);
}

#[test]
fn damping_loses_the_power_that_it_publishes() {
    let mut at = start(|m: &mut Assembly| {
        let end = arm(m);
        let free = impulses::Body::new().m(0.4).x_start([0.3, 0.1, 0.2]).v_start([1.0, -2.0, 0.5]);
        let free = m.add("free", free.w_start([90.0, 20.0, -30.0]).init_type(INIT));
        let damping = m.add("damping", impulses::Damping::new().d(0.7));
        m.connect(end, damping.frame_a);
        m.connect(damping.frame_b, free.frame_a);
    });
    for _ in 0..200 {
        let (rate, loss) = (energy_rate(&mut at), value(&mut at, "damping.lossPower"));
        assert!(loss > 0.0 && (rate + loss).abs() < 1e-6, "{rate} {loss}");
        let v: f64 = (1..=3).map(|k| value(&mut at, &format!("damping.v_rel[{k}]")).powi(2)).sum();
        assert!((0.7 * v - loss).abs() < 1e-12);
        step(&mut at, 1e-3);
    }
}

#[test]
fn bodies_in_a_pool_attract_each_other() {
    let masses = [1e10, 2e10, 0.5e10];
    let positions = [[-1.0, 0.0, 0.0], [1.0, 1.0, 0.0], [1.0, 0.0, -0.5]];
    let mut at = start(|m: &mut Assembly| {
        m.add("world", impulses::World::new().g(0.0));
        let pool = m.add("pool", impulses::GravityPool::new().m(masses));
        for (k, (mass, x)) in masses.into_iter().zip(positions).enumerate() {
            let body = impulses::Body::new().m(mass).inertia([0.04e10; 3]).x_start(x);
            let body = m.add(format!("body{k}"), body.init_type(INIT));
            m.connect(pool.frame(k + 1), body.frame_a);
        }
    });
    let vector = |at: &mut Simulation, k: usize, name: &str| {
        [1, 2, 3].map(|i| value(at, &format!("body{k}.{name}[{i}]")))
    };
    // Newton's law for each body.
    for i in 0..3 {
        let mut expected = [0.0; 3];
        for j in (0..3).filter(|&j| j != i) {
            let r: [f64; 3] = std::array::from_fn(|k| positions[j][k] - positions[i][k]);
            let d = r.iter().map(|x| x * x).sum::<f64>().sqrt();
            (0..3).for_each(|k| expected[k] += 6.6742e-11 * masses[j] * r[k] / d.powi(3));
        }
        let found = vector(&mut at, i, "a");
        assert!(found.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-12), "{found:?}");
    }
    let begin = energy(&mut at);
    step(&mut at, 0.3);
    assert!((energy(&mut at) / begin - 1.0).abs() < 1e-9);
    let moved = vector(&mut at, 0, "v");
    assert!(moved.iter().any(|v| v.abs() > 0.01), "{moved:?}");
    for k in 0..3 {
        let total: f64 = (0..3).map(|i| masses[i] * vector(&mut at, i, "v")[k]).sum();
        assert!(total.abs() < 1e-3, "{total}");
    }
}
