//! Joints that close loops: constraints, masses, and refusals.

use crate::common::linkages::{
    Closing, assert_closed, at, attach, chain, coupler_angle, lump, uniform_bar,
};
use crate::common::{
    energy, initialize, interpreter_at, program, refusal, simulation, simulation_of, start, step,
    unknowns, value,
};
use equations::{Interpreter, NamedFailure};
use libraries::multibody::*;
use libraries::prelude::*;
use models::planar_fourbar;
use std::f64::consts::PI;

/// The joint that closes a planar linkage.
#[derive(Clone, Copy)]
enum Last {
    Revolute,
    PlanarConstraint,
    /// With exchanged frames.
    Swapped,
}

impl Last {
    fn close(self, m: &mut Assembly, n: [f64; 3], a: Frame, b: Frame) {
        let (closing, frames) = match self {
            Last::Revolute => (Closing::Revolute, [a, b]),
            Last::PlanarConstraint => (Closing::Planar, [a, b]),
            Last::Swapped => (Closing::Planar, [b, a]),
        };
        closing.close(m, "last", n, frames);
    }
}

/// A planar linkage of uniform bars of 1 kg in a plane perpendicular to `n`, from left to right
/// along a unit vector; `lengths` of ground, crank, rod and rocker in m.
fn linkage(
    m: &mut Assembly,
    world: World,
    (n, along): ([f64; 3], [f64; 3]),
    lengths: [f64; 4],
    joints: [Revolute; 3],
    last: Last,
) {
    let world = m.add("world", world);
    let [ground, crank, rod, rocker] = lengths;
    let ground = at(m, "ground", world.frame_b, along.map(|c| ground * c));
    let [j1, j2, j3] = joints;
    let (j1, j2, j3) = (m.add("j1", j1), m.add("j2", j2), m.add("j3", j3));
    let crank = m.add("crank", uniform_bar(along, crank));
    let rod = m.add("rod", uniform_bar(along, rod));
    let rocker = m.add("rocker", uniform_bar(along, rocker));
    m.connect(world.frame_b, j1.frame_a);
    m.connect(j1.frame_b, crank.frame_a);
    m.connect(crank.frame_b, j2.frame_a);
    m.connect(j2.frame_b, rod.frame_a);
    m.connect(ground, j3.frame_a);
    m.connect(j3.frame_b, rocker.frame_a);
    last.close(m, n, rod.frame_b, rocker.frame_b);
}

/// Crank 0.3 m, rod 0.9 m, rocker 0.7 m, ground 1 m; the crank is at rest at 1 rad, and gravity
/// acts along `-up`.
fn four_bars(m: &mut Assembly, last: Last, [n, along, up]: [[f64; 3]; 3]) {
    let joint = |phi: f64| Revolute::new().n(n).phi(guess(phi));
    let first = Revolute::new().n(n).phi(fixed(1.0)).w(fixed(0.0)).states(Always);
    let joints = [first, joint(coupler_angle() + 0.02), joint(2.0)];
    let world = World::new().g(9.81).n(up.map(|c| 0.0 - c));
    linkage(m, world, (n, along), [1.0, 0.3, 0.9, 0.7], joints, last);
}

#[test]
fn a_planar_loop_constraint_moves_like_a_revolute_joint() {
    let upright = [Z, X, Y];
    for plane in [upright, [X, Y, Z], [Y, Z, X]] {
        let mut full = start(|m| four_bars(m, Last::Revolute, plane));
        let mut others = [Last::PlanarConstraint, Last::Swapped]
            .map(|last| start(|m| four_bars(m, last, plane)));
        for _ in 0..500 {
            step(&mut full, 1e-3);
            for other in &mut others {
                step(other, 1e-3);
            }
        }
        for name in ["j1.phi", "j1.w", "j1.a", "j2.phi", "j3.phi", "j3.w"] {
            let a = value(&mut full, name);
            for other in &mut others {
                let b = value(other, name);
                assert!((a - b).abs() < 1e-10 * (1.0 + a.abs()), "{name}: {a} and {b}");
            }
        }
    }
}

