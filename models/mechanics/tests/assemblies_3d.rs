//! Assemblies of joints: the same motion as with joints one by one, closed forms instead of a
//! search.

mod common;

use common::{energy, interpret, start, step, value};
use equations::Interpreter;
use mechanics::multibody::*;
use mechanics::prelude::*;
use mechanics::rotational::{IdealGear, Inertia, Position, SpringDamper};

fn run(model: &mut Interpreter, seconds: f64, h: f64) {
    for _ in 0..(seconds / h).round() as usize {
        step(model, h);
    }
}

fn agree(one: &mut Interpreter, other: &mut Interpreter, names: &[(&str, &str)], tolerance: f64) {
    for (name, of_other) in names {
        let (a, b) = (value(one, name), value(other, of_other));
        assert!((a - b).abs() < tolerance * (1.0 + a.abs()), "{name}: {a} and {b}");
    }
}

fn assert_energy(model: &mut Interpreter, initial: f64, tolerance: f64) {
    let drift = (energy(model) - initial) / (1.0 + initial.abs());
    assert!(drift.abs() < tolerance, "energy drifts by {drift:e}");
}

/// A body without symmetry.
fn lump(m: f64) -> Body {
    Body::m_r_cm(m, [0.1, 0.05, -0.08]).inertia([0.02, 0.03, 0.04]).products([0.004, -0.003, 0.002])
}

/// The first frame of a rod turns with a crank about the x axis; `frame_b` is at rest.
fn crank(m: &mut Assembly, base: [f64; 3]) -> (Frame, Frame) {
    let world = m.add("world", World::default());
    let j1 = m.add("j1", Revolute::n(X).phi(fixed(0.2)).w(fixed(5.0)).states(Always));
    let arm = m.add("arm", BodyCylinder::r([0.0, 0.15, 0.05]).diameter(0.05));
    let ground = m.add("ground", FixedTranslation::r(base));
    m.connect(world.frame_b, j1.frame_a);
    m.connect(j1.frame_b, arm.frame_a);
    m.connect(world.frame_b, ground.frame_a);
    (arm.frame_b, ground.frame_b)
}

