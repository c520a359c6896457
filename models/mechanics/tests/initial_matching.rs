//! Which start value each initial condition determines.

mod common;

use common::{start, step, value};
use mechanics::multibody::*;
use mechanics::prelude::*;
use mechanics::rotational as r;

/// An arm on a gear, whose motor has an elastic shaft and a bearing with friction `tau` in N.m.
fn geared_arm(m: &mut Assembly, shaft: r::SpringDamper, tau: f64) {
    let world = m.add("world", World::default());
    let joint = m.add("joint", Revolute::n(Z));
    let arm = m.add("arm", Body::m_r_cm(6.0, [0.4, 0.0, 0.0]));
    let gear = m.add("gear", r::IdealGear::ratio(40.0));
    let shaft = m.add("shaft", shaft);
    let bearing = m.add("bearing", r::BearingFriction::tau_pos([[0.0, tau], [1.0, 1.2 * tau]]));
    let motor = m.add("motor", r::Inertia::J(0.002));
    m.connect(world.frame_b, joint.frame_a);
    m.connect(joint.frame_b, arm.frame_a);
    m.connect(motor.flange_b, bearing.flange_a);
    m.connect(bearing.flange_b, shaft.flange_a);
    m.connect(shaft.flange_b, gear.flange_a);
    m.connect(gear.flange_b, joint.axis);
    let begin = m.add("begin", r::InitializeFlange);
    let [phi, zero] = [m.add("phi", Constant::k(0.3)), m.add("zero", Constant::k(0.0))];
    m.connect(phi.y, begin.phi_start);
    m.connect(zero.y, begin.w_start);
    m.connect(zero.y, begin.a_start);
    m.connect(begin.flange, joint.axis);
}

fn shaft() -> r::SpringDamper {
    r::SpringDamper::c_d(6.0, 0.01).w_rel(fixed(0.0)).states(Always)
}

/// Weight of the arm at the shaft in N.m.
fn load() -> f64 {
    6.0 * 9.80665 * 0.4 * 0.3_f64.cos() / 40.0
}

#[test]
fn an_acceleration_determines_the_stretch_of_a_spring_behind_a_gear() {
    let mut model = start(|m| geared_arm(m, shaft(), 2.0));
    assert!((value(&mut model, "joint.phi") - 0.3).abs() < 1e-12);
    assert!(value(&mut model, "joint.a").abs() < 1e-9);
    let stretch = value(&mut model, "shaft.phi_rel");
    assert!((stretch.abs() - load() / 6.0).abs() < 1e-9, "{stretch}");
    assert_eq!(value(&mut model, "bearing.mode"), 0.0);
    for _ in 0..100 {
        step(&mut model, 1e-4);
    }
    assert!((value(&mut model, "joint.phi") - 0.3).abs() < 1e-12);
    let notes = model.program().notes().join("\n");
    assert!(notes.contains("begin: the initial acceleration determines shaft.phi_rel"), "{notes}");
}

/// A wheel on a spring, which a clutch couples to a flywheel that turns at `w` in rad/s.
fn clutched(m: &mut Assembly, w: f64) {
    let wall = m.add("wall", r::Fixed::phi0(0.0));
    let spring = m.add("spring", r::Spring::c(50.0));
    let wheel = m.add("wheel", r::Inertia::J(0.4).w(fixed(0.0)));
    let clutch = m.add("clutch", r::Clutch::fn_max(30.0));
    let press = m.add("press", Constant::k(1.0));
    let flywheel = m.add("flywheel", r::Inertia::J(2.0).w(fixed(w)));
    let begin = m.add("begin", r::InitializeFlange);
    let zero = m.add("zero", Constant::k(0.0));
    m.connect(wall.flange, spring.flange_a);
    m.connect(spring.flange_b, wheel.flange_a);
    m.connect(wheel.flange_b, clutch.flange_a);
    m.connect(press.y, clutch.f_normalized);
    m.connect(clutch.flange_b, flywheel.flange_a);
    m.connect(zero.y, begin.a_start);
    m.connect(begin.flange, wheel.flange_a);
}

#[test]
fn a_sliding_clutch_takes_part_in_the_balance_at_the_start() {
    for (w, sign) in [(10.0, 1.0), (-10.0, -1.0)] {
        let mut model = start(|m| clutched(m, w));
        assert!(value(&mut model, "wheel.a").abs() < 1e-9);
        let phi = value(&mut model, "wheel.phi");
        assert!((phi - sign * 15.0 / 50.0).abs() < 1e-9, "{phi}");
    }
}

/// A shaft with a load torque, whose speed a PI controller holds.
fn controlled(m: &mut Assembly, pi: PI, inertia: r::Inertia) {
    let wanted = m.add("wanted", Constant::k(30.0));
    let error = m.add("error", Feedback);
    let pi = m.add("pi", pi);
    let lag = m.add("lag", FirstOrder::k_T(1.0, 0.05).steady_state());
    let torque = m.add("torque", r::Torque);
    let shaft = m.add("shaft", inertia);
    let drag = m.add("drag", r::QuadraticSpeedDependentTorque::tau_nominal_w_nominal(-4.0, 30.0));
    let sensor = m.add("sensor", r::SpeedSensor);
    m.connect(wanted.y, error.u1);
    m.connect(sensor.w, error.u2);
    m.connect(error.y, pi.u);
    m.connect(pi.y, lag.u);
    m.connect(lag.y, torque.tau);
    m.connect(torque.flange, shaft.flange_a);
    m.connect(drag.flange, shaft.flange_b);
    m.connect(sensor.flange, shaft.flange_b);
}

#[test]
fn a_controller_and_its_plant_start_in_their_steady_state() {
    // Whether the speed is given by an acceleration or left to the controller.
    let pi = || PI::k_T(2.0, 0.4).steady_state();
    let shaft = || r::Inertia::J(0.3).phi(fixed(0.0));
    let zero = |m: &mut Assembly, flange: Flange| {
        let begin = m.add("begin", r::InitializeFlange);
        let zero = m.add("zero", Constant::k(0.0));
        m.connect(zero.y, begin.a_start);
        m.connect(begin.flange, flange);
    };
    let _ = zero;
    let mut model = start(|m| controlled(m, pi(), shaft().w(guess(20.0))));
    assert!((value(&mut model, "shaft.w") - 30.0).abs() < 1e-9);
}
