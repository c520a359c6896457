//! Planar assemblies of joints move like single joints, need no iteration, and stay on the solution
//! branch that was guessed.

use crate::common::linkages::{
    Closing, assert_agree, assert_same, at, attach, coupler_angle, lump, move_freely, uniform_bar,
};
use crate::common::{initialize, refusal, set_states, simulation, start, step, value};
use fmu_runtime::Simulation;
use libraries::multibody::*;
use libraries::prelude::*;
use libraries::rotational::{IdealGear, Inertia, Position, SpringDamper};
use std::f64::consts::PI;

/// A crank in the plane perpendicular to z, and a position on the ground: the frames between which
/// a dyad fits.
fn crank(m: &mut Assembly, joint: Revolute, length: f64, ground: [f64; 3]) -> [Frame; 2] {
    let world = m.add("world", World::new());
    let j1 = m.add("j1", joint);
    let crank = m.add("crank", BodyBox::new().r([length, 0.0, 0.0]).width(0.03));
    m.connect(world.frame_b, j1.frame_a);
    m.connect(j1.frame_b, crank.frame_a);
    [crank.frame_b, at(m, "ground", world.frame_b, ground)]
}

/// The joint of a crank that starts at 1 rad with a speed in rad/s.
fn turning(w: f64) -> Revolute {
    Revolute::new().n(Z).phi(fixed(1.0)).w(fixed(w)).states(Always)
}

/// Two rods along x, of lengths in m.
fn rods(first: f64, second: f64) -> JointRRR {
    JointRRR::new().r_rod1_ia([first, 0.0, 0.0]).r_rod2_ib([second, 0.0, 0.0])
}

/// A dyad between two frames.
fn dyad(m: &mut Assembly, name: &str, [a, b]: [Frame; 2], joint: JointRRR) -> JointRRRPorts {
    let joint = m.add(name, joint);
    m.connect(a, joint.frame_a);
    m.connect(b, joint.frame_b);
    joint
}

/// The ways in which a planar linkage is closed.
#[derive(Clone, Copy)]
enum How {
    Joint(Closing),
    Assembly,
}

/// A planar linkage in a plane perpendicular to `n`: a crank, and two bodies on a dyad, which `how`
/// closes.
fn planar(m: &mut Assembly, how: How, [n, along, up]: [[f64; 3]; 3], tilt: f64) {
    let bar = |l: f64| uniform_bar(along, l);
    let world = m.add("world", World::new().n(up.map(|c| 0.0 - c)));
    let ground = m.add("ground", FixedTranslation::new().r(along));
    // The same directions, in other axes.
    let tilted = m.add("tilted", FixedRotation::new().n([0.3, 1.0, -0.2]).angle(tilt));
    let back = m.add("back", FixedRotation::new().n([0.3, 1.0, -0.2]).angle(-tilt));
    let j1 = m.add("j1", Revolute::new().n(n).phi(fixed(1.0)).w(fixed(6.0)).states(Always));
    let (crank, rod, rocker) = (bar(0.3), bar(0.9), bar(0.7));
    let (crank, rod, rocker) = (m.add("crank", crank), m.add("rod", rod), m.add("rocker", rocker));
    m.connect(world.frame_b, ground.frame_a);
    m.connect(ground.frame_b, tilted.frame_a);
    m.connect(world.frame_b, j1.frame_a);
    m.connect(j1.frame_b, crank.frame_a);
    let spring = m.add("spring", SpringDamper::new().c(4.0).d(0.3));
    let gear = m.add("gear", IdealGear::new().ratio(-0.3));
    let wheel = m.add("wheel", Inertia::new().J(0.02));
    m.connect(gear.flange_b, wheel.flange_a);
    match how {
        How::Assembly => {
            let long = |l: f64| along.map(|c| c * l);
            // The second rod is given in the tilted axes.
            let j = JointRRR::new()
                .r_rod1_ia(long(0.9))
                .r_rod2_ib(turned(tilt, long(0.7)))
                .n_a(n)
                .phi_guess(115.0);
            let j = m.add("joint", j);
            m.connect(crank.frame_b, j.frame_a);
            m.connect(tilted.frame_b, j.frame_b);
            m.connect(j.frame_ia, rod.frame_a);
            m.connect(j.frame_ib, back.frame_a);
            m.connect(back.frame_b, rocker.frame_a);
            m.connect(j.bearing, spring.flange_a);
            m.connect(j.axis, spring.flange_b);
            m.connect(j.axis, gear.flange_a);
        }
        How::Joint(closing) => {
            let j2 = m.add("j2", Revolute::new().n(n).phi(guess(coupler_angle())));
            let j3 = m.add("j3", Revolute::new().n(n).phi(guess(2.0)));
            m.connect(crank.frame_b, j2.frame_a);
            m.connect(j2.frame_b, rod.frame_a);
            m.connect(tilted.frame_b, back.frame_a);
            m.connect(back.frame_b, j3.frame_a);
            m.connect(j3.frame_b, rocker.frame_a);
            m.connect(j3.support, spring.flange_a);
            m.connect(j3.axis, spring.flange_b);
            m.connect(j3.axis, gear.flange_a);
            closing.close(m, "j4", n, [rod.frame_b, rocker.frame_b]);
        }
    }
}