fn attach(m: &mut Assembly, name: &str, frame: Frame, body: Body) {
    let body = m.add(name, body);
    m.connect(frame, body.frame_a);
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

/// With joints one by one: the rod is a universal - spherical one, or has a point mass.
fn one_by_one(m: &mut Assembly, universal: bool, turns: bool) {
    let (a, b) = crank(m, [0.9, 0.1, 0.2]);
    let rod2 = m.add("rod2", FixedTranslation::r(ROD2));
    let joint = if turns {
        let j = m.add("guide", Revolute::n(TURN).phi(guess(0.1 + OFFSET_DEG.to_radians())));
        m.connect(b, j.frame_a);
        j.frame_b
    } else {
        let j = m.add("guide", Prismatic::n(SLIDE).s(guess(0.1 + OFFSET_M)));
        m.connect(b, j.frame_a);
        j.frame_b
    };
    m.connect(joint, rod2.frame_a);
    attach(m, "body_b", joint, lump(2.0));
    attach(m, "body_m", rod2.frame_b, lump(0.5));
    if universal {
        let rod = m.add("rod", UniversalSpherical::n1_a_r_rod_ia(N1, ROD1));
        m.connect(a, rod.frame_a);
        m.connect(rod2.frame_b, rod.frame_b);
        attach(m, "body_a", rod.frame_ia, lump(1.0));
    } else {
        let rod = m.add("rod", SphericalSpherical::rod_length(rod_length()).m(1.5));
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
            let j = JointUSR::rods(ROD1, ROD2).n1_a(N1).n_b(TURN);
            let j = m.add("joint", j.phi_offset(OFFSET_DEG).phi_guess(guess_deg));
            (j.frame_a, j.frame_b, Some(j.frame_ia), j.frame_ib, j.frame_im)
        }
        (true, false) => {
            let j = JointUSP::rods(ROD1, ROD2).n1_a(N1).n_b(SLIDE);
            let j = m.add("joint", j.s_offset(OFFSET_M).s_guess(0.1));
            (j.frame_a, j.frame_b, Some(j.frame_ia), j.frame_ib, j.frame_im)
        }
        (false, true) => {
            let j = JointSSR::rod1_length(rod_length()).rod1_mass(1.5).n_b(TURN).r_rod2_ib(ROD2);
            let j = m.add("joint", j.phi_offset(OFFSET_DEG).phi_guess(guess_deg));
            (j.frame_a, j.frame_b, None, j.frame_ib, j.frame_im)
        }
        (false, false) => {
            let j = JointSSP::rod1_length(rod_length()).rod1_mass(1.5).n_b(SLIDE).r_rod2_ib(ROD2);
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
        let unknowns = |model: &Interpreter| -> Vec<usize> {
            model.program().blocks().iter().map(|block| block.1).collect()
        };
        assert_eq!(unknowns(&joints), [1]);
        assert!(unknowns(&assembly).is_empty(), "no search");
        let initial = energy(&mut assembly);
        run(&mut joints, 0.4, 1e-3);
        run(&mut assembly, 0.4, 1e-3);
        let mut names = vec![
            ("j1.phi", "j1.phi"),
            ("j1.w", "j1.w"),
            ("j1.a", "j1.a"),
            ("body_b.a_0[1]", "body_b.a_0[1]"),
            ("body_b.w_a[2]", "body_b.w_a[2]"),
            ("body_m.a_0[3]", "body_m.a_0[3]"),
            if turns { ("guide.w", "joint.w") } else { ("guide.v", "joint.v") },
            ("guide.a", "joint.a"),
        ];
        if universal {
            names.extend([("body_a.w_a[1]", "body_a.w_a[1]"), ("body_a.z_a[3]", "body_a.z_a[3]")]);
        }
        agree(&mut joints, &mut assembly, &names, 1e-9);
        let (guide, joint, offset) = if turns {
            ("guide.phi", "joint.phi", OFFSET_DEG.to_radians())
        } else {
            ("guide.s", "joint.s", OFFSET_M)
        };
        let (q, own) = (value(&mut joints, guide), value(&mut assembly, joint));
        assert!((q - own - offset).abs() < 1e-9, "{q} and {own}");
        assert_energy(&mut assembly, initial, 1e-8);
    }
}

/// Modelica.Mechanics.MultiBody.Examples.Loops.Fourbar1, Fourbar2 and Fourbar_analytic with a
/// massless rod.
fn four_bars(m: &mut Assembly, rod: &str) {
    let world = m.add("world", World::default());
    let speed = 300_f64.to_radians();
    let j1 = m.add("j1", Revolute::n(X).phi(fixed(0.0)).w(fixed(speed)).states(Always));
    let b1 = m.add("b1", BodyCylinder::r([0.0, 0.5, 0.1]).diameter(0.05));
    let b3 = m.add("b0", FixedTranslation::r([1.2, 0.0, 0.0]));
    let b2 = m.add("b2", BodyCylinder::r([0.0, 0.2, 0.0]).diameter(0.05));
    m.connect(world.frame_b, j1.frame_a);
    m.connect(j1.frame_b, b1.frame_a);
    m.connect(world.frame_b, b3.frame_a);
    if rod == "ssp" {
        let j = JointSSP::rod1_length(1.1_f64.sqrt()).n_b(X).s_offset(-0.2);
        let j = m.add("joint", j.r_rod2_ib([0.0, 0.2, 0.0]));
        m.connect(b1.frame_b, j.frame_a);
        m.connect(b3.frame_b, j.frame_b);
        m.connect(j.frame_ib, b2.frame_a);
        return;
    }
    let j2 = m.add("j2", Prismatic::n(X).s(guess(-0.2)));
    m.connect(b3.frame_b, j2.frame_a);
    m.connect(j2.frame_b, b2.frame_a);
    if rod == "universal" {
        let j = UniversalSpherical::n1_a_r_rod_ia(Y, [-1.0, 0.3, 0.1]).compute_rod_length();
        let j = m.add("rod", j);
        m.connect(b2.frame_b, j.frame_a);
        m.connect(b1.frame_b, j.frame_b);
        return;
    }
    let rev = m.add("rev", Revolute::n(Y));
    let rev1 = m.add("rev1", Revolute::n(Z));
    let bar = m.add("bar", FixedTranslation::r([-1.0, 0.3, 0.1]));
    let ball = m.add("ball", Spherical::default());
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
        run(model, 1.0, 1e-3);
    }
    let names = [("j1.phi", "j1.phi"), ("j1.w", "j1.w"), ("j1.a", "j1.a")];
    agree(&mut joints, &mut rod, &names, 1e-8);
    agree(&mut joints, &mut closed, &names, 1e-8);
    let (s, own) = (value(&mut joints, "j2.s"), value(&mut closed, "joint.s"));
    assert!((s - own + 0.2).abs() < 1e-8, "{s} and {own}");
    // As published.
    let (phi, w) = (value(&mut closed, "j1.phi"), value(&mut closed, "j1.w"));
    assert!((phi - 7.78822582).abs() < 2e-4 && (w - 9.29207722).abs() < 2e-3, "{phi} {w}");
}

