//! Rigid parts that form a ring: a constraint that is redundant, or contradicts the others.

use crate::common::{initialize, program, simulation, simulation_of, start, value};
use libraries::prelude::*;
use libraries::rotational::*;

/// Two shafts with two gears between them, beside a third shaft.
fn two_gears(m: &mut Assembly, ratios: [f64; 2]) {
    let a = m.add("a", Inertia::new().J(1.0));
    let b = m.add("b", Inertia::new().J(2.0).phi(fixed(0.0)).w(fixed(0.0)));
    let torque = m.add("torque", ConstantTorque::new().tau_constant(3.0));
    m.connect(torque.flange, a.flange_a);
    for (name, ratio) in ["upper", "lower"].into_iter().zip(ratios) {
        let gear = m.add(name, IdealGear::new().ratio(ratio));
        m.connect(a.flange_b, gear.flange_a);
        m.connect(gear.flange_b, b.flange_a);
    }
    let other = m.add("further", IdealGear::new().ratio(5.0));
    let apart = m.add("apart", Inertia::new().J(1.0));
    m.connect(b.flange_b, other.flange_a);
    m.connect(other.flange_b, apart.flange_a);
}

#[test]
fn a_redundant_constraint_is_left_out_with_a_note() {
    let program = program(|m| two_gears(m, [3.0, 3.0])).unwrap();
    let mut model = simulation_of(&program);
    initialize(&mut model);
    let inertia = 9.0 + 2.0 + 1.0 / 25.0;
    assert!((value(&mut model, "b.a") - 9.0 / inertia).abs() < 1e-12);
    let notes = program.notes().join("\n");
    assert!(notes.contains("lower, upper: rigid parts form a ring"), "{notes}");
    assert!(!notes.contains("further"), "{notes}");
    assert!(program.description().documentation.contains(&notes));
}

#[test]
fn a_ring_of_contradicting_ratios_is_refused_by_name() {
    let sentence = simulation(|m| two_gears(m, [3.0, 2.0])).err().unwrap_or_default();
    assert!(sentence.contains("lower, upper: "), "{sentence}");
}

#[test]
fn a_ring_of_contradicting_ratios_is_refused_also_if_a_disc_is_a_part_of_it() {
    let sentence = simulation(|m| {
        let a = m.add("a", Inertia::new().J(1.0));
        let b = m.add("b", Inertia::new().J(2.0));
        let disc = m.add("disc", Disc::new().delta_phi(0.5));
        let upper = m.add("upper", IdealGear::new().ratio(3.0));
        let lower = m.add("lower", IdealGear::new().ratio(2.0));
        m.connect(a.flange_b, upper.flange_a);
        m.connect(upper.flange_b, b.flange_a);
        m.connect(a.flange_b, disc.flange_a);
        m.connect(disc.flange_b, lower.flange_a);
        m.connect(lower.flange_b, b.flange_a);
    });
    let sentence = sentence.err().unwrap_or_default();
    assert!(sentence.contains("lower, upper: "), "{sentence}");
}

#[test]
fn a_planetary_gear_with_two_of_its_shafts_geared_together_still_turns() {
    let mut model = start(|m| {
        let sun = m.add("sun", Inertia::new().J(1.0));
        let ring = m.add("ring", Inertia::new().J(2.0).w(fixed(0.0)).phi(fixed(0.0)));
        let carrier = m.add("carrier", Inertia::new().J(3.0));
        let planetary = m.add("planetary", IdealPlanetary::new().ratio(2.0));
        let gear = m.add("gear", IdealGear::new().ratio(-1.5));
        let torque = m.add("torque", ConstantTorque::new().tau_constant(1.0));
        m.connect(torque.flange, sun.flange_a);
        m.connect(sun.flange_b, planetary.sun);
        m.connect(ring.flange_b, planetary.ring);
        m.connect(carrier.flange_b, planetary.carrier);
        m.connect(gear.flange_a, sun.flange_b);
        m.connect(gear.flange_b, ring.flange_b);
    });
    // sun = -1.5 ring, carrier = (sun + 2 ring) / 3 = ring / 6.
    let inertia = 1.5 * 1.5 + 2.0 + 3.0 / 36.0;
    assert!((value(&mut model, "ring.a") + 1.5 / inertia).abs() < 1e-12);
}

#[test]
fn fixed_angles_that_contradict_each_other_are_named() {
    let sentence = simulation(|m| {
        let shaft = m.add("shaft", Inertia::new().J(1.0));
        let gear = m.add("gear", IdealGear::new().ratio(2.0));
        let (left, right) =
            (m.add("left", Fixed::new().phi0(0.0)), m.add("right", Fixed::new().phi0(0.5)));
        m.connect(left.flange, shaft.flange_a);
        m.connect(shaft.flange_b, gear.flange_a);
        m.connect(gear.flange_b, right.flange);
        m.add("spare", Inertia::new().J(1.0));
    })
    .err()
    .unwrap_or_default();
    for name in ["left", "right", "gear", "shaft", "rad"] {
        assert!(sentence.contains(name), "{name}: {sentence}");
    }
    assert!(!sentence.contains("spare"), "{sentence}");
}

#[test]
fn a_torque_in_a_ring_is_not_determined() {
    let sentence = simulation(|m| {
        let a = m.add("a", Inertia::new().J(1.0));
        let b = m.add("b", Inertia::new().J(1.0));
        let sensor = m.add("sensor", TorqueSensor::new());
        let gear = m.add("gear", IdealGear::new().ratio(1.0));
        for (left, right) in [(sensor.flange_a, sensor.flange_b), (gear.flange_a, gear.flange_b)] {
            m.connect(a.flange_b, left);
            m.connect(right, b.flange_a);
        }
    })
    .err()
    .unwrap_or_default();
    assert!(sentence.contains("sensor") && sentence.contains("gear"), "{sentence}");
}
