//! Small drive trains: power balance, invariance, friction, initial values, and refusals.

use crate::common::{
    Random, energy, energy_rate, initialize, set_states, settle, simulation, start, step, value,
};
use libraries::prelude::*;
use libraries::rotational::*;
use models::{coupled_clutches, drivetrain};

#[test]
fn power_in_is_the_rise_of_energy_plus_the_losses() {
    let mut random = Random(1);
    let mut model = simulation(drivetrain::model).unwrap();
    for _ in 0..50 {
        model.reset().unwrap();
        let states = model.info().states.iter().map(|_| 20.0 * random.number());
        let states: Vec<f64> = states.collect();
        let torque = 50.0 * random.number();
        model.set("tau", torque).unwrap();
        // Nothing presses the clutch at the start, so it slides at any speed.
        initialize(&mut model);
        set_states(&mut model, &states);
        model.set("engage", random.number().abs()).unwrap();
        settle(&mut model);
        let supplied = torque * value(&mut model, "motor.w");
        let lost = value(&mut model, "clutch.lossPower") + value(&mut model, "shaft.lossPower");
        let balance = supplied - lost - energy_rate(&mut model);
        assert!(balance.abs() < 1e-5 * (1.0 + supplied.abs() + lost.abs()), "{balance:e}");
        assert!(lost >= 0.0, "losses are not negative: {lost}");
    }
}

#[test]
fn swapped_flanges_change_nothing() {
    let train = |swapped: bool| {
        move |m: &mut Assembly| {
            let a = m.add("a", Inertia::new().J(1.5).phi(fixed(0.2)).w(fixed(3.0)));
            let b = m.add("b", Inertia::new().J(0.5).phi(fixed(0.0)).w(fixed(-1.0)));
            let spring = m.add("spring", SpringDamper::new().c(30.0).d(0.4));
            let clutch = m.add("clutch", Clutch::new().fn_max(4.0));
            let press = m.add("press", Constant::new().k(1.0));
            m.connect(press.y, clutch.f_normalized);
            let ends = |x, y| if swapped { (y, x) } else { (x, y) };
            for (x, y) in
                [ends(spring.flange_a, spring.flange_b), ends(clutch.flange_a, clutch.flange_b)]
            {
                m.connect(a.flange_b, x);
                m.connect(y, b.flange_a);
            }
        }
    };
    let mut one = start(train(false));
    let mut other = start(train(true));
    for _ in 0..100 {
        for name in ["a.phi", "a.w", "a.a", "b.phi", "b.w", "b.a"] {
            let (x, y) = (value(&mut one, name), value(&mut other, name));
            assert!((x - y).abs() < 1e-12 * (1.0 + x.abs()), "{name}: {x} and {y}");
        }
        let (x, y) = (value(&mut one, "clutch.tau"), value(&mut other, "clutch.tau"));
        assert!((x + y).abs() < 1e-12, "the torque changes its sign: {x} and {y}");
        step(&mut one, 1e-3);
        step(&mut other, 1e-3);
    }
}

/// Two inertias driven apart, joined by clutches side by side.
fn side_by_side(m: &mut Assembly, capacities: &[f64], torque: f64) {
    let a = m.add("a", Inertia::new().J(1.0).phi(fixed(0.0)).w(fixed(0.0)));
    let b = m.add("b", Inertia::new().J(3.0).phi(fixed(0.0)).w(fixed(0.0)));
    let drive = m.add("drive", Torque::new());
    let tau = m.add("tau", Constant::new().k(torque));
    let press = m.add("press", Constant::new().k(1.0));
    m.connect(tau.y, drive.tau);
    m.connect(drive.flange, a.flange_a);
    for (k, &capacity) in capacities.iter().enumerate() {
        let clutch = m.add(format!("clutch{}", k + 1), Clutch::new().fn_max(2.0 * capacity));
        m.connect(press.y, clutch.f_normalized);
        m.connect(a.flange_b, clutch.flange_a);
        m.connect(clutch.flange_b, b.flange_a);
    }
}

#[test]
fn a_clutch_sticks_when_the_torque_is_below_its_limit_and_slides_above() {
    // To hold `b`, 3/4 of the torque must pass the clutch.
    for (torque, sticks) in [(3.9, true), (4.1, false)] {
        let mut model = start(|m| side_by_side(m, &[3.0], torque));
        let a_rel = value(&mut model, "clutch1.a_rel");
        assert_eq!(a_rel.abs() < 1e-12, sticks, "{torque} N.m: {a_rel}");
        assert!(value(&mut model, "clutch1.tau").abs() <= 3.0 + 1e-12);
    }
}