#[test]
fn the_axes_of_a_universal_joint_matter_only_to_what_spins_with_the_rod() {
    // The rod's moment of inertia about its own axis, and across it.
    let with = |n1: [f64; 3], axial: f64| {
        start(move |m| {
            let (a, b) = crank(m, [0.9, 0.1, 0.2]);
            let j = JointUSP::rods([1.0, 0.0, 0.0], [0.0, 0.4, 0.0]).n1_a(n1).n_b(X);
            let j = m.add("joint", j);
            m.connect(a, j.frame_a);
            m.connect(b, j.frame_b);
            let rod = Body::m_r_cm(2.0, [0.5, 0.0, 0.0]).inertia([axial, 0.3, 0.3]);
            attach(m, "rod", j.frame_ia, rod);
            attach(m, "slider", j.frame_ib, lump(1.0));
        })
    };
    let differ = |axial: f64| {
        let mut speeds = [Y, Z].map(|n1| {
            let mut model = with(n1, axial);
            run(&mut model, 0.3, 1e-3);
            value(&mut model, "j1.phi")
        });
        speeds[0] -= speeds[1];
        speeds[0].abs()
    };
    let (without, with) = (differ(0.0), differ(0.2));
    assert!(without < 1e-8 && with > 1e-4, "{without:e} {with:e}");
}

