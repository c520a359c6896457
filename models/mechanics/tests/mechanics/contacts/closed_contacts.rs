//! Closed contacts: rolling, sliding, sticking and opening.

use crate::common::{energy, run_to, simulate, start, value};
use libraries::impulses::{CollisionSpherePlane, CollisionSphereSphere};
use libraries::multibody::{Body, Fixed, FixedRotation, Prismatic, Revolute, World, WorldForce};
use libraries::prelude::*;

const G: f64 = 9.81;
const RADIUS: f64 = 0.2;
/// Moment of inertia of a homogeneous sphere of 1 kg.
const INERTIA: f64 = 0.4 * RADIUS * RADIUS;

/// A sphere that starts at rest on a plane inclined by `angle` about z.
fn incline(angle: f64, mu: f64) -> impl FnOnce(&mut Assembly) {
    move |m| {
        let world = m.add("world", World::new().g(G));
        let (sin, cos) = angle.sin_cos();
        let centre = [-RADIUS * sin, RADIUS * cos, 0.0];
        let ball =
            Body::new().m(1.0).r_cm([0.0; 3]).inertia([INERTIA; 3]).r_0(fixed_vector(centre));
        let ball = m.add("ball", ball.w_0_start(fixed_vector([0.0; 3])));
        let plane = m.add("plane", FixedRotation::new().n(Z).angle(angle.to_degrees()));
        let contact = CollisionSpherePlane::new().ra(RADIUS).elasticity(0.3).mu_r(mu);
        let contact = m.add("contact", contact);
        m.connect(world.frame_b, plane.frame_a);
        m.connect(plane.frame_b, contact.frame_b);
        m.connect(ball.frame_a, contact.frame_a);
    }
}

#[test]
fn a_sphere_rolls_down_a_slope_with_enough_friction_and_slides_with_less() {
    let angle: f64 = 0.5;
    let (sin, cos) = angle.sin_cos();
    // Rolling needs a friction coefficient of 2/7 tan(angle).
    let mut model = start(incline(angle, 0.3));
    run_to(&mut model, 1.0);
    let speed = 5.0 / 7.0 * G * sin;
    let v = [1, 2].map(|k| value(&mut model, &format!("ball.v_0[{k}]")));
    assert!((v[0].hypot(v[1]) - speed).abs() < 1e-7, "{v:?} {speed}");
    let w = value(&mut model, "ball.w_a[3]");
    assert!((w.abs() - speed / RADIUS).abs() < 1e-6, "{w}");
    assert!((value(&mut model, "contact.f_n") - G * cos).abs() < 1e-9);
    assert_eq!(value(&mut model, "contact.mode"), 0.0);

    let mu = 0.1;
    let mut model = start(incline(angle, mu));
    run_to(&mut model, 1.0);
    let speed = G * (sin - mu * cos);
    let v = [1, 2].map(|k| value(&mut model, &format!("ball.v_0[{k}]")));
    assert!((v[0].hypot(v[1]) - speed).abs() < 1e-7, "{v:?} {speed}");
    let w = value(&mut model, "ball.w_a[3]");
    assert!((w.abs() - mu * G * cos * RADIUS / INERTIA).abs() < 1e-6, "{w}");
    assert_eq!(value(&mut model, "contact.mode"), 2.0);
}