#[test]
fn a_planar_linkage_moves_as_in_a_planar_formulation() {
    for last in [Last::PlanarConstraint, Last::Revolute] {
        let mut model = start(|m| four_bars(m, last, [Z, X, Y]));
        step(&mut model, 1.0);
        let phi = value(&mut model, "j1.phi").to_degrees();
        // Computed by other means with a tight tolerance.
        assert!((phi + 257.638579767).abs() < 1e-6, "{phi}");
    }
}

#[test]
fn a_damped_planar_linkage_moves_as_published() {
    let mut model = start(planar_fourbar::model);
    for (seconds, phi, w) in [(1.0, -1.82106781, 12.455511), (1.0, -3.62444348, 0.0200391277)] {
        step(&mut model, seconds);
        let (q, v) = (value(&mut model, "revolute1.phi"), value(&mut model, "revolute1.w"));
        assert!((q - phi).abs() < 5e-4 && (v - w).abs() < 3e-3, "{q} {v}");
    }
}

#[test]
fn a_loop_that_is_not_planar_is_refused() {
    let message = |offset: [f64; 3], tilt: f64| {
        refusal(|m| {
            let world = m.add("world", World::new());
            let j1 = m.add("j1", Revolute::new().n(Z).phi(fixed(1.0)).w(fixed(0.0)));
            let b1 = m.add("b1", BodyBox::new().r([0.4, 0.0, 0.0]));
            let j2 = m.add("j2", Revolute::new().n(Z).phi(guess(-1.4)));
            let b2 = m.add("b2", BodyBox::new().r([1.0, 0.0, 0.0]));
            let slide = m.add("slide", Prismatic::new().n(X).s(guess(1.0)));
            let b3 = m.add("b3", FixedTranslation::new().r(offset));
            let turned = m.add("turned", FixedRotation::new().n(X).angle(tilt));
            let cut = m.add("cut", RevolutePlanarLoopConstraint::new().n(Z));
            m.connect(world.frame_b, j1.frame_a);
            m.connect(j1.frame_b, b1.frame_a);
            m.connect(b1.frame_b, j2.frame_a);
            m.connect(j2.frame_b, b2.frame_a);
            m.connect(world.frame_b, slide.frame_a);
            m.connect(slide.frame_b, b3.frame_a);
            m.connect(b3.frame_b, turned.frame_a);
            m.connect(turned.frame_b, cut.frame_a);
            m.connect(b2.frame_b, cut.frame_b);
        })
    };
    assert_eq!(message([0.0, 0.1, 0.0], 0.0), "");
    for (offset, tilt) in [([0.0, 0.0, 0.01], 0.0), ([0.0, 0.0, 0.0], 0.01)] {
        let message = message(offset, tilt);
        assert!(message.contains("cut: the loop that it closes is not planar"), "{message}");
    }
}

/// A crank and a slider, joined by a rod with spherical joints.
fn crank_and_slider(m: &mut Assembly, rod: SphericalSpherical, swapped: bool) -> [Frame; 2] {
    let world = m.add("world", World::new());
    let j1 = m.add("j1", Revolute::new().n(X).phi(fixed(0.3)).w(fixed(4.0)).states(Always));
    let j2 = m.add("j2", Prismatic::new().n(X).s(guess(-0.2)));
    let b0 = m.add("b0", FixedTranslation::new().r([1.2, 0.0, 0.0]));
    let b1 = m.add("b1", BodyCylinder::new().r([0.0, 0.5, 0.1]).diameter(0.05));
    let b2 = m.add("b2", BodyCylinder::new().r([0.0, 0.2, 0.0]).diameter(0.05));
    let rod = m.add("rod", rod);
    m.connect(world.frame_b, j1.frame_a);
    m.connect(j1.frame_b, b1.frame_a);
    m.connect(world.frame_b, b0.frame_a);
    m.connect(b0.frame_b, j2.frame_a);
    m.connect(j2.frame_b, b2.frame_a);
    let ends = if swapped { (b2.frame_b, b1.frame_b) } else { (b1.frame_b, b2.frame_b) };
    m.connect(ends.0, rod.frame_a);
    m.connect(ends.1, rod.frame_b);
    [rod.frame_a, rod.frame_b]
}