/// A planar linkage across `n`: a crank, and two bodies on a dyad, which is closed as `how` says.
fn planar(m: &mut Assembly, how: &str, [n, along, up]: [[f64; 3]; 3], tilt: f64) {
    let bar = |l: f64| {
        let i = l * l / 12.0;
        let inertia = along.map(|c| i * (1.0 - c * c));
        let half = along.map(|c| c * l / 2.0);
        BodyShape::r_cm_m(along.map(|c| c * l), half, 1.0).inertia(inertia)
    };
    let world = m.add("world", World::default().n(up.map(|c| 0.0 - c)));
    let ground = m.add("ground", FixedTranslation::r(along));
    // The same directions, in other axes.
    let tilted = m.add("tilted", FixedRotation::n_angle([0.3, 1.0, -0.2], tilt));
    let back = m.add("back", FixedRotation::n_angle([0.3, 1.0, -0.2], -tilt));
    let j1 = m.add("j1", Revolute::n(n).phi(fixed(1.0)).w(fixed(6.0)).states(Always));
    let (crank, rod, rocker) = (bar(0.3), bar(0.9), bar(0.7));
    let (crank, rod, rocker) = (m.add("crank", crank), m.add("rod", rod), m.add("rocker", rocker));
    m.connect(world.frame_b, ground.frame_a);
    m.connect(ground.frame_b, tilted.frame_a);
    m.connect(world.frame_b, j1.frame_a);
    m.connect(j1.frame_b, crank.frame_a);
    let spring = m.add("spring", SpringDamper::c_d(4.0, 0.3));
    let gear = m.add("gear", IdealGear::ratio(-0.3));
    let wheel = m.add("wheel", Inertia::J(0.02));
    m.connect(gear.flange_b, wheel.flange_a);
    if how == "rrr" {
        let long = |l: f64| along.map(|c| c * l);
        // The second rod is given in the tilted axes.
        let j = JointRRR::rods(long(0.9), turned(tilt, long(0.7))).n_a(n).phi_guess(115.0);
        let j = m.add("joint", j);
        m.connect(crank.frame_b, j.frame_a);
        m.connect(tilted.frame_b, j.frame_b);
        m.connect(j.frame_ia, rod.frame_a);
        m.connect(j.frame_ib, back.frame_a);
        m.connect(back.frame_b, rocker.frame_a);
        m.connect(j.bearing, spring.flange_a);
        m.connect(j.axis, spring.flange_b);
        m.connect(j.axis, gear.flange_a);
        return;
    }
    let (x, y) = (1.0 - 0.3 * 1_f64.cos(), -0.3 * 1_f64.sin());
    let d = x.hypot(y);
    let coupler = y.atan2(x) + ((0.81 + d * d - 0.49) / (2.0 * 0.9 * d)).acos();
    let j2 = m.add("j2", Revolute::n(n).phi(guess(coupler - 1.0)));
    let j3 = m.add("j3", Revolute::n(n).phi(guess(2.0)));
    m.connect(crank.frame_b, j2.frame_a);
    m.connect(j2.frame_b, rod.frame_a);
    m.connect(tilted.frame_b, back.frame_a);
    m.connect(back.frame_b, j3.frame_a);
    m.connect(j3.frame_b, rocker.frame_a);
    m.connect(j3.support, spring.flange_a);
    m.connect(j3.axis, spring.flange_b);
    m.connect(j3.axis, gear.flange_a);
    if how == "constraint" {
        let j4 = m.add("j4", RevolutePlanarLoopConstraint::n(n));
        m.connect(rod.frame_b, j4.frame_a);
        m.connect(j4.frame_b, rocker.frame_b);
    } else {
        let j4 = m.add("j4", Revolute::n(n));
        m.connect(rod.frame_b, j4.frame_a);
        m.connect(j4.frame_b, rocker.frame_b);
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
                ["full", "constraint", "rrr"].map(|how| start(|m| planar(m, how, plane, tilt)));
            for model in [&mut full, &mut constraint, &mut closed] {
                run(model, 0.4, 1e-3);
            }
            let names = [("j1.phi", "j1.phi"), ("j1.w", "j1.w"), ("j1.a", "j1.a")];
            agree(&mut full, &mut constraint, &names, 1e-9);
            agree(&mut full, &mut closed, &names, 1e-9);
            let names = [
                ("j3.phi", "joint.phi"),
                ("j3.w", "joint.w"),
                ("j3.a", "joint.a"),
                ("rod.body.w_a[1]", "rod.body.w_a[1]"),
                ("rod.body.w_a[3]", "rod.body.w_a[3]"),
            ];
            agree(&mut full, &mut closed, &names, 1e-9);
        }
    }
}

/// A planar linkage whose rocker is moved by a signal.
fn driven(m: &mut Assembly, assembled: bool) {
    let world = m.add("world", World::default());
    let ground = m.add("ground", FixedTranslation::r([1.0, 0.0, 0.0]));
    let j1 = m.add("j1", Revolute::n(Z).phi(guess(1.0)));
    let crank = m.add("crank", BodyBox::r([0.5, 0.0, 0.0]).width(0.03));
    let drive = m.add("drive", Position::exact());
    let sine = m.add("sine", Sine::amplitude_f(0.2, 1.5).offset(1.9));
    m.connect(sine.y, drive.phi_ref);
    m.connect(world.frame_b, ground.frame_a);
    m.connect(world.frame_b, j1.frame_a);
    m.connect(j1.frame_b, crank.frame_a);
    if assembled {
        let j = JointRRR::rods([0.9, 0.0, 0.0], [0.7, 0.0, 0.0]).phi_guess(109.0);
        let j = m.add("joint", j);
        m.connect(crank.frame_b, j.frame_a);
        m.connect(ground.frame_b, j.frame_b);
        attach(m, "rod", j.frame_ia, lump(0.7));
        attach(m, "rocker", j.frame_ib, lump(0.4));
        m.connect(j.axis, drive.flange);
        return;
    }
    let j2 = m.add("j2", Revolute::n(Z).phi(guess(-0.8)));
    let j3 = m.add("j3", Revolute::n(Z).phi(guess(1.9)));
    let j4 = m.add("j4", Revolute::n(Z));
    let rod = m.add("bar1", FixedTranslation::r([0.9, 0.0, 0.0]));
    let rocker = m.add("bar2", FixedTranslation::r([0.7, 0.0, 0.0]));
    m.connect(crank.frame_b, j2.frame_a);
    m.connect(j2.frame_b, rod.frame_a);
    m.connect(ground.frame_b, j3.frame_a);
    m.connect(j3.frame_b, rocker.frame_a);
    m.connect(rod.frame_b, j4.frame_a);
    m.connect(j4.frame_b, rocker.frame_b);
    attach(m, "rod", j2.frame_b, lump(0.7));
    attach(m, "rocker", j3.frame_b, lump(0.4));
    m.connect(j3.axis, drive.flange);
}