#[test]
fn a_sliding_sphere_begins_to_roll_in_every_direction_alike() {
    // v falls by mu g t until v = w r: at 5/7 of the initial speed.
    let mut ends = Vec::new();
    for direction in [0.0_f64, 0.7, 2.0] {
        let (sin, cos) = direction.sin_cos();
        let mut model = start(|m| {
            let world = m.add("world", World::new().g(G));
            let ball = Body::new().m(1.0).r_cm([0.0; 3]).inertia([INERTIA; 3]);
            let ball = ball.r_0(fixed_vector([0.0, RADIUS, 0.0])).w_0_start(fixed_vector([0.0; 3]));
            let ball = m.add("ball", ball.v_0(fixed_vector([2.0 * cos, 0.0, 2.0 * sin])));
            let contact = CollisionSpherePlane::new().ra(RADIUS).elasticity(0.0).mu_r(0.2);
            let contact = m.add("contact", contact);
            m.connect(world.frame_b, contact.frame_b);
            m.connect(ball.frame_a, contact.frame_a);
        });
        let mut before = energy(&mut model);
        let mut rolls = f64::NAN;
        simulate(&mut model, 1.0, |model| {
            assert!(energy(model) <= before + 1e-12);
            before = energy(model);
            if rolls.is_nan() && value(model, "contact.mode") == 0.0 {
                rolls = model.time();
            }
        });
        let expected = 2.0 / 7.0 * 2.0 / (0.2 * G);
        assert!((rolls - expected).abs() < 1e-4, "{rolls} {expected}");
        let v = [1, 3].map(|k| value(&mut model, &format!("ball.v_0[{k}]")));
        assert!((v[0].hypot(v[1]) - 10.0 / 7.0).abs() < 1e-4, "{v:?}");
        assert!((v[1].atan2(v[0]) - direction).abs() < 1e-6, "{v:?}");
        ends.push(v[0].hypot(v[1]));
    }
    assert!(ends.iter().all(|end| (end - ends[0]).abs() < 1e-7), "{ends:?}");
}

#[test]
fn a_contact_opens_when_it_is_pulled_and_closes_again() {
    // Friction has no influence, because a guided ball does not slide.
    [0.0, 0.5].into_iter().for_each(opens_when_it_is_pulled);
}

fn opens_when_it_is_pulled(mu: f64) {
    // A force that grows with time lifts a guided ball; half a period later it falls back.
    let mut model = start(|m| {
        let world = m.add("world", World::new().g(G));
        let guide = m.add("guide", Prismatic::new().n(Y).s(fixed(RADIUS)).v(fixed(0.0)));
        let ball = m.add("ball", Body::new().m(1.0).r_cm([0.0; 3]));
        let force = m.add("force", WorldForce::new());
        let pull = m.add("pull", Sine::new().amplitude(2.0 * G).f(0.5));
        let zero = m.add("zero", Constant::new().k(0.0));
        let contact = CollisionSpherePlane::new().ra(RADIUS).elasticity(0.0).mu_r(mu);
        let contact = m.add("contact", contact);
        m.connect(world.frame_b, guide.frame_a);
        m.connect(guide.frame_b, ball.frame_a);
        m.connect(guide.frame_b, force.frame_b);
        m.connect(zero.y, force.force[0]);
        m.connect(pull.y, force.force[1]);
        m.connect(zero.y, force.force[2]);
        m.connect(world.frame_b, contact.frame_b);
        m.connect(guide.frame_b, contact.frame_a);
    });
    let mut opens = f64::NAN;
    simulate(&mut model, 0.8, |model| {
        if opens.is_nan() && value(model, "contact.closed") == 0.0 {
            opens = model.time();
        }
    });
    // The pull is the weight after a sixth of the period's half.
    assert!((opens - 1.0 / 6.0).abs() < 1e-3, "{opens}");
    assert!(value(&mut model, "guide.s") > RADIUS + 0.5);
    run_to(&mut model, 2.1);
    assert_eq!(value(&mut model, "contact.closed"), 1.0);
    assert_eq!(value(&mut model, "contact.impacts"), 1.0);
    assert!((value(&mut model, "guide.s") - RADIUS).abs() < 1e-8);
}

