//! A model of a shaft that a controller drives, and of a fan that a constant torque drives, both
//! against friction and without acceleration.

use libraries::prelude::*;
use libraries::rotational::*;

/// The model.
pub fn steady(m: &mut Assembly) {
    let wanted = m.add("wanted", Constant::new().k(30.0));
    let error = m.add("error", Feedback::new());
    let pi = m.add("pi", PI::new().k(2.0).T(0.4).steady_state(true));
    let torque = m.add("torque", Torque::new());
    let shaft = m.add("shaft", Inertia::new().J(0.3).phi(fixed(0.0)).w(guess(20.0)));
    let rows = [[0.0, 2.0], [1.0, 2.0]];
    let bearing = m.add("bearing", BearingFriction::new().tau_pos(rows));
    let sensor = m.add("sensor", SpeedSensor::new());
    m.connect(wanted.y, error.u1);
    m.connect(sensor.w, error.u2);
    m.connect(error.y, pi.u);
    m.connect(pi.y, torque.tau);
    m.connect(torque.flange, shaft.flange_a);
    m.connect(shaft.flange_b, bearing.flange_a);
    m.connect(sensor.flange, shaft.flange_b);

    let drive = m.add("drive", ConstantTorque::new().tau_constant(0.4));
    let fan = m.add("fan", Inertia::new().J(0.05).phi(fixed(0.0)).w(guess(0.3)));
    let rows = [[0.0, 0.5], [1.0, 0.2], [2.0, 0.2]];
    let fan_bearing = m.add("fan_bearing", BearingFriction::new().tau_pos(rows));
    m.connect(drive.flange, fan.flange_a);
    m.connect(fan.flange_b, fan_bearing.flange_a);

    let zero = m.add("zero", Constant::new().k(0.0));
    for (name, flange) in [("begin", shaft.flange_a), ("fan_begin", fan.flange_a)] {
        let begin = m.add(name, InitializeFlange::new());
        m.connect(zero.y, begin.a_start);
        m.connect(begin.flange, flange);
    }
}
