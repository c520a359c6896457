//! Contacts in corners and wedges, on moving planes and on drive trains, compared with closed-form
//! solutions.

use crate::common::{energy, run_to, simulate, start, value};
use fmu_runtime::Simulation;
use libraries::impulses::{CollisionSpherePlane, CollisionSphereSphere};
use libraries::multibody::*;
use libraries::prelude::*;
use libraries::{rotational, translational};

const G: f64 = 9.81;

/// A free ball of 1 kg.
fn ball(m: &mut Assembly, name: &str, r: [f64; 3], v: [f64; 3], w: [f64; 3]) -> Frame {
    let ball = Body::new().m(1.0).r_cm([0.0; 3]).inertia([0.004; 3]).r_0(fixed_vector(r));
    let ball = ball.v_0(fixed_vector(v)).w_0_start(fixed_vector(w));
    m.add(name, ball).frame_a
}

/// A plane through the origin.
fn plane(m: &mut Assembly, name: &str, world: Frame, sphere: Frame, contact: CollisionSpherePlane) {
    let contact = m.add(name, contact);
    m.connect(sphere, contact.frame_a);
    m.connect(world, contact.frame_b);
}

#[test]
fn a_ball_that_flies_into_a_corner_flies_back_along_its_path() {
    let mut at = start(|m| {
        let world = m.add("world", World::new().g(0.0));
        let ball = ball(m, "ball", [2.0, 2.0, 2.0], [-1.0, -1.0, -1.0], [0.0; 3]);
        for (k, n) in [X, Y, Z].into_iter().enumerate() {
            let contact = CollisionSpherePlane::new().ra(0.1).normal(n);
            plane(m, &format!("wall{k}"), world.frame_b, ball, contact);
        }
    });
    run_to(&mut at, 3.0);
    for k in 1..=3 {
        let v = value(&mut at, &format!("ball.v_0[{k}]"));
        assert!((v - 1.0).abs() < 1e-12, "{v}");
        assert_eq!(value(&mut at, &format!("wall{}.impacts", k - 1)), 1.0);
    }
}

#[test]
fn a_spinning_ball_comes_to_rest_in_a_groove() {
    // Two planes at 30 and 50 degrees, with friction.
    let angles = [30_f64, -50.0].map(f64::to_radians);
    let mut at = start(|m| {
        let world = m.add("world", World::new().g(G));
        let ball = ball(m, "ball", [0.1, 1.0, 0.0], [0.3, 0.0, 0.2], [20.0, 5.0, 30.0]);
        for (k, angle) in angles.into_iter().enumerate() {
            let normal = [-angle.sin(), angle.cos(), 0.0];
            let contact =
                CollisionSpherePlane::new().ra(0.1).normal(normal).elasticity(0.4).mu_r(0.3);
            plane(m, &format!("side{k}"), world.frame_b, ball, contact);
        }
    });
    let mut before = energy(&mut at);
    simulate(&mut at, 6.0, |at| {
        let now = energy(at);
        assert!(now <= before + 1e-9, "energy grows from {before} to {now} at {}", at.time());
        before = now;
    });
    for k in 0..2 {
        assert_eq!(value(&mut at, &format!("side{k}.closed")), 1.0);
    }
    let v = [1, 2].map(|k| value(&mut at, &format!("ball.v_0[{k}]")));
    assert!(v[0].hypot(v[1]) < 1e-6, "{v:?}");
    // Forces carry the weight.
    let f = |at: &mut Simulation, k: usize, i: usize| value(at, &format!("side{k}.f[{i}]"));
    let up = f(&mut at, 0, 2) + f(&mut at, 1, 2);
    let along = f(&mut at, 0, 1) + f(&mut at, 1, 1);
    assert!((up - G).abs() < 1e-4 && along.abs() < 1e-4, "{up} {along}");
}

