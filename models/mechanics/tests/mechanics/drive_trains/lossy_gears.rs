//! Gears with losses: which flange drives, when they stick, and several of them together.

use crate::common::{Random, program, simulate, start, value};
use equations::description::VariableType;
use libraries::prelude::*;
use libraries::rotational::*;

const RATIO: f64 = 2.0;
const ETA: [f64; 2] = [0.8, 0.6];
const BEARING: [f64; 2] = [0.3, 0.5];

/// A gear between two inertias that rotate at `w_a`, with a torque on either side.
fn one_gear(m: &mut Assembly, w_a: f64, [tau_1, tau_2]: [f64; 2]) {
    let table = [[0.0, ETA[0], ETA[1], BEARING[0], BEARING[1]]];
    let gear = m.add("gear", LossyGear::new().ratio(RATIO).loss_table(table));
    let a = m.add("a", Inertia::new().J(1.0));
    let b = m.add("b", Inertia::new().J(1.5).phi(fixed(0.0)).w(fixed(w_a / RATIO)));
    for (name, tau, inertia) in [("1", tau_1, a), ("2", tau_2, b)] {
        let torque = m.add(format!("torque{name}"), Torque::new());
        let signal = m.add(format!("tau{name}"), Constant::new().k(tau));
        m.connect(signal.y, torque.tau);
        m.connect(torque.flange, inertia.flange_a);
    }
    m.connect(a.flange_b, gear.flange_a);
    m.connect(gear.flange_b, b.flange_b);
}

#[test]
fn the_driving_flange_pays_the_loss_in_every_quadrant() {
    let mut random = Random(7);
    let mut seen = [0; 4];
    for _ in 0..200 {
        let w_a = 5.0 * random.number();
        let torques = [10.0 * random.number(), 10.0 * random.number()];
        let mut model = start(|m| one_gear(m, w_a, torques));
        let mut get = |name: &str| value(&mut model, name);
        let (tau_a, tau_b) = (get("gear.flange_a.tau"), get("gear.flange_b.tau"));
        let (loss, power) = (get("gear.tauLoss"), get("gear.lossPower"));
        assert!((tau_b + RATIO * (tau_a - loss)).abs() < 1e-12);
        // Of the two laws, the one that belongs to the present motion takes more power.
        let sign = w_a.signum();
        let if_a_drives = (1.0 - ETA[0]) * tau_a + sign * BEARING[0];
        let if_b_drives = (1.0 - 1.0 / ETA[1]) * tau_a + sign * BEARING[1];
        let larger = (sign * if_a_drives).max(sign * if_b_drives) * sign;
        assert!((loss - larger).abs() < 1e-12, "{w_a} {torques:?}: {loss} {larger}");
        assert!((power - loss * w_a).abs() < 1e-12 && power > 0.0);
        seen[usize::from(w_a > 0.0) * 2 + usize::from(if_a_drives == larger)] += 1;
    }
    assert!(seen.iter().all(|&n| n > 10), "all four quadrants occur: {seen:?}");
}

#[test]
fn a_gear_at_rest_holds_as_long_as_neither_side_can_drive_the_other() {
    // If flange a drives, the torque must overcome the bearing torque and the losses of the mesh.
    let limit = BEARING[0] / ETA[0];
    for (tau, locked) in [(0.99 * limit, 1.0), (1.01 * limit, 0.0), (-0.99 * limit, 1.0)] {
        let mut model = start(|m| one_gear(m, 0.0, [tau, 0.0]));
        assert_eq!(value(&mut model, "gear.locked"), locked, "{tau} N.m at flange a");
    }
    // If flange b drives, the torque that arrives at flange a must be positive.
    for (tau, locked) in [(0.99, 1.0), (1.01, 0.0), (-0.99, 1.0), (-1.01, 0.0)] {
        let tau_b = tau * RATIO * BEARING[1];
        let mut model = start(|m| one_gear(m, 0.0, [0.0, tau_b]));
        assert_eq!(value(&mut model, "gear.locked"), locked, "{tau_b} N.m at flange b");
    }
}

