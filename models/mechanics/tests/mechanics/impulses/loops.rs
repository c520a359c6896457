//! Loops and connections of the library of impulses.

use crate::common;
use crate::common::counterparts::{INIT, arm, assert_alike, load};
use crate::common::{energy, start, step, value};
use libraries::impulses;
use libraries::multibody;
use libraries::prelude::*;

/// The four-bar loop with two joints in series instead of a universal joint.
fn four_bar_loop(m: &mut Assembly, close: bool) {
    m.add("world", impulses::World::new().g(9.81));
    let base = m.add("base", impulses::Fixed::new());
    let crank = impulses::Revolute::new().n(X).w_start(300.0).init_type(INIT).enforce_states(true);
    let crank = m.add("crank", crank);
    let rod1 = m.add("rod1", impulses::FixedTranslation::new().r([0.0, 0.5, 0.1]));
    let ball = m.add("ball", impulses::Spherical::new().use_quaternions(false));
    let rod3 = m.add("rod3", impulses::FixedTranslation::new().r([1.0, -0.3, -0.1]));
    let insert = m.add("insert", impulses::InsertImpulse::new());
    let rod4 = m.add("rod4", impulses::FixedTranslation::new().r([1.2, 0.0, 0.0]));
    let slide = m.add("slide", impulses::Prismatic::new().n(X));
    let rod2 = m.add("rod2", impulses::FixedTranslation::new().r([0.0, 0.2, 0.0]));
    let turn4 = m.add("turn4", impulses::Revolute::new().n(Z));
    let turn6 = m.add("turn6", impulses::Revolute::new().n(Y));
    m.connect(base.frame_b, crank.frame_a);
    m.connect(crank.frame_b, rod1.frame_a);
    m.connect(rod1.frame_b, ball.frame_a);
    m.connect(ball.frame_b, rod3.frame_a);
    m.connect(base.frame_b, insert.frame_a);
    m.connect(insert.frame_b, rod4.frame_a);
    m.connect(rod4.frame_b, slide.frame_a);
    m.connect(slide.frame_b, rod2.frame_a);
    m.connect(rod2.frame_b, turn4.frame_a);
    m.connect(turn4.frame_b, turn6.frame_a);
    if close {
        let cut = m.add("cut", impulses::CloseLoop::new());
        m.connect(rod3.frame_b, cut.frame_a);
        m.connect(cut.frame_b, turn6.frame_b);
    } else {
        m.connect(rod3.frame_b, turn6.frame_b);
    }
    let bodies = [
        (rod1.frame_a, [0.0, 0.25, 0.05]),
        (rod3.frame_a, [0.5, -0.15, -0.05]),
        (rod2.frame_a, [0.0, 0.1, 0.0]),
    ];
    for (k, (frame, r)) in bodies.into_iter().enumerate() {
        let rod = m.add(format!("arm{k}"), impulses::FixedTranslation::new().r(r));
        let body = m.add(format!("body{k}"), impulses::Body::new().m(0.5).inertia([0.05; 3]));
        m.connect(frame, rod.frame_a);
        m.connect(rod.frame_b, body.frame_a);
    }
}

#[test]
fn a_loop_assembles_and_keeps_its_energy() {
    let mut one = start(|m: &mut Assembly| four_bar_loop(m, true));
    assert_eq!(one.continuous_states().len(), 2);
    assert!((value(&mut one, "slide.s") + 0.2).abs() < 1e-12);
    for name in ["turn4.phi", "turn6.phi", "ball.phi[1]", "ball.phi[2]", "ball.phi[3]"] {
        assert!(value(&mut one, name).abs() < 1e-12, "{name}");
    }
    let mut other = start(|m: &mut Assembly| four_bar_loop(m, false));
    let begin = energy(&mut one);
    for _ in 0..2000 {
        step(&mut one, 1e-3);
        step(&mut other, 1e-3);
        assert!((value(&mut one, "slide.s") - value(&mut other, "slide.s")).abs() < 1e-9);
        assert!(value(&mut one, "loops.residual") < 1e-9);
    }
    assert!((energy(&mut one) - begin).abs() < 1e-7, "{} {begin}", energy(&mut one));
    assert!(value(&mut one, "crank.phi") > 2.0);
}

