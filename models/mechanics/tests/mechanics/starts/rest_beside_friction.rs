//! Rest that friction could bring about with any torque of a motor: the motor is meant to bring it
//! about alone.

use crate::common::{notes, refusal, simulation, step, value};
use libraries::multibody::*;
use libraries::prelude::*;
use libraries::rotational as r;

/// The torque in N.m up to which friction holds.
const HOLDS: f64 = 2.0;

fn bearing() -> r::BearingFriction {
    r::BearingFriction::new().tau_pos([[0.0, HOLDS], [1.0, HOLDS]])
}

/// Requires an acceleration of a flange at the start.
fn require(m: &mut Assembly, name: &str, a: f64, flange: Flange) {
    let begin = m.add(format!("begin_{name}"), r::InitializeFlange::new());
    let wanted = m.add(format!("a_{name}"), Constant::new().k(a));
    m.connect(wanted.y, begin.a_start);
    m.connect(begin.flange, flange);
}

/// A motor, whose torque the integral of no signal gives, such that its start value is free.
fn motor(m: &mut Assembly, name: &str, flange: Flange) {
    let zero = m.add(format!("zero_{name}"), Constant::new().k(0.0));
    let integral = m.add(format!("integral_{name}"), Integrator::new().y_start(free()));
    let torque = m.add(format!("motor_{name}"), r::Torque::new());
    m.connect(zero.y, integral.u);
    m.connect(integral.y, torque.tau);
    m.connect(torque.flange, flange);
}

/// A shaft at rest with a bearing, a motor and a load.
fn shaft(m: &mut Assembly, load: f64, a: f64) {
    let shaft = m.add("shaft", r::Inertia::new().J(0.3).phi(fixed(0.0)).w(fixed(0.0)));
    let bearing = m.add("bearing", bearing());
    let load = m.add("load", r::ConstantTorque::new().tau_constant(load));
    m.connect(shaft.flange_a, bearing.flange_a);
    m.connect(load.flange, shaft.flange_b);
    motor(m, "a", shaft.flange_a);
    require(m, "a", a, shaft.flange_b);
}

#[test]
fn a_motor_carries_its_load_without_the_help_of_a_stuck_bearing() {
    for load in [-1.2, 0.0, 0.7, 5.0] {
        let mut model = simulation(|m| shaft(m, load, 0.0)).unwrap();
        model.start(None).unwrap();
        assert!((value(&mut model, "integral_a.y") + load).abs() < 1e-12, "{load} N.m");
        assert!(value(&mut model, "bearing.tau").abs() < 1e-12, "{load} N.m");
        assert_eq!(value(&mut model, "bearing.mode"), 0.0);
        step(&mut model, 0.1);
        assert_eq!(value(&mut model, "shaft.w"), 0.0);
    }
    let told = notes(|m| shaft(m, 0.7, 0.0));
    let note = "bearing is stuck at the start, and no initial condition determines its torque";
    assert!(told.iter().any(|line| line.contains(note)), "{told:#?}");
}

#[test]
fn the_load_of_an_instance_decides() {
    let mut model = simulation(|m| shaft(m, 0.7, 0.0)).unwrap();
    model.set("load.tau_constant", -9.0).unwrap();
    model.start(None).unwrap();
    assert!((value(&mut model, "integral_a.y") - 9.0).abs() < 1e-12);
}

#[test]
fn an_acceleration_is_not_fulfilled_while_friction_holds() {
    // The motor would give 0.3 N.m, which friction takes.
    let mut model = simulation(|m| shaft(m, 0.0, 0.0)).unwrap();
    model.set("a_a.k", 1.0).unwrap();
    let why = model.start(None).unwrap_err().to_string();
    let sentence = "begin_a: the initial acceleration cannot be fulfilled while bearing is stuck";
    assert!(why.contains(sentence), "{why}");
}

