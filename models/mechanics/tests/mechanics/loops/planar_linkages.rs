//! Planar linkages with several loops, built of revolute joints or of joints without redundancy.

use crate::common;
use crate::common::linkages::{Closing, assert_closed, assert_same, bar, move_freely};
use crate::common::{energy, initialize, program, simulation_of, start, value};
use libraries::multibody::*;
use libraries::prelude::*;
use libraries::rotational;

/// A pin between two frames, with a guess of its angle, that belongs to the spanning tree.
fn pin(m: &mut Assembly, name: &str, [a, b]: [Frame; 2], phi: f64) {
    let joint = m.add(name, Revolute::new().n(Z).phi(guess(phi)));
    m.connect(a, joint.frame_a);
    m.connect(joint.frame_b, b);
}

const ROUGH: f64 = 0.1;

/// Peaucellier's inversor: the crank's end moves on a circle through the first pivot, the other
/// end of the rhombus on a straight line across the line of the pivots.
fn peaucellier(m: &mut Assembly, closing: Closing) {
    let (r, long, side) = (0.3, 1.0, 0.45);
    let crank = 0.5_f64;
    // The first pivot O is the origin, M = (r, 0); the inner end A = M + r (cos, sin).
    let a = [r + r * crank.cos(), r * crank.sin()];
    let d = a[0].hypot(a[1]);
    let along = a[1].atan2(a[0]);
    // On the diagonal O A C lies the foot of B and D.
    let foot = (long * long - side * side + d * d) / (2.0 * d);
    let half = (long * long - foot * foot).sqrt();
    let (up, inner) = (half.atan2(foot), half.atan2(foot - d));
    let world = m.add("world", World::new());
    let m_ = m.add("m", FixedTranslation::new().r([r, 0.0, 0.0]));
    m.connect(world.frame_b, m_.frame_a);
    let bars = ["crank", "ob", "od", "ab", "ad", "bc", "dc"].map(|name| {
        let length = match name {
            "crank" => r,
            "ob" | "od" => long,
            _ => side,
        };
        m.add(name, bar([length, 0.0, 0.0], length))
    });
    let [crank_, ob, od, ab, ad, bc, dc] = bars;
    let drive = Revolute::new().n(Z).phi(fixed(crank)).w(fixed(1.0)).states(Always);
    let drive = m.add("drive", drive);
    m.connect(m_.frame_b, drive.frame_a);
    m.connect(drive.frame_b, crank_.frame_a);
    pin(m, "o_b", [world.frame_b, ob.frame_a], along + up + ROUGH);
    pin(m, "o_d", [world.frame_b, od.frame_a], along - up - ROUGH);
    pin(m, "a_b", [crank_.frame_b, ab.frame_a], along + inner - crank + ROUGH);
    pin(m, "a_d", [crank_.frame_b, ad.frame_a], along - inner - crank - ROUGH);
    closing.close(m, "b_a", Z, [ob.frame_b, ab.frame_b]);
    closing.close(m, "d_a", Z, [od.frame_b, ad.frame_b]);
    pin(m, "b_c", [ob.frame_b, bc.frame_a], -inner - up + ROUGH);
    pin(m, "d_c", [od.frame_b, dc.frame_a], inner + up - ROUGH);
    closing.close(m, "c", Z, [bc.frame_b, dc.frame_b]);
    let tip = m.add("tip", Body::new().m(0.5).r_cm([0.0; 3]));
    m.connect(tip.frame_a, bc.frame_b);
}

#[test]
fn peaucelliers_inversor_moves_on_a_straight_line() {
    let programs =
        [Closing::Revolute, Closing::Planar].map(|c| program(|m| peaucellier(m, c)).unwrap());
    let mut models = programs.each_ref().map(simulation_of);
    models.iter_mut().for_each(initialize);
    let x = (1.0 - 0.45 * 0.45) / 0.6;
    for model in &mut models {
        assert_eq!(model.continuous_states().len(), 2);
        move_freely(model, 0.3, 5e-4, |model| {
            let tip = value(model, "tip.r_0[1]");
            assert!((tip - x).abs() < 1e-10, "{tip} {x}");
        });
    }
    let [one, other] = &mut models;
    let omitted = " close loops; 3 of the conditions of each are redundant (as in a planar loop) \
                   and are omitted";
    let notes = programs[0].notes().iter().filter_map(|note| note.strip_suffix(omitted));
    let joints: Vec<&str> = notes.flat_map(|names| names.split(", ")).collect();
    assert_eq!(joints.len(), 3, "{joints:?}");
    let names = ["drive.phi", "drive.w", "tip.r_0[2]", "tip.a_0[2]"];
    assert_same(one, other, &names, 1e-9);
}

