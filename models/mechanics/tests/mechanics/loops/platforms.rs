//! Platforms on parallel legs: one motion, however the legs are modelled.

use crate::common;
use crate::common::linkages::{assert_agree, assert_closed, assert_same, chain, move_freely};
use crate::common::{Random, start, step, value};
use libraries::multibody::*;
use libraries::prelude::*;
use libraries::translational;

/// The model of a leg of a platform.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Leg {
    /// An assembly, whose length is no coordinate.
    Assembly,
    /// Universal, prismatic and spherical joint.
    Joints,
    /// The prismatic joint in the opposite direction, and a spherical joint at the base.
    TurnedRound,
}

/// Feet and heads of the legs of a hexapod in m.
pub(super) fn hexapod() -> [([f64; 3], [f64; 3]); 6] {
    let at = |radius: f64, degrees: f64| {
        let angle = degrees.to_radians();
        [radius * angle.cos(), radius * angle.sin(), 0.0]
    };
    std::array::from_fn(|k| {
        let (third, side) = (120.0 * (k / 2) as f64, if k % 2 == 0 { -1.0 } else { 1.0 });
        (at(1.0, third + side * 12.0), at(0.6, third + side * 45.0))
    })
}

const HEIGHT: f64 = 0.8;
pub(super) const POSITION: [f64; 3] = [0.05, -0.03, HEIGHT];
pub(super) const TURN: [f64; 3] = [0.1, -0.15, 0.2];

/// A Stewart platform on springs whose legs have heavy lower and upper parts; `rough` is the error
/// of the guesses.
fn stewart(m: &mut Assembly, leg: Leg, rough: f64) {
    let world = m.add("world", World::new().n([0.0, 0.0, -1.0]));
    let body = Body::new()
        .m(5.0)
        .r_cm([0.02, -0.01, 0.1])
        .inertia([0.4, 0.5, 0.6])
        .r_0(fixed_vector(POSITION))
        .v_0(fixed_vector([0.2, -0.1, 0.1]))
        .angles_start(fixed_vector(TURN))
        .w_0_start(fixed_vector([0.3, 0.2, -0.8]));
    let body = if leg == Leg::Assembly { body } else { body.use_quaternions(false) };
    let body = m.add("platform", body.enforce_states(true));
    let mut random = Random(7);
    for (k, (foot, head)) in hexapod().into_iter().enumerate() {
        let name = |what: &str| format!("{what}{k}");
        let foot_ = m.add(name("foot"), FixedTranslation::new().r(foot));
        let head_ = m.add(name("head"), FixedTranslation::new().r(head));
        let lower = Body::new().m(0.5).r_cm([0.2, 0.0, 0.0]).inertia([0.001, 0.01, 0.01]);
        let upper = Body::new().m(0.3).r_cm([-0.1, 0.0, 0.0]).inertia([0.001, 0.005, 0.005]);
        let (lower, upper) = (m.add(name("lower"), lower), m.add(name("upper"), upper));
        let spring = m.add(name("spring"), translational::Spring::new().c(2000.0).s_rel0(0.95));
        m.connect(world.frame_b, foot_.frame_a);
        m.connect(body.frame_a, head_.frame_a);
        if leg == Leg::Assembly {
            let ups = m.add(name("leg"), JointUPS::new().n1_a(Y));
            m.connect(foot_.frame_b, ups.frame_a);
            m.connect(head_.frame_b, ups.frame_b);
            m.connect(ups.frame_ia, lower.frame_a);
            m.connect(ups.frame_ib, upper.frame_a);
            m.connect(ups.axis, spring.flange_b);
            m.connect(ups.bearing, spring.flange_a);
            continue;
        }
        // The axes of the universal joint: y of the base, then perpendicular to the leg.
        let line: [f64; 3] = std::array::from_fn(|i| head[i] + POSITION[i] - foot[i]);
        let phi_a = (-line[2]).atan2(line[0]);
        let phi_b = line[1].atan2(line[0].hypot(line[2]));
        let length = line.iter().map(|c| c * c).sum::<f64>().sqrt();
        let mut near = |value: f64| guess(value + rough * random.number());
        let (phi_a, phi_b, s) = (near(phi_a), near(phi_b), near(length));
        let ball = m.add(name("ball"), Spherical::new());
        if leg == Leg::Joints {
            let universal = Universal::new().n_a(Y).n_b(Z).phi_a(phi_a).phi_b(phi_b);
            let universal = m.add(name("universal"), universal);
            let slide = m.add(name("slide"), Prismatic::new().n(X).s(s));
            let foot = [foot_.frame_a, foot_.frame_b];
            let universal = [universal.frame_a, universal.frame_b];
            let joint = [slide.frame_a, slide.frame_b];
            let ball = [ball.frame_a, ball.frame_b];
            chain(m, &[foot, universal, joint, ball, [head_.frame_b, head_.frame_a]]);
            m.connect(slide.axis, spring.flange_b);
            m.connect(slide.support, spring.flange_a);
            m.connect(slide.frame_a, lower.frame_a);
            m.connect(slide.frame_b, upper.frame_a);
        } else {
            let universal = Universal::new().n_a(Y).n_b(Z).phi_a(phi_a).phi_b(phi_b);
            let universal = m.add(name("universal"), universal);
            let slide = m.add(name("slide"), Prismatic::new().n([-1.0, 0.0, 0.0]).s(s));
            m.connect(foot_.frame_b, universal.frame_a);
            m.connect(universal.frame_b, slide.frame_b);
            m.connect(slide.frame_a, ball.frame_b);
            m.connect(ball.frame_a, head_.frame_b);
            m.connect(slide.axis, spring.flange_b);
            m.connect(slide.support, spring.flange_a);
            m.connect(slide.frame_b, lower.frame_a);
            m.connect(slide.frame_a, upper.frame_a);
        }
    }
}

