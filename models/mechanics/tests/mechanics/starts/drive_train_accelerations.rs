//! Initial accelerations of inertias, masses and relative motions.

use crate::common::{refusal, start, value};
use libraries::multibody::{Rotor1D, World};
use libraries::prelude::*;
use libraries::{rotational as r, translational as t};

/// Asserts that a variable has a value at the start.
#[track_caller]
fn assert_starts(text: impl FnOnce(&mut Assembly), of: &[(&str, f64)]) {
    let mut model = start(text);
    for &(name, want) in of {
        let have = value(&mut model, name);
        assert!((have - want).abs() < 1e-9 * want.abs().max(1e-3), "{name}: {have}, not {want}");
    }
}

/// Two inertias that a spring of 10 kN.m/rad joins.
fn joined(m: &mut Assembly, one: r::Inertia, other: r::Inertia) {
    add! { m, one: one, spring: r::Spring::new().c(1e4), other: other }
    m.chain((one, spring, other));
}

#[test]
fn an_initial_acceleration_determines_the_angle_that_is_free() {
    // The published values of ModelicaTest.Rotational.InitializationConversion.Inertia.
    let inertia = || r::Inertia::new().J(1);
    assert_starts(
        |m| joined(m, inertia().phi(fixed(0)).w(fixed(0)), inertia().a(fixed(44)).w(fixed(0))),
        &[("other.phi", -0.0044), ("other.a", 44.0), ("one.a", -44.0)],
    );
    let degree = 1_f64.to_radians();
    assert_starts(
        |m| {
            let one = inertia().phi(fixed(degree)).w(fixed(2)).a(fixed(3));
            joined(m, one, inertia().phi(guess(degree)).w(fixed(2)));
        },
        &[("one.phi", degree), ("one.a", 3.0), ("other.phi", degree + 3e-4)],
    );
}

#[test]
fn an_initial_acceleration_is_that_of_a_signal_with_the_same_bits() {
    let states = |by_signal: bool| {
        let mut model = start(|m| {
            let other = r::Inertia::new().J(2).w(fixed(0.5)).phi(guess(1));
            add! { m,
                one: r::Inertia::new().J(1).phi(fixed(0.1)).w(fixed(0)),
                spring: r::Spring::new().c(1e4),
                other: if by_signal { other } else { other.a(fixed(7)) },
            }
            m.chain((one, spring, other));
            if by_signal {
                add! { m, begin: r::InitializeFlange::new(), a: Constant::new().k(7) }
                m.connect(a.y, begin.a_start);
                m.connect(begin.flange, other.flange_b);
            }
        });
        assert!((value(&mut model, "other.a") - 7.0).abs() < 1e-10);
        ["one.phi", "one.w", "other.phi", "other.w"].map(|name| value(&mut model, name).to_bits())
    };
    assert_eq!(states(true), states(false));
}

#[test]
fn a_mass_a_rotor_and_a_relative_motion_have_initial_accelerations_too() {
    assert_starts(
        |m| {
            add! { m,
                wall: t::Fixed::new().s0(0.3),
                spring: t::Spring::new().c(50).s_rel0(0.2),
                mass: t::Mass::new().m(2).L(0.1).v(fixed(1)).a(fixed(-3)),
            }
            m.chain((wall.flange, spring, mass.flange_a));
        },
        // -2 kg 3 m/s2 = -50 N/m (s_rel - 0.2 m)
        &[("spring.s_rel", 0.32), ("mass.s", 0.67), ("mass.a", -3.0)],
    );
    assert_starts(
        |m| {
            m.add("world", World::new().drive_train_mechanics_3d(false));
            add! { m,
                one: Rotor1D::new().J(1).w(fixed(2_f64.to_radians())).a(fixed(3_f64.to_radians())),
                spring: r::Spring::new().c(1e4),
                other: Rotor1D::new().J(1).phi(fixed(0.0174585285)).w(fixed(0)),
            }
            m.chain((other, spring, one));
        },
        &[("one.a", 3_f64.to_radians()), ("other.a", -3_f64.to_radians())],
    );
    // springDamper2 of ModelicaTest.Rotational.InitializationConversion.SpringDamper.
    assert_starts(
        |m| {
            add! { m,
                ground: r::Fixed::new(),
                joint: r::SpringDamper::new().c(1e4).d(10).w_rel(fixed(-2)).a_rel(fixed(0)),
                wheel: r::Inertia::new().J(1),
            }
            m.chain((ground.flange, joint, wheel.flange_a));
        },
        &[("joint.phi_rel", 0.002), ("joint.w_rel", -2.0), ("joint.a_rel", 0.0)],
    );
    // The relative acceleration of two inertias, to which the torque contributes on both sides.
    assert_starts(
        |m| {
            let joint = t::SpringDamper::new().c(100).d(0).v_rel(fixed(0)).a_rel(fixed(4));
            add! { m,
                left: t::Mass::new().m(1).s(fixed(0)).v(fixed(0)),
                joint: joint,
                right: t::Mass::new().m(3),
            }
            m.chain((left, joint, right));
        },
        // a_rel = -c s_rel (1 / m_left + 1 / m_right)
        &[("joint.s_rel", -0.03), ("joint.a_rel", 4.0), ("left.a", -3.0), ("right.a", 1.0)],
    );
}

#[test]
fn an_initial_acceleration_too_many_is_refused() {
    let sentence = refusal(|m| {
        m.add("wheel", r::Inertia::new().J(1).phi(fixed(0)).w(fixed(0)).a(fixed(1)));
    });
    let name = "wheel: the initial acceleration depends on no initial value that is free";
    assert_eq!(sentence, name);
}
