//! Closed loops: energy, closure, and the agreement of different formulations.

use crate::common::{energy, set_states, simulation, start, step, value};
use libraries::multibody::*;
use libraries::prelude::*;
use models::{fourbar1, fourbar2};

#[test]
fn fourbar2_keeps_its_energy_and_its_rod_length() {
    let mut model = start(fourbar2::model);
    let initial = energy(&mut model);
    let length = value(&mut model, "universalSpherical.rodLength");
    assert!((length - 1.1_f64.sqrt()).abs() < 1e-15);
    for _ in 0..1000 {
        step(&mut model, 1e-3);
        let rod: f64 = (1..=3)
            .map(|i| value(&mut model, &format!("universalSpherical.rRod_0[{i}]")).powi(2))
            .sum();
        assert!((rod.sqrt() - length).abs() < 1e-14);
    }
    let drift = (energy(&mut model) - initial) / initial;
    assert!(drift.abs() < 1e-10, "energy drifts by {drift:e}");
}

#[test]
fn fourbar2_reaches_the_angle_of_an_independent_formulation() {
    // By a hand-derived minimal form, integrated with steps of 1e-4 s.
    let mut model = start(fourbar2::model);
    step(&mut model, 5.0);
    let phi = value(&mut model, "j1.phi");
    assert!((phi - 40.242025064993).abs() < 1e-9, "{phi}");
}

/// Fourbar1 with three revolute joints where the model has a spherical one.
fn with_revolute_joints(m: &mut Assembly) {
    let world = m.add("world", World::new());
    let speed = 300_f64.to_radians();
    let j1 = m.add("j1", Revolute::new().n(X).phi(fixed(0.0)).w(fixed(speed)).states(Always));
    let j2 = m.add("j2", Prismatic::new().n(X).s(guess(-0.2)));
    let b0 = m.add("b0", FixedTranslation::new().r([1.2, 0.0, 0.0]));
    let b1 = m.add("b1", BodyCylinder::new().r([0.0, 0.5, 0.1]).diameter(0.05));
    let b2 = m.add("b2", BodyCylinder::new().r([0.0, 0.2, 0.0]).diameter(0.05));
    let b3 = m.add("b3", BodyCylinder::new().r([-1.0, 0.3, 0.1]).diameter(0.05));
    let rev = m.add("rev", Revolute::new().n(Y));
    let rev1 = m.add("rev1", Revolute::new().n(Z));
    let j3 = m.add("j3", Revolute::new().n(X));
    let j4 = m.add("j4", Revolute::new().n(Y));
    let j5 = m.add("j5", Revolute::new().n(Z));
    m.connect(world.frame_b, j1.frame_a);
    m.connect(j1.frame_b, b1.frame_a);
    m.connect(b1.frame_b, j3.frame_a);
    m.connect(j3.frame_b, j4.frame_a);
    m.connect(j4.frame_b, j5.frame_a);
    m.connect(j5.frame_b, b3.frame_b);
    m.connect(world.frame_b, b0.frame_a);
    m.connect(b0.frame_b, j2.frame_a);
    m.connect(j2.frame_b, b2.frame_a);
    m.connect(b2.frame_b, rev.frame_a);
    m.connect(rev.frame_b, rev1.frame_a);
    m.connect(rev1.frame_b, b3.frame_a);
}

#[test]
fn three_revolute_joints_move_like_a_spherical_joint() {
    let mut one = start(fourbar1::model);
    let mut three = start(with_revolute_joints);
    step(&mut one, 0.5);
    step(&mut three, 0.5);
    for name in ["j1.phi", "j1.w", "j2.s", "rev.phi", "b3.a_0[2]"] {
        let (a, b) = (value(&mut one, name), value(&mut three, name));
        assert!((a - b).abs() < 1e-9 * (1.0 + a.abs()), "{name}: {a} and {b}");
    }
}