/// Watt's six-bar linkage: another dyad on the coupler and the rocker of a four-bar.
fn watt(m: &mut Assembly, closing: Closing) {
    let world = m.add("world", World::new());
    let ground = m.add("ground", FixedTranslation::new().r([1.0, 0.0, 0.0]));
    let drive = Revolute::new().n(Z).phi(fixed(1.2)).w(fixed(5.0)).states(Always);
    let drive = m.add("drive", drive);
    let crank = m.add("crank", bar([0.3, 0.0, 0.0], 0.5));
    let coupler = m.add("coupler", bar([1.0, 0.0, 0.0], 1.0));
    let horn = m.add("horn", bar([0.5, 0.4, 0.0], 0.4));
    let rocker = m.add("rocker", bar([0.8, 0.0, 0.0], 0.8));
    let ear = m.add("ear", bar([1.0, -0.5, 0.0], 0.3));
    let upper = m.add("upper", bar([0.7, 0.0, 0.0], 0.5));
    let right = m.add("right", bar([0.9, 0.0, 0.0], 0.6));
    m.connect(world.frame_b, ground.frame_a);
    m.connect(world.frame_b, drive.frame_a);
    m.connect(drive.frame_b, crank.frame_a);
    m.connect(coupler.frame_a, horn.frame_a);
    m.connect(rocker.frame_a, ear.frame_a);
    pin(m, "p1", [crank.frame_b, coupler.frame_a], 0.4 - 1.2);
    pin(m, "p2", [ground.frame_b, rocker.frame_a], 1.4);
    closing.close(m, "p3", Z, [coupler.frame_b, rocker.frame_b]);
    pin(m, "p4", [horn.frame_b, upper.frame_a], -0.4);
    pin(m, "p5", [ear.frame_b, right.frame_a], 0.3);
    closing.close(m, "p6", Z, [upper.frame_b, right.frame_b]);
}

#[test]
fn a_linkage_on_a_linkage_moves_alike_whatever_closes_its_loops() {
    let mut models = [Closing::Revolute, Closing::Planar].map(|c| start(|m| watt(m, c)));
    for model in &mut models {
        assert_eq!(model.continuous_states().len(), 2);
        move_freely(model, 1.0, 2.5e-4, |_| ());
    }
    let [one, other] = &mut models;
    let names = ["drive.phi", "drive.w", "upper.r_0[2]", "right.a_0[1]"];
    assert_same(one, other, &names, 1e-8);
}

/// The connection between the axes of a five-bar's cranks.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Drives {
    /// A motor's inertia with a gear on each axis.
    Motors,
    /// An equivalent inertia on each axis.
    Reflected,
    /// Both axes move as one.
    Rigid,
    /// A clutch that is pressed together.
    Clutch,
    /// A gear between the axes.
    Geared,
    /// A brake on the first axis.
    Brake,
}

/// A five-bar linkage: two cranks and two rods.
fn five_bars(m: &mut Assembly, drives: Drives, closing: Closing, speeds: [f64; 2]) {
    let world = m.add("world", World::new().n([0.0, -1.0, 0.0]));
    let ground = m.add("ground", FixedTranslation::new().r([0.75, 0.0, 0.0]));
    let bars = ["left", "right", "rod1", "rod2"].map(|name| {
        let l = if name.starts_with("rod") { 0.7 } else { 0.3 };
        m.add(name, bar([l, 0.0, 0.0], l))
    });
    let [left, right, rod1, rod2] = bars;
    m.connect(world.frame_b, ground.frame_a);
    let both = matches!(drives, Drives::Rigid | Drives::Geared);
    let crank = |phi: f64, w: f64, first: bool| {
        let start = if first || !both { fixed } else { guess };
        let joint = Revolute::new().n(Z).phi(start(phi)).w(start(w));
        if first || !both { joint.states(Always) } else { joint }
    };
    let j1 = m.add("j1", crank(2.0, speeds[0], true));
    let j2 = m.add("j2", crank(if both { 2.0 } else { 1.0 }, speeds[1], false));
    m.connect(world.frame_b, j1.frame_a);
    m.connect(ground.frame_b, j2.frame_a);
    m.connect(j1.frame_b, left.frame_a);
    m.connect(j2.frame_b, right.frame_a);
    pin(m, "elbow1", [left.frame_b, rod1.frame_a], 0.72 - 2.0 - ROUGH);
    pin(m, "elbow2", [right.frame_b, rod2.frame_a], 2.42 - 1.0 + ROUGH);
    closing.close(m, "tip", Z, [rod1.frame_b, rod2.frame_b]);
    match drives {
        Drives::Motors => {
            for (name, joint, ratio) in [("m1", j1, 20.0), ("m2", j2, -15.0)] {
                let motor = m.add(name, rotational::Inertia::new().J(2e-4));
                let gear = m.add(format!("{name}_gear"), rotational::IdealGear::new().ratio(ratio));
                m.connect(motor.flange_b, gear.flange_a);
                m.connect(gear.flange_b, joint.axis);
            }
        }
        Drives::Reflected => {
            for (name, joint, ratio) in [("m1", j1, 20.0), ("m2", j2, -15.0_f64)] {
                let motor = m.add(name, rotational::Inertia::new().J(2e-4 * ratio * ratio));
                m.connect(motor.flange_b, joint.axis);
            }
        }
        Drives::Rigid => m.connect(j1.axis, j2.axis),
        Drives::Geared => {
            let gear = m.add("gear", rotational::IdealGear::new().ratio(1.0));
            m.connect(j1.axis, gear.flange_a);
            m.connect(gear.flange_b, j2.axis);
        }
        Drives::Clutch => {
            let clutch = m.add("clutch", rotational::Clutch::new().fn_max(1.0));
            let pressed = m.add("pressed", Constant::new().k(1.0));
            m.connect(pressed.y, clutch.f_normalized);
            m.connect(j1.axis, clutch.flange_a);
            m.connect(clutch.flange_b, j2.axis);
        }
        Drives::Brake => {
            let brake = m.add("brake", rotational::Brake::new().fn_max(60.0));
            let pressed = m.add("pressed", Constant::new().k(1.0));
            m.connect(pressed.y, brake.f_normalized);
            m.connect(j1.axis, brake.flange_a);
        }
    }
}