/// A vector in the axes of the tilted frame.
fn turned(tilt: f64, v: [f64; 3]) -> [f64; 3] {
    let axis = nalgebra::Unit::new_normalize(nalgebra::Vector3::new(0.3, 1.0, -0.2));
    let rotation = nalgebra::Rotation3::from_axis_angle(&axis, -tilt.to_radians());
    (rotation * nalgebra::Vector3::from(v)).into()
}

#[test]
fn three_formulations_of_a_planar_linkage_are_one_motion() {
    for plane in [[Z, X, Y], [X, Y, Z]] {
        for tilt in [0.0, 40.0] {
            let [mut full, mut constraint, mut closed] =
                [How::Joint(Closing::Revolute), How::Joint(Closing::Planar), How::Assembly]
                    .map(|how| start(|m| planar(m, how, plane, tilt)));
            for model in [&mut full, &mut constraint, &mut closed] {
                step(model, 0.4);
            }
            let names = ["j1.phi", "j1.w", "j1.a"];
            assert_same(&mut full, &mut constraint, &names, 1e-9);
            assert_same(&mut full, &mut closed, &names, 1e-9);
            let names = [("j3.phi", "joint.phi"), ("j3.w", "joint.w"), ("j3.a", "joint.a")];
            assert_same(&mut full, &mut closed, &["rod.body.w_a[1]", "rod.body.w_a[3]"], 1e-9);
            assert_agree(&mut full, &mut closed, &names, 1e-9);
        }
    }
}

/// A planar linkage on a turning base, whose axis lies in the plane of the linkage. Single joints
/// close the linkage, or an assembly.
fn on_a_turning_base(m: &mut Assembly, assembled: bool) {
    let world = m.add("world", World::new());
    let base = m.add("base", Revolute::new().n([0.6, 0.8, 0.0]).phi(fixed(0.3)).w(fixed(4.0)));
    let j1 = m.add("j1", Revolute::new().n(Z).phi(fixed(1.0)).w(fixed(6.0)).states(Always));
    let crank = m.add("crank", uniform_bar(X, 0.3));
    m.connect(world.frame_b, base.frame_a);
    m.connect(base.frame_b, j1.frame_a);
    m.connect(j1.frame_b, crank.frame_a);
    attach(m, "block", base.frame_b, lump(2.0));
    let ground = at(m, "ground", base.frame_b, X);
    if assembled {
        let j = dyad(m, "joint", [crank.frame_b, ground], rods(0.9, 0.7).phi_guess(115.0));
        attach(m, "rod", j.frame_ia, lump(0.7));
        attach(m, "rocker", j.frame_ib, lump(0.4));
        return;
    }
    let j2 = m.add("j2", Revolute::new().n(Z).phi(guess(coupler_angle())));
    let j3 = m.add("joint", Revolute::new().n(Z).phi(guess(2.0)));
    m.connect(crank.frame_b, j2.frame_a);
    m.connect(ground, j3.frame_a);
    let rod = at(m, "bar1", j2.frame_b, [0.9, 0.0, 0.0]);
    let rocker = at(m, "bar2", j3.frame_b, [0.7, 0.0, 0.0]);
    Closing::Revolute.close(m, "j4", Z, [rod, rocker]);
    attach(m, "rod", j2.frame_b, lump(0.7));
    attach(m, "rocker", j3.frame_b, lump(0.4));
}