#[test]
fn a_rod_with_a_mass_keeps_its_length_and_the_energy() {
    for (rod, length) in [
        (SphericalSpherical::new().rod_length(1.1).m(3.0), Some(1.1)),
        (SphericalSpherical::new().compute_rod_length(true).m(3.0), None),
        (SphericalSpherical::new().rod_length(1.05), Some(1.05)),
    ] {
        let mut one = start(|m| {
            crank_and_slider(m, rod.clone(), false);
        });
        let mut other = start(|m| {
            crank_and_slider(m, rod.clone(), true);
        });
        let initial = energy(&mut one);
        let length = length.unwrap_or_else(|| value(&mut one, "rod.rodLength"));
        step(&mut one, 0.5);
        step(&mut other, 0.5);
        let rod: f64 = (1..=3).map(|i| value(&mut one, &format!("rod.rRod_0[{i}]")).powi(2)).sum();
        assert!((rod.sqrt() - length).abs() < 1e-14, "{rod}");
        let drift = (energy(&mut one) - initial) / initial;
        assert!(drift.abs() < 1e-9, "energy drifts by {drift:e}");
        for name in ["j1.phi", "j1.w", "j2.s", "j1.a"] {
            let (a, b) = (value(&mut one, name), value(&mut other, name));
            assert!((a - b).abs() < 1e-11 * (1.0 + a.abs()), "{name}: {a} and {b}");
        }
    }
}

#[test]
fn the_mass_of_a_rod_is_a_point_in_its_middle() {
    // The same mass on the rod of a universal - spherical aggregation.
    let mut point = start(|m| {
        crank_and_slider(m, SphericalSpherical::new().rod_length(1.1).m(3.0), false);
    });
    let mut body = start(|m| {
        let [a, b] = crank_and_slider(m, SphericalSpherical::new().rod_length(1.1), false);
        // A second, parallel rod that constrains nothing.
        let free = UniversalSpherical::new().n1_a(Z).r_rod_ia([1.1, 0.0, 0.0]);
        let free = m.add("free", free.constrained(false));
        let middle = m.add("middle", FixedTranslation::new().r([0.55, 0.0, 0.0]));
        let mass = m.add("mass", PointMass::new().m(3.0));
        m.connect(a, free.frame_a);
        m.connect(b, free.frame_b);
        m.connect(free.frame_ia, middle.frame_a);
        m.connect(middle.frame_b, mass.frame_a);
    });
    assert_eq!((value(&mut body, "free.f_rod"), value(&mut body, "free.rodLength")), (0.0, 1.1));
    step(&mut point, 0.5);
    step(&mut body, 0.5);
    for name in ["j1.phi", "j1.w", "j1.a", "j2.s"] {
        let (a, b) = (value(&mut point, name), value(&mut body, name));
        assert!((a - b).abs() < 1e-10 * (1.0 + a.abs()), "{name}: {a} and {b}");
    }
}

#[test]
fn a_rod_without_length_is_refused() {
    let message = refusal(|m| {
        crank_and_slider(m, SphericalSpherical::new().rod_length(0.0), false);
    });
    assert!(message.contains("rod.rodLength = 0 m: must be positive"), "{message}");
}

/// Opposite sides are equal (0.4 m, and `ratio` times that). The crank starts at 0.5 rad and
/// rotates towards the position in which all sides are aligned.
fn parallelogram(m: &mut Assembly, last: Last, ratio: f64) {
    let joint = |phi: f64| Revolute::new().n(Z).phi(guess(phi));
    let first = Revolute::new().n(Z).phi(fixed(0.5)).w(fixed(-1.0)).states(Always);
    let (long, short) = (0.4, 0.4 * ratio);
    let joints = [first, joint(-0.5), joint(0.5)];
    linkage(m, World::new().g(0.0), (Z, X), [long, short, long, short], joints, last);
}

