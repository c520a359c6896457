//! Notes to the author of a model about things that are not mistakes.

use crate::common::linkages::two_bars;
use crate::common::{notes, refusal, rough_mass, start, step, value};
use libraries::multibody::*;
use libraries::prelude::*;
use libraries::rotational as r;
use libraries::translational as t;

#[test]
fn bodies_without_a_world_fall_in_a_default_one_and_a_note_says_so() {
    let stone = |m: &mut Assembly| {
        let body = Body::new().m(2.0).r_cm([0.0; 3]).angles_start(fixed_vector([0.0; 3]));
        let rest = fixed_vector([0.0; 3]);
        m.add("stone", body.r_0(rest).v_0(rest).w_0_start(rest));
    };
    let mut model = start(stone);
    assert!((value(&mut model, "stone.a_0[2]") + 9.80665).abs() < 1e-12);
    assert!((value(&mut model, "world.g") - 9.80665).abs() < 1e-15);
    step(&mut model, 0.1);
    assert!((value(&mut model, "stone.r_0[2]") + 0.5 * 9.80665 * 0.01).abs() < 1e-12);
    let message = notes(stone);
    assert_eq!(message.len(), 1, "{message:?}");
    assert!(message[0].starts_with("world: bodies need a World"), "{message:?}");

    let floating = notes(|m| {
        m.add("space", World::new().g(0.0));
        stone(m);
    });
    assert!(floating.is_empty(), "{floating:?}");
    let no_space = notes(|m| {
        m.add("wheel", r::Inertia::new().J(1.0).phi(fixed(0.0)).w(fixed(1.0)));
    });
    assert!(no_space.is_empty(), "{no_space:?}");
}

#[test]
fn the_default_world_takes_no_name_that_is_in_use() {
    let mut model = start(|m| {
        m.add("world", Body::new().m(1.0).r_cm([0.0; 3]));
    });
    assert!((value(&mut model, "world.a_0[2]") + 9.80665).abs() < 1e-12);
}

#[test]
fn states_without_an_initial_condition_are_listed() {
    let message = notes(|m| {
        let a = m.add("a", r::Inertia::new().J(1.0).w(fixed(2.0)));
        let shaft = m.add("shaft", r::SpringDamper::new().c(100.0).d(1.0).phi_rel(fixed(0.1)));
        let b = m.add("b", r::Inertia::new().J(1.0));
        m.connect(a.flange_b, shaft.flange_a);
        m.connect(shaft.flange_b, b.flange_a);
    });
    let sentence = "no initial condition determines a.phi, shaft.w_rel; they begin at their start \
                    values";
    assert_eq!(message, [sentence]);

    let chain = notes(|m| {
        for k in 0..20 {
            m.add(format!("wheel{k}"), r::Inertia::new().J(1.0).phi(fixed(0.0)));
        }
    });
    assert!(chain[0].contains("wheel7.w and 12 more"), "{chain:?}");
}

#[test]
fn ends_of_springs_that_are_connected_to_nothing_are_named() {
    let message = notes(|m| {
        let wheel = m.add("wheel", r::Inertia::new().J(1.0).phi(fixed(0.0)).w(fixed(1.0)));
        let spring = m.add("spring", r::Spring::new().c(10.0));
        let gear = m.add("gear", r::IdealGear::new().ratio(2.0));
        m.connect(wheel.flange_b, spring.flange_a);
        m.connect(spring.flange_b, gear.flange_a);
    });
    let sentence = "gear.flange_b: nothing is connected to it, so gear transmits no torque there";
    assert_eq!(message, [sentence]);
}

