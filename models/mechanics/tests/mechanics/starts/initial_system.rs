//! Values other than states that the initial system determines: parameters, positions of rest,
//! massless nodes.

use crate::common::{energy, refusal, start, step, value};
use libraries::multibody::*;
use libraries::prelude::*;
use libraries::rotational;

/// A bar on a hinge, held by a spring.
fn held_bar(m: &mut Assembly, rev: Revolute, spring: Spring) {
    let world = m.add("world", World::new());
    let rev = m.add("rev", rev);
    let body = m.add("body", BodyShape::new().r([1.0, 0.0, 0.0]).r_cm([0.5, 0.0, 0.0]).m(1.0));
    let above = m.add("above", FixedTranslation::new().r([1.0, 0.2, 0.0]));
    let spring = m.add("spring", spring);
    m.connect(world.frame_b, rev.frame_a);
    m.connect(rev.frame_b, body.frame_a);
    m.connect(world.frame_b, above.frame_a);
    m.connect(above.frame_b, spring.frame_a);
    m.connect(spring.frame_b, body.frame_b);
}

#[test]
fn a_stiffness_is_found_that_keeps_a_bar_at_rest() {
    let mut model = start(|m| {
        let rev = Revolute::new().n(Z).phi(fixed(0.0)).w(fixed(0.0)).a(fixed(0.0));
        held_bar(m, rev, Spring::new().c(unknown(100.0)).s_unstretched(0.1));
    });
    // The spring is stretched by 0.1 m and carries half of the weight of 1 kg.
    assert!((value(&mut model, "spring.c") - 49.03325).abs() < 1e-9);
    step(&mut model, 0.1);
    assert!(value(&mut model, "rev.phi").abs() < 1e-12);
}

#[test]
fn a_stiffness_that_is_found_is_within_its_range() {
    // A spring that is compressed would have to pull.
    let sentence = refusal(|m| {
        let rev = Revolute::new().n(Z).phi(fixed(0.0)).w(fixed(0.0)).a(fixed(0.0));
        held_bar(m, rev, Spring::new().c(unknown(100.0)).s_unstretched(0.3));
    });
    assert!(sentence.starts_with("spring.c = -49.03"), "{sentence}");
    assert!(sentence.ends_with("N/m: must be positive or zero"), "{sentence}");
}

#[test]
fn a_position_of_rest_is_found() {
    let mut model = start(|m| {
        let rev = Revolute::new().n(Z).phi(guess(-0.3)).w(fixed(0.0)).a(fixed(0.0));
        held_bar(m, rev, Spring::new().c(30.0).s_unstretched(0.1));
    });
    let phi = value(&mut model, "rev.phi");
    assert!(phi < -0.01, "{phi}");
    step(&mut model, 0.1);
    assert!((value(&mut model, "rev.phi") - phi).abs() < 1e-12);
}

#[test]
fn a_node_between_springs_is_where_their_forces_balance() {
    let mut model = start(|m| {
        let world = m.add("world", World::new());
        let ends = [[0.3, 0.0, 0.0], [0.0, 0.0, 0.3]];
        let upper =
            Spring::new().c(20.0).s_unstretched(0.1).fixed_rotation_at_frame_b([0.1, -0.2, 0.2]);
        let uppers =
            [m.add("left", upper), m.add("right", Spring::new().c(20.0).s_unstretched(0.1))];
        for (k, r) in ends.into_iter().enumerate() {
            let bar = m.add(format!("bar{k}"), FixedTranslation::new().r(r));
            m.connect(world.frame_b, bar.frame_a);
            m.connect(bar.frame_b, uppers[k].frame_a);
        }
        let lower = m.add("lower", Spring::new().c(40.0).s_unstretched(0.1));
        let body = Body::new().m(0.8).r_cm([0.0, -0.2, 0.0]).inertia([0.1; 3]);
        let body = m.add("body", body.r_0(fixed_vector([0.5, -0.3, 0.0])));
        m.connect(uppers[0].frame_b, uppers[1].frame_b);
        m.connect(uppers[0].frame_b, lower.frame_a);
        m.connect(lower.frame_b, body.frame_a);
    });
    let first = energy(&mut model);
    for _ in 0..1000 {
        step(&mut model, 1e-3);
        for axis in 1..=3 {
            let mut pull = |name: &str| {
                value(&mut model, &format!("{name}.f"))
                    * value(&mut model, &format!("{name}.e_rel_0[{axis}]"))
            };
            let sum = pull("lower") - pull("left") - pull("right");
            assert!(sum.abs() < 1e-9, "{sum:e} N");
        }
    }
    assert!((energy(&mut model) - first).abs() < 1e-7);
}