#[test]
fn a_driven_assembly_moves_the_rest_of_its_loop() {
    let mut joints = start(|m| driven(m, false));
    let mut closed = start(|m| driven(m, true));
    run(&mut joints, 0.3, 1e-3);
    run(&mut closed, 0.3, 1e-3);
    let names = ["j1.phi", "j1.w", "j1.a", "rod.a_0[2]", "rocker.z_a[3]"];
    agree(&mut joints, &mut closed, &names.map(|name| (name, name)), 1e-9);
    assert!((value(&mut closed, "joint.phi") - value(&mut closed, "sine.y")).abs() < 1e-13);
}

/// A slider-crank, with joints one by one or with a planar assembly.
fn slider_crank(m: &mut Assembly, assembled: bool, [n, along]: [[f64; 3]; 2]) {
    let world = m.add("world", World::default());
    let j1 = m.add("j1", Revolute::n(n).phi(fixed(0.4)).w(fixed(8.0)).states(Always));
    let crank = m.add("crank", BodyBox::r(along.map(|c| 0.2 * c)).width(0.03));
    let rod = m.add("rod", BodyBox::r(along.map(|c| 0.5 * c)).width(0.03));
    m.connect(world.frame_b, j1.frame_a);
    m.connect(j1.frame_b, crank.frame_a);
    if assembled {
        let j = JointRRP::rods(along.map(|c| 0.5 * c), along.map(|c| -0.1 * c));
        let j = m.add("joint", j.n_a(n).n_b(along).s_offset(0.1).s_guess(0.6));
        m.connect(crank.frame_b, j.frame_a);
        m.connect(world.frame_b, j.frame_b);
        m.connect(j.frame_ia, rod.frame_a);
        attach(m, "slider", j.frame_ib, lump(1.0));
    } else {
        let j2 = m.add("j2", Revolute::n(n).phi(guess(-0.5)));
        let j3 = m.add("j3", Revolute::n(n));
        let back = m.add("back", FixedTranslation::r(along.map(|c| -0.1 * c)));
        let slide = m.add("slide", Prismatic::n(along).s(guess(0.7)));
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
        let initial = energy(&mut closed);
        run(&mut joints, 0.5, 5e-4);
        run(&mut closed, 0.5, 5e-4);
        let names = [("j1.phi", "j1.phi"), ("j1.a", "j1.a"), ("slide.v", "joint.v")];
        agree(&mut joints, &mut closed, &names, 1e-9);
        let (s, own) = (value(&mut joints, "slide.s"), value(&mut closed, "joint.s"));
        assert!((s - own - 0.1).abs() < 1e-10, "{s} and {own}");
        assert_energy(&mut closed, initial, 1e-8);
    }
}

