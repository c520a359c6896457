//! Impacts of balls: analytic cases, energy, and coming to rest.

use crate::common;
use crate::common::{energy, run_to, simulate, start, value};
use libraries::impulses::{CollisionSpherePlane, CollisionSphereSphere};
use libraries::multibody::{Body, FixedTranslation, Prismatic, Revolute, World};
use libraries::prelude::*;

/// A ball that falls freely onto the plane y = 0, from rest or with a spin.
fn ball(height: f64, spin: f64, contact: CollisionSpherePlane) -> impl FnOnce(&mut Assembly) {
    move |m| {
        let world = m.add("world", World::new().g(9.81));
        let ball = m.add(
            "ball",
            Body::new()
                .m(1.0)
                .r_cm([0.0; 3])
                .inertia([0.04; 3])
                .r_0(fixed_vector([-2.0, height, 0.0]))
                .w_0_start(fixed_vector([0.0, 0.0, spin])),
        );
        let contact = m.add("contact", contact);
        m.connect(ball.frame_a, contact.frame_a);
        m.connect(world.frame_b, contact.frame_b);
    }
}

#[test]
fn an_elastic_ball_bounces_back_to_its_height() {
    let mut model = start(ball(1.25, 0.0, CollisionSpherePlane::new().ra(0.25)));
    let begin = energy(&mut model);
    let mut times = Vec::new();
    simulate(&mut model, 3.0, |model| {
        if value(model, "contact.impacts") as usize > times.len() {
            times.push(model.time());
            let speed = value(model, "ball.v_0[2]");
            assert!((speed - 4.429_446_92).abs() < 1e-8, "{speed}");
            assert!((value(model, "contact.impulse") - 8.858_893_84).abs() < 2e-8);
        }
    });
    assert_eq!(times.len(), 3);
    for (k, t) in times.iter().enumerate() {
        let expected = 0.451_523_641 * (2.0 * k as f64 + 1.0);
        assert!((t - expected).abs() < 1e-8, "{t}");
    }
    assert!((energy(&mut model) - begin).abs() < 1e-9 * begin);
}

#[test]
fn heights_of_a_ball_follow_its_elasticity_until_it_rests() {
    let contact = CollisionSpherePlane::new().ra(0.25).elasticity(0.7);
    let mut model = start(ball(1.25, 0.0, contact));
    let mut last = 0.0;
    let mut speed = 4.429_446_92;
    simulate(&mut model, 5.0, |model| {
        let impacts = value(model, "contact.impacts");
        let now = value(model, "ball.v_0[2]");
        if impacts > last && speed > 4e-3 {
            speed *= 0.7;
            assert!((now - speed).abs() < 1e-6 * speed + 1e-8, "{now} instead of {speed}");
        }
        last = impacts;
    });
    assert_eq!(value(&mut model, "contact.closed"), 1.0);
    assert!(last > 20.0 && last < 40.0, "{last} impacts");
    assert!((value(&mut model, "contact.f_n") - 9.81).abs() < 1e-9);
    let height = value(&mut model, "ball.r_0[2]");
    assert!((height - 0.25).abs() < 1e-8, "{height}");
    simulate(&mut model, 100.0, |_| panic!("it stays"));
    assert!((value(&mut model, "ball.r_0[2]") - height).abs() < 1e-12);
}

#[test]
fn friction_of_an_impact_is_that_of_coulomb_or_of_multibondlib() {
    let spin = -1440f64.to_radians();
    let contact = CollisionSpherePlane::new().ra(0.25).mu_r(0.1);
    let mut model = start(ball(1.25, spin, contact.clone()));
    run_to(&mut model, 0.5);
    let speed = value(&mut model, "ball.v_0[1]");
    assert!((speed - 0.885_889_384).abs() < 1e-8, "{speed}");
    let w = value(&mut model, "ball.w_a[3]");
    assert!((w - (spin + 0.25 * 0.885_889_384 / 0.04)).abs() < 1e-8, "{w}");

    let staged = contact.rests(false).delayed_friction(true).contact_duration(1e-3);
    let mut model = start(ball(1.25, spin, staged));
    run_to(&mut model, 0.5);
    let speed = value(&mut model, "ball.v_0[1]");
    // Gravity during half of the contact's duration changes the direction a little.
    assert!((speed - 0.724_054_8).abs() < 5e-4, "{speed}");
    let w = value(&mut model, "ball.w_a[3]");
    assert!((w - (spin + 0.25 * speed / 0.04)).abs() < 1e-9, "{w}");
}