#[test]
fn a_planar_assembly_on_a_turning_base_moves_like_single_joints() {
    let mut joints = start(|m| on_a_turning_base(m, false));
    let mut closed = start(|m| on_a_turning_base(m, true));
    let names = ["j1.a", "base.a", "joint.phi", "joint.w", "joint.a", "rod.a_0[3]", "rod.z_a[1]"];
    for _ in 0..2 {
        assert_same(&mut joints, &mut closed, &names, 1e-9);
        step(&mut joints, 0.2);
        step(&mut closed, 0.2);
    }
}

/// A planar linkage whose rocker is moved by a signal.
fn driven(m: &mut Assembly, assembled: bool) {
    let [tip, ground] = crank(m, Revolute::new().n(Z).phi(guess(1.0)), 0.5, [1.0, 0.0, 0.0]);
    let drive = m.add("drive", Position::new().exact(true));
    let sine = m.add("sine", Sine::new().amplitude(0.2).f(1.5).offset(1.9));
    m.connect(sine.y, drive.phi_ref);
    if assembled {
        let j = dyad(m, "joint", [tip, ground], rods(0.9, 0.7).phi_guess(109.0));
        attach(m, "rod", j.frame_ia, lump(0.7));
        attach(m, "rocker", j.frame_ib, lump(0.4));
        m.connect(j.axis, drive.flange);
        return;
    }
    let j2 = m.add("j2", Revolute::new().n(Z).phi(guess(-0.8)));
    let j3 = m.add("j3", Revolute::new().n(Z).phi(guess(1.9)));
    let rod = m.add("bar1", FixedTranslation::new().r([0.9, 0.0, 0.0]));
    let rocker = m.add("bar2", FixedTranslation::new().r([0.7, 0.0, 0.0]));
    m.connect(tip, j2.frame_a);
    m.connect(j2.frame_b, rod.frame_a);
    m.connect(ground, j3.frame_a);
    m.connect(j3.frame_b, rocker.frame_a);
    Closing::Revolute.close(m, "j4", Z, [rod.frame_b, rocker.frame_b]);
    attach(m, "rod", j2.frame_b, lump(0.7));
    attach(m, "rocker", j3.frame_b, lump(0.4));
    m.connect(j3.axis, drive.flange);
}

#[test]
fn a_driven_assembly_moves_the_rest_of_its_loop() {
    let mut joints = start(|m| driven(m, false));
    let mut closed = start(|m| driven(m, true));
    step(&mut joints, 0.3);
    step(&mut closed, 0.3);
    let names = ["j1.phi", "j1.w", "j1.a", "rod.a_0[2]", "rocker.z_a[3]"];
    assert_same(&mut joints, &mut closed, &names, 1e-9);
    assert!((value(&mut closed, "joint.phi") - value(&mut closed, "sine.y")).abs() < 1e-13);
}

