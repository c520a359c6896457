//! Forces along lines that have a mass, and elements of 1-D mechanics that act along them.

use crate::common::floating::{MASS, floating};
use crate::common::linkages::assert_same;
use crate::common::{Random, energy, has_blocks, refusal, start, step, value};
use libraries::multibody::*;
use libraries::prelude::*;
use libraries::translational;

/// Modelica.Mechanics.MultiBody.Examples.Elementary.LineForceWithTwoMasses: on the left two bodies
/// on an actuator, on the right the line with masses.
fn two_masses(m: &mut Assembly) {
    let world = m.add("world", World::new());
    let axis = [0.7, 1.2, 0.0];
    let size = f64::hypot(0.7, 1.2);
    let arm = |m: &mut Assembly, k: usize, at: [f64; 3], foot: [f64; 3]| {
        let name = |local: &str| format!("{local}{k}");
        let hinge = m.add(name("hinge"), FixedTranslation::new().r(at));
        let j = m.add(name("revolute"), Revolute::new().n(Z).phi(fixed(0.0)).w(fixed(0.0)));
        let body = m.add(name("box"), BodyBox::new().r([0.7, 0.0, 0.0]));
        let foot = m.add(name("foot"), FixedTranslation::new().r(foot));
        m.connect(world.frame_b, hinge.frame_a);
        m.connect(hinge.frame_b, j.frame_a);
        m.connect(j.frame_b, body.frame_a);
        m.connect(world.frame_b, foot.frame_a);
        (foot.frame_b, body.frame_b)
    };
    let (foot, tip) = arm(m, 1, [0.0, 0.3, 0.0], [0.0, -0.9, 0.0]);
    let joint = m.add("jointUPS", JointUPS::new().n_axis_ia(axis));
    m.connect(foot, joint.frame_a);
    m.connect(tip, joint.frame_b);
    for (name, frame, sign) in [("body1", joint.frame_ia, 1.0), ("body2", joint.frame_ib, -1.0)] {
        let r_cm = axis.map(|c| sign * 0.2 * c / size);
        let body = m.add(name, Body::new().m(1.0).r_cm(r_cm).inertia([0.0; 3]));
        m.connect(frame, body.frame_a);
    }
    let damper = m.add("damper1", translational::Damper::new().d(3.0));
    m.connect(joint.bearing, damper.flange_a);
    m.connect(joint.axis, damper.flange_b);

    let (foot, tip) = arm(m, 2, [0.0, 0.3, 0.3], [0.0, -0.9, 0.3]);
    let line = LineForceWithTwoMasses::new().m_a(1.0).m_b(1.0).l_a(0.2).l_b(0.2);
    let line = m.add("line", line);
    m.connect(foot, line.frame_a);
    m.connect(tip, line.frame_b);
    let damper = m.add("damper2", translational::Damper::new().d(3.0));
    m.connect(line.flange_a, damper.flange_a);
    m.connect(line.flange_b, damper.flange_b);
}

#[test]
fn a_line_with_two_masses_moves_like_bodies_on_an_actuator_and_as_published() {
    let mut model = start(two_masses);
    assert!(!has_blocks(&model), "no search");
    let published = [
        (0.3, -0.771568346, -4.66638752),
        (0.9, -2.70271491, 1.36924641),
        (1.5, -0.683172548, 1.43582854),
    ];
    let mut before = 0.0;
    for (time, phi, w) in published {
        step(&mut model, time - before);
        before = time;
        for (local, wanted, tolerance) in [("phi", phi, 2e-4), ("w", w, 1e-3)] {
            let one = value(&mut model, &format!("revolute1.{local}"));
            let other = value(&mut model, &format!("revolute2.{local}"));
            assert!((one - other).abs() < 1e-9, "{local}: {one} and {other}");
            assert!((one - wanted).abs() < tolerance, "{local}: {one} and {wanted}");
        }
    }
}

/// The element between two floating bodies.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Between {
    Spring { m: f64, fraction: f64 },
    OneMass { m: f64, fraction: f64 },
    TwoMasses { distances: [f64; 2] },
}