#[test]
fn a_gear_at_rest_has_no_events_while_its_torque_changes_sign() {
    let mut model = start(|m| {
        let table = [[0.0, ETA[0], ETA[1], BEARING[0], BEARING[1]]];
        let gear = m.add("gear", LossyGear::new().ratio(RATIO).loss_table(table));
        let a = m.add("a", Inertia::new().J(1.0).phi(fixed(0.0)).w(fixed(0.0)));
        let torque = m.add("torque", Torque::new());
        let signal = m.add("tau", Sine::new().amplitude(1e-3).f(5.0));
        m.connect(signal.y, torque.tau);
        m.connect(torque.flange, a.flange_a);
        m.connect(a.flange_b, gear.flange_a);
    });
    let mut events = 0;
    simulate(&mut model, 1.0, |_| events += 1);
    assert_eq!((value(&mut model, "gear.locked"), events), (1.0, 0));
}

#[test]
fn the_sign_of_a_bearing_torque_does_not_count() {
    let text = |m: &mut Assembly, sign: f64| {
        let table = [[0.0, 0.9, 0.8, 0.3, 0.5 * sign], [10.0, 0.8, 0.7, 0.4 * sign, 0.6]];
        let gear = m.add("gear", LossyGear::new().ratio(2.0).loss_table(table));
        let a = m.add("a", Inertia::new().J(1.0));
        let b = m.add("b", Inertia::new().J(1.5).phi(fixed(0.0)).w(fixed(0.0)));
        let torque = m.add("torque", ConstantTorque::new().tau_constant(3.0));
        m.connect(torque.flange, a.flange_a);
        m.connect(a.flange_b, gear.flange_a);
        m.connect(gear.flange_b, b.flange_a);
    };
    let [plain, signed] = [1.0, -1.0].map(|sign| value(&mut start(|m| text(m, sign)), "b.a"));
    assert_eq!(plain, signed);
}

#[test]
fn an_ideal_table_makes_an_ideal_gear() {
    let text = |m: &mut Assembly, lossy: bool| {
        let a = m.add("a", Inertia::new().J(1.0));
        let b = m.add("b", Inertia::new().J(1.5).phi(fixed(0.0)).w(fixed(1.0)));
        let torque = m.add("torque", Torque::new());
        let tau = m.add("tau", Constant::new().k(3.0));
        m.connect(tau.y, torque.tau);
        m.connect(torque.flange, a.flange_a);
        let (flange_a, flange_b) = if lossy {
            let gear = m.add("gear", LossyGear::new().ratio(2.0));
            (gear.flange_a, gear.flange_b)
        } else {
            let gear = m.add("gear", IdealGear::new().ratio(2.0));
            (gear.flange_a, gear.flange_b)
        };
        m.connect(a.flange_b, flange_a);
        m.connect(flange_b, b.flange_a);
    };
    let [lossy, ideal] = [true, false].map(|lossy| value(&mut start(|m| text(m, lossy)), "b.a"));
    assert_eq!(lossy, ideal);
}

