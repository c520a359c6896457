//! Axle with two wheels that torques drive.
//!
//! Two wheels on an axle roll on the plane `z = 0` without slip, each driven by a sinusoidal torque
//! against the axle; a small body is fixed in front of it. The axle's position and direction follow
//! from the turns of the wheels: five positions are free, but two speeds.
//!
//! The system is the example `RollingWheelSetDriving` of Modelica.Mechanics.MultiBody.

use coupler::multibody::*;
use coupler::prelude::*;
use coupler::rotational::Torque2;

/// The model.
pub fn model(m: &mut Assembly) {
    m.add("world", World::default().n([0.0, 0.0, -1.0]));
    let set = RollingWheelSet::radius_track_m_inertia(0.1, 0.5, 0.5, [0.01, 0.02]);
    let set = m.add("wheelSet", set.x(fixed(0.1)).y(fixed(0.1)));
    let arm = m.add("fixedTranslation", FixedTranslation::r([0.2, 0.0, 0.0]));
    let body = m.add("body", Body::m_r_cm(0.01, [0.0; 3]));
    m.connect(set.frame_middle, arm.frame_a);
    m.connect(arm.frame_b, body.frame_a);
    let quarter = std::f64::consts::FRAC_PI_2;
    for (k, (axis, phase)) in [(set.axis1, 0.0), (set.axis2, quarter)].into_iter().enumerate() {
        let sine = Sine::amplitude_f(2.0, 1.0).phase(phase);
        let sine = m.add(format!("sine{}", k + 1), sine);
        let torque = m.add(format!("torque{}", k + 1), Torque2);
        m.connect(sine.y, torque.tau);
        m.connect(torque.flange_a, axis);
        m.connect(torque.flange_b, set.support);
    }

    m.output("x", set.x);
    m.output("y", set.y);
    m.output("phi", set.phi);
    m.stop_time(3.0);
}