#[test]
fn a_hexapod_of_assemblies_moves_like_one_of_single_joints() {
    let mut one = start(|m| stewart(m, Leg::Assembly, 0.0));
    let mut others = [(Leg::Joints, 0.0), (Leg::Joints, 0.2), (Leg::TurnedRound, 0.2)]
        .map(|(leg, rough)| start(|m| stewart(m, leg, rough)));
    for other in &others {
        // Legs of joints reach dead points of every choice: all 21 coordinates are states, and a
        // quaternion has one state more than three angles.
        assert_eq!(other.continuous_states().len(), 43);
    }
    let first = common::energy(&mut one);
    for n in 0..160 {
        step(&mut one, 1.25e-4);
        for other in &mut others {
            step(other, 1.25e-4);
            if n % 20 == 19 {
                assert_closed(other);
                let names = ["platform.r_0[1]", "platform.r_0[3]", "platform.w_a[2]"];
                assert_same(&mut one, other, &names, 1e-9);
                assert_agree(&mut one, other, &[("leg3.s", "slide3.s")], 1e-9);
                let drift = common::energy(other) - first;
                assert!(drift.abs() < 1e-7, "{drift:e} J");
            }
        }
    }
}

/// A platform on six rods whose feet slide on rails, with springs.
fn hexaglide(m: &mut Assembly, universal: bool, rough: f64) {
    let world = m.add("world", World::new().n([0.0, 0.0, -1.0]));
    let body = Body::new().m(5.0).r_cm([0.02, -0.01, 0.1]).inertia([0.4, 0.5, 0.6]);
    let place = POSITION.map(|r| guess(r + rough));
    let body = body.r_0(place).angles_start(TURN.map(|phi| guess(phi + rough)));
    let body = m.add("platform", body.use_quaternions(false));
    for (k, (foot, head)) in hexapod().into_iter().enumerate() {
        let name = |what: &str| format!("{what}{k}");
        let line: [f64; 3] = std::array::from_fn(|i| head[i] + POSITION[i] - foot[i]);
        let length = line.iter().map(|c| c * c).sum::<f64>().sqrt();
        let foot_ = m.add(name("foot"), FixedTranslation::new().r(foot));
        let head_ = m.add(name("head"), FixedTranslation::new().r(head));
        let spring = m.add(name("spring"), translational::Spring::new().c(2000.0));
        let rail = [foot[1], -foot[0], 0.2];
        let slide = Prismatic::new().n(rail).s(fixed(0.02 * k as f64)).v(fixed(0.1)).states(Always);
        let slide = m.add(name("slide"), slide);
        let mass = m.add(name("mass"), Body::new().m(0.7).r_cm([0.0; 3]));
        m.connect(world.frame_b, foot_.frame_a);
        m.connect(foot_.frame_b, slide.frame_a);
        m.connect(body.frame_a, head_.frame_a);
        m.connect(slide.frame_b, mass.frame_a);
        m.connect(slide.axis, spring.flange_b);
        m.connect(slide.support, spring.flange_a);
        if universal {
            let along = [length, 0.0, 0.0];
            let rod = m.add(name("rod"), UniversalSpherical::new().n1_a(Y).r_rod_ia(along));
            m.connect(slide.frame_b, rod.frame_a);
            m.connect(head_.frame_b, rod.frame_b);
        } else {
            let rod = m.add(name("rod"), SphericalSpherical::new().rod_length(length));
            m.connect(slide.frame_b, rod.frame_a);
            m.connect(head_.frame_b, rod.frame_b);
        }
    }
}

