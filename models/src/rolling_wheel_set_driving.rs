//! Axle with two wheels driven by torques.
//!
//! Two wheels on an axle roll on the plane `z = 0` without slip, each driven by a sinusoidal torque
//! between axle and wheel. A small body is fixed in front of the axle. Position and direction of
//! the axle follow from the angular velocities of the wheels: there are five degrees of freedom in
//! position, but two in velocity.
//!
//! The system is the example `RollingWheelSetDriving` of Modelica.Mechanics.MultiBody.

use coupler::multibody::*;
use coupler::prelude::*;
use coupler::rotational::Torque2;
use std::f64::consts::FRAC_PI_2;

/// The model.
pub fn model(m: &mut Assembly) {
    m.add("world", World::new().n([0, 0, -1]));
    add! { m,
        set "wheelSet": RollingWheelSet::new()
            .r_wheel(0.1).track(0.5).m_wheel(0.5).I_wheel_axis(0.01).I_wheel_long(0.02)
            .x(fixed(0.1)).y(fixed(0.1)),
        arm "fixedTranslation": FixedTranslation::new().r([0.2, 0.0, 0.0]),
        body: Body::new().m(0.01).r_cm([0; 3]),
    }
    m.chain((set.frame_middle, arm, body.frame_a));
    for (k, axis, phase) in [(1, set.axis1, 0.0), (2, set.axis2, FRAC_PI_2)] {
        add! { m,
            sine [format!("sine{k}")]: Sine::new().amplitude(2).f(1).phase(phase),
            torque [format!("torque{k}")]: Torque2::new(),
        }
        m.connect(sine.y, torque.tau);
        m.connect(torque.flange_a, axis);
        m.connect(torque.flange_b, set.support);
    }

    m.output("x", set.x);
    m.output("y", set.y);
    m.output("phi", set.phi);
    m.stop_time(3);
}
