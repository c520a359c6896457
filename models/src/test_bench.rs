//! Motor on a test bench whose speed follows a cycle from a file.
//!
//! The file `resources/cycle.csv` of the FMU contains the reference speed in rad/s as a function of
//! time in s, and `resources/fan.csv` the braking torque of a fan in N.m as a function of its speed
//! in rad/s. Both can be replaced by files of the same form. A PI controller with limits computes
//! the torque of the motor.

use coupler::prelude::*;
use coupler::rotational::*;

/// The model.
pub fn model(m: &mut Assembly) {
    add! { m,
        cycle:
            CombiTimeTable::new().file("cycle.csv").extrapolation(Extrapolation::HoldLastPoint),
        error: Feedback::new(),
        controller: PI::new().k(1.5).T(0.4),
        limiter: Limiter::new().u_max(60),
        torque: Torque::new(),
        motor: Inertia::new().J(0.3).phi(fixed(0)).w(fixed(0)),
        shaft: SpringDamper::new().c(500).d(2).phi_rel(fixed(0)).w_rel(fixed(0)),
        wheel: Inertia::new().J(0.1),
        fan: CombiTable1D::new().file("fan.csv"),
        against: Gain::new().k(-1),
        brake: Torque::new(),
    }

    m.connect(cycle.y(1), error.u1);
    m.connect(motor.w, error.u2);
    m.chain((error.y, controller, limiter, torque.tau));
    m.chain((torque.flange, motor, shaft, wheel.flange_a));
    m.connect(wheel.w, fan.u);
    m.chain((fan.y(1), against, brake.tau));
    m.connect(brake.flange, wheel.flange_b);

    m.output("w_wanted", cycle.y(1));
    m.output("w", motor.w);
    m.output("tau", limiter.y);
    m.stop_time(12);
    m.step_size(0.01);
}