/// An actuator with bodies on both of its parts, from the ground to a pendulum: an assembly, or the
/// joints it is made of.
fn actuator(m: &mut Assembly, assembled: bool) {
    let world = m.add("world", World::default());
    let j1 = m.add("j1", Revolute::n([0.1, 0.2, 1.0]).phi(fixed(0.3)).w(fixed(0.5)).states(Always));
    let arm = m.add("arm", BodyBox::r([0.7, 0.0, 0.0]));
    let base = m.add("base", FixedTranslation::r([0.2, -0.9, 0.1]));
    m.connect(world.frame_b, j1.frame_a);
    m.connect(j1.frame_b, arm.frame_a);
    m.connect(world.frame_b, base.frame_a);
    let spring = mechanics::translational::SpringDamper::c_d(50.0, 3.0);
    let spring = m.add("spring", spring.s_rel0(1.0));
    if assembled {
        let j = JointUPS::default().n1_a([0.2, 0.0, 1.0]).n_axis_ia(Y).s_offset(0.1);
        let j = m.add("joint", j);
        m.connect(base.frame_b, j.frame_a);
        m.connect(arm.frame_b, j.frame_b);
        attach(m, "lower", j.frame_ia, lump(1.0));
        attach(m, "upper", j.frame_ib, lump(0.6));
        m.connect(j.bearing, spring.flange_a);
        m.connect(j.axis, spring.flange_b);
        return;
    }
    // First axis, second axis across it and the line, the line.
    let n1 = [0.2, 0.0, 1.0];
    let n2 = [-1.0, 0.0, 0.2];
    let u1 = m.add("u1", Revolute::n(n1).phi(guess(-0.5)));
    let u2 = m.add("u2", Revolute::n(n2));
    let slide = m.add("slide", Prismatic::n(Y).s(guess(1.1)));
    let ball = m.add("ball", Spherical::default());
    let offset = m.add("offset", FixedTranslation::r([0.0, 0.1, 0.0]));
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
    assert!(assembly.anchor.is_empty(), "no search");
    run(&mut joints, 0.4, 1e-3);
    run(&mut assembly, 0.4, 1e-3);
    let names = [
        ("j1.phi", "j1.phi"),
        ("j1.w", "j1.w"),
        ("j1.a", "j1.a"),
        ("slide.s", "joint.s"),
        ("slide.v", "joint.v"),
        ("slide.a", "joint.a"),
        ("lower.z_a[2]", "lower.z_a[2]"),
        ("upper.a_0[3]", "upper.a_0[3]"),
    ];
    agree(&mut joints, &mut assembly, &names, 1e-9);
}

/// The rocker of one planar assembly drives another one.
fn chain(m: &mut Assembly) {
    let world = m.add("world", World::default());
    let j1 = m.add("j1", Revolute::n(Z).phi(fixed(1.0)).w(fixed(6.0)).states(Always));
    let crank = m.add("crank", BodyBox::r([0.3, 0.0, 0.0]).width(0.03));
    let ground = m.add("ground", FixedTranslation::r([1.0, 0.0, 0.0]));
    let far = m.add("far", FixedTranslation::r([1.8, 0.1, 0.0]));
    let first = JointRRR::rods([0.9, 0.0, 0.0], [0.7, 0.0, 0.0]).phi_guess(115.0);
    let first = m.add("first", first);
    let second = JointRRR::rods([0.8, 0.0, 0.0], [0.6, 0.0, 0.0]).phi_guess(100.0);
    let second = m.add("second", second);
    let middle = m.add("middle", FixedTranslation::r([0.35, 0.0, 0.0]));
    m.connect(world.frame_b, j1.frame_a);
    m.connect(j1.frame_b, crank.frame_a);
    m.connect(world.frame_b, ground.frame_a);
    m.connect(world.frame_b, far.frame_a);
    m.connect(crank.frame_b, first.frame_a);
    m.connect(ground.frame_b, first.frame_b);
    m.connect(first.frame_ib, middle.frame_a);
    m.connect(middle.frame_b, second.frame_a);
    m.connect(far.frame_b, second.frame_b);
    let frames = [first.frame_ia, first.frame_ib, first.frame_im, second.frame_ia, second.frame_ib];
    for (k, frame) in frames.into_iter().enumerate() {
        attach(m, &format!("body{k}"), frame, lump(0.5 + 0.1 * k as f64));
    }
}