/// A slider-crank, with joints one by one or with a planar assembly.
fn slider_crank(m: &mut Assembly, assembled: bool, [n, along]: [[f64; 3]; 2]) {
    let world = m.add("world", World::new());
    let j1 = m.add("j1", Revolute::new().n(n).phi(fixed(0.4)).w(fixed(8.0)).states(Always));
    let crank = m.add("crank", BodyBox::new().r(along.map(|c| 0.2 * c)).width(0.03));
    let rod = m.add("rod", BodyBox::new().r(along.map(|c| 0.5 * c)).width(0.03));
    m.connect(world.frame_b, j1.frame_a);
    m.connect(j1.frame_b, crank.frame_a);
    if assembled {
        let j =
            JointRRP::new().r_rod1_ia(along.map(|c| 0.5 * c)).r_rod2_ib(along.map(|c| -0.1 * c));
        let j = m.add("joint", j.n_a(n).n_b(along).s_offset(0.1).s_guess(0.6));
        m.connect(crank.frame_b, j.frame_a);
        m.connect(world.frame_b, j.frame_b);
        m.connect(j.frame_ia, rod.frame_a);
        attach(m, "slider", j.frame_ib, lump(1.0));
    } else {
        let j2 = m.add("j2", Revolute::new().n(n).phi(guess(-0.5)));
        let j3 = m.add("j3", Revolute::new().n(n));
        let back = m.add("back", FixedTranslation::new().r(along.map(|c| -0.1 * c)));
        let slide = m.add("slide", Prismatic::new().n(along).s(guess(0.7)));
        m.connect(crank.frame_b, j2.frame_a);
        m.connect(j2.frame_b, rod.frame_a);
        m.connect(rod.frame_b, j3.frame_a);
        m.connect(j3.frame_b, back.frame_b);
        m.connect(world.frame_b, slide.frame_a);
        m.connect(slide.frame_b, back.frame_a);
        attach(m, "slider", slide.frame_b, lump(1.0));
    }
}

#[test]
fn a_planar_assembly_with_a_slider_moves_like_a_slider_crank() {
    for axes in [[Z, X], [X, Y], [Y, [0.6, 0.0, 0.8]]] {
        let mut joints = start(|m| slider_crank(m, false, axes));
        let mut closed = start(|m| slider_crank(m, true, axes));
        step(&mut joints, 0.5);
        move_freely(&mut closed, 0.5, 5e-4, |_| ());
        let names = [("j1.phi", "j1.phi"), ("j1.a", "j1.a"), ("slide.v", "joint.v")];
        assert_agree(&mut joints, &mut closed, &names, 1e-9);
        let (s, own) = (value(&mut joints, "slide.s"), value(&mut closed, "joint.s"));
        assert!((s - own - 0.1).abs() < 1e-10, "{s} and {own}");
    }
}

/// The rocker of one planar assembly drives another one.
fn chain(m: &mut Assembly) {
    let [tip, ground] = crank(m, turning(6.0), 0.3, [1.0, 0.0, 0.0]);
    let far = at(m, "far", ground, [0.8, 0.1, 0.0]);
    let first = dyad(m, "first", [tip, ground], rods(0.9, 0.7).phi_guess(115.0));
    let middle = at(m, "middle", first.frame_ib, [0.35, 0.0, 0.0]);
    let second = dyad(m, "second", [middle, far], rods(0.8, 0.6).phi_guess(100.0));
    let frames = [first.frame_ia, first.frame_ib, first.frame_im, second.frame_ia, second.frame_ib];
    for (k, frame) in frames.into_iter().enumerate() {
        attach(m, format!("body{k}"), frame, lump(0.5 + 0.1 * k as f64));
    }
}

#[test]
fn an_assembly_may_move_another() {
    let mut model = start(chain);
    move_freely(&mut model, 0.8, 1e-3, |_| ());
    let length = |model: &mut Simulation, a: &str, b: &str| {
        let gap = |i: usize| {
            let at = |frame: &str| format!("{frame}.r_0[{i}]");
            value(model, &at(a)) - value(model, &at(b))
        };
        [1, 2, 3].map(gap).iter().map(|c| c * c).sum::<f64>().sqrt()
    };
    assert!((length(&mut model, "first.frame_a", "first.frame_im") - 0.9).abs() < 1e-14);
    assert!((length(&mut model, "second.frame_a", "second.frame_im") - 0.8).abs() < 1e-14);
}