#[test]
fn parallel_clutches_act_like_one_of_their_common_capacity() {
    for torque in [1.0, 3.9, 4.1, -20.0] {
        let mut one = start(|m| side_by_side(m, &[3.0], torque));
        let mut three = start(|m| side_by_side(m, &[0.5, 2.0, 0.5], torque));
        for name in ["a.a", "b.a"] {
            let (x, y) = (value(&mut one, name), value(&mut three, name));
            assert!((x - y).abs() < 1e-9, "{torque} N.m, {name}: {x} and {y}");
        }
    }
}

#[test]
fn random_friction_networks_always_settle_consistently() {
    let mut random = Random(7);
    for trial in 0..60 {
        let n = 2 + trial % 8;
        let mut numbers: Vec<f64> = (0..4 * n).map(|_| random.number()).collect();
        let mut draw = move || numbers.pop().unwrap_or(0.5);
        let text = |m: &mut Assembly| {
            let press = m.add("press", Constant::new().k(1.0));
            let mut nodes = Vec::new();
            for k in 0..=n {
                let name = format!("J{k}");
                let j = Inertia::new().J(0.2 + draw().abs()).phi(fixed(0.0)).w(fixed(0.0));
                nodes.push(m.add(name, j));
                let torque = m.add(format!("t{k}"), Torque::new());
                let tau = m.add(format!("c{k}"), Constant::new().k(10.0 * draw()));
                m.connect(tau.y, torque.tau);
                m.connect(torque.flange, nodes[k].flange_a);
                if k > 0 {
                    let other = (draw().abs() * k as f64) as usize;
                    let clutch = m.add(format!("f{k}"), Clutch::new().fn_max(8.0 * draw().abs()));
                    m.connect(press.y, clutch.f_normalized);
                    m.connect(nodes[other].flange_b, clutch.flange_a);
                    m.connect(clutch.flange_b, nodes[k].flange_a);
                }
            }
        };
        let mut model = start(text);
        for k in 1..=n {
            let tau = value(&mut model, &format!("f{k}.tau"));
            let a_rel = value(&mut model, &format!("f{k}.a_rel"));
            let limit = 0.5 * value(&mut model, &format!("f{k}.fn"));
            assert!(tau.abs() <= limit * (1.0 + 1e-12) + 1e-12, "trial {trial}, f{k}: {tau}");
            let slides = a_rel.abs() > 1e-9;
            assert!(!slides || (tau - limit * a_rel.signum()).abs() < 1e-9, "trial {trial}, f{k}");
        }
    }
}

#[test]
fn coupled_clutches_start_as_published() {
    let mut model = start(coupled_clutches::model);
    let modes: Vec<f64> = (1..=3).map(|k| value(&mut model, &format!("clutch{k}.mode"))).collect();
    assert_eq!(modes, [-1.0, 2.0, 2.0]);
    assert_eq!(value(&mut model, "J1.w"), 10.0);
    assert_eq!(value(&mut model, "clutch1.w_rel"), -10.0);
}

#[test]
fn gears_add_inertias_and_share_torques() {
    let mut model = start(|m| {
        let a = m.add("a", Inertia::new().J(0.5).phi(fixed(0.6)).w(fixed(6.0)));
        let gear = m.add("gear", IdealGear::new().ratio(3.0));
        let b = m.add("b", Inertia::new().J(9.0));
        let drive = m.add("drive", Torque::new());
        let tau = m.add("tau", Constant::new().k(6.0));
        m.connect(tau.y, drive.tau);
        m.connect(drive.flange, a.flange_a);
        m.connect(a.flange_b, gear.flange_a);
        m.connect(gear.flange_b, b.flange_a);
    });
    assert!((value(&mut model, "b.phi") - 0.2).abs() < 1e-15);
    assert!((value(&mut model, "b.w") - 2.0).abs() < 1e-15);
    assert!((value(&mut model, "a.a") - 6.0 / 1.5).abs() < 1e-14);
    let (tau_a, tau_b) =
        (value(&mut model, "gear.flange_a.tau"), value(&mut model, "gear.flange_b.tau"));
    assert!((tau_a - 4.0).abs() < 1e-14 && (tau_b + 12.0).abs() < 1e-14, "{tau_a} {tau_b}");
    assert!((value(&mut model, "gear.support.tau") - 8.0).abs() < 1e-14);
}