#[test]
fn a_ball_wedged_between_two_others_presses_on_them_as_statics_requires() {
    let mut at = start(|m| {
        let world = m.add("world", World::new().g(G));
        let guide = m.add("guide", Prismatic::new().n(Y).s(fixed(0.5)).v(fixed(0.0)));
        let ball = m.add("ball", Body::new().m(1.0).r_cm([0.0; 3]));
        m.connect(world.frame_b, guide.frame_a);
        m.connect(guide.frame_b, ball.frame_a);
        for (k, x) in [-0.15, 0.15].into_iter().enumerate() {
            let post = m.add(format!("post{k}"), Fixed::new().r([x, 0.0, 0.0]));
            let contact = CollisionSphereSphere::new().ra(0.1).rb(0.1).elasticity(0.5);
            let contact = m.add(format!("contact{k}"), contact);
            m.connect(ball.frame_a, contact.frame_a);
            m.connect(post.frame_b, contact.frame_b);
        }
    });
    run_to(&mut at, 3.0);
    let height = (0.04_f64 - 0.0225).sqrt();
    assert!((value(&mut at, "guide.s") - height).abs() < 1e-7);
    let force = G / 2.0 * 0.2 / height;
    for k in 0..2 {
        let f_n = value(&mut at, &format!("contact{k}.f_n"));
        assert!((f_n - force).abs() < 1e-5, "{f_n} {force}");
    }
}

#[test]
fn a_point_slides_off_a_sphere_at_two_thirds_of_its_height() {
    let (radius, speed) = (0.6, 0.2_f64);
    let mut at = start(|m| {
        let world = m.add("world", World::new().g(G));
        let x = m.add("x", Prismatic::new().n(X).s(fixed(0.0)).v(fixed(speed)));
        let y = m.add("y", Prismatic::new().n(Y).s(fixed(radius)).v(fixed(0.0)));
        let point = m.add("point", Body::new().m(1.0).r_cm([0.0; 3]));
        let contact = CollisionSphereSphere::new().ra(0.1).rb(0.5).elasticity(0.0);
        let contact = m.add("contact", contact);
        m.connect(world.frame_b, x.frame_a);
        m.connect(x.frame_b, y.frame_a);
        m.connect(y.frame_b, point.frame_a);
        m.connect(point.frame_a, contact.frame_a);
        m.connect(world.frame_b, contact.frame_b);
    });
    assert_eq!(value(&mut at, "contact.closed"), 1.0);
    let begin = energy(&mut at);
    let mut leaves = f64::NAN;
    simulate(&mut at, 1.2, |at| {
        if leaves.is_nan() && value(at, "contact.f_n") <= 0.0 {
            leaves = value(at, "y.s") / radius;
        }
    });
    let expected = (2.0 + speed * speed / (G * radius)) / 3.0;
    assert!((leaves - expected).abs() < 1e-6, "{leaves} {expected}");
    assert!((energy(&mut at) - begin).abs() < 1e-6 * begin);
    assert!(value(&mut at, "contact.gap") > 0.01);
}

/// A table that moves up and down, and a guided ball on it.
fn shaken(amplitude: f64, frequency: f64, height: f64, e: f64) -> impl FnOnce(&mut Assembly) {
    move |m| {
        let w = frequency * std::f64::consts::TAU;
        let quarter = std::f64::consts::FRAC_PI_2;
        let world = m.add("world", World::new().g(G));
        let signals = [
            m.add("q", Sine::new().amplitude(amplitude).f(frequency)).y,
            m.add("qd", Sine::new().amplitude(w * amplitude).f(frequency).phase(quarter)).y,
            m.add("qdd", Sine::new().amplitude(-w * w * amplitude).f(frequency)).y,
        ];
        let drive = m.add("drive", translational::Move::new());
        let lift = m.add("lift", Prismatic::new().n(Y));
        let guide = m.add("guide", Prismatic::new().n(Y).s(fixed(0.1 + height)).v(fixed(0.0)));
        let ball = m.add("ball", Body::new().m(1.0).r_cm([0.0; 3]));
        for (signal, input) in signals.into_iter().zip([drive.u1, drive.u2, drive.u3]) {
            m.connect(signal, input);
        }
        m.connect(drive.flange, lift.axis);
        m.connect(world.frame_b, lift.frame_a);
        m.connect(world.frame_b, guide.frame_a);
        m.connect(guide.frame_b, ball.frame_a);
        plane(
            m,
            "contact",
            lift.frame_b,
            ball.frame_a,
            CollisionSpherePlane::new().ra(0.1).elasticity(e),
        );
    }
}

