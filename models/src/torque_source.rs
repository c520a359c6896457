//! Electric motor that feeds a drive train in co-simulation.
//!
//! The reference torque decreases linearly from `tau_max` at standstill to zero at `w_max`; the
//! torque follows it with the time constant `T`. The speed is that of the drive train.

use coupler::equations::{Ex, Model};

/// The model.
pub fn model(m: &mut Model) {
    let tau_max: Ex =
        m.parameter("tau_max", 50.0).unit("N.m").describe("Torque at standstill").tunable().into();
    let w_max: Ex =
        m.parameter("w_max", 300.0).unit("rad/s").describe("Speed without torque").min(1.0).into();
    let time_constant: Ex =
        m.parameter("T", 0.05).unit("s").describe("Time constant of the torque").min(1e-6).into();
    let w: Ex = m.input("w", 0.0).unit("rad/s").describe("Speed of the shaft").into();
    let tau: Ex = m.state("torque", 0.0).unit("N.m").describe("Torque of the motor").into();

    m.derivative(tau, (tau_max * (1.0 - w / w_max) - tau) / time_constant);
    m.output("tau", tau).unit("N.m").describe("Torque on the shaft");
    m.stop_time(5);
    m.test_value("w", 100);
}