#[test]
fn angles_of_a_loop_are_continuous_over_several_turns() {
    // The ground is the shortest bar: all others turn round.
    let joint = |phi: f64| Revolute::new().n(Z).phi(guess(phi));
    for (w, last) in [(7.0, Last::PlanarConstraint), (-7.0, Last::Revolute)] {
        let first = Revolute::new().n(Z).phi(fixed(PI / 2.0)).w(fixed(w)).states(Always);
        let joints = [first, joint(-1.8), joint(0.95)];
        let lengths = [0.3, 1.0, 0.9, 1.0];
        let mut model = start(|m| linkage(m, World::new().g(0.0), (Z, X), lengths, joints, last));
        let angles = ["j1.phi", "j2.phi", "j3.phi"];
        let begin = angles.map(|name| value(&mut model, name));
        let mut before = begin;
        for _ in 0..150 {
            step(&mut model, 0.02);
            let now = angles.map(|name| value(&mut model, name));
            for (now, before) in now.iter().zip(before) {
                assert!((now - before).abs() < 0.5, "{before} {now}");
            }
            before = now;
        }
        let [crank, rod, rocker]: [f64; 3] = std::array::from_fn(|k| before[k] - begin[k]);
        assert!(crank.abs() > 6.0 * PI && (crank - rocker).abs() < PI, "{crank} {rocker}");
        assert!(rod.abs() < PI, "{rod}");
        assert_closed(&mut model);
    }
}

/// One step of Heun's method from an accepted point, or why it fails; then nothing has changed.
fn try_step(model: &mut Interpreter, h: f64) -> Result<(), NamedFailure> {
    let x = model.x.clone();
    let mut heun = || {
        model.realize()?;
        let first = model.dx.clone();
        model.x = x.iter().zip(&first).map(|(x, k)| x + h * k).collect();
        model.realize()?;
        let both = first.iter().zip(&model.dx);
        model.x = x.iter().zip(both).map(|(x, (k, l))| x + 0.5 * h * (k + l)).collect();
        model.realize()
    };
    let done = heun();
    match done {
        Ok(()) => model.anchor = model.z.clone(),
        Err(_) => {
            model.x = x;
            model.realize().expect("this point was accepted");
        }
    }
    done
}

/// How far a linkage with equal opposite bars is from a parallelogram: the angles of crank and
/// rocker differ, but for whole turns.
fn deviation(crank: f64, rocker: f64) -> f64 {
    (0.5 * (crank - rocker)).sin().abs()
}

#[test]
fn a_parallelogram_remains_one_in_steps_of_any_length() {
    let closed = [Last::PlanarConstraint, Last::Swapped, Last::Revolute];
    for (last, ratio) in closed.into_iter().flat_map(|last| [0.05, 0.5, 1.0].map(|r| (last, r))) {
        for longest in [0.4, 0.11, 0.05, 0.007] {
            let program = program(|m| parallelogram(m, last, ratio)).unwrap();
            let mut model = simulation_of(&program);
            initialize(&mut model);
            let mut model = interpreter_at(&program, &model);
            let mut h = longest;
            for _ in 0..(8.0 / longest) as usize {
                match try_step(&mut model, h) {
                    Ok(()) => h = (1.5 * h).min(longest),
                    Err(why) => {
                        h *= 0.5;
                        assert!(h > 1e-6, "it stops in steps of {longest} s: {why}");
                    }
                }
                let [crank, rocker] = ["j1.phi", "j3.phi"].map(|phi| model.value_of(phi).unwrap());
                let off = deviation(crank, rocker);
                assert!(off < 1e-7, "in steps of {longest} s: {crank} and {rocker} rad");
            }
            let crank = model.value_of("j1.phi").unwrap();
            assert!(crank < -PI, "it passes both change points: {crank} rad");
        }
    }
}

