//! Motor on a test bench whose speed follows a cycle from a file.
//!
//! The file `resources/cycle.csv` of the FMU holds the wanted speed in rad/s over time in s,
//! `resources/fan.csv` the braking torque of a fan in N.m over its speed in rad/s. Other files of
//! the same form may take their place. A PI controller within limits makes the torque of the motor.

use coupler::prelude::*;
use coupler::rotational::*;

/// The model.
pub fn model(m: &mut Assembly) {
    let hold = Extrapolation::HoldLastPoint;
    let cycle = m.add("cycle", CombiTimeTable::file("cycle.csv").extrapolation(hold));
    let error = m.add("error", Feedback);
    let controller = m.add("controller", PI::k_T(1.5, 0.4));
    let limiter = m.add("limiter", Limiter::u_max(60.0));
    let torque = m.add("torque", Torque);
    let motor = m.add("motor", Inertia::J(0.3).phi(fixed(0.0)).w(fixed(0.0)));
    let shaft = m.add("shaft", SpringDamper::c_d(500.0, 2.0).phi_rel(fixed(0.0)).w_rel(fixed(0.0)));
    let wheel = m.add("wheel", Inertia::J(0.1));
    let fan = m.add("fan", CombiTable1D::file("fan.csv"));
    let against = m.add("against", Gain::k(-1.0));
    let brake = m.add("brake", Torque);

    m.connect(cycle.y(1), error.u1);
    m.connect(motor.w, error.u2);
    m.connect(error.y, controller.u);
    m.connect(controller.y, limiter.u);
    m.connect(limiter.y, torque.tau);
    m.connect(torque.flange, motor.flange_a);
    m.connect(motor.flange_b, shaft.flange_a);
    m.connect(shaft.flange_b, wheel.flange_a);
    m.connect(wheel.w, fan.u);
    m.connect(fan.y(1), against.u);
    m.connect(against.y, brake.tau);
    m.connect(brake.flange, wheel.flange_b);

    m.output("w_wanted", cycle.y(1));
    m.output("w", motor.w);
    m.output("tau", limiter.y);
    m.stop_time(12.0);
    m.step_size(0.01);
}