/// Gears with random losses in series, at rest or not, with springs between pairs of them.
fn random_row(m: &mut Assembly, random: &mut Random, gears: usize) {
    let mut last = None;
    for k in 0..=gears {
        let moving = random.number() > 0.0;
        let w = if k == gears && moving { 3.0 * random.number() } else { 0.0 };
        let starts = Inertia::new().J(0.5 + random.number().abs());
        let starts = if k == gears { starts.phi(fixed(0.0)).w(fixed(w)) } else { starts };
        let inertia = m.add(format!("inertia{k}"), starts);
        let torque = m.add(format!("torque{k}"), Torque::new());
        let signal = m.add(format!("tau{k}"), Constant::new().k(10.0 * random.number()));
        m.connect(signal.y, torque.tau);
        m.connect(torque.flange, inertia.flange_a);
        if let Some(before) = last {
            let mut eta = || 0.6 + 0.39 * random.number();
            let etas = [eta(), eta()];
            let table = [[0.0, etas[0], etas[1], random.number().abs(), random.number().abs()]];
            let ratio = 1.5 + random.number();
            let gear = m.add(format!("gear{k}"), LossyGear::new().ratio(ratio).loss_table(table));
            if k % 2 == 1 && k > 1 {
                let stretch = fixed(0.01 * random.number());
                let spring = SpringDamper::new().c(100.0).d(1.0).phi_rel(stretch).w_rel(fixed(0.0));
                let spring = m.add(format!("spring{k}"), spring);
                m.connect(before, spring.flange_a);
                m.connect(spring.flange_b, gear.flange_a);
            } else {
                m.connect(before, gear.flange_a);
            }
            m.connect(gear.flange_b, inertia.flange_a);
        }
        last = Some(inertia.flange_b);
    }
}

#[test]
fn rows_of_lossy_gears_find_consistent_modes() {
    let mut random = Random(11);
    for case in 0..300 {
        let gears = 1 + case % 4;
        let mut model = start(|m| random_row(m, &mut random, gears));
        for k in 1..=gears {
            let mut get = |local: &str| value(&mut model, &format!("gear{k}.{local}"));
            let (locked, w_a) = (get("locked"), get("w_a"));
            let power = get("lossPower");
            assert!(power >= 0.0, "case {case}: gear{k} loses {power} W");
            assert!(locked == 0.0 || w_a.abs() < 1e-12, "case {case}: gear{k}");
        }
    }
}

#[test]
fn the_mode_is_an_integer_with_and_without_losses() {
    for table in [[0.0, 1.0, 1.0, 0.0, 0.0], [0.0, 0.9, 0.9, 0.1, 0.1]] {
        let model = program(|m| {
            let gear = m.add("gear", LossyGear::new().ratio(2.0).loss_table([table]));
            let wheel = m.add("wheel", Inertia::new().J(1.0));
            m.connect(gear.flange_b, wheel.flange_a);
        });
        let model = model.unwrap();
        let variables = &model.description().variables;
        let mode = variables.iter().find(|v| v.name == "gear.mode").expect("it is published");
        assert!(matches!(mode.kind, VariableType::Integer { .. }), "{:?}", mode.kind);
    }
}

/// A gear between two shafts, each of which a bearing can hold, with a driving torque that comes
/// and goes.
fn gear_between_bearings(m: &mut Assembly, ratio: f64) {
    let signal = m.add("signal", Sine::new().amplitude(9.0).f(1.5));
    let torque = m.add("torque", Torque::new());
    let a = m.add("a", Inertia::new().J(0.4).phi(fixed(0.0)).w(fixed(2.0)));
    let first = m.add("first", BearingFriction::new().tau_pos(1.2));
    let table = [[0.0, 0.4, 0.3, 0.9, 0.5]];
    let gear = m.add("gear", LossyGear::new().ratio(ratio).loss_table(table));
    let b = m.add("b", Inertia::new().J(0.8));
    let second = m.add("second", BearingFriction::new().tau_pos(2.5));
    m.connect(signal.y, torque.tau);
    m.connect(torque.flange, a.flange_a);
    m.connect(a.flange_b, first.flange_a);
    m.connect(first.flange_b, gear.flange_a);
    m.connect(gear.flange_b, b.flange_a);
    m.connect(b.flange_b, second.flange_a);
}