/// Two bodies that float, with a spring of 80 N/m and 0.4 m between them.
fn pair(m: &mut Assembly, between: Between) {
    let random = &mut Random(7);
    let world = m.add("world", World::new());
    let one = floating(m, "one", world.frame_b, random);
    let far = m.add("far", FixedTranslation::new().r([1.0, 1.5, -0.8]));
    m.connect(world.frame_b, far.frame_a);
    let other = floating(m, "other", far.frame_b, random);
    let (a, b, flanges) = match between {
        Between::Spring { m: mass, fraction } => {
            let spring = Spring::new().c(80.0).s_unstretched(0.4).m(mass).length_fraction(fraction);
            let line = m.add("line", spring);
            (line.frame_a, line.frame_b, None)
        }
        Between::OneMass { m: mass, fraction } => {
            let line = m.add("line", LineForceWithMass::new().m(mass).length_fraction(fraction));
            (line.frame_a, line.frame_b, Some((line.flange_a, line.flange_b)))
        }
        Between::TwoMasses { distances: [l_a, l_b] } => {
            let line = LineForceWithTwoMasses::new().m_a(0.6).m_b(0.9).l_a(l_a).l_b(l_b);
            let line = m.add("line", line);
            (line.frame_a, line.frame_b, Some((line.flange_a, line.flange_b)))
        }
    };
    m.connect(one, a);
    m.connect(other, b);
    if let Some((a, b)) = flanges {
        let spring = m.add("spring", translational::Spring::new().c(80.0).s_rel0(0.4));
        m.connect(a, spring.flange_a);
        m.connect(b, spring.flange_b);
    }
}

const ACCELERATIONS: [&str; 6] =
    ["one.a_0[1]", "one.z_a[2]", "one.r_0[3]", "other.a_0[2]", "other.z_a[1]", "other.w_a[3]"];

#[test]
fn masses_on_lines_keep_the_energy() {
    for between in [
        Between::Spring { m: 1.5, fraction: 0.5 },
        Between::Spring { m: 1.5, fraction: 0.1 },
        Between::OneMass { m: 1.5, fraction: 0.7 },
        Between::TwoMasses { distances: [0.3, 0.2] },
        Between::TwoMasses { distances: [0.0, 0.5] },
    ] {
        let mut model = start(|m| pair(m, between));
        let initial = energy(&mut model);
        step(&mut model, 0.3);
        let drift = energy(&mut model) - initial;
        assert!(drift.abs() < 1e-8 * (1.0 + initial.abs()), "{between:?}: {drift:e}");
    }
}

#[test]
fn a_spring_of_1d_mechanics_on_a_line_is_a_spring_between_frames() {
    for (m, fraction) in [(1.5, 0.3), (0.0, 0.5)] {
        let mut one = start(|a| pair(a, Between::Spring { m, fraction }));
        let mut other = start(|a| pair(a, Between::OneMass { m, fraction }));
        step(&mut one, 0.2);
        step(&mut other, 0.2);
        assert_same(&mut one, &mut other, &ACCELERATIONS, 1e-10);
    }
}

#[test]
fn masses_at_the_ends_of_a_line_move_with_the_parts_there() {
    let at_end = |fraction: f64| {
        let mut spring = start(|m| pair(m, Between::Spring { m: 1.5, fraction }));
        let mut point = start(|m| {
            pair(m, Between::Spring { m: 0.0, fraction: 0.5 });
        });
        let mut carried = start(|m| {
            let ends = pair_with_ends(m);
            let mass = m.add("mass", PointMass::new().m(1.5));
            m.connect(if fraction == 0.0 { ends[0] } else { ends[1] }, mass.frame_a);
        });
        for model in [&mut spring, &mut point, &mut carried] {
            step(model, 0.1);
        }
        assert_same(&mut spring, &mut carried, &ACCELERATIONS, 1e-10);
        let differ = value(&mut spring, "one.a_0[1]") - value(&mut point, "one.a_0[1]");
        assert!(differ.abs() > 1e-3, "{differ}");
    };
    at_end(0.0);
    at_end(1.0);
}

fn pair_with_ends(m: &mut Assembly) -> [Frame; 2] {
    let random = &mut Random(7);
    let world = m.add("world", World::new());
    let one = floating(m, "one", world.frame_b, random);
    let far = m.add("far", FixedTranslation::new().r([1.0, 1.5, -0.8]));
    m.connect(world.frame_b, far.frame_a);
    let other = floating(m, "other", far.frame_b, random);
    let line = m.add("line", Spring::new().c(80.0).s_unstretched(0.4));
    m.connect(one, line.frame_a);
    m.connect(other, line.frame_b);
    [line.frame_a, line.frame_b]
}