#[test]
fn motors_with_gears_on_two_cranks_act_like_their_inertia() {
    let speeds = [1.0, -2.0];
    for closing in [Closing::Revolute, Closing::Planar] {
        let mut models = [Drives::Motors, Drives::Reflected]
            .map(|drives| start(|m| five_bars(m, drives, closing, speeds)));
        for model in &mut models {
            assert_eq!(model.continuous_states().len(), 4);
            move_freely(model, 0.5, 2.5e-4, |_| ());
        }
        let [one, other] = &mut models;
        let names = ["j1.phi", "j2.w", "j2.a", "elbow1.phi", "rod1.r_0[2]"];
        assert_same(one, other, &names, 1e-9);
        let [w, motor] = ["j2.w", "m2.w"].map(|name| value(one, name));
        assert!((motor + 15.0 * w).abs() < 1e-9);
    }
}

#[test]
fn cranks_that_are_geared_one_to_one_move_as_one() {
    let speeds = [1.0, 1.0];
    let mut models = [Drives::Rigid, Drives::Geared]
        .map(|drives| start(|m| five_bars(m, drives, Closing::Revolute, speeds)));
    for model in &mut models {
        assert_eq!(model.continuous_states().len(), 2);
        move_freely(model, 0.3, 2.5e-4, |_| ());
    }
    let [one, other] = &mut models;
    let names = ["j1.phi", "j2.phi", "j2.a", "elbow1.phi"];
    assert_same(one, other, &names, 1e-10);
}

/// Simulates with events.
fn run(model: &mut fmu_runtime::Simulation, seconds: f64) {
    common::run_to(model, seconds);
}

#[test]
fn a_clutch_between_two_cranks_sticks_and_then_makes_them_one() {
    for closing in [Closing::Revolute, Closing::Planar] {
        let mut model = start(|m| five_bars(m, Drives::Clutch, closing, [3.0, -3.0]));
        let first = energy(&mut model);
        let (mut lost, mut before) = (0.0, value(&mut model, "clutch.lossPower"));
        let mut last = first;
        while value(&mut model, "clutch.locked") == 0.0 {
            assert!(model.time() < 3.0, "it sticks at last");
            let t = model.time();
            common::run_to(&mut model, t + 5e-4);
            let now = value(&mut model, "clutch.lossPower");
            lost += (before + now) / 2.0 * (model.time() - t);
            before = now;
            let left = energy(&mut model);
            assert!(left < last, "friction takes energy");
            last = left;
        }
        assert!((first - lost - last).abs() < 1e-3 * first, "{first} {lost} {last}");
        // From here on the mechanism has one degree of freedom.
        let between = value(&mut model, "j1.phi") - value(&mut model, "j2.phi");
        let stuck = energy(&mut model);
        let end = model.time() + 0.1;
        run(&mut model, end);
        let now = value(&mut model, "j1.phi") - value(&mut model, "j2.phi");
        assert!((now - between).abs() < 1e-9, "{now} {between}");
        let drift = energy(&mut model) - stuck;
        assert!(drift.abs() < 1e-8 * stuck.abs().max(1.0), "{drift:e}");
        assert_closed(&mut model);
    }
}

#[test]
fn a_brake_stops_one_crank_and_leaves_the_other_one_free() {
    let mut model = start(|m| five_bars(m, Drives::Brake, Closing::Revolute, [4.0, 1.0]));
    run(&mut model, 0.3);
    assert_eq!(value(&mut model, "brake.locked"), 1.0);
    let (phi, first) = (value(&mut model, "j1.phi"), energy(&mut model));
    run(&mut model, 0.6);
    assert!((value(&mut model, "j1.phi") - phi).abs() < 1e-9);
    assert!(value(&mut model, "j2.w").abs() > 0.01);
    let drift = energy(&mut model) - first;
    assert!(drift.abs() < 1e-8 * first.abs().max(1.0), "{drift:e}");
    assert_closed(&mut model);
}