#[test]
fn a_guess_chooses_the_branch_and_the_motion_keeps_it() {
    let linkage = |guess: f64| {
        let text = |m: &mut Assembly| {
            let frames = crank(m, turning(9.0), 0.3, [1.0, 0.0, 0.0]);
            let j = dyad(m, "joint", frames, rods(0.9, 0.7).phi_guess(guess));
            attach(m, "rocker", j.frame_ib, lump(0.1));
        };
        simulation(text).expect("the model is sound")
    };
    // Which side of the line from crank to ground the middle joint is on.
    let side = |model: &mut Simulation| {
        let mut at = |frame: &str, i: usize| value(model, &format!("joint.{frame}.r_0[{i}]"));
        let (x, y) = (at("frame_b", 1) - at("frame_a", 1), at("frame_b", 2) - at("frame_a", 2));
        let (u, v) = (at("frame_im", 1) - at("frame_a", 1), at("frame_im", 2) - at("frame_a", 2));
        x * v - y * u
    };
    let (mut above, mut below) = (linkage(110.0), linkage(-150.0));
    [&mut above, &mut below].into_iter().for_each(initialize);
    let branches = [&mut above, &mut below].map(|model| value(model, "joint.branch"));
    assert!(branches[0] * branches[1] == -1.0, "{branches:?}");
    for _ in 0..800 {
        step(&mut above, 1e-3);
        step(&mut below, 1e-3);
        let sides = (side(&mut above), side(&mut below));
        assert!(sides.0 > 0.1 && sides.1 < -0.1, "{sides:?}");
    }
    // The guess is a parameter of the FMU.
    let mut other = linkage(110.0);
    other.set("joint.phi_guess", -150.0).unwrap();
    initialize(&mut other);
    assert!(side(&mut other) < -0.1, "{}", side(&mut other));
}

#[test]
fn the_angle_of_an_assembly_counts_whole_turns() {
    // The ground is the shortest link: crank and rocker turn together.
    let mut model = start(|m| {
        let frames = crank(m, turning(9.0), 0.3, [0.1, 0.0, 0.0]);
        let j = dyad(m, "joint", frames, rods(0.25, 0.3).phi_guess(120.0 + 360.0));
        attach(m, "rocker", j.frame_ib, lump(0.1));
    });
    for _ in 0..3000 {
        step(&mut model, 1e-3);
        let turned = value(&mut model, "joint.phi") - value(&mut model, "j1.phi");
        assert!((turned - 2.0 * PI - 0.8).abs() < 0.8, "{turned} rad");
    }
    assert!(value(&mut model, "j1.phi") > 15.0);
}

#[test]
fn an_assembly_of_millimetres_moves_like_one_of_metres() {
    let angles = |scale: f64| {
        let mut model = start(|m| {
            let frames = crank(m, turning(9.0), 0.3 * scale, [scale, 0.0, 0.0]);
            dyad(m, "joint", frames, rods(0.9 * scale, 0.7 * scale).phi_guess(110.0));
        });
        [1.0, 1.7, 2.4].map(|phi| {
            let w = model.continuous_states()[1];
            set_states(&mut model, &[phi, w]);
            value(&mut model, "joint.phi")
        })
    };
    for (large, small) in angles(1.0).into_iter().zip(angles(1e-3)) {
        assert!((large - small).abs() < 1e-12, "{large} and {small} rad");
    }
}