#[test]
fn a_gear_that_others_hold_rests_within_its_limits() {
    for ratio in [0.6, -0.6, 2.0, -2.0] {
        let mut model = start(|m| gear_between_bearings(m, ratio));
        let mut rests = 0;
        simulate(&mut model, 3.0, |model| {
            let mut get = |name: &str| value(model, name);
            if get("first.locked") + get("second.locked") == 2.0 {
                rests += 1;
                assert!(get("a.w").abs() < 1e-8 && get("b.w").abs() < 1e-8);
                let (tau_a, loss) = (get("gear.flange_a.tau"), get("gear.tauLoss"));
                let driven = [0.6 * tau_a + 0.9, (1.0 - 1.0 / 0.3) * tau_a + 0.5];
                let driving = [0.6 * tau_a - 0.9, (1.0 - 1.0 / 0.3) * tau_a - 0.5];
                let (most, least) = (driven[0].max(driven[1]), driving[0].min(driving[1]));
                assert!(least - 1e-6 <= loss && loss <= most + 1e-6, "{least} {loss} {most}");
            }
        });
        assert!(rests >= 3, "ratio {ratio}: {rests} rests");
    }
}

#[test]
fn without_losses_of_the_mesh_the_larger_bearing_torque_acts() {
    for tau in [-5.0, 0.1, 5.0] {
        let mut model = start(|m| {
            let table = [[0.0, 1.0, 1.0, 0.3, 0.5]];
            let gear = m.add("gear", LossyGear::new().ratio(2.0).loss_table(table));
            let a = m.add("a", Inertia::new().J(1.0));
            let b = m.add("b", Inertia::new().J(1.5).phi(fixed(0.0)).w(fixed(1.0)));
            let torque = m.add("torque", ConstantTorque::new().tau_constant(tau));
            m.connect(torque.flange, a.flange_a);
            m.connect(a.flange_b, gear.flange_a);
            m.connect(gear.flange_b, b.flange_a);
        });
        assert_eq!(value(&mut model, "gear.tauLoss"), 0.5, "{tau} N.m");
    }
}

#[test]
fn as_the_losses_of_the_mesh_vanish_a_gear_becomes_one_with_the_larger_bearing_torque() {
    let text = |m: &mut Assembly, lack: f64, bearing: [f64; 2], w: f64, mean: f64| {
        let table = [[0.0, 1.0 - lack, 1.0 - lack, bearing[0], bearing[1]]];
        let gear = m.add("gear", LossyGear::new().ratio(2.0).loss_table(table));
        let a = m.add("a", Inertia::new().J(0.1));
        let b = m.add("b", Inertia::new().J(0.15).phi(fixed(0.0)).w(fixed(w)));
        let torque = m.add("torque", Torque::new());
        let signal = m.add("signal", Sine::new().amplitude(2.0).f(2.0).offset(mean));
        m.connect(signal.y, torque.tau);
        m.connect(torque.flange, a.flange_a);
        m.connect(a.flange_b, gear.flange_a);
        m.connect(gear.flange_b, b.flange_a);
    };
    for bearing in [[0.3, 0.5], [0.5, 0.3], [0.4, 0.4], [0.0, 0.4], [0.0, 0.0]] {
        for (w, mean) in [(0.0, 0.0), (0.0, -2.0), (1.0, 0.0), (-1.0, 0.5), (4.0, 0.0)] {
            let run = |lack: f64| {
                let mut model = start(|m| text(m, lack, bearing, w, mean));
                let mut modes = vec![value(&mut model, "gear.mode")];
                let first = value(&mut model, "gear.tauLoss");
                simulate(&mut model, 1.0, |model| {
                    let mode = value(model, "gear.mode");
                    if modes.last() != Some(&mode) {
                        modes.push(mode);
                    }
                });
                (modes, [first, value(&mut model, "b.w"), value(&mut model, "gear.tauLoss")])
            };
            let (modes, values) = run(0.0);
            for lack in [2.5e-16, 1e-12, 1e-9, 1e-7] {
                let (near_modes, near) = run(lack);
                // Without any loss the gear has no modes.
                let same = near_modes == modes || modes == [2.0];
                assert!(same, "{bearing:?} {w} {mean} {lack}: {near_modes:?} {modes:?}");
                for (x, y) in near.iter().zip(values) {
                    let far = (x - y).abs();
                    assert!(far < 1e-8 + 30.0 * lack, "{bearing:?} {w} {mean} {lack}: {x} {y}");
                }
            }
        }
    }
}