#[test]
fn an_assembly_may_move_another() {
    let mut model = start(chain);
    assert!(model.anchor.is_empty(), "no search");
    let initial = energy(&mut model);
    run(&mut model, 0.8, 1e-3);
    assert_energy(&mut model, initial, 1e-8);
    let length = |model: &mut Interpreter, a: &str, b: &str| {
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
fn independent_loops_are_independent_blocks() {
    let several = |count: usize| {
        start(move |m| {
            let world = m.add("world", World::default());
            let j1 = m.add("j1", Revolute::n(Z).phi(fixed(0.4)).w(fixed(8.0)).states(Always));
            m.connect(world.frame_b, j1.frame_a);
            for k in 0..count {
                let name = |local: &str| format!("{local}{k}");
                let crank = m.add(name("crank"), BodyBox::r([0.2, 0.0, 0.0]));
                let rod = m.add(name("rod"), BodyBox::r([0.5, 0.0, 0.0]));
                let j2 = m.add(name("j2"), Revolute::n(Z).phi(guess(-0.5)));
                let j3 = m.add(name("j3"), RevolutePlanarLoopConstraint::n(Z));
                let slide = m.add(name("slide"), Prismatic::n(X).s(guess(0.7)));
                attach(m, &name("slider"), slide.frame_b, lump(1.0));
                m.connect(j1.frame_b, crank.frame_a);
                m.connect(crank.frame_b, j2.frame_a);
                m.connect(j2.frame_b, rod.frame_a);
                m.connect(rod.frame_b, j3.frame_a);
                m.connect(j3.frame_b, slide.frame_b);
                m.connect(world.frame_b, slide.frame_a);
            }
        })
    };
    let unknowns = |count: usize| -> Vec<usize> {
        several(count).program().blocks().iter().map(|block| block.1).collect()
    };
    assert_eq!(unknowns(1), [2]);
    assert_eq!(unknowns(3), [2; 3]);
}

#[test]
fn a_guess_chooses_the_branch_and_the_motion_keeps_it() {
    let linkage = |guess: f64| {
        start(move |m| {
            let world = m.add("world", World::default());
            let j1 = m.add("j1", Revolute::n(Z).phi(fixed(1.0)).w(fixed(9.0)).states(Always));
            let crank = m.add("crank", BodyBox::r([0.3, 0.0, 0.0]).width(0.03));
            let ground = m.add("ground", FixedTranslation::r([1.0, 0.0, 0.0]));
            let j = JointRRR::rods([0.9, 0.0, 0.0], [0.7, 0.0, 0.0]).phi_guess(guess);
            let j = m.add("joint", j);
            m.connect(world.frame_b, j1.frame_a);
            m.connect(j1.frame_b, crank.frame_a);
            m.connect(world.frame_b, ground.frame_a);
            m.connect(crank.frame_b, j.frame_a);
            m.connect(ground.frame_b, j.frame_b);
            attach(m, "rocker", j.frame_ib, lump(0.1));
        })
    };
    // Which side of the line from crank to ground the middle joint is on.
    let side = |model: &mut Interpreter| {
        let mut at = |frame: &str, i: usize| value(model, &format!("joint.{frame}.r_0[{i}]"));
        let (x, y) = (at("frame_b", 1) - at("frame_a", 1), at("frame_b", 2) - at("frame_a", 2));
        let (u, v) = (at("frame_im", 1) - at("frame_a", 1), at("frame_im", 2) - at("frame_a", 2));
        x * v - y * u
    };
    let (mut above, mut below) = (linkage(110.0), linkage(-150.0));
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
    assert!(other.set_parameter("joint.phi_guess", -150.0));
    other.initialize().expect("the other branch exists");
    other.climb().expect("the other branch exists");
    assert!(side(&mut other) < -0.1, "{}", side(&mut other));
}

#[test]
fn a_dyad_that_is_stretched_fails_by_name() {
    let mut model = start(|m| {
        let world = m.add("world", World::default());
        let slide = m.add("slide", Prismatic::n(X).s(fixed(1.0)).v(fixed(1.0)).states(Always));
        attach(m, "slider", slide.frame_b, lump(1.0));
        let j = m.add("joint", JointRRR::rods([0.6, 0.0, 0.0], [0.7, 0.0, 0.0]).phi_guess(150.0));
        m.connect(world.frame_b, slide.frame_a);
        m.connect(slide.frame_b, j.frame_a);
        m.connect(world.frame_b, j.frame_b);
        attach(m, "rocker", j.frame_ib, lump(0.1));
    });
    for (s, possible) in [(1.2, true), (1.29999, true), (1.3, false), (1.4, false), (0.05, false)] {
        model.x[0] = s;
        match model.climb() {
            Ok(()) => assert!(possible, "{s}"),
            Err(failure) => {
                assert!(!possible, "{failure}");
                assert_eq!(failure.block, "joint");
                assert!(failure.residual.is_finite(), "{failure}");
            }
        }
    }
}

#[test]
fn a_planar_assembly_whose_axis_the_start_values_miss_is_refused() {
    // The first frame is tilted out of the plane, by an angle that a rod determines.
    let message = |tilt: f64| {
        let refused = interpret(|m| {
            let world = m.add("world", World::default());
            let hinge = m.add("hinge", Revolute::n(X).phi(guess(tilt)));
            let arm = m.add("arm", FixedTranslation::r([0.0, 0.5, 0.0]));
            let foot = m.add("foot", FixedTranslation::r([0.0, 0.2, -0.5]));
            let ground = m.add("ground", FixedTranslation::r([0.5, 0.2, 0.0]));
            let rod = m.add("rod", SphericalSpherical::rod_length(0.7));
            let slide = m.add("slide", Prismatic::n(Y).s(fixed(0.0)).v(fixed(0.0)));
            let j = m.add("joint", JointRRR::rods([0.6, 0.0, 0.0], [0.6, 0.0, 0.0]));
            m.connect(world.frame_b, hinge.frame_a);
            m.connect(hinge.frame_b, arm.frame_a);
            m.connect(world.frame_b, foot.frame_a);
            m.connect(arm.frame_b, rod.frame_a);
            m.connect(foot.frame_b, rod.frame_b);
            m.connect(world.frame_b, ground.frame_a);
            m.connect(ground.frame_b, slide.frame_a);
            m.connect(slide.frame_b, j.frame_b);
            m.connect(arm.frame_b, j.frame_a);
            attach(m, "body", j.frame_ib, lump(1.0));
        });
        refused.err().unwrap_or_default()
    };
    // The square of the rod's length: 0.5^2 + 0.2^2 + 0.5^2 - 2 (0.1 cos(tilt) - 0.25 sin(tilt)).
    let tilt = (0.025 / f64::hypot(0.1, 0.25)).acos() - f64::atan2(0.25, 0.1);
    assert_eq!(message(tilt), "");
    let missed = message(0.0);
    assert!(missed.contains("joint: its axis is not the same direction"), "{missed}");
}

#[test]
fn impossible_assemblies_are_refused_by_name() {
    let message = |part: JointRRR, far: f64| {
        let refused = interpret(|m| {
            let world = m.add("world", World::default());
            let j1 = m.add("j1", Revolute::n(Z).phi(fixed(1.0)).w(fixed(0.0)).states(Always));
            let crank = m.add("crank", BodyBox::r([0.3, 0.0, 0.0]));
            let ground = m.add("ground", FixedTranslation::r([far, 0.0, 0.0]));
            let j = m.add("joint", part);
            m.connect(world.frame_b, j1.frame_a);
            m.connect(j1.frame_b, crank.frame_a);
            m.connect(world.frame_b, ground.frame_a);
            m.connect(crank.frame_b, j.frame_a);
            m.connect(ground.frame_b, j.frame_b);
        });
        refused.err().unwrap_or_default()
    };
    let part = || JointRRR::rods([0.9, 0.0, 0.0], [0.7, 0.0, 0.0]).phi_guess(110.0);
    assert_eq!(message(part(), 1.0), "");
    let cases = [
        (part(), 5.0, "joint: the loop cannot be closed"),
        (part().n_a([0.0; 3]), 1.0, "joint.n_a"),
        (part().n_a(X), 1.0, "joint.n_a"),
        (part().phi_offset(f64::NAN), 1.0, "joint.phi_offset: NaN deg"),
    ];
    for (part, far, wanted) in cases {
        let message = message(part, far);
        assert!(message.contains(wanted), "{message}");
    }
}