#[test]
fn a_dyad_that_is_stretched_fails_by_name() {
    let mut model = start(|m| {
        let world = m.add("world", World::new());
        let slide =
            m.add("slide", Prismatic::new().n(X).s(fixed(1.0)).v(fixed(1.0)).states(Always));
        attach(m, "slider", slide.frame_b, lump(1.0));
        m.connect(world.frame_b, slide.frame_a);
        let frames = [slide.frame_b, world.frame_b];
        let j = dyad(m, "joint", frames, rods(0.6, 0.7).phi_guess(150.0));
        attach(m, "rocker", j.frame_ib, lump(0.1));
    });
    for (s, possible) in [(1.2, true), (1.29999, true), (1.3, false), (1.4, false), (0.05, false)] {
        match model.move_to(0.0, &[s, 1.0]) {
            Ok(()) => assert!(possible, "{s}"),
            Err(failure) => {
                assert!(!possible, "{failure}");
                assert!(
                    failure
                        .to_string()
                        .contains(" joint (follows slide.s, as states(Always) demands): "),
                    "{failure}"
                );
                assert!(!failure.to_string().contains("NaN"), "{failure}");
            }
        }
    }
}

#[test]
fn a_planar_assembly_whose_axis_the_start_values_miss_is_refused() {
    // The first frame is tilted by an angle that a rod determines. The square of the rod's length:
    // 0.5^2 + 0.2^2 + 0.5^2 - 2 (0.1 cos(tilt) - 0.25 sin(tilt)).
    let determined = (0.025 / f64::hypot(0.1, 0.25)).acos() - f64::atan2(0.25, 0.1);
    let message = |tilt: f64| {
        refusal(|m| {
            let world = m.add("world", World::new());
            let hinge = m.add("hinge", Revolute::new().n(X).phi(guess(tilt)));
            let rod = m.add("rod", SphericalSpherical::new().rod_length(0.7));
            let slide = m.add("slide", Prismatic::new().n(Y).s(fixed(0.0)).v(fixed(0.0)));
            m.connect(world.frame_b, hinge.frame_a);
            let arm = at(m, "arm", hinge.frame_b, [0.0, 0.5, 0.0]);
            let foot = at(m, "foot", world.frame_b, [0.0, 0.2, -0.5]);
            let in_plane = [0.5, 0.2, 0.2 * determined.tan()];
            let ground = at(m, "ground", world.frame_b, in_plane);
            m.connect(arm, rod.frame_a);
            m.connect(foot, rod.frame_b);
            m.connect(ground, slide.frame_a);
            let j = dyad(m, "joint", [arm, slide.frame_b], rods(0.6, 0.6));
            attach(m, "body", j.frame_ib, lump(1.0));
        })
    };
    assert_eq!(message(determined), "");
    let missed = message(0.0);
    assert!(missed.contains("joint: its axis has different directions"), "{missed}");
}

#[test]
fn a_planar_assembly_between_frames_in_different_planes_is_refused() {
    let message = |out: f64| {
        refusal(|m| {
            let frames = crank(m, turning(0.0), 0.3, [1.0, 0.0, out]);
            dyad(m, "joint", frames, rods(0.9, 0.7).phi_guess(110.0));
        })
    };
    assert_eq!(message(0.0), "");
    let missed = message(0.01);
    let wanted =
        "joint: its joints do not lie in one plane across n_a at the start: a gap of 0.01 m";
    assert!(missed.contains(wanted), "{missed}");
}

#[test]
fn impossible_assemblies_are_refused_by_name() {
    let message = |part: JointRRR, far: f64| {
        refusal(|m| {
            let frames = crank(m, turning(0.0), 0.3, [far, 0.0, 0.0]);
            dyad(m, "joint", frames, part);
        })
    };
    let part = || rods(0.9, 0.7).phi_guess(110.0);
    assert_eq!(message(part(), 1.0), "");
    let cases = [
        (part(), 5.0, "joint: the loop cannot be closed"),
        (part().n_a([0.0; 3]), 1.0, "joint.n_a"),
        (part().n_a(X), 1.0, "joint.n_a"),
        (part().phi_offset(f64::NAN), 1.0, "joint.phi_offset = NaN deg: must be a finite number"),
    ];
    for (part, far, wanted) in cases {
        let message = message(part, far);
        assert!(message.contains(wanted), "{message}");
    }
}