#[test]
fn the_bare_end_of_a_spring_is_named() {
    let message = notes(|m| {
        m.add("wheel", r::Inertia::new().J(1.0).phi(fixed(0.0)).w(fixed(1.0)));
        let mass = m.add("mass", t::Mass::new().m(1.0).s(fixed(0.0)).v(fixed(1.0)));
        let spring = m.add("spring", t::Spring::new().c(10.0).s_rel0(0.1));
        m.connect(mass.flange_b, spring.flange_a);
    });
    let sentence =
        "spring.flange_b: nothing is connected to it, so spring transmits no force there";
    assert_eq!(message, [sentence]);
}

#[test]
fn open_ends_of_gears_between_inertias_are_named() {
    let open = |port: &str| {
        notes(|m| {
            let wheel = |w: f64| r::Inertia::new().J(1.0).phi(fixed(0.0)).w(fixed(w));
            let planetary = m.add("planetary", r::IdealPlanetary::new().ratio(2.0));
            let ends = [planetary.sun, planetary.carrier, planetary.ring];
            for (end, name) in ends.into_iter().zip(["sun", "carrier", "ring"]) {
                if name != port {
                    let wheel = m.add(name, wheel(1.0));
                    m.connect(end, wheel.flange_a);
                }
            }
        })
    };
    for port in ["sun", "carrier", "ring"] {
        let sentence =
            format!("planetary.{port}: nothing is connected to it, so planetary transmits nothing");
        assert_eq!(open(port), [sentence]);
    }
    let gear = |joined: bool| {
        notes(|m| {
            let a = m.add("a", r::Inertia::new().J(1.0).phi(fixed(0.0)).w(fixed(1.0)));
            let gear = m.add("gear", r::IdealGear::new().ratio(2.0));
            m.connect(a.flange_b, gear.flange_a);
            if joined {
                let b = m.add("b", r::Inertia::new().J(1.0));
                m.connect(gear.flange_b, b.flange_a);
            }
        })
    };
    let sentence = "gear.flange_b: nothing is connected to it, so gear transmits nothing";
    assert_eq!(gear(false), [sentence]);
    assert!(gear(true).is_empty(), "the free ends of inertias are no mistake");
}

#[test]
fn springs_with_both_ends_on_one_shaft_are_named() {
    let message = notes(|m| {
        let a = m.add("a", r::Inertia::new().J(1.0).phi(fixed(0.0)).w(fixed(1.0)));
        let b = m.add("b", r::Inertia::new().J(1.0));
        let spring = m.add("spring", r::Spring::new().c(10.0));
        m.connect(a.flange_b, b.flange_a);
        m.connect(a.flange_a, spring.flange_a);
        m.connect(b.flange_b, spring.flange_b);
    });
    let sentence = "spring: spring.flange_a and spring.flange_b move together, so spring does \
                    nothing";
    assert_eq!(message, [sentence]);
}

#[test]
fn a_mass_that_begins_beyond_a_stop_is_named_with_both_places() {
    let message = |start: Start, length: f64| {
        notes(|m| {
            let mass = rough_mass().L(length).smin(-2.0).smax(3.0);
            m.add("mass", mass.s(start).v(fixed(0.0)));
        })
    };
    assert!(message(fixed(3.0), 0.0).is_empty() && message(fixed(-1.5), 1.0).is_empty());
    let beyond = "the start value is beyond this stop, and the mass is moved back to it";
    let high = format!("mass.s = 3.5 m, mass.smax = 3 m, mass.L = 0 m: {beyond}");
    assert_eq!(message(fixed(3.5), 0.0), [high]);
    let low = format!("mass.s = -1.75 m, mass.smin = -2 m, mass.L = 1 m: {beyond}");
    assert_eq!(message(fixed(-1.75), 1.0), [low]);
    let guessed = message(guess(3.5), 0.0);
    assert!(guessed.iter().any(|note| note.contains("beyond this stop")), "{guessed:?}");
}

