//! Coordinates that can move together at the start so that no mass moves: they are refused by name.

use crate::common::refusal;
use libraries::multibody::*;
use libraries::prelude::*;

/// Joints in series, given by their frames, with a body at the end.
fn row(m: &mut Assembly, first: Frame, joints: &[[Frame; 2]], body: Body) {
    let mut last = first;
    for &[a, b] in joints {
        m.connect(last, a);
        last = b;
    }
    let body = m.add("body", body);
    m.connect(last, body.frame_a);
}

fn slide(m: &mut Assembly, name: &str, n: [f64; 3]) -> [Frame; 2] {
    let joint = m.add(name, Prismatic::new().n(n).s(fixed(0.1)).v(fixed(0.0)));
    [joint.frame_a, joint.frame_b]
}

fn turn(m: &mut Assembly, name: &str, n: [f64; 3], phi: f64) -> [Frame; 2] {
    let joint = m.add(name, Revolute::new().n(n).phi(fixed(phi)).w(fixed(0.0)));
    [joint.frame_a, joint.frame_b]
}

fn body() -> Body {
    Body::new().m(1.0).r_cm([0.3, 0.0, 0.0]).inertia([0.1, 0.2, 0.3])
}

/// Asserts that a model is refused with a sentence about these coordinates; without coordinates,
/// that the model builds.
fn check(coordinates: &str, text: impl FnOnce(&mut Assembly)) {
    let message = refusal(text);
    if coordinates.is_empty() {
        return assert_eq!(message, "");
    }
    let sentence = format!("{coordinates}: at the start these can move together so that no mass");
    assert!(message.contains(&sentence), "{message}");
}

#[test]
fn two_joints_that_move_one_body_along_one_line_are_named() {
    // At the end of a short chain, whose links form a common tree, and of a chain that is
    // eliminated recursively.
    for links in [0, 1, 3, 12] {
        for (n, named) in [(Y, ""), (X, "p1.s, p2.s"), ([-1.0, 0.0, 0.0], "p1.s, p2.s")] {
            check(named, |m| {
                let mut last = m.add("world", World::new()).frame_b;
                for k in 0..links {
                    let [a, b] = turn(m, &format!("turn{k}"), Z, 0.1);
                    let bar = BodyShape::new().r([0.3, 0.0, 0.0]).r_cm([0.15, 0.0, 0.0]).m(1.0);
                    let bar = m.add(format!("bar{k}"), bar.inertia([0.1; 3]));
                    m.connect(last, a);
                    m.connect(b, bar.frame_a);
                    last = bar.frame_b;
                }
                let joints = [slide(m, "p1", X), slide(m, "p2", n)];
                row(m, last, &joints, body());
            });
        }
    }
}

#[test]
fn axes_that_coincide_at_the_start_only_are_named() {
    for (phi, named) in [(0.0, "a.phi, c.phi"), (0.4, "")] {
        check(named, |m| {
            let world = m.add("world", World::new()).frame_b;
            let joints = [turn(m, "a", Z, 0.3), turn(m, "b", X, phi), turn(m, "c", Z, 0.0)];
            row(m, world, &joints, body());
        });
    }
}

#[test]
fn links_without_mass_that_are_stretched_are_named() {
    for (phi, named) in [(0.0, "a.phi, b.phi"), (0.4, "")] {
        check(named, |m| {
            let world = m.add("world", World::new()).frame_b;
            let a = turn(m, "a", Z, -0.3);
            let link = m.add("link", FixedTranslation::new().r([0.5, 0.0, 0.0]));
            let joints = [a, [link.frame_a, link.frame_b], turn(m, "b", Z, phi)];
            row(m, world, &joints, Body::new().m(1.0).r_cm([0.5, 0.0, 0.0]).inertia([0.0; 3]));
        });
    }
}

#[test]
fn a_joint_whose_axis_a_ball_joint_has_too_is_named() {
    check("ball.Q (turn about z), turn.phi", |m| {
        let world = m.add("world", World::new()).frame_b;
        let ball = m.add("ball", Spherical::new());
        let joints = [[ball.frame_a, ball.frame_b], turn(m, "turn", Z, 0.2)];
        row(m, world, &joints, body());
    });
}

#[test]
fn a_joint_that_moves_nothing_is_named_alone() {
    let message = refusal(|m| {
        let world = m.add("world", World::new()).frame_b;
        let joints = [turn(m, "a", Z, 0.2)];
        row(m, world, &joints, Body::new().m(1.0).r_cm([0.0; 3]).inertia([0.0; 3]));
    });
    assert!(message.contains("a: nothing with mass moves with this joint"), "{message}");
}