/// A crank, a slider and a rod with mass in one plane of the rod's universal joint: the rod hangs
/// on two revolute joints, or on the frame of a `UniversalSpherical`.
fn rod_with_mass(m: &mut Assembly, aggregated: bool) {
    let world = m.add("world", World::new());
    let j1 = m.add("j1", Revolute::new().n(X).phi(fixed(0.3)).w(fixed(4.0)).states(Always));
    let j2 = m.add("j2", Prismatic::new().n(X).s(guess(-0.2)));
    let b0 = m.add("b0", FixedTranslation::new().r([1.2, 0.0, 0.0]));
    let b1 = m.add("b1", BodyCylinder::new().r([0.0, 0.5, 0.0]).diameter(0.05));
    let b2 = m.add("b2", BodyCylinder::new().r([0.0, 0.2, 0.0]).diameter(0.05));
    let rod = [-1.0, 0.3, 0.0];
    let b3 = m.add("b3", BodyBox::new().r(rod).width(0.06).height(0.03));
    m.connect(world.frame_b, j1.frame_a);
    m.connect(j1.frame_b, b1.frame_a);
    m.connect(world.frame_b, b0.frame_a);
    m.connect(b0.frame_b, j2.frame_a);
    m.connect(j2.frame_b, b2.frame_a);
    if aggregated {
        let u = m.add("u", UniversalSpherical::new().n1_a(Y).r_rod_ia(rod));
        m.connect(u.frame_a, b2.frame_b);
        m.connect(u.frame_b, b1.frame_b);
        m.connect(u.frame_ia, b3.frame_a);
    } else {
        let rev = m.add("rev", Revolute::new().n(Y));
        let rev1 = m.add("rev1", Revolute::new().n(Z));
        let s = m.add("spherical", Spherical::new());
        m.connect(b2.frame_b, rev.frame_a);
        m.connect(rev.frame_b, rev1.frame_a);
        m.connect(rev1.frame_b, b3.frame_a);
        m.connect(s.frame_a, b1.frame_b);
        m.connect(s.frame_b, b3.frame_b);
    }
}

#[test]
fn a_body_on_the_rod_of_a_universal_spherical_joint_moves_like_one_on_revolute_joints() {
    let mut joints = start(|m| rod_with_mass(m, false));
    let mut aggregated = start(|m| rod_with_mass(m, true));
    let initial = energy(&mut aggregated);
    step(&mut joints, 0.3);
    step(&mut aggregated, 0.3);
    for name in ["j1.phi", "j1.w", "j1.a", "b3.a_0[1]", "b3.body.z_a[2]"] {
        let (a, b) = (value(&mut joints, name), value(&mut aggregated, name));
        assert!((a - b).abs() < 1e-9 * (1.0 + a.abs()), "{name}: {a} and {b}");
    }
    let drift = (energy(&mut aggregated) - initial) / initial;
    assert!(drift.abs() < 1e-9, "energy drifts by {drift:e}");
}

#[test]
fn frames_may_be_swapped() {
    let pendulum = |swapped: bool| {
        move |m: &mut Assembly| {
            let world = m.add("world", World::new());
            let j1 = m.add("j1", Revolute::new().n([1.0, 2.0, 0.5]).w(fixed(1.0)).phi(fixed(0.0)));
            let j2 = m.add("j2", Prismatic::new().n([0.2, 1.0, -0.3]).s(fixed(0.1)).v(fixed(0.3)));
            let body = BodyShape::new()
                .r([0.4, 0.1, 0.2])
                .r_cm([0.2, 0.1, 0.0])
                .m(2.0)
                .inertia([0.1, 0.2, 0.3])
                .products([0.01, 0.02, -0.03]);
            let body = m.add("body", body);
            let end = m.add("end", Body::new().m(1.0).r_cm([0.1, 0.2, 0.3]));
            let ends = |a, b| if swapped { (b, a) } else { (a, b) };
            let (a1, b1) = ends(j1.frame_a, j1.frame_b);
            let (a2, b2) = ends(j2.frame_a, j2.frame_b);
            m.connect(world.frame_b, a1);
            m.connect(b1, body.frame_a);
            m.connect(body.frame_b, a2);
            m.connect(b2, end.frame_a);
        }
    };
    let mut one = start(pendulum(false));
    let mut other = start(|m| {
        pendulum(true)(m);
    });
    // The exchanged joints measure the opposite motion.
    let opposite: Vec<f64> = one.continuous_states().iter().map(|x| -x).collect();
    set_states(&mut other, &opposite);
    step(&mut one, 0.2);
    step(&mut other, 0.2);
    for (one, other) in one.continuous_states().iter().zip(other.continuous_states()) {
        assert!((one + other).abs() < 1e-12, "{one} and {other}");
    }
}