#[test]
fn a_gear_with_a_moving_housing_is_a_planetary_gear() {
    let mut model = start(|m| {
        let sun = m.add("sun", Inertia::new().J(1.0).phi(fixed(0.0)).w(fixed(1.0)));
        let ring = m.add("ring", Inertia::new().J(2.0).phi(fixed(0.0)).w(fixed(0.0)));
        let carrier = m.add("carrier", Inertia::new().J(3.0));
        let gear = m.add("gear", IdealGear::new().ratio(-2.0));
        m.connect(sun.flange_b, gear.flange_a);
        m.connect(ring.flange_b, gear.flange_b);
        m.connect(carrier.flange_b, gear.support);
    });
    // (phi_sun - phi_c) = -2 (phi_ring - phi_c)
    assert!((value(&mut model, "carrier.w") - 1.0 / 3.0).abs() < 1e-15);
    let before = energy(&mut model);
    step(&mut model, 0.1);
    assert!((energy(&mut model) - before).abs() < 1e-12);
}

#[test]
fn mistakes_are_named() {
    let refused = |text: fn(&mut Assembly)| simulation(text).err().unwrap_or_default();
    let message = refused(|m| {
        let a = m.add("a", Inertia::new().J(1.0).phi(fixed(0.0)).w(fixed(0.0)));
        let b = m.add("b", Inertia::new().J(1.0).phi(fixed(1.0)));
        m.connect(a.flange_b, b.flange_a);
    });
    assert!(message.contains("a.phi") && message.contains("b.phi"), "{message}");
    let message = refused(|m| {
        let gear = m.add("gear", IdealGear::new().ratio(0.0));
        let a = m.add("a", Inertia::new().J(1.0));
        m.connect(a.flange_b, gear.flange_a);
    });
    assert!(message.contains("gear.ratio"), "{message}");
    let message = refused(|m| {
        m.add("push", Torque::new());
    });
    assert!(message.contains("push.tau"), "{message}");
    let message = refused(|m| {
        let idle = m.add("idle", IdealGear::new().ratio(2.0));
        let load = m.add("load", Inertia::new().J(1.0));
        let push = m.add("push", Torque::new());
        let tau = m.add("tau", Constant::new().k(1.0));
        m.connect(tau.y, push.tau);
        m.connect(push.flange, idle.flange_a);
        m.connect(load.flange_a, load.flange_b);
    });
    assert!(message.contains("push.flange") && message.contains("inertia"), "{message}");
    let message = refused(|m| {
        let load = m.add("load", Inertia::new().J(1.0));
        let clutch = m.add("clutch", Clutch::new().fn_max(1.0));
        let spring = m.add("spring", SpringDamper::new().c(1.0).d(1.0));
        let fixed = m.add("fixed", Fixed::new());
        let press = m.add("press", Constant::new().k(1.0));
        m.connect(press.y, clutch.f_normalized);
        m.connect(load.flange_b, clutch.flange_a);
        m.connect(clutch.flange_b, spring.flange_a);
        m.connect(spring.flange_b, fixed.flange);
    });
    let why = "which a friction element needs, unless the flange is fixed";
    assert_eq!(message, format!("clutch: nothing with inertia moves with clutch.flange_b, {why}"));
    let message = refused(|m| {
        let a = m.add("a", Inertia::new().J(-1.0));
        let b = m.add("b", Inertia::new().J(1.0));
        m.connect(a.flange_b, b.flange_a);
    });
    assert!(message.contains("a.J") && message.contains("-1"), "{message}");
    for name in ["", "my inertia", "2nd", "a[x]", "a..b"] {
        let message = simulation(|m| {
            m.add(name, Inertia::new().J(1.0));
        });
        assert!(message.err().unwrap_or_default().contains("name"), "{name}");
    }
    assert!(
        simulation(|m| {
            m.add("arm.joint[2]", Inertia::new().J(1.0));
        })
        .is_ok()
    );
    let message = refused(|m| {
        m.add("twin", Inertia::new().J(1.0));
        m.add("twin", Torque::new());
    });
    assert_eq!(message, "twin: two components have this name, Inertia and Torque");
    let message = refused(|m| {
        let wheel = m.add("wheel", Inertia::new().J(1.0));
        m.output("speed", wheel.w);
        m.output("speed", wheel.phi);
    });
    assert_eq!(message, "speed: two outputs have this name, of wheel.w and of wheel.phi");
    let message = refused(|m| {
        let wheel = m.add("wheel", Inertia::new().J(1.0));
        m.output("wheel.phi", wheel.w).describe("Mine");
    });
    assert!(message.starts_with("wheel.phi: the name is used twice, by a "), "{message}");
    assert!(message.contains("by an output (Mine)"), "{message}");
}

