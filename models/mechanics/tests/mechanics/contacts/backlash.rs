//! Elements with backlash, and a spring that can lift off: torques, forces, energy and losses.

use crate::common::{initialize, set_states, settle, simulation, start, step, value};
use fmu_runtime::Simulation;
use libraries::prelude::*;
use libraries::{rotational as r, translational as t};

const C: f64 = 20.0;
const D: f64 = 3.0;
const B: f64 = 0.4;

/// An element with backlash `b` between a wall and an inertia; if `limited`, an
/// [`r::ElastoBacklash`].
fn backlash(m: &mut Assembly, limited: bool, b: f64) {
    let (a, end) = if limited {
        let x = m.add("x", r::ElastoBacklash::new().c(C).d(D).b(b));
        (x.flange_a, x.flange_b)
    } else {
        let x = m.add("x", r::ElastoBacklash2::new().c(C).d(D).b(b));
        (x.flange_a, x.flange_b)
    };
    between(m, a, end);
}

fn between(m: &mut Assembly, a: Flange, b: Flange) {
    let wall = m.add("wall", r::Fixed::new());
    let load = m.add("load", r::Inertia::new().J(1.0));
    m.connect(wall.flange, a);
    m.connect(b, load.flange_a);
}

/// Torque and lost power at a relative angle and speed.
fn at(model: &mut Simulation, q: f64, w: f64) -> [f64; 2] {
    set_states(model, &[q, w]);
    settle(model);
    assert_eq!([value(model, "x.phi_rel"), value(model, "x.w_rel")], [q, w]);
    ["x.tau", "x.lossPower"].map(|name| value(model, name))
}

/// Angles and speeds on both sides of every limit of the laws.
fn points() -> impl Iterator<Item = (f64, f64)> {
    let angles = (-50..=50).map(|k| 0.013 * f64::from(k));
    angles.flat_map(|q| (-6..=6).map(move |k| (q, 0.7 * f64::from(k))))
}

#[test]
fn a_limited_damper_is_continuous_at_contact_and_never_pulls() {
    let mut model = start(|m| backlash(m, true, B));
    for (q, w) in points() {
        let [tau, loss] = at(&mut model, q, w);
        let depth = (q.abs() - B / 2.0).max(0.0);
        assert!(tau * q.signum() >= 0.0, "it pulls with {tau} N.m at {q} rad, {w} rad/s");
        assert!(tau.abs() <= 2.0 * C * depth + 1e-12, "{tau} N.m at {q} rad, {w} rad/s");
        let damper = tau - C * depth * q.signum();
        assert!((loss - damper * w).abs() < 1e-12, "{loss} W at {q} rad, {w} rad/s");
        assert!(loss >= 0.0 && loss <= D * w * w + 1e-12);
        let free = C * depth * q.signum() + D * w;
        if depth > 0.0 && (D * w).abs() <= C * depth {
            assert!((tau - free).abs() < 1e-12, "a weak damper is not limited");
        }
    }
}

#[test]
fn a_damper_without_limit_acts_from_the_first_contact_on_and_never_pulls() {
    let mut model = start(|m| backlash(m, false, B));
    for (q, w) in points() {
        let [tau, loss] = at(&mut model, q, w);
        let depth = (q.abs() - B / 2.0).max(0.0);
        let free = C * depth * q.signum() + D * w;
        let presses = depth > 0.0 && free * q.signum() > 0.0;
        let released = [0.0, -C * depth * q.signum() * w];
        let expected = if presses { [free, D * w * w] } else { released };
        for (x, y) in [tau, loss].into_iter().zip(expected) {
            assert!((x - y).abs() < 1e-12, "{x} and {y} at {q} rad, {w} rad/s");
        }
    }
    let [tau, _] = at(&mut model, B / 2.0 + 1e-9, 2.0);
    assert!((tau - 2.0 * D).abs() < 1e-6, "the torque jumps to d w_rel: {tau}");
}

