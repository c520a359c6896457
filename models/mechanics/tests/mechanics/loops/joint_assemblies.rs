//! Assemblies of joints move like the single joints that they replace, and need no iteration.

use crate::common::linkages::{assert_agree, assert_same, at, attach, lump, move_freely};
use crate::common::{has_blocks, start, step, unknowns, value};
use libraries::multibody::*;
use libraries::prelude::*;

/// The first frame of a rod turns with a crank about the x axis; `frame_b` is at rest.
fn crank(m: &mut Assembly, base: [f64; 3]) -> (Frame, Frame) {
    let world = m.add("world", World::new());
    let j1 = m.add("j1", Revolute::new().n(X).phi(fixed(0.2)).w(fixed(5.0)).states(Always));
    let arm = m.add("arm", BodyCylinder::new().r([0.0, 0.15, 0.05]).diameter(0.05));
    m.connect(world.frame_b, j1.frame_a);
    m.connect(j1.frame_b, arm.frame_a);
    (arm.frame_b, at(m, "ground", world.frame_b, base))
}

const ROD1: [f64; 3] = [1.0, 0.2, -0.3];
const ROD2: [f64; 3] = [0.1, 0.5, 0.2];
const TURN: [f64; 3] = [0.1, 0.2, 1.0];
const SLIDE: [f64; 3] = [1.0, 0.1, -0.2];
const N1: [f64; 3] = [0.1, 1.0, 0.3];
const OFFSET_DEG: f64 = 15.0;
const OFFSET_M: f64 = -0.15;

fn rod_length() -> f64 {
    ROD1.iter().map(|c| c * c).sum::<f64>().sqrt()
}

/// With single joints: the rod has a universal and a spherical joint, or a point mass.
fn one_by_one(m: &mut Assembly, universal: bool, turns: bool) {
    let (a, b) = crank(m, [0.9, 0.1, 0.2]);
    let rod2 = m.add("rod2", FixedTranslation::new().r(ROD2));
    let joint = if turns {
        let j = m.add("guide", Revolute::new().n(TURN).phi(guess(0.1 + OFFSET_DEG.to_radians())));
        m.connect(b, j.frame_a);
        j.frame_b
    } else {
        let j = m.add("guide", Prismatic::new().n(SLIDE).s(guess(0.1 + OFFSET_M)));
        m.connect(b, j.frame_a);
        j.frame_b
    };
    m.connect(joint, rod2.frame_a);
    attach(m, "body_b", joint, lump(2.0));
    attach(m, "body_m", rod2.frame_b, lump(0.5));
    if universal {
        let rod = m.add("rod", UniversalSpherical::new().n1_a(N1).r_rod_ia(ROD1));
        m.connect(a, rod.frame_a);
        m.connect(rod2.frame_b, rod.frame_b);
        attach(m, "body_a", rod.frame_ia, lump(1.0));
    } else {
        let rod = m.add("rod", SphericalSpherical::new().rod_length(rod_length()).m(1.5));
        m.connect(a, rod.frame_a);
        m.connect(rod2.frame_b, rod.frame_b);
    }
}

/// The same as an assembly.
fn assembled(m: &mut Assembly, universal: bool, turns: bool) {
    let (a, b) = crank(m, [0.9, 0.1, 0.2]);
    let guess_deg = 0.1_f64.to_degrees();
    let (fa, fb, ia, ib, im) = match (universal, turns) {
        (true, true) => {
            let j = JointUSR::new().r_rod1_ia(ROD1).r_rod2_ib(ROD2).n1_a(N1).n_b(TURN);
            let j = m.add("joint", j.phi_offset(OFFSET_DEG).phi_guess(guess_deg));
            (j.frame_a, j.frame_b, Some(j.frame_ia), j.frame_ib, j.frame_im)
        }
        (true, false) => {
            let j = JointUSP::new().r_rod1_ia(ROD1).r_rod2_ib(ROD2).n1_a(N1).n_b(SLIDE);
            let j = m.add("joint", j.s_offset(OFFSET_M).s_guess(0.1));
            (j.frame_a, j.frame_b, Some(j.frame_ia), j.frame_ib, j.frame_im)
        }
        (false, true) => {
            let j =
                JointSSR::new().rod1_length(rod_length()).rod1_mass(1.5).n_b(TURN).r_rod2_ib(ROD2);
            let j = m.add("joint", j.phi_offset(OFFSET_DEG).phi_guess(guess_deg));
            (j.frame_a, j.frame_b, None, j.frame_ib, j.frame_im)
        }
        (false, false) => {
            let j =
                JointSSP::new().rod1_length(rod_length()).rod1_mass(1.5).n_b(SLIDE).r_rod2_ib(ROD2);
            let j = m.add("joint", j.s_offset(OFFSET_M).s_guess(0.1));
            (j.frame_a, j.frame_b, None, j.frame_ib, j.frame_im)
        }
    };
    m.connect(a, fa);
    m.connect(b, fb);
    attach(m, "body_b", ib, lump(2.0));
    attach(m, "body_m", im, lump(0.5));
    if let Some(ia) = ia {
        attach(m, "body_a", ia, lump(1.0));
    }
}