#[test]
fn a_ball_leaves_a_shaken_table_where_its_acceleration_is_gravity() {
    let (amplitude, frequency) = (0.02, 5.0);
    let w: f64 = frequency * std::f64::consts::TAU;
    let mut at = start(shaken(amplitude, frequency, 0.0, 0.0));
    // The ball has the speed of the table only after a first impact.
    assert_eq!(value(&mut at, "contact.closed"), 1.0);
    let mut opens = f64::NAN;
    simulate(&mut at, 0.15, |at| {
        if opens.is_nan() && value(at, "contact.f_n") <= 0.0 {
            opens = at.time();
        }
    });
    let expected = (G / (w * w * amplitude)).asin() / w;
    assert!((opens - expected).abs() < 1e-7, "{opens} {expected}");
    // Every landing is inelastic: the ball moves with the table again and never penetrates it.
    simulate(&mut at, 3.0, |at| {
        let gap = value(at, "contact.gap");
        assert!(gap > -1e-7, "{gap} at {}", at.time());
    });
    assert!(value(&mut at, "contact.impacts") > 10.0);
}

#[test]
fn an_impact_on_a_moving_plane_reverses_the_relative_speed() {
    let (amplitude, frequency, e) = (0.05, 3.0, 0.8);
    let w: f64 = frequency * std::f64::consts::TAU;
    let mut at = start(shaken(amplitude, frequency, 0.3, e));
    // Between impacts the ball flies freely from where it was thrown.
    let (mut count, mut thrown, mut since) = (0.0, 0.0, 0.0);
    simulate(&mut at, 3.0, |at| {
        let impacts = value(at, "contact.impacts");
        if impacts > count && value(at, "contact.closed") == 0.0 {
            let before = thrown - G * (at.time() - since) - w * amplitude * (w * at.time()).cos();
            let after = value(at, "contact.v_n");
            assert!((after + e * before).abs() < 1e-9, "{after} after {before} at {}", at.time());
            (count, thrown, since) = (impacts, value(at, "guide.v"), at.time());
        }
    });
    assert!(count > 5.0, "{count}");
}

/// An arm that falls on the floor, with an inertia behind a gear or on the arm's own axis.
fn geared(gear: bool) -> impl FnOnce(&mut Assembly) {
    move |m| {
        let (ratio, j) = (6.0, 0.02);
        let world = m.add("world", World::new().g(G));
        let pivot = m.add("pivot", Fixed::new().r([0.0, 0.5, 0.0]));
        let joint =
            m.add("joint", Revolute::new().n(Z).phi(fixed(0.4)).w(fixed(0.0)).states(Always));
        let arm = m.add("arm", BodyShape::new().r([0.7, 0.0, 0.0]).r_cm([0.5, 0.0, 0.0]).m(2.0));
        m.connect(pivot.frame_b, joint.frame_a);
        m.connect(joint.frame_b, arm.frame_a);
        let contact = CollisionSpherePlane::new().ra(0.1).elasticity(0.6).mu_r(0.2);
        plane(m, "contact", world.frame_b, arm.frame_b, contact);
        if gear {
            let gear = m.add("gear", rotational::IdealGear::new().ratio(ratio));
            let rotor = m.add("rotor", rotational::Inertia::new().J(j));
            m.connect(rotor.flange_b, gear.flange_a);
            m.connect(gear.flange_b, joint.axis);
        } else {
            let rotor = m.add("rotor", rotational::Inertia::new().J(j * ratio * ratio));
            m.connect(rotor.flange_b, joint.axis);
        }
    }
}