#[test]
fn a_connection_outside_of_a_loop_is_rigid() {
    let joined = |m: &mut Assembly| {
        let (arm, load) = (arm(m), load(m));
        let close = m.add("close", impulses::CloseLoop::new());
        let insert = m.add("insert", impulses::InsertImpulse::new());
        let into = m.add("into", impulses::ConnectContinuousFrame::new());
        m.connect(arm, close.frame_a);
        m.connect(close.frame_b, insert.frame_a);
        m.connect(insert.frame_b, into.frame_a);
        m.connect(into.frame_b, load);
    };
    let direct = |m: &mut Assembly| {
        let (arm, load) = (arm(m), load(m));
        m.connect(arm, load);
    };
    assert_alike(joined, direct, ["body.frame_a"; 2]);
}

#[test]
fn an_inserted_impulse_publishes_its_input() {
    let mut at = start(|m: &mut Assembly| {
        let (arm, load) = (arm(m), load(m));
        let insert = m.add("insert", impulses::InsertImpulse::new());
        let signal = m.add("signal", Step::new().height(1.0).start_time(0.1));
        m.connect(arm, insert.frame_a);
        m.connect(insert.frame_b, load);
        m.connect(signal.y, insert.u);
    });
    assert_eq!(value(&mut at, "insert.contact"), 0.0);
    common::run_to(&mut at, 0.2);
    assert_eq!(value(&mut at, "insert.contact"), 1.0);
}

/// A planar four-bar linkage about an axis `n`, closed by `close`.
fn planar_linkage(m: &mut Assembly, n: [f64; 3], close: impl FnOnce(&mut Assembly) -> [Frame; 2]) {
    // Two directions perpendicular to the axis.
    let x = [n[1], -n[0], 0.0];
    let y = mechanics::vector::cross_constant(n, x);
    let at = |a: f64, b: f64| [0, 1, 2].map(|k| a * x[k] + b * y[k]);
    let world = m.add("world", impulses::World::new().g(9.81));
    let crank = impulses::Revolute::new().n(n).w_start(400.0).init_type(INIT).enforce_states(true);
    let crank = m.add("crank", crank);
    let rods = [at(0.0, 0.2), at(0.6, 0.2), at(0.0, -0.4)];
    let mut frame = crank.frame_b;
    m.connect(world.frame_b, crank.frame_a);
    for (k, r) in rods.into_iter().enumerate() {
        let rod = m.add(format!("rod{k}"), impulses::FixedTranslation::new().r(r));
        let body = m.add(format!("body{k}"), impulses::SimpleBody::new().m(1.0).inertia([0.02; 3]));
        m.connect(frame, rod.frame_a);
        m.connect(rod.frame_b, body.frame_a);
        frame = rod.frame_b;
        if k < 2 {
            let turn = m.add(format!("turn{k}"), impulses::Revolute::new().n(n));
            m.connect(rod.frame_b, turn.frame_a);
            frame = turn.frame_b;
        }
    }
    let base = m.add("rest", impulses::Fixed::new().r(at(0.6, 0.0)));
    let [a, b] = close(m);
    m.connect(base.frame_b, a);
    m.connect(frame, b);
}

#[test]
fn a_planar_revolute_closes_a_loop_about_any_axis() {
    for n in [Z, [0.6, 0.8, 0.0], [0.48, 0.36, 0.8]] {
        let cut = |m: &mut Assembly| {
            planar_linkage(m, n, |m| {
                let close = m.add("close", impulses::PlanarRevolute::new().n(n));
                [close.frame_a, close.frame_b]
            });
        };
        let full = |m: &mut Assembly| {
            planar_linkage(m, n, |m| {
                let close = m.add("close", multibody::Revolute::new().n(n));
                [close.frame_a, close.frame_b]
            });
        };
        assert_alike(cut, full, ["body1.frame_a"; 2]);
        // At a rigid end, three of six conditions follow from the others.
        let rigid = |m: &mut Assembly| {
            planar_linkage(m, n, |m| {
                let close = m.add("close", impulses::CloseLoop::new());
                let turn = m.add("turn2", impulses::Revolute::new().n(n));
                m.connect(turn.frame_b, close.frame_a);
                [turn.frame_a, close.frame_b]
            });
        };
        assert_alike(rigid, full, ["body1.frame_a"; 2]);
    }
}