#[test]
fn a_pile_of_spheres_holds_with_friction_and_collapses_without() {
    // Three spheres in a plane perpendicular to z: one rests on two others, which touch each other.
    let pile = |mu: f64| {
        move |m: &mut Assembly| {
            let world = m.add("world", World::new().g(G));
            let origin = m.add("origin", Fixed::new());
            let height = RADIUS + 3f64.sqrt() * RADIUS;
            let places = [[-RADIUS, RADIUS, 0.0], [RADIUS, RADIUS, 0.0], [0.0, height, 0.0]];
            let frames = [0, 1, 2].map(|k| {
                let ball = Body::new().m(1.0).r_cm([0.0; 3]).inertia([INERTIA; 3]);
                let ball = ball.r_0(fixed_vector(places[k])).w_0_start(fixed_vector([0.0; 3]));
                m.add(format!("ball{k}"), ball.v_0(fixed_vector([0.0; 3]))).frame_a
            });
            for k in 0..2 {
                let floor = CollisionSpherePlane::new().ra(RADIUS).elasticity(0.0).mu_r(mu);
                let floor = m.add(format!("floor{k}"), floor);
                m.connect(frames[k], floor.frame_a);
                m.connect(origin.frame_b, floor.frame_b);
                let pair =
                    CollisionSphereSphere::new().ra(RADIUS).rb(RADIUS).elasticity(0.0).mu_r(mu);
                let pair = m.add(format!("pair{k}"), pair);
                m.connect(frames[k], pair.frame_a);
                m.connect(frames[2], pair.frame_b);
            }
            let _ = world;
        }
    };
    let mut model = start(pile(0.5));
    run_to(&mut model, 2.0);
    let top = value(&mut model, "ball2.r_0[2]");
    assert!((top - RADIUS * (1.0 + 3f64.sqrt())).abs() < 1e-6, "{top}");
    let mut model = start(pile(0.0));
    run_to(&mut model, 0.3);
    let top = value(&mut model, "ball2.r_0[2]");
    assert!(top < RADIUS * 2.5, "{top}");
}

/// A slender rod of 1 kg and 2 m whose lower end slides on the ground at 2 m/s, to one side or the
/// other; it leans to the right with a slope of 2.
fn leaning(direction: f64, mu: f64) -> impl FnOnce(&mut Assembly) {
    move |m| {
        let world = m.add("world", World::new().g(G));
        let x = Prismatic::new().n(X).s(fixed(0.0)).v(fixed(2.0 * direction));
        let x = m.add("x", x);
        let y = m.add("y", Prismatic::new().n(Y).s(fixed(RADIUS)).v(fixed(0.0)));
        let phi = m.add("phi", Revolute::new().n(Z).phi(fixed(2_f64.atan())).w(fixed(0.0)));
        let third = 1.0 / 3.0;
        let rod = m.add("rod", Body::new().m(1.0).r_cm(X).inertia([0.0, third, third]));
        let contact = CollisionSpherePlane::new().ra(RADIUS).elasticity(0.0).mu_r(mu);
        // The sphere at its end does not rotate, so friction acts on the end.
        let contact = m.add("contact", contact);
        m.connect(world.frame_b, x.frame_a);
        m.connect(x.frame_b, y.frame_a);
        m.connect(y.frame_b, phi.frame_a);
        m.connect(phi.frame_b, rod.frame_a);
        m.connect(y.frame_b, contact.frame_a);
        m.connect(world.frame_b, contact.frame_b);
    }
}

#[test]
fn friction_presses_a_rod_that_is_pushed_and_has_no_force_beyond_the_limit_of_painleve() {
    let (cos, sin) = (1.0 / 5f64.sqrt(), 2.0 / 5f64.sqrt());
    for mu in [0.3, 1.0, 1.3] {
        for direction in [1.0, -1.0] {
            let mut model = start(leaning(direction, mu));
            let expected = G / (1.0 + 3.0 * cos * (cos + direction * mu * sin));
            let f_n = value(&mut model, "contact.f_n");
            assert!((f_n - expected).abs() < 1e-9 * expected, "{mu} {direction}: {f_n} {expected}");
        }
    }
    // No motion is consistent, neither with a force, which would have to pull, nor without one.
    let mu = 1.4;
    assert!(1.0 + 3.0 * cos * (cos - mu * sin) < 0.0);
    start(leaning(1.0, mu));
    let without = std::panic::catch_unwind(|| start(leaning(-1.0, mu)));
    assert!(without.is_err(), "no relations are consistent");
}