#[test]
fn a_bullet_hits_a_pendulum() {
    let mut model = start(|m| {
        let world = m.add("world", World::new().g(0.0));
        let bullet = m.add(
            "bullet",
            Body::new()
                .m(1.0)
                .r_cm([0.0; 3])
                .r_0(fixed_vector([-2.0, -2.0, 0.0]))
                .v_0(fixed_vector([4.0, 0.0, 0.0])),
        );
        let arm = m.add("arm", FixedTranslation::new().r([1.0, 0.0, 0.0]));
        let pivot = m.add("pivot", Revolute::new().n(Z).phi(fixed(0.0)).w(fixed(0.0)));
        let rod = m.add("rod", FixedTranslation::new().r([0.0, -2.0, 0.0]));
        let bob = m.add("bob", Body::new().m(1.0).r_cm([0.0; 3]));
        let contact = m.add("contact", CollisionSphereSphere::new().ra(0.25).rb(0.25));
        m.connect(world.frame_b, arm.frame_a);
        m.connect(arm.frame_b, pivot.frame_a);
        m.connect(pivot.frame_b, rod.frame_a);
        m.connect(rod.frame_b, bob.frame_a);
        m.connect(bullet.frame_a, contact.frame_a);
        m.connect(bob.frame_a, contact.frame_b);
    });
    let mut time = 0.0;
    simulate(&mut model, 1.0, |model| {
        if time == 0.0 {
            time = model.time();
        }
    });
    assert!((time - 0.625).abs() < 1e-9, "{time}");
    let bullet = value(&mut model, "bullet.v_0[1]");
    assert!((bullet + 0.000_499_938).abs() < 1e-9, "{bullet}");
    let w = value(&mut model, "pivot.w");
    assert!((w - 1.999_750_03).abs() < 1e-8, "{w}");
}

/// Balls on a line that may touch each other, and a floor under the first one.
fn column(radii: &[f64], heights: &[f64], e: f64, reversed: bool) -> impl FnOnce(&mut Assembly) {
    let (radii, heights) = (radii.to_vec(), heights.to_vec());
    move |m| {
        let world = m.add("world", World::new().g(9.81));
        let n = radii.len();
        let mut frames = Vec::new();
        for k in 0..n {
            let guide = m
                .add(format!("guide{k}"), Prismatic::new().n(Y).s(fixed(heights[k])).v(fixed(0.0)));
            let mass = 4.0 * radii[k];
            let ball = m.add(format!("ball{k}"), Body::new().m(mass).r_cm([0.0; 3]));
            m.connect(world.frame_b, guide.frame_a);
            m.connect(guide.frame_b, ball.frame_a);
            frames.push(ball.frame_a);
        }
        let order: Vec<usize> = if reversed { (0..n).rev().collect() } else { (0..n).collect() };
        for k in order {
            let name = format!("contact{k}");
            if k == 0 {
                let floor = CollisionSpherePlane::new().ra(radii[0]).elasticity(e);
                let floor = m.add(&name, floor);
                m.connect(frames[0], floor.frame_a);
                m.connect(world.frame_b, floor.frame_b);
            } else {
                let pair = CollisionSphereSphere::new().ra(radii[k]).rb(radii[k - 1]).elasticity(e);
                let pair = m.add(&name, pair);
                m.connect(frames[k], pair.frame_a);
                m.connect(frames[k - 1], pair.frame_b);
            }
        }
    }
}

#[test]
fn a_stack_at_rest_stays_at_rest() {
    for e in [0.0, 0.5, 1.0] {
        let mut model = start(column(&[0.1, 0.2, 0.3], &[0.1, 0.4, 0.9], e, false));
        simulate(&mut model, 100.0, |_| panic!("nothing happens"));
        for (k, height) in [0.1, 0.4, 0.9].into_iter().enumerate() {
            let s = value(&mut model, &format!("guide{k}.s"));
            assert!((s - height).abs() < 1e-10, "ball {k}: {s}");
        }
        let weight = 9.81 * 4.0 * 0.6;
        assert!((value(&mut model, "contact0.f_n") - weight).abs() < 1e-6);
    }
}

#[test]
fn a_ball_that_falls_on_a_stack_comes_to_rest_on_it_whatever_the_order() {
    for e in [0.0, 0.3, 0.8] {
        let mut ends = Vec::new();
        for reversed in [false, true] {
            let mut model = start(column(&[0.1, 0.2, 0.1], &[0.1, 0.4, 1.2], e, reversed));
            let mut before = energy(&mut model);
            simulate(&mut model, 4.0, |model| {
                let now = energy(model);
                assert!(now <= before + 1e-9, "energy grows from {before} to {now}");
                before = now;
            });
            ends.push([0, 1, 2].map(|k| value(&mut model, &format!("guide{k}.s"))));
        }
        for (a, b) in ends[0].iter().zip(&ends[1]) {
            assert!((a - b).abs() < 1e-8, "{ends:?}");
        }
        if e < 0.5 {
            for (s, height) in ends[0].iter().zip([0.1, 0.4, 0.7]) {
                assert!((s - height).abs() < 1e-6, "{ends:?}");
            }
        }
    }
}