/// A load on two springs (with dampers) in series, without inertia between them.
fn in_a_row(m: &mut Assembly, (c1, d1): (f64, f64), (c2, d2): (f64, f64)) {
    let fixed = m.add("fixed", Fixed::new());
    let first = m.add("first", SpringDamper::new().c(c1).d(d1));
    let second = m.add("second", SpringDamper::new().c(c2).d(d2));
    let load = m.add("load", Inertia::new().J(0.5).phi(mechanics::start::fixed(1.0)).w(guess(0.0)));
    m.connect(fixed.flange, first.flange_a);
    m.connect(first.flange_b, second.flange_a);
    m.connect(second.flange_b, load.flange_a);
}

#[test]
fn springs_in_a_row_act_like_one_softer_spring() {
    let mut row = start(|m| in_a_row(m, (30.0, 0.0), (60.0, 0.0)));
    let mut one = start(|m| {
        let fixed = m.add("fixed", Fixed::new());
        let spring = m.add("spring", SpringDamper::new().c(20.0).d(0.0));
        let load =
            m.add("load", Inertia::new().J(0.5).phi(mechanics::start::fixed(1.0)).w(guess(0.0)));
        m.connect(fixed.flange, spring.flange_a);
        m.connect(spring.flange_b, load.flange_a);
    });
    assert_eq!(row.continuous_states().len(), 2, "the flange between the springs has no state");
    for _ in 0..300 {
        step(&mut row, 1e-3);
        step(&mut one, 1e-3);
        assert!((value(&mut row, "load.phi") - value(&mut one, "load.phi")).abs() < 1e-12);
        let (a, b) = (value(&mut row, "first.tau"), value(&mut row, "second.tau"));
        assert!((a - b).abs() < 1e-12, "{a} and {b}");
        let ratio = value(&mut row, "first.w_rel") / value(&mut row, "load.w");
        assert!((ratio - 2.0 / 3.0).abs() < 1e-9, "{ratio}");
    }
}

#[test]
fn a_damped_flange_without_inertia_is_a_state_of_first_order() {
    let mut model = start(|m| in_a_row(m, (30.0, 2.0), (60.0, 0.0)));
    assert_eq!(model.continuous_states().len(), 3);
    for _ in 0..300 {
        let before = energy(&mut model);
        let loss = value(&mut model, "first.lossPower");
        let (a, b) = (value(&mut model, "first.tau"), value(&mut model, "second.tau"));
        assert!((a - b).abs() < 1e-12, "{a} and {b}");
        step(&mut model, 1e-5);
        let lost = before - energy(&mut model);
        let mean = 0.5 * (loss + value(&mut model, "first.lossPower")) * 1e-5;
        assert!((lost - mean).abs() < 1e-8, "{lost} and {mean}");
    }
}

#[test]
fn both_dampers_share_the_motion_of_a_flange_between_them() {
    let mut model = start(|m| in_a_row(m, (30.0, 2.0), (60.0, 0.5)));
    for _ in 0..100 {
        step(&mut model, 1e-3);
        let (a, b) = (value(&mut model, "first.tau"), value(&mut model, "second.tau"));
        assert!((a - b).abs() < 1e-12, "{a} and {b}");
        let (one, two) = (value(&mut model, "first.w_rel"), value(&mut model, "second.w_rel"));
        assert!((one + two - value(&mut model, "load.w")).abs() < 1e-12);
    }
}