#[test]
fn a_line_without_mass_pulls_with_opposite_forces() {
    // One flange alone is enough: a spring to a point of 1-D mechanics at rest.
    let with = |flange_b: bool| {
        start(move |m| {
            let world = m.add("world", World::new().gravity_type(GravityType::None));
            let slides = ["one", "other"].map(|name| {
                let s = if name == "one" { 0.2 } else { 1.5 };
                let slide = m.add(format!("slide_{name}"), Prismatic::new().n(X).s(fixed(s)));
                let mass = m.add(name, PointMass::new().m(MASS));
                m.connect(world.frame_b, slide.frame_a);
                m.connect(slide.frame_b, mass.frame_a);
                slide.frame_b
            });
            let line = m.add("line", LineForceWithMass::new().m(0.0));
            m.connect(slides[0], line.frame_a);
            m.connect(slides[1], line.frame_b);
            let force = m.add("force", translational::ConstantForce::new().f_constant(-3.0));
            m.connect(if flange_b { line.flange_b } else { line.flange_a }, force.flange);
        })
    };
    for flange_b in [true, false] {
        let mut model = with(flange_b);
        // The force pushes flange_b towards flange_a, or flange_a away from flange_b.
        let pull = if flange_b { 3.0 } else { -3.0 };
        let (a, b) = (value(&mut model, "one.a_0[1]"), value(&mut model, "other.a_0[1]"));
        assert!((a - pull / MASS).abs() < 1e-13 && (b + pull / MASS).abs() < 1e-13, "{a} {b}");
    }
}

#[test]
fn a_mass_that_slides_along_a_line_is_carried_by_its_first_frame() {
    let mut model = start(|m| {
        let world = m.add("world", World::new().gravity_type(GravityType::None));
        let slide = m.add("slide", Prismatic::new().n(X).s(fixed(0.0)).v(fixed(0.0)));
        let part = m.add("part", PointMass::new().m(2.0));
        let far = m.add("far", FixedTranslation::new().r([1.0, 0.0, 0.0]));
        m.connect(world.frame_b, slide.frame_a);
        m.connect(slide.frame_b, part.frame_a);
        m.connect(world.frame_b, far.frame_a);
        let line = m.add("line", LineForceWithMass::new().m(0.0));
        m.connect(slide.frame_b, line.frame_a);
        m.connect(far.frame_b, line.frame_b);
        let first = m.add("first", translational::Spring::new().c(10.0).s_rel0(0.1));
        let bead = m.add("bead", translational::Mass::new().m(0.5).s(fixed(0.4)).v(fixed(0.0)));
        let second = m.add("second", translational::Spring::new().c(30.0).s_rel0(0.2));
        m.connect(line.flange_a, first.flange_a);
        m.connect(first.flange_b, bead.flange_a);
        m.connect(bead.flange_b, second.flange_a);
        m.connect(second.flange_b, line.flange_b);
    });
    // Only the first spring acts on the first frame, the second one on the bead and the ground.
    let first = 10.0 * (0.4 - 0.1);
    let second = 30.0 * (0.6 - 0.2);
    let (part, bead) = (value(&mut model, "part.a_0[1]"), value(&mut model, "bead.a"));
    assert!((part - first / 2.0).abs() < 1e-12, "{part}");
    assert!((bead - (second - first) / 0.5).abs() < 1e-12, "{bead}");
}

#[test]
fn impossible_lines_are_refused_by_name() {
    let refused = |between: Between| refusal(|m| pair(m, between));
    for (between, wanted) in [
        (Between::Spring { m: -1.0, fraction: 0.5 }, "line.m = -1 kg"),
        (
            Between::OneMass { m: 1.0, fraction: 1.5 },
            "line.lengthFraction = 1.5: must be from 0 to 1",
        ),
        (
            Between::TwoMasses { distances: [f64::NAN, 0.0] },
            "line.L_a = NaN m: must be a finite number",
        ),
    ] {
        let message = refused(between);
        assert!(message.contains(wanted), "{message}");
    }
}