#[test]
fn impossible_mechanisms_are_refused_by_name() {
    let refused = |text: fn(&mut Assembly)| simulation(text).err().unwrap_or_default();
    let message = refused(|m| {
        let world = m.add("world", World::new());
        let j = m.add("lonely", Revolute::new().n(Z));
        m.connect(world.frame_b, j.frame_a);
    });
    assert!(message.contains("lonely"), "{message}");
    let message = refused(|m| {
        m.add("world", World::new());
        m.add("adrift", FixedTranslation::new().r([1.0, 0.0, 0.0]));
    });
    assert!(message.contains("adrift"), "{message}");
    let message = refused(|m| {
        let world = m.add("world", World::new());
        let far = m.add("far", FixedTranslation::new().r([5.0, 0.0, 0.0]));
        let rod = m.add("tooShort", UniversalSpherical::new().n1_a(Y).r_rod_ia([0.1, 0.0, 0.0]));
        m.connect(world.frame_b, rod.frame_a);
        m.connect(world.frame_b, far.frame_a);
        m.connect(far.frame_b, rod.frame_b);
    });
    assert!(message.contains("tooShort"), "{message}");
    let message = refused(|m| {
        let world = m.add("world", World::new());
        let j = m.add("j", Revolute::new().n([0.0; 3]));
        m.connect(world.frame_b, j.frame_a);
    });
    assert!(message.contains("j.n"), "{message}");
    let message = refused(|m| {
        fourbar1::model(m);
        m.add("second", World::new());
    });
    assert!(message.contains("world") && message.contains("second"), "{message}");
    let message = refused(|m| {
        let world = m.add("world", World::new());
        let a = m.add("a", Revolute::new().n(Z).states(Always));
        let rod = m.add("rod", BodyCylinder::new().r([1.0, 0.0, 0.0]));
        let b = m.add("b", Revolute::new().n(Z).states(Always));
        let far = m.add("far", FixedTranslation::new().r([1.0, 0.0, 0.0]));
        let slider = m.add("slider", Prismatic::new().n(X).states(Always));
        m.connect(world.frame_b, a.frame_a);
        m.connect(a.frame_b, rod.frame_a);
        m.connect(rod.frame_b, b.frame_a);
        m.connect(world.frame_b, far.frame_a);
        m.connect(far.frame_b, slider.frame_a);
        m.connect(slider.frame_b, b.frame_b);
    });
    assert!(message.contains("cannot be a state"), "{message}");
    let message = refused(|m| {
        rod_with_mass(m, true);
        let world = m.add("ground", FixedTranslation::new().r([0.3, 0.3, 0.3]));
        let hold = m.add("hold", FixedTranslation::new().r([0.1, 0.0, 0.0]));
        m.connect(world.frame_b, hold.frame_a);
    });
    assert!(message.contains("ground"), "{message}");
    let message = refused(|m| {
        let world = m.add("world", World::new());
        let one = m.add("one", FixedTranslation::new().r([1.0, 0.0, 0.0]));
        let other = m.add("other", FixedTranslation::new().r([1.0, 0.5, 0.0]));
        m.connect(world.frame_b, one.frame_a);
        m.connect(world.frame_b, other.frame_a);
        m.connect(one.frame_b, other.frame_b);
    });
    assert!(message.contains("one.frame_b") && message.contains("a gap of 0.5 m"), "{message}");
}