#[test]
fn a_damper_between_two_flanges_without_inertia_has_its_own_start_value() {
    let mut model = start(|m| {
        let a = m.add("a", Inertia::new().J(1.0).phi(fixed(0.0)).w(fixed(1.0)));
        let left = m.add("left", SpringDamper::new().c(10.0).d(0.0));
        let middle = m.add("middle", SpringDamper::new().c(5.0).d(2.0).phi_rel(fixed(0.3)));
        let right = m.add("right", SpringDamper::new().c(20.0).d(0.0));
        let b = m.add("b", Inertia::new().J(2.0).phi(fixed(0.1)).w(fixed(0.0)));
        m.connect(a.flange_b, left.flange_a);
        m.connect(left.flange_b, middle.flange_a);
        m.connect(middle.flange_b, right.flange_a);
        m.connect(right.flange_b, b.flange_a);
    });
    assert_eq!(value(&mut model, "middle.phi_rel"), 0.3);
    for _ in 0..100 {
        let tau = value(&mut model, "left.tau");
        for other in ["middle.tau", "right.tau"] {
            assert!((tau - value(&mut model, other)).abs() < 1e-12);
        }
        let sum: f64 = ["left", "middle", "right"]
            .iter()
            .map(|s| value(&mut model, &format!("{s}.w_rel")))
            .sum();
        assert!((sum - value(&mut model, "b.w") + value(&mut model, "a.w")).abs() < 1e-9);
        step(&mut model, 1e-3);
    }
}

#[test]
fn a_torque_on_a_flange_without_inertia_moves_it_at_the_rate_of_the_torque() {
    // tau = sin(2 pi t) on a spring of 10 N.m/rad that is fixed at the other end.
    let mut model = start(|m| {
        let fixed = m.add("fixed", Fixed::new());
        let spring = m.add("spring", SpringDamper::new().c(10.0).d(0.0));
        let push = m.add("push", Torque::new());
        let sine = m.add("sine", Sine::new().amplitude(1.0).f(1.0));
        let idle = m.add("idle", Inertia::new().J(1.0));
        m.connect(sine.y, push.tau);
        m.connect(fixed.flange, spring.flange_a);
        m.connect(push.flange, spring.flange_b);
        m.connect(idle.flange_a, idle.flange_b);
    });
    model.move_to(0.1, &[0.0; 2]).unwrap();
    let angle = std::f64::consts::TAU * 0.1;
    assert!((value(&mut model, "spring.phi_rel") - 0.1 * angle.sin()).abs() < 1e-15);
    let w = 0.1 * std::f64::consts::TAU * angle.cos();
    assert!((value(&mut model, "spring.w_rel") - w).abs() < 1e-14);
}

#[test]
fn a_jump_of_the_speed_beyond_w_small_slides_on() {
    for (w_small, slides) in [(1e10, false), (0.1, true)] {
        let mut model = start(|m| {
            let a = m.add("a", Inertia::new().J(1.0).phi(fixed(0.0)).w(fixed(5.0)));
            let clutch = m.add("clutch", Clutch::new().fn_max(2.0).w_small(w_small));
            let fixed = m.add("fixed", Fixed::new());
            let press = m.add("press", Constant::new().k(1.0));
            m.connect(press.y, clutch.f_normalized);
            m.connect(a.flange_b, clutch.flange_a);
            m.connect(clutch.flange_b, fixed.flange);
        });
        assert_eq!(value(&mut model, "clutch.mode"), -1.0);
        let turned: Vec<f64> = model.continuous_states().iter().map(|x| -x).collect();
        set_states(&mut model, &turned);
        settle(&mut model);
        assert_eq!(value(&mut model, "clutch.mode") == 1.0, slides, "w_small = {w_small}");
    }
}

#[test]
fn a_clutch_without_normal_force_is_free() {
    for (fn_max, signal) in [(0.0, 1.0), (5.0, 0.0), (5.0, -1.0)] {
        let mut model = start(|m| {
            let a = m.add("a", Inertia::new().J(1.0).phi(fixed(0.0)).w(fixed(0.0)));
            let clutch = m.add("clutch", Clutch::new().fn_max(fn_max));
            let fixed = m.add("fixed", Fixed::new());
            let press = m.add("press", Constant::new().k(signal));
            m.connect(press.y, clutch.f_normalized);
            m.connect(a.flange_b, clutch.flange_a);
            m.connect(clutch.flange_b, fixed.flange);
        });
        assert_eq!(value(&mut model, "clutch.mode"), 2.0, "fn_max {fn_max}, signal {signal}");
        assert_eq!(value(&mut model, "clutch.tau"), 0.0);
    }
}

#[test]
fn connecting_the_flanges_of_an_inertia_changes_nothing() {
    let mut model = start(|m| {
        let shaft = m.add("shaft", Inertia::new().J(2.0).phi(fixed(0.0)).w(fixed(1.0)));
        let torque = m.add("torque", ConstantTorque::new().tau_constant(4.0));
        m.connect(shaft.flange_a, shaft.flange_b);
        m.connect(torque.flange, shaft.flange_a);
    });
    assert_eq!(value(&mut model, "shaft.a"), 2.0);
}
