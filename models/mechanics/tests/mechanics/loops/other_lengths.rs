//! Linkages whose lengths are set: the states that the build chose are good for these too.

use crate::common::linkages::{bar, move_freely};
use crate::common::{initialize, notes, simulation, value};
use libraries::multibody::*;
use mechanics::add;
use mechanics::prelude::*;

/// A four-bar linkage with crank, coupler, rocker and ground, in m, whose crank starts upright.
fn four_bar([crank, coupler, rocker, ground]: [f64; 4], near: Revolute) -> impl Fn(&mut Assembly) {
    move |m| {
        let (x, y) = (ground, crank);
        // The coupler's angle in the world, from the triangle between its ends and the far pin.
        let across = x.hypot(y);
        let inside =
            (across * across + coupler * coupler - rocker * rocker) / (2.0 * across * coupler);
        let coupler_angle = inside.acos() - y.atan2(x);
        let pin = |phi: f64| Revolute::new().n(Z).phi(guess(phi));
        let upright = std::f64::consts::FRAC_PI_2;
        add! { m,
            world: World::new().g(0),
            far_ground: Fixed::new().r([ground, 0.0, 0.0]),
            j1: near.clone().n(Z).phi(fixed(upright)).w(fixed(8)),
            crank: bar([crank, 0.0, 0.0], 0.3),
            j2: pin(coupler_angle - upright),
            coupler: bar([coupler, 0.0, 0.0], 0.5),
            j3: pin(-2.0),
            rocker: bar([-rocker, 0.0, 0.0], 0.4),
            j4: pin(-1.7),
        }
        m.chain((world.frame_b, j1, crank, j2, coupler, j3, rocker, j4, far_ground.frame_b));
    }
}

/// The notes on the states of a linkage.
fn of_states(lengths: [f64; 4], near: Revolute) -> String {
    let mut notes = notes(four_bar(lengths, near));
    notes.retain(|note| note.contains("dead point"));
    notes.concat()
}

/// The crank turns round, but no longer if it is 3 % longer.
const HARDLY_A_CRANK: [f64; 4] = [0.2, 0.35, 0.26, 0.4];

#[test]
fn a_crank_that_other_lengths_stop_leaves_its_loop_free() {
    let note = of_states(HARDLY_A_CRANK, Revolute::new());
    let lengths = "can come near to dead points or change points if lengths are set that differ by \
                   up to a tenth";
    assert!(note.contains(lengths), "{note}");
    // With this margin no change by a tenth stops the crank.
    assert_eq!(of_states([0.1, 0.35, 0.3, 0.4], Revolute::new()), "");
    assert_eq!(of_states(HARDLY_A_CRANK, Revolute::new().states(Always)), "");
}

#[test]
fn a_linkage_passes_the_dead_points_of_lengths_that_are_set() {
    for crank in [0.2, 0.206, 0.218] {
        let mut model = simulation(four_bar(HARDLY_A_CRANK, Revolute::new())).expect("it is sound");
        model.set("crank.r[1]", crank).expect("it is a parameter");
        initialize(&mut model);
        let mut turns = 0;
        let mut before = value(&mut model, "j1.w");
        move_freely(&mut model, 10.0, 0.01, |model| {
            let w = value(model, "j1.w");
            turns += usize::from(w * before < 0.0);
            before = w;
        });
        assert_eq!(turns > 0, crank + 0.4 > 0.35 + 0.26, "{crank} m: turns back {turns} times");
    }
}

/// Two cranks of 0.1 m whose pins are 0.3 m apart, and couplers of this length in m between them.
fn five_bar(coupler: f64) -> impl Fn(&mut Assembly) {
    move |m| {
        let pin = |phi: f64| Revolute::new().n(Z).phi(guess(phi));
        let upright = std::f64::consts::FRAC_PI_2;
        let slope = (0.15 / coupler).acos();
        add! { m,
            world: World::new().g(0),
            far_ground: Fixed::new().r([0.3, 0.0, 0.0]),
            j1: Revolute::new().n(Z).phi(fixed(upright)).w(fixed(7)),
            left: bar([0.1, 0.0, 0.0], 0.3),
            j2: pin(slope - upright),
            up: bar([coupler, 0.0, 0.0], 0.5),
            j3: pin(-2.0 * slope),
            down: bar([coupler, 0.0, 0.0], 0.5),
            j4: pin(slope - upright),
            right: bar([0.0, -0.1, 0.0], 0.3),
            j5: Revolute::new().n(Z).phi(fixed(0)).w(fixed(9)),
        }
        m.chain((world.frame_b, j1, left, j2, up, j3, down, j4, right, j5, far_ground.frame_b));
    }
}

#[test]
fn two_cranks_that_other_lengths_stop_leave_their_loop_free() {
    for (coupler, states) in [(0.35, 4), (0.26, 8)] {
        let model = simulation(five_bar(coupler)).expect("it is sound");
        assert_eq!(model.continuous_states().len(), states, "couplers of {coupler} m");
    }
    let mut model = simulation(five_bar(0.26)).expect("it is sound");
    ["up.r[1]", "down.r[1]"].into_iter().for_each(|name| {
        model.set(name, 0.235).expect("it is a parameter");
    });
    initialize(&mut model);
    let mut furthest = 0.0_f64;
    move_freely(&mut model, 10.0, 0.01, |model| {
        furthest = furthest.max(value(model, "j3.phi").cos());
    });
    assert!(furthest > 0.98, "the couplers have been nearly in line: {furthest}");
}