#[test]
fn assemblies_move_like_the_joints_they_are_made_of() {
    for (universal, turns) in [(true, true), (true, false), (false, true), (false, false)] {
        let mut joints = start(|m| one_by_one(m, universal, turns));
        let mut assembly = start(|m| assembled(m, universal, turns));
        assert_eq!(unknowns(|m| one_by_one(m, universal, turns)), [1]);
        assert_eq!(unknowns(|m| assembled(m, universal, turns)), [1]);
        step(&mut joints, 0.4);
        move_freely(&mut assembly, 0.4, 5e-4, |_| ());
        let mut names =
            vec!["j1.phi", "j1.w", "j1.a", "body_b.a_0[1]", "body_b.w_a[2]", "body_m.a_0[3]"];
        if universal {
            names.extend(["body_a.w_a[1]", "body_a.z_a[3]"]);
        }
        assert_same(&mut joints, &mut assembly, &names, 1e-9);
        let speed = if turns { ("guide.w", "joint.w") } else { ("guide.v", "joint.v") };
        assert_agree(&mut joints, &mut assembly, &[speed, ("guide.a", "joint.a")], 1e-9);
        let (guide, joint, offset) = if turns {
            ("guide.phi", "joint.phi", OFFSET_DEG.to_radians())
        } else {
            ("guide.s", "joint.s", OFFSET_M)
        };
        let (q, own) = (value(&mut joints, guide), value(&mut assembly, joint));
        assert!((q - own - offset).abs() < 1e-9, "{q} and {own}");
    }
}

/// Modelica.Mechanics.MultiBody.Examples.Loops.Fourbar1, Fourbar2 and Fourbar_analytic with a
/// massless rod.
fn four_bars(m: &mut Assembly, rod: &str) {
    let world = m.add("world", World::new());
    let speed = 300_f64.to_radians();
    let j1 = m.add("j1", Revolute::new().n(X).phi(fixed(0.0)).w(fixed(speed)).states(Always));
    let b1 = m.add("b1", BodyCylinder::new().r([0.0, 0.5, 0.1]).diameter(0.05));
    let b3 = m.add("b0", FixedTranslation::new().r([1.2, 0.0, 0.0]));
    let b2 = m.add("b2", BodyCylinder::new().r([0.0, 0.2, 0.0]).diameter(0.05));
    m.connect(world.frame_b, j1.frame_a);
    m.connect(j1.frame_b, b1.frame_a);
    m.connect(world.frame_b, b3.frame_a);
    if rod == "ssp" {
        let j = JointSSP::new().rod1_length(1.1_f64.sqrt()).n_b(X).s_offset(-0.2);
        let j = m.add("joint", j.r_rod2_ib([0.0, 0.2, 0.0]));
        m.connect(b1.frame_b, j.frame_a);
        m.connect(b3.frame_b, j.frame_b);
        m.connect(j.frame_ib, b2.frame_a);
        return;
    }
    let j2 = m.add("j2", Prismatic::new().n(X).s(guess(-0.2)));
    m.connect(b3.frame_b, j2.frame_a);
    m.connect(j2.frame_b, b2.frame_a);
    if rod == "universal" {
        let j =
            UniversalSpherical::new().n1_a(Y).r_rod_ia([-1.0, 0.3, 0.1]).compute_rod_length(true);
        let j = m.add("rod", j);
        m.connect(b2.frame_b, j.frame_a);
        m.connect(b1.frame_b, j.frame_b);
        return;
    }
    let rev = m.add("rev", Revolute::new().n(Y));
    let rev1 = m.add("rev1", Revolute::new().n(Z));
    let bar = m.add("bar", FixedTranslation::new().r([-1.0, 0.3, 0.1]));
    let ball = m.add("ball", Spherical::new());
    m.connect(b2.frame_b, rev.frame_a);
    m.connect(rev.frame_b, rev1.frame_a);
    m.connect(rev1.frame_b, bar.frame_a);
    m.connect(bar.frame_b, ball.frame_b);
    m.connect(b1.frame_b, ball.frame_a);
}

#[test]
fn three_formulations_of_a_linkage_in_space_are_one_motion() {
    let [mut joints, mut rod, mut closed] =
        ["joints", "universal", "ssp"].map(|rod| start(|m| four_bars(m, rod)));
    for model in [&mut joints, &mut rod, &mut closed] {
        step(model, 1.0);
    }
    let names = ["j1.phi", "j1.w", "j1.a"];
    assert_same(&mut joints, &mut rod, &names, 1e-8);
    assert_same(&mut joints, &mut closed, &names, 1e-8);
    let (s, own) = (value(&mut joints, "j2.s"), value(&mut closed, "joint.s"));
    assert!((s - own + 0.2).abs() < 1e-8, "{s} and {own}");
    // The published values.
    let (phi, w) = (value(&mut closed, "j1.phi"), value(&mut closed, "j1.w"));
    assert!((phi - 7.78822582).abs() < 2e-4 && (w - 9.29207722).abs() < 2e-3, "{phi} {w}");
}

