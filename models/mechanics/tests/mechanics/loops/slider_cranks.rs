//! Slider-cranks on a common crank shaft: planar loops of spatial joints.

use crate::common::{energy, program, start, step, value};
use libraries::multibody::*;
use libraries::prelude::*;

/// An engine with cylinders in series, each with crank, rod and piston.
fn engine(m: &mut Assembly, cylinders: usize) {
    let world = m.add("world", World::new());
    let bearing =
        m.add("bearing", Revolute::new().n(X).phi(fixed(0.0)).w(fixed(10.0)).states(Always));
    m.connect(world.frame_b, bearing.frame_a);
    let mut last = bearing.frame_b;
    for k in 0..cylinders {
        let name = |s: &str| format!("cyl{k}_{s}");
        let c1 = m.add(name("crank1"), BodyCylinder::new().r([0.1, 0.0, 0.0]).diameter(0.05));
        let c2 = m.add(
            name("crank2"),
            BodyBox::new().r([0.0, 0.1, 0.0]).width_direction(X).width(0.02).height(0.05),
        );
        let c3 = m.add(name("crank3"), BodyCylinder::new().r([0.1, 0.0, 0.0]).diameter(0.03));
        let c4 = m.add(
            name("crank4"),
            BodyBox::new().r([0.0, -0.1, 0.0]).width_direction(X).width(0.02).height(0.05),
        );
        let mid = m.add(name("mid"), FixedTranslation::new().r([0.05, 0.0, 0.0]));
        m.connect(last, c1.frame_a);
        m.connect(c1.frame_b, c2.frame_a);
        m.connect(c2.frame_b, c3.frame_a);
        m.connect(c3.frame_b, c4.frame_a);
        m.connect(c2.frame_b, mid.frame_a);
        let b2 = m.add(name("b2"), Revolute::new().n(X));
        let rod = m.add(
            name("rod"),
            BodyBox::new().r([0.0, -0.2, 0.0]).width_direction(X).width(0.02).height(0.06),
        );
        let b1 = m.add(name("b1"), Revolute::new().n(X));
        let piston = m.add(name("piston"), BodyCylinder::new().r([0.0, -0.1, 0.0]).diameter(0.1));
        let cyl = m.add(name("cylinder"), Prismatic::new().n([0.0, -1.0, 0.0]).s(guess(0.15)));
        let pos = m.add(name("pos"), FixedTranslation::new().r([0.15 + 0.2 * k as f64, 0.45, 0.0]));
        m.connect(mid.frame_b, b2.frame_a);
        m.connect(b2.frame_b, rod.frame_b);
        m.connect(rod.frame_a, b1.frame_b);
        m.connect(b1.frame_a, piston.frame_b);
        m.connect(piston.frame_a, cyl.frame_b);
        m.connect(cyl.frame_a, pos.frame_b);
        m.connect(pos.frame_a, world.frame_b);
        last = c4.frame_b;
    }
}
#[test]
fn a_guess_selects_the_assembly_that_is_nearest() {
    let mut model = start(|m| engine(m, 1));
    assert!((value(&mut model, "cyl0_cylinder.s") - 0.05).abs() < 1e-13);
    assert!(value(&mut model, "cyl0_b1.phi").abs() < 1e-13);
}

#[test]
fn loops_that_share_only_the_crank_are_solved_apart() {
    let statements = |cylinders: usize| {
        let model = program(|m| engine(m, cylinders)).unwrap();
        let [_, advance, ..] = model.statements();
        advance
    };
    let (one, two, three) = (statements(1), statements(2), statements(3));
    assert!(three - two <= two - one + 10, "{one}, {two}, {three} statements");
}

#[test]
fn two_cylinders_keep_their_energy() {
    let mut model = start(|m| engine(m, 2));
    let initial = energy(&mut model);
    step(&mut model, 0.2);
    let drift = (energy(&mut model) - initial) / initial;
    assert!(drift.abs() < 1e-8, "energy drifts by {drift:e}");
}

#[test]
fn a_dead_point_is_refused_before_it_is_reached() {
    // The rod is shorter than the crank, so that the crank can only swing.
    let mut model = start(|m| {
        let world = m.add("world", World::new());
        let j1 = m.add("j1", Revolute::new().n(Z).phi(fixed(0.3)).w(fixed(1.0)).states(Always));
        let crank = m.add("crank", BodyBox::new().r([0.1, 0.0, 0.0]).width(0.02));
        let j2 = m.add("j2", Revolute::new().n(Z).phi(guess(-0.9)));
        let rod = m.add("rod", BodyBox::new().r([0.05, 0.0, 0.0]).width(0.02));
        let j3 = m.add("j3", Revolute::new().n(Z));
        let slide = m.add("slide", Prismatic::new().n(X).s(guess(0.14)));
        m.connect(world.frame_b, j1.frame_a);
        m.connect(j1.frame_b, crank.frame_a);
        m.connect(crank.frame_b, j2.frame_a);
        m.connect(j2.frame_b, rod.frame_a);
        m.connect(rod.frame_b, j3.frame_a);
        m.connect(j3.frame_b, slide.frame_b);
        m.connect(slide.frame_a, world.frame_b);
    });
    let dead_point = 0.5_f64.asin();
    let approach = (0..200).map(|k| dead_point - 0.2 * 0.9_f64.powi(k));
    let reached = approach.into_iter().find(|&phi| {
        let w = model.continuous_states()[1];
        model.move_to(0.0, &[phi, w]).is_err()
    });
    let phi = reached.expect("the dead point itself cannot be passed");
    let distance = dead_point - phi;
    assert!(distance > 1e-8 && distance < 1e-4, "{distance}");
}