#[test]
fn an_inertia_behind_a_gear_feels_an_impact_as_one_on_the_axis() {
    let (mut one, mut other) = (start(geared(true)), start(geared(false)));
    for _ in 0..200 {
        let end = one.time() + 0.01;
        run_to(&mut one, end);
        run_to(&mut other, end);
        for name in ["joint.phi", "joint.w", "contact.impulse", "contact.f_n"] {
            let (a, b) = (value(&mut one, name), value(&mut other, name));
            assert!((a - b).abs() < 1e-9 * (1.0 + a.abs()), "{name} at {end}: {a} {b}");
        }
    }
    assert!(value(&mut one, "contact.impacts") > 5.0);
    assert_eq!(value(&mut one, "contact.closed"), 1.0);
}

#[test]
fn a_stuck_clutch_slips_after_an_impact() {
    // The arm stops at once; the flywheel behind the clutch continues to rotate and is braked by
    // the clutch.
    let mut at = start(|m| {
        let world = m.add("world", World::new().g(0.0));
        let pivot = m.add("pivot", Fixed::new().r([0.0, 0.1, 0.0]));
        let joint =
            m.add("joint", Revolute::new().n(Z).phi(fixed(0.5)).w(fixed(-2.0)).states(Always));
        let arm = m.add("arm", BodyShape::new().r(X).r_cm([0.5, 0.0, 0.0]).m(2.0));
        m.connect(pivot.frame_b, joint.frame_a);
        m.connect(joint.frame_b, arm.frame_a);
        plane(
            m,
            "contact",
            world.frame_b,
            arm.frame_b,
            CollisionSpherePlane::new().ra(0.1).elasticity(0.0),
        );
        let clutch = m.add("clutch", rotational::Clutch::new().fn_max(2.0).mu_pos(0.5));
        let wheel =
            m.add("wheel", rotational::Inertia::new().J(0.5).phi(fixed(0.0)).w(fixed(-2.0)));
        let press = m.add("press", Constant::new().k(1.0));
        m.connect(press.y, clutch.f_normalized);
        m.connect(joint.axis, clutch.flange_a);
        m.connect(clutch.flange_b, wheel.flange_a);
    });
    assert_eq!(value(&mut at, "clutch.mode"), 0.0);
    run_to(&mut at, 0.26);
    assert_eq!(value(&mut at, "contact.impacts"), 1.0);
    assert!(value(&mut at, "joint.w").abs() < 1e-12);
    // 1 N.m brakes 0.5 kg.m2 from -2 rad/s, so it takes 1 s until the wheel stands still.
    let w = value(&mut at, "wheel.w");
    assert!((w + 2.0 - 2.0 * (at.time() - 0.25)).abs() < 1e-6, "{w} at {}", at.time());
    run_to(&mut at, 1.24);
    assert!(value(&mut at, "wheel.w") < -0.01);
    run_to(&mut at, 1.5);
    assert!(value(&mut at, "wheel.w").abs() < 1e-9);
    assert_eq!(value(&mut at, "clutch.mode"), 0.0);
}

/// A sled that slides on three feet.
fn sled(m: &mut Assembly, mu: f64) {
    let world = m.add("world", World::new().g(G));
    let sled = Body::new().m(3.0).r_cm([0.0, 0.2, 0.0]).inertia([0.1, 0.1, 0.1]);
    let sled = sled.r_0(fixed_vector([0.0, 0.1, 0.0])).v_0(fixed_vector([2.0, 0.0, 0.0]));
    let sled = m.add("sled", sled.w_0_start(fixed_vector([0.0; 3])));
    for (name, x, z) in [("back", -0.4, 0.0), ("left", 0.4, -0.3), ("right", 0.4, 0.3)] {
        let foot = m.add(format!("{name}_leg"), FixedTranslation::new().r([x, 0.0, z]));
        m.connect(sled.frame_a, foot.frame_a);
        let contact = CollisionSpherePlane::new().ra(0.1).elasticity(0.0).mu_r(mu);
        plane(m, name, world.frame_b, foot.frame_b, contact);
    }
}