#[test]
fn a_parallelogram_passes_its_change_points_with_its_energy() {
    let closed = [Last::PlanarConstraint, Last::Swapped, Last::Revolute];
    for (last, ratio) in closed.into_iter().flat_map(|last| [0.05, 0.5, 1.0].map(|r| (last, r))) {
        for tolerance in [1e-3, 1e-4, 1e-5, 1e-6, 1e-8, 1e-10] {
            let mut model = simulation(|m| parallelogram(m, last, ratio)).unwrap();
            model.start(Some(tolerance)).unwrap();
            let before = energy(&mut model);
            model.run_to(8.0).unwrap();
            let [crank, rocker] = ["j1.phi", "j3.phi"].map(|phi| value(&mut model, phi));
            assert!(crank < -PI, "{tolerance}: {crank} rad");
            assert!(deviation(crank, rocker) < 1e-7, "{tolerance}: {crank} and {rocker} rad");
            let off = (energy(&mut model) - before).abs() / before;
            assert!(off < 30.0 * tolerance, "{tolerance}: {off:e}");
            assert_closed(&mut model);
        }
    }
}

/// A crank and a slider, joined by a rod between spherical joints. With a body, the centre of mass
/// of the rod is at the given position.
fn rod_between_balls(m: &mut Assembly, body: Option<[f64; 3]>) {
    let world = m.add("world", World::new());
    let j1 = m.add("j1", Revolute::new().n(X).phi(fixed(0.3)).w(fixed(1.0)).states(Always));
    let crank = m.add("crank", BodyCylinder::new().r([0.0, 0.5, 0.1]).diameter(0.05));
    let first = m.add("first", Spherical::new());
    let rod = m.add("rod", FixedTranslation::new().r([1.1, 0.0, 0.0]));
    let last = m.add("last", Spherical::new());
    let slide = m.add("slide", Prismatic::new().n(X).s(guess(0.9)));
    let slider = m.add("slider", BodyCylinder::new().r([0.0, 0.2, 0.0]).diameter(0.05));
    let frames = [
        [world.frame_b; 2],
        [j1.frame_a, j1.frame_b],
        [crank.frame_a, crank.frame_b],
        [first.frame_a, first.frame_b],
        [rod.frame_a, rod.frame_b],
        [last.frame_a, last.frame_b],
        [slider.frame_b, slider.frame_a],
        [slide.frame_b, slide.frame_a],
        [world.frame_b; 2],
    ];
    chain(m, &frames);
    if let Some(r_cm) = body {
        let body = m.add("body", Body::new().m(0.2).r_cm(r_cm).inertia([0.0; 3]));
        m.connect(body.frame_a, rod.frame_a);
    }
}

#[test]
fn a_motion_without_inertia_in_a_loop_is_refused_by_name() {
    // The rod can rotate about its own axis without moving any mass.
    for body in [None, Some([0.55, 0.0, 0.0])] {
        let message = refusal(|m| rod_between_balls(m, body));
        assert!(message.contains("first: nothing with mass moves"), "{body:?}: {message}");
    }
    assert_eq!(refusal(|m| rod_between_balls(m, Some([0.55, 0.02, 0.0]))), "");
}

#[test]
fn independent_loops_are_independent_blocks() {
    let several = |count: usize| {
        unknowns(move |m| {
            let world = m.add("world", World::new());
            let j1 = m.add("j1", Revolute::new().n(Z).phi(fixed(0.4)).w(fixed(8.0)).states(Always));
            m.connect(world.frame_b, j1.frame_a);
            for k in 0..count {
                let name = |local: &str| format!("{local}{k}");
                let crank = m.add(name("crank"), BodyBox::new().r([0.2, 0.0, 0.0]));
                let rod = m.add(name("rod"), BodyBox::new().r([0.5, 0.0, 0.0]));
                let j2 = m.add(name("j2"), Revolute::new().n(Z).phi(guess(-0.5)));
                let j3 = m.add(name("j3"), RevolutePlanarLoopConstraint::new().n(Z));
                let slide = m.add(name("slide"), Prismatic::new().n(X).s(guess(0.7)));
                attach(m, name("slider"), slide.frame_b, lump(1.0));
                m.connect(j1.frame_b, crank.frame_a);
                m.connect(crank.frame_b, j2.frame_a);
                m.connect(j2.frame_b, rod.frame_a);
                m.connect(rod.frame_b, j3.frame_a);
                m.connect(j3.frame_b, slide.frame_b);
                m.connect(world.frame_b, slide.frame_a);
            }
        })
    };
    assert_eq!(several(1), [2]);
    assert_eq!(several(3), [2; 3]);
}