#[test]
fn a_platform_on_sliding_rods_keeps_its_energy_whatever_the_rods() {
    let mut one = start(|m| hexaglide(m, true, 0.0));
    let mut other = start(|m| hexaglide(m, false, 0.05));
    assert_eq!(one.continuous_states().len(), 12);
    move_freely(&mut one, 0.1, 2e-4, |_| ());
    move_freely(&mut other, 0.1, 2e-4, |_| ());
    let names = ["platform.r_0[1]", "platform.w_a[3]", "slide2.s", "rod4.f_rod"];
    assert_same(&mut one, &mut other, &names, 1e-8);
}

/// A delta robot: three arms whose forearms are parallelograms of two rods, and a tool platform; or
/// the same with a platform on three slides and one forearm instead of every two.
fn delta(m: &mut Assembly, rods: bool) {
    let world = m.add("world", World::new().n([0.0, 0.0, -1.0]));
    let body = Body::new().m(1.2).r_cm([0.0, 0.0, -0.05]).inertia([0.02, 0.02, 0.03]);
    let body = if rods {
        let body = body.r_0(guess_vector([0.03, -0.02, -0.5])).use_quaternions(false);
        m.add("platform", body)
    } else {
        let body = m.add("platform", body);
        let slides = [(X, 0.03), (Y, -0.02), (Z, -0.5)];
        let slides = slides.map(|(n, s)| Prismatic::new().n(n).s(guess(s)).states(Avoid));
        let [x, y, z] = slides;
        let [x, y, z] = [m.add("x", x), m.add("y", y), m.add("z", z)];
        m.connect(world.frame_b, x.frame_a);
        m.connect(x.frame_b, y.frame_a);
        m.connect(y.frame_b, z.frame_a);
        m.connect(z.frame_b, body.frame_a);
        body
    };
    for k in 0..3 {
        let name = |what: &str| format!("{what}{k}");
        let turn = m.add(name("turn"), FixedRotation::new().n(Z).angle(120.0 * k as f64));
        let back = m.add(name("back"), FixedRotation::new().n(Z).angle(120.0 * k as f64));
        let base = m.add(name("base"), FixedTranslation::new().r([0.2, 0.0, 0.0]));
        let shoulder =
            Revolute::new().n(Y).phi(fixed(0.2 + 0.1 * k as f64)).w(fixed(1.0 - k as f64));
        let shoulder = m.add(name("shoulder"), shoulder.states(Always));
        let arm = BodyShape::new().r([0.25, 0.0, 0.0]).r_cm([0.12, 0.0, 0.0]).m(0.8);
        let arm = m.add(name("arm"), arm.inertia([0.001, 0.006, 0.006]));
        m.connect(world.frame_b, turn.frame_a);
        m.connect(turn.frame_b, base.frame_a);
        m.connect(base.frame_b, shoulder.frame_a);
        m.connect(shoulder.frame_b, arm.frame_a);
        m.connect(body.frame_a, back.frame_a);
        for side in if rods { &[-0.06, 0.06][..] } else { &[0.0][..] } {
            let name = |what: &str| format!("{what}{k}{}", if *side > 0.0 { "b" } else { "a" });
            let elbow = m.add(name("elbow"), FixedTranslation::new().r([0.0, *side, 0.0]));
            let wrist = m.add(name("wrist"), FixedTranslation::new().r([0.06, *side, 0.0]));
            let mass = if rods { 0.1 } else { 0.2 };
            let rod = m.add(name("rod"), SphericalSpherical::new().rod_length(0.55).m(mass));
            m.connect(arm.frame_b, elbow.frame_a);
            m.connect(back.frame_b, wrist.frame_a);
            m.connect(elbow.frame_b, rod.frame_a);
            m.connect(wrist.frame_b, rod.frame_b);
        }
    }
}

#[test]
fn the_platform_of_a_delta_robot_does_not_turn() {
    let mut robot = start(|m| delta(m, true));
    let mut slides = start(|m| delta(m, false));
    assert_eq!((robot.continuous_states().len(), slides.continuous_states().len()), (6, 6));
    move_freely(&mut robot, 0.2, 2e-4, |model| {
        for k in 1..=3 {
            let w = value(model, &format!("platform.w_a[{k}]"));
            assert!(w.abs() < 1e-9, "{w:e} rad/s");
        }
    });
    move_freely(&mut slides, 0.2, 2e-4, |_| ());
    let names = ["platform.r_0[1]", "platform.r_0[2]", "platform.r_0[3]", "shoulder0.phi"];
    assert_same(&mut robot, &mut slides, &names, 1e-9);
    // Two rods share what one carries, but the moment of the weight differs between them.
    let (a, b) = (value(&mut robot, "rod1a.f_rod"), value(&mut robot, "rod1b.f_rod"));
    let one = value(&mut slides, "rod1a.f_rod");
    assert!((a + b - one).abs() < 1e-7 * one.abs().max(1.0), "{a} {b} {one}");
}