#[test]
fn during_initialization_the_torque_rises_with_the_angle() {
    for limited in [true, false] {
        let mut model = simulation(|m| backlash(m, limited, B)).unwrap();
        let mut before = None;
        for (q, w) in points() {
            model.reset().unwrap();
            model.set("x.phi_rel", q).unwrap();
            model.set("x.w_rel", w).unwrap();
            model.enter_initialization_mode(0.0, None).unwrap();
            let [tau, loss] = ["x.tau", "x.lossPower"].map(|name| value(&mut model, name));
            let spring = tau - D * w;
            let expected =
                if q.abs() > 0.75 * B { C * (q - q.signum() * B / 2.0) } else { C * q / 3.0 };
            assert!((spring - expected).abs() < 1e-12, "{spring} and {expected} at {q} rad");
            assert!((loss - D * w * w).abs() < 1e-12);
            if let Some((q_before, spring_before)) = before.replace((q, spring)) {
                let least: f64 = C / 3.0 * (q - q_before);
                assert!(spring - spring_before >= least - 1e-12, "it rises at {q} rad");
            }
        }
    }
}

#[test]
fn without_backlash_the_elements_are_a_spring_and_damper_without_events() {
    let mut plain = start(|m| {
        let x = m.add("x", r::SpringDamper::new().c(C).d(D));
        between(m, x.flange_a, x.flange_b);
    });
    for limited in [true, false] {
        let mut none = start(|m| backlash(m, limited, 0.0));
        assert!(none.info().relations.is_empty(), "no relations");
        let mut tuned = simulation(|m| backlash(m, limited, B)).unwrap();
        tuned.set("x.b", 0.0).unwrap();
        initialize(&mut tuned);
        for (q, w) in points() {
            let expected = at(&mut plain, q, w);
            assert_eq!(at(&mut none, q, w), expected);
            assert_eq!(at(&mut tuned, q, w), expected);
        }
    }
}

/// A mass of 2 kg on an [`t::ElastoGap`] against a wall, at rest and compressed by `depth`.
fn gap(m: &mut Assembly, element: t::ElastoGap, depth: f64) {
    let wall = m.add("wall", t::Fixed::new());
    let x = m.add("x", element.s_rel(fixed(0.1 - depth)).v_rel(fixed(0.0)).s_rel0(0.1));
    let mass = m.add("mass", t::Mass::new().m(2.0));
    m.connect(wall.flange, x.flange_a);
    m.connect(x.flange_b, mass.flange_a);
}

#[test]
fn the_force_of_a_gap_never_pulls_and_its_damping_is_not_larger_than_its_spring_force() {
    let mut model = start(|m| gap(m, t::ElastoGap::new().c(C).d(D).n(1.5).s_ref(0.2), 0.3));
    for (s, v) in points() {
        set_states(&mut model, &[s, v]);
        settle(&mut model);
        let [f, f_c, f_d] = ["x.f", "x.f_c", "x.f_d"].map(|name| value(&mut model, name));
        let depth = (0.1 - s).max(0.0);
        let spring = -C * 0.2 * (depth / 0.2).powf(1.5);
        assert!((f_c - spring).abs() < 1e-12, "{f_c} and {spring} at {s} m");
        assert!(f <= 0.0 && f_d.abs() <= -f_c, "{f} = {f_c} + {f_d} at {s} m, {v} m/s");
        if (D * v).abs() < -f_c {
            assert!((f_d - D * v).abs() < 1e-12);
        }
        assert_eq!(value(&mut model, "x.contact") == 1.0, s < 0.1);
    }
}

#[test]
fn a_gap_compressed_by_its_reference_has_the_same_force_for_every_exponent() {
    for n in [1.0, 1.5, 2.0, 3.7] {
        let mut model = start(|m| gap(m, t::ElastoGap::new().c(C).d(D).n(n).s_ref(0.2), 0.2));
        assert!((value(&mut model, "x.f") + C * 0.2).abs() < 1e-12);
    }
}

#[test]
fn a_mass_leaves_a_linear_gap_after_a_quarter_of_a_period_with_the_energy_of_the_spring() {
    let mut model = start(|m| gap(m, t::ElastoGap::new().c(C).d(0.0), 0.3));
    let rate = (C / 2.0_f64).sqrt();
    let quarter = std::f64::consts::FRAC_PI_2 / rate;
    step(&mut model, quarter);
    let (s, v) = (value(&mut model, "mass.s"), value(&mut model, "mass.v"));
    assert!((s - 0.1).abs() < 1e-10 && (v - 0.3 * rate).abs() < 1e-10, "{s} m, {v} m/s");
    let x = model.continuous_states();
    let x = [x[0] + 1e-6, x[1]];
    set_states(&mut model, &x);
    settle(&mut model);
    assert_eq!(value(&mut model, "mass.a"), 0.0, "it is free");
}