/// A motor behind a spring, with a stuck bearing at its side of the spring, that holds a load.
fn elastic(m: &mut Assembly, load: f64) {
    let rotor = m.add("rotor", r::Inertia::new().J(0.02));
    let bearing = m.add("bearing", bearing());
    let spring = r::SpringDamper::new().c(40.0).d(0.1).w_rel(fixed(0.0));
    let spring = m.add("spring", spring);
    let shaft = m.add("shaft", r::Inertia::new().J(0.3).phi(fixed(1.0)).w(fixed(0.0)));
    let load = m.add("load", r::ConstantTorque::new().tau_constant(load));
    m.connect(rotor.flange_b, bearing.flange_a);
    m.connect(bearing.flange_b, spring.flange_a);
    m.connect(spring.flange_b, shaft.flange_a);
    m.connect(load.flange, shaft.flange_b);
    motor(m, "a", rotor.flange_a);
    require(m, "shaft", 0.0, shaft.flange_b);
    require(m, "rotor", 0.0, rotor.flange_b);
}

#[test]
fn a_motor_carries_its_load_through_a_spring() {
    let mut model = simulation(|m| elastic(m, -1.6)).unwrap();
    model.start(None).unwrap();
    assert!((value(&mut model, "spring.phi_rel") + 1.6 / 40.0).abs() < 1e-12);
    assert!((value(&mut model, "integral_a.y") - 1.6).abs() < 1e-12);
    assert!(value(&mut model, "bearing.tau").abs() < 1e-12);
    step(&mut model, 0.1);
    assert!((value(&mut model, "shaft.phi") - 1.0).abs() < 1e-9);
}

#[test]
fn a_bearing_holds_where_no_motor_does() {
    // Two bars, of which the bearing of the first one holds both, and a motor the second one.
    let (m1, m2, l, phi): (f64, f64, f64, f64) = (0.1, 0.05, 1.0, 0.4);
    let mut model = simulation(|m| {
        let world = m.add("world", World::new());
        let joint = || Revolute::new().n(Z).w(fixed(0.0));
        let first = m.add("first", joint().phi(fixed(0.0)));
        let bar = |mass: f64| BodyShape::new().r([l, 0.0, 0.0]).r_cm([l / 2.0, 0.0, 0.0]).m(mass);
        let upper = m.add("upper", bar(m1));
        let second = m.add("second", joint().phi(fixed(phi)));
        let lower = m.add("lower", bar(m2));
        m.connect(world.frame_b, first.frame_a);
        m.connect(first.frame_b, upper.frame_a);
        m.connect(upper.frame_b, second.frame_a);
        m.connect(second.frame_b, lower.frame_a);
        for (name, axis) in [("one", first.axis), ("two", second.axis)] {
            let bearing = m.add(format!("bearing_{name}"), bearing());
            m.connect(bearing.flange_a, axis);
        }
        motor(m, "two", second.axis);
        require(m, "two", 0.0, second.axis);
    })
    .unwrap();
    model.start(None).unwrap();
    let weight = 9.80665 * m2 * l / 2.0 * phi.cos();
    assert!((value(&mut model, "integral_two.y") - weight).abs() < 1e-9);
    assert!(value(&mut model, "bearing_two.tau").abs() < 1e-9);
    let both = weight + 9.80665 * (m1 * l / 2.0 + m2 * l);
    assert!((value(&mut model, "bearing_one.tau") + both).abs() < 1e-9);
}

#[test]
fn a_condition_too_many_is_refused_by_name() {
    let sentence = refusal(|m| {
        shaft(m, 0.5, 0.0);
        let other = m.add("other", r::Inertia::new().J(0.1).phi(fixed(0.0)).w(fixed(0.0)));
        let more = m.add("more", bearing());
        m.connect(other.flange_a, more.flange_a);
        require(m, "other", 0.0, other.flange_b);
        require(m, "again", 1.0, other.flange_a);
    });
    assert!(sentence.contains("begin_again"), "{sentence}");
}