/// Spheres on a line that touch, the first one moving towards the others.
fn row(n: usize, e: f64) -> impl FnOnce(&mut Assembly) {
    move |m| {
        let world = m.add("world", World::new().g(0.0));
        let mut frames = Vec::new();
        for k in 0..n {
            let place = if k == 0 { -1.0 } else { 0.2 * k as f64 };
            let v = if k == 0 { 3.0 } else { 0.0 };
            let guide =
                m.add(format!("guide{k}"), Prismatic::new().n(X).s(fixed(place)).v(fixed(v)));
            let ball = m.add(format!("ball{k}"), Body::new().m(0.5).r_cm([0.0; 3]));
            m.connect(world.frame_b, guide.frame_a);
            m.connect(guide.frame_b, ball.frame_a);
            frames.push(ball.frame_a);
        }
        for k in 1..n {
            let pair = CollisionSphereSphere::new().ra(0.1).rb(0.1).elasticity(e);
            let pair = m.add(format!("contact{k}"), pair);
            m.connect(frames[k - 1], pair.frame_a);
            m.connect(frames[k], pair.frame_b);
        }
    }
}

#[test]
fn a_ball_that_hits_a_row_moves_the_last_ball_or_all_of_them() {
    let mut model = start(row(5, 1.0));
    run_to(&mut model, 1.0);
    for k in 0..5 {
        let v = value(&mut model, &format!("guide{k}.v"));
        let expected = if k == 4 { 3.0 } else { 0.0 };
        assert!((v - expected).abs() < 1e-12, "ball {k}: {v}");
    }
    let mut model = start(row(5, 0.0));
    run_to(&mut model, 1.0);
    for k in 0..5 {
        let v = value(&mut model, &format!("guide{k}.v"));
        assert!((v - 0.6).abs() < 1e-12, "ball {k}: {v}");
    }
    assert_eq!(value(&mut model, "contact4.impacts"), 1.0);
}

/// Momentum and angular momentum of free balls about the origin, in world axes.
fn momenta(model: &mut fmu_runtime::Simulation, balls: &[(&str, f64, f64)]) -> [f64; 6] {
    let mut sum = [0.0; 6];
    for &(name, m, i) in balls {
        let mut read =
            |local: &str| [1, 2, 3].map(|k| value(model, &format!("{name}{local}[{k}]")));
        let (r, v, w) = (read(".r_0"), read(".v_0"), read("_sensor.w"));
        let moment = mechanics::vector::cross_constant(r, v);
        for k in 0..3 {
            sum[k] += m * v[k];
            sum[3 + k] += m * moment[k] + i * w[k];
        }
    }
    sum
}

#[test]
fn spinning_balls_keep_their_momenta_and_lose_energy_at_an_oblique_impact() {
    use libraries::multibody::{AbsoluteSensor, ResolveInFrameA};
    let balls = [("a", 1.0, 0.02), ("b", 3.0, 0.05)];
    let mut model = start(|m| {
        m.add("world", World::new().g(0.0));
        let starts = [
            ([-1.0, 0.1, 0.05], [5.0, 0.3, -0.2], [10.0, -20.0, 30.0]),
            ([1.0, 0.0, 0.0], [-1.0, 0.0, 0.1], [-5.0, 8.0, 13.0]),
        ];
        let mut frames = Vec::new();
        for ((name, mass, inertia), (r, v, w)) in balls.into_iter().zip(starts) {
            let ball = Body::new().m(mass).r_cm([0.0; 3]).inertia([inertia; 3]);
            let ball = ball.r_0(fixed_vector(r)).v_0(fixed_vector(v)).w_0_start(fixed_vector(w));
            let ball = m.add(name, ball);
            let sensor = AbsoluteSensor::new().resolve_in_frame(ResolveInFrameA::World);
            let sensor = m.add(format!("{name}_sensor"), sensor.get_w(true));
            m.connect(ball.frame_a, sensor.frame_a);
            frames.push(ball.frame_a);
        }
        let pair = CollisionSphereSphere::new().ra(0.2).rb(0.3).elasticity(0.6).mu_r(0.4);
        let pair = m.add("contact", pair);
        m.connect(frames[0], pair.frame_a);
        m.connect(frames[1], pair.frame_b);
    });
    let before = (momenta(&mut model, &balls), energy(&mut model));
    run_to(&mut model, 0.5);
    assert_eq!(value(&mut model, "contact.impacts"), 1.0);
    let after = (momenta(&mut model, &balls), energy(&mut model));
    for (a, b) in after.0.iter().zip(before.0) {
        assert!((a - b).abs() < 1e-10, "{after:?} {before:?}");
    }
    assert!(after.1 < before.1 - 1.0);
}

#[test]
fn a_contact_of_frames_that_cannot_move_is_refused() {
    let refused = common::simulation(|m| {
        let world = m.add("world", World::new());
        let arm = m.add("arm", FixedTranslation::new().r([0.0, 1.0, 0.0]));
        let contact = m.add("contact", CollisionSpherePlane::new().ra(0.1));
        m.connect(world.frame_b, arm.frame_a);
        m.connect(arm.frame_b, contact.frame_a);
        m.connect(world.frame_b, contact.frame_b);
    });
    let why = refused.expect_err("nothing can give way");
    assert!(why.contains("contact: both of its frames rest"), "{why}");
}