/// A crank with a rod and a slider, moved at the crank's axis.
fn driven(m: &mut Assembly, states: mechanics::start::StateSelect) -> RevolutePorts {
    let world = m.add("world", World::new());
    let crank = m.add("crank", Revolute::new().n(Z).phi(guess(1.0)).states(states));
    let arm = m.add("arm", BodyCylinder::new().r([0.1, 0.0, 0.0]).diameter(0.02));
    let pin = m.add("pin", Revolute::new().n(Z));
    let rod = m.add("rod", BodyCylinder::new().r([0.3, 0.0, 0.0]).diameter(0.02));
    let wrist = m.add("wrist", Revolute::new().n(Z));
    let slider = m.add("slider", Prismatic::new().n(X).s(guess(0.4)));
    let mass = m.add("piston", Body::new().m(0.5).r_cm([0.0; 3]));
    m.connect(world.frame_b, crank.frame_a);
    m.connect(crank.frame_b, arm.frame_a);
    m.connect(arm.frame_b, pin.frame_a);
    m.connect(pin.frame_b, rod.frame_a);
    m.connect(rod.frame_b, wrist.frame_a);
    m.connect(world.frame_b, slider.frame_a);
    m.connect(slider.frame_b, wrist.frame_b);
    m.connect(mass.frame_a, slider.frame_b);
    crank
}

#[test]
fn a_crank_driven_at_its_axis_moves_the_slider_as_geometry_says() {
    let mut model = start(|m| {
        let crank = driven(m, mechanics::start::StateSelect::Prefer);
        let position = m.add("position", rotational::Position::new().exact(true));
        let angle = m.add("angle", Ramp::new().height(3.0).duration(1.0).offset(1.0));
        m.connect(angle.y, position.phi_ref);
        m.connect(position.flange, crank.axis);
    });
    assert!(model.continuous_states().is_empty());
    for _ in 0..500 {
        step(&mut model, 1e-3);
        let phi = 1.0 + 3.0 * model.time();
        let (x, y) = (0.1 * phi.cos(), 0.1 * phi.sin());
        let s = x + (0.09 - y * y).sqrt();
        assert!((value(&mut model, "slider.s") - s).abs() < 1e-12);
        let v = -3.0 * y - y * 3.0 * x / (0.09 - y * y).sqrt();
        assert!((value(&mut model, "slider.v") - v).abs() < 1e-12);
    }
}

#[test]
fn a_locked_joint_stays_where_it_is() {
    let mut model = start(|m| {
        let world = m.add("world", World::new());
        let locked = m.add("locked", Revolute::new().n(Z));
        let housing = m.add("housing", rotational::Fixed::new().phi0(0.5));
        let arm = m.add("arm", FixedTranslation::new().r([1.0, 0.0, 0.0]));
        let free = m.add("free", Revolute::new().n(Z).w(fixed(1.0)));
        let body = m.add("body", Body::new().m(1.0).r_cm([0.5, 0.0, 0.0]));
        m.connect(world.frame_b, locked.frame_a);
        m.connect(housing.flange, locked.axis);
        m.connect(locked.frame_b, arm.frame_a);
        m.connect(arm.frame_b, free.frame_a);
        m.connect(free.frame_b, body.frame_a);
    });
    assert_eq!(model.continuous_states().len(), 2);
    step(&mut model, 1e-3);
    assert!((value(&mut model, "locked.phi") - 0.5).abs() < 1e-15);
}
