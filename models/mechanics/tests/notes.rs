//! What a model's author is told although it is no mistake.

mod common;

use common::{start, step, value};
use mechanics::multibody::*;
use mechanics::prelude::*;
use mechanics::rotational as r;
use mechanics::translational as t;

fn notes(text: impl FnOnce(&mut Assembly)) -> Vec<String> {
    common::interpret(text).expect("the model is sound").program().notes().to_vec()
}

#[test]
fn bodies_without_a_world_fall_in_a_default_one_and_a_note_says_so() {
    let stone = |m: &mut Assembly| {
        let body = Body::m_r_cm(2.0, [0.0; 3]).angles_start(fixed_vector([0.0; 3]));
        let rest = fixed_vector([0.0; 3]);
        m.add("stone", body.r_0(rest).v_0(rest).w_0_start(rest));
    };
    let mut model = start(stone);
    assert!((value(&mut model, "stone.a_0[2]") + 9.80665).abs() < 1e-12);
    assert!((value(&mut model, "world.g") - 9.80665).abs() < 1e-15);
    for _ in 0..10 {
        step(&mut model, 0.01);
    }
    assert!((value(&mut model, "stone.r_0[2]") + 0.5 * 9.80665 * 0.01).abs() < 1e-12);
    let said = notes(stone);
    assert_eq!(said.len(), 1, "{said:?}");
    assert!(said[0].starts_with("world: bodies need a World"), "{said:?}");

    let floating = notes(|m| {
        m.add("space", World::default().g(0.0));
        stone(m);
    });
    assert!(floating.is_empty(), "{floating:?}");
    let no_space = notes(|m| {
        m.add("wheel", r::Inertia::J(1.0).phi(fixed(0.0)).w(fixed(1.0)));
    });
    assert!(no_space.is_empty(), "{no_space:?}");
}

#[test]
fn the_default_world_takes_no_name_that_is_in_use() {
    let mut model = start(|m| {
        m.add("world", Body::m_r_cm(1.0, [0.0; 3]));
    });
    assert!((value(&mut model, "world.a_0[2]") + 9.80665).abs() < 1e-12);
}

#[test]
fn states_without_an_initial_condition_are_listed() {
    let said = notes(|m| {
        let a = m.add("a", r::Inertia::J(1.0).w(fixed(2.0)));
        let shaft = m.add("shaft", r::SpringDamper::c_d(100.0, 1.0).phi_rel(fixed(0.1)));
        let b = m.add("b", r::Inertia::J(1.0));
        m.connect(a.flange_b, shaft.flange_a);
        m.connect(shaft.flange_b, b.flange_a);
    });
    let sentence = "no initial condition determines a.phi, shaft.w_rel; they begin at their start \
                    values";
    assert_eq!(said, [sentence]);

    let chain = notes(|m| {
        for k in 0..20 {
            m.add(format!("wheel{k}"), r::Inertia::J(1.0).phi(fixed(0.0)));
        }
    });
    assert!(chain[0].contains("wheel7.w and 12 more"), "{chain:?}");
}

#[test]
fn ends_of_springs_that_are_connected_to_nothing_are_named() {
    let said = notes(|m| {
        let wheel = m.add("wheel", r::Inertia::J(1.0).phi(fixed(0.0)).w(fixed(1.0)));
        let spring = m.add("spring", r::Spring::c(10.0));
        let gear = m.add("gear", r::IdealGear::ratio(2.0));
        m.connect(wheel.flange_b, spring.flange_a);
        m.connect(spring.flange_b, gear.flange_a);
    });
    let sentence = "gear.flange_b: nothing is connected to it, so gear transmits no torque there";
    assert_eq!(said, [sentence]);
}

#[test]
fn the_bare_end_of_a_spring_is_named() {
    let said = notes(|m| {
        m.add("wheel", r::Inertia::J(1.0).phi(fixed(0.0)).w(fixed(1.0)));
        let mass = m.add("mass", t::Mass::m(1.0).s(fixed(0.0)).v(fixed(1.0)));
        let spring = m.add("spring", t::Spring::c(10.0).s_rel0(0.1));
        m.connect(mass.flange_b, spring.flange_a);
    });
    let sentence =
        "spring.flange_b: nothing is connected to it, so spring transmits no force there";
    assert_eq!(said, [sentence]);
}

#[test]
fn a_mass_that_begins_beyond_a_stop_is_named_with_both_places() {
    let said = |start: Start, length: f64| {
        notes(|m| {
            let mass = t::MassWithStopAndFriction::m(1.0).L(length).smin(-2.0).smax(3.0);
            m.add("mass", mass.s(start).v(fixed(0.0)));
        })
    };
    assert!(said(fixed(3.0), 0.0).is_empty() && said(fixed(-1.5), 1.0).is_empty());
    let beyond =
        |stop: &str| format!("it begins beyond this stop and is put back to {stop} at once");
    let high = format!("mass.s = 3.5 m, mass.smax = 3 m, mass.L = 0 m: {}", beyond("smax"));
    assert_eq!(said(fixed(3.5), 0.0), [high]);
    let low = format!("mass.s = -1.75 m, mass.smin = -2 m, mass.L = 1 m: {}", beyond("smin"));
    assert_eq!(said(fixed(-1.75), 1.0), [low]);
    let guessed = said(guess(3.5), 0.0);
    assert!(guessed.iter().any(|note| note.contains("beyond this stop")), "{guessed:?}");
}