#[test]
fn the_axes_of_a_universal_joint_matter_only_to_bodies_that_spin_with_the_rod() {
    // The rod's moments of inertia about its own axis and perpendicular to it.
    let with = |n1: [f64; 3], axial: f64| {
        start(move |m| {
            let (a, b) = crank(m, [0.9, 0.1, 0.2]);
            let j = JointUSP::new()
                .r_rod1_ia([1.0, 0.0, 0.0])
                .r_rod2_ib([0.0, 0.4, 0.0])
                .n1_a(n1)
                .n_b(X);
            let j = m.add("joint", j);
            m.connect(a, j.frame_a);
            m.connect(b, j.frame_b);
            let rod = Body::new().m(2.0).r_cm([0.5, 0.0, 0.0]).inertia([axial, 0.3, 0.3]);
            attach(m, "rod", j.frame_ia, rod);
            attach(m, "slider", j.frame_ib, lump(1.0));
        })
    };
    let differ = |axial: f64| {
        let mut speeds = [Y, Z].map(|n1| {
            let mut model = with(n1, axial);
            step(&mut model, 0.3);
            value(&mut model, "j1.phi")
        });
        speeds[0] -= speeds[1];
        speeds[0].abs()
    };
    let (without, with) = (differ(0.0), differ(0.2));
    assert!(without < 1e-8 && with > 1e-4, "{without:e} {with:e}");
}

/// An actuator with bodies on both of its parts, from the ground to a pendulum: an assembly, or the
/// joints it is made of.
fn actuator(m: &mut Assembly, assembled: bool) {
    let world = m.add("world", World::new());
    let j1 = m
        .add("j1", Revolute::new().n([0.1, 0.2, 1.0]).phi(fixed(0.3)).w(fixed(0.5)).states(Always));
    let arm = m.add("arm", BodyBox::new().r([0.7, 0.0, 0.0]));
    let base = m.add("base", FixedTranslation::new().r([0.2, -0.9, 0.1]));
    m.connect(world.frame_b, j1.frame_a);
    m.connect(j1.frame_b, arm.frame_a);
    m.connect(world.frame_b, base.frame_a);
    let spring = libraries::translational::SpringDamper::new().c(50.0).d(3.0);
    let spring = m.add("spring", spring.s_rel0(1.0));
    if assembled {
        let j = JointUPS::new().n1_a([0.2, 0.0, 1.0]).n_axis_ia(Y).s_offset(0.1);
        let j = m.add("joint", j);
        m.connect(base.frame_b, j.frame_a);
        m.connect(arm.frame_b, j.frame_b);
        attach(m, "lower", j.frame_ia, lump(1.0));
        attach(m, "upper", j.frame_ib, lump(0.6));
        m.connect(j.bearing, spring.flange_a);
        m.connect(j.axis, spring.flange_b);
        return;
    }
    // The first axis, the second axis perpendicular to it and to the line, and the line.
    let n1 = [0.2, 0.0, 1.0];
    let n2 = [-1.0, 0.0, 0.2];
    let u1 = m.add("u1", Revolute::new().n(n1).phi(guess(-0.5)));
    let u2 = m.add("u2", Revolute::new().n(n2));
    let slide = m.add("slide", Prismatic::new().n(Y).s(guess(1.1)));
    let ball = m.add("ball", Spherical::new());
    let offset = m.add("offset", FixedTranslation::new().r([0.0, 0.1, 0.0]));
    m.connect(base.frame_b, u1.frame_a);
    m.connect(u1.frame_b, u2.frame_a);
    m.connect(u2.frame_b, offset.frame_a);
    m.connect(offset.frame_b, slide.frame_a);
    m.connect(slide.frame_b, ball.frame_a);
    m.connect(ball.frame_b, arm.frame_b);
    attach(m, "lower", u2.frame_b, lump(1.0));
    attach(m, "upper", slide.frame_b, lump(0.6));
    m.connect(slide.support, spring.flange_a);
    m.connect(slide.axis, spring.flange_b);
}

#[test]
fn an_actuator_moves_like_the_joints_it_is_made_of() {
    let mut joints = start(|m| actuator(m, false));
    let mut assembly = start(|m| actuator(m, true));
    assert!(!has_blocks(&assembly), "no search");
    step(&mut joints, 0.4);
    step(&mut assembly, 0.4);
    let names = ["j1.phi", "j1.w", "j1.a", "lower.z_a[2]", "upper.a_0[3]"];
    assert_same(&mut joints, &mut assembly, &names, 1e-9);
    let names = [("slide.s", "joint.s"), ("slide.v", "joint.v"), ("slide.a", "joint.a")];
    assert_agree(&mut joints, &mut assembly, &names, 1e-9);
}