#[test]
fn a_sled_on_three_feet_slides_to_a_halt_and_loads_its_front_feet() {
    let mu = 0.3;
    let mut at = start(|m| sled(m, mu));
    run_to(&mut at, 0.1);
    let f = ["back", "left", "right"].map(|foot| value(&mut at, &format!("{foot}.f_n")));
    // Balance of moments about the middle, with the centre of mass 0.3 m above the floor.
    let (weight, lean) = (3.0 * G, mu * 3.0 * G * 0.3 / 0.8);
    for (f, expected) in f.into_iter().zip([
        weight / 2.0 - lean,
        weight / 4.0 + lean / 2.0,
        weight / 4.0 + lean / 2.0,
    ]) {
        assert!((f - expected).abs() < 1e-6, "{f} {expected}");
    }
    let v = value(&mut at, "sled.v_0[1]");
    assert!((v - (2.0 - mu * G * 0.1)).abs() < 1e-9, "{v}");
    run_to(&mut at, 3.0);
    let (v, x) = (value(&mut at, "sled.v_0[1]"), value(&mut at, "sled.r_0[1]"));
    assert!(v.abs() < 1e-6 && (x - 4.0 / (2.0 * mu * G)).abs() < 1e-4, "{v} {x}");
}

#[test]
fn a_block_sticks_on_a_slope_below_the_angle_of_friction_and_slides_above() {
    let angle = 0.4_f64;
    for (mu, slides) in [(angle.tan() * 1.001, false), (angle.tan() * 0.999, true)] {
        let mut at = start(|m| {
            let world = m.add("world", World::new().g(G));
            let slope = m.add("slope", FixedRotation::new().n(Z).angle(angle.to_degrees()));
            let x = m.add("x", Prismatic::new().n(X).s(fixed(0.0)).v(fixed(0.0)));
            let y = m.add("y", Prismatic::new().n(Y).s(fixed(0.1)).v(fixed(0.0)));
            let block = m.add("block", Body::new().m(1.0).r_cm([0.0; 3]));
            m.connect(world.frame_b, slope.frame_a);
            m.connect(slope.frame_b, x.frame_a);
            m.connect(x.frame_b, y.frame_a);
            m.connect(y.frame_b, block.frame_a);
            let contact = CollisionSpherePlane::new().ra(0.1).elasticity(0.0).mu_r(mu);
            plane(m, "contact", slope.frame_b, block.frame_a, contact);
        });
        run_to(&mut at, 2.0);
        let expected = if slides { -2.0 * G * (angle.sin() - mu * angle.cos()) } else { 0.0 };
        let v = value(&mut at, "x.v");
        assert!((v - expected).abs() < 1e-6, "{mu}: {v} {expected}");
    }
}

#[test]
fn surfaces_that_overlap_at_the_start_never_penetrate_further() {
    for v in [-1.0, 0.0, 1.0] {
        let mut at = start(|m| {
            let world = m.add("world", World::new().g(G));
            let guide = m.add("guide", Prismatic::new().n(Y).s(fixed(0.05)).v(fixed(v)));
            let ball = m.add("ball", Body::new().m(1.0).r_cm([0.0; 3]));
            m.connect(world.frame_b, guide.frame_a);
            m.connect(guide.frame_b, ball.frame_a);
            plane(
                m,
                "contact",
                world.frame_b,
                ball.frame_a,
                CollisionSpherePlane::new().ra(0.1).elasticity(0.5),
            );
        });
        let after = value(&mut at, "guide.v");
        assert!((after - if v < 0.0 { 0.5 } else { v }).abs() < 1e-12, "{v}: {after}");
        run_to(&mut at, 2.0);
        assert!(value(&mut at, "guide.s") > 0.05 - 1e-6, "{}", value(&mut at, "guide.s"));
    }
}