#[test]
fn a_steady_state_that_determines_another_value_leaves_its_own_to_its_start() {
    let message = notes(|m| {
        let shaft = m.add("shaft", r::Inertia::new().J(1.0).phi(fixed(0.0)).w(guess(3.0)));
        let load = m.add("load", r::ConstantTorque::new().tau_constant(-5.0));
        let speed = m.add("speed", r::SpeedSensor::new());
        let error = m.add("error", Feedback::new());
        let wanted = m.add("wanted", Constant::new().k(2.0));
        let control = m.add("control", PI::new().k(1.0).T(0.5).steady_state(true));
        let drive = m.add("drive", r::Torque::new());
        m.connect(wanted.y, error.u1);
        m.connect(speed.w, error.u2);
        m.connect(error.y, control.u);
        m.connect(control.y, drive.tau);
        m.connect(shaft.flange_a, speed.flange);
        m.connect(drive.flange, shaft.flange_a);
        m.connect(load.flange, shaft.flange_b);
    });
    let listed =
        message.iter().any(|note| note.starts_with("no initial condition determines control.x"));
    assert!(listed, "{message:?}");
}

#[test]
fn an_ignored_guess_about_the_joint_that_closes_a_loop_is_noted() {
    let message = |starts: [Start; 3]| {
        let all = notes(|m| two_bars(m, starts.map(|start| Revolute::new().n(Z).phi(start)), 1.2));
        all.into_iter().filter(|note| note.contains("guess")).collect::<Vec<_>>()
    };
    let angle = 2.0 * 0.6_f64.asin();
    // The bars point upwards, as the guesses of the outer joints say.
    let up = [guess(0.9), guess(2.2)];
    assert!(message([up[0], up[1], guess(angle)]).is_empty());
    assert!(message([up[0], up[1], free()]).is_empty());
    let decide = "guesses of left.phi, right.phi decide";
    let sentence = format!(
        "pin.phi: its loop does not close near the guess {:.4} rad: it begins at {angle:.4} rad; {decide}",
        -angle
    );
    assert_eq!(message([up[0], up[1], guess(-angle)]), [sentence]);
    // If the others do not, the guess decides.
    assert!(message([guess(0.2), free(), guess(-angle)]).is_empty());
    assert!(message([free(), free(), guess(-angle)]).is_empty());
}

#[test]
fn a_refusal_repeats_an_earlier_note() {
    // For example, if the connection of the shaft to a load was forgotten.
    let message = refusal(|m| {
        let motor = m.add("motor", r::Inertia::new().J(0.1).phi(fixed(0.0)).w(fixed(0.0)));
        let shaft = r::SpringDamper::new().c(10.0).d(0.1).phi_rel(fixed(0.0)).w_rel(fixed(0.0));
        let shaft = m.add("shaft", shaft);
        m.connect(motor.flange_b, shaft.flange_a);
    });
    assert!(message.starts_with("shaft.w_rel: "), "{message}");
    assert!(message.contains("; besides, shaft.flange_b: nothing is connected to it"), "{message}");
}

#[test]
fn friction_that_vanishes_beyond_its_table_is_noted_with_the_speed() {
    let of = |rows: &[[f64; 2]]| {
        let rows = rows.to_vec();
        notes(|m| {
            let bearing = m.add("bearing", r::BearingFriction::new().tau_pos(rows));
            let wheel = r::Inertia::new().J(1.0).phi(fixed(0.0)).w(fixed(300.0));
            let wheel = m.add("wheel", wheel);
            m.connect(bearing.flange_b, wheel.flange_a);
        })
    };
    let found = of(&[[0.0, 0.5], [50.0, 0.4]]);
    assert_eq!(found.len(), 1, "{found:?}");
    let sentence = "bearing.tau_pos: the table is extrapolated, so there is no friction above \
                    about 250 rad/s; ";
    assert!(found[0].starts_with(sentence), "{found:?}");
    for rows in [&[[0.0, 0.5], [50.0, 0.6]][..], &[[0.0, 0.5], [50.0, 0.4], [60.0, 0.4]]] {
        assert!(of(rows).is_empty(), "{rows:?}");
    }
}
