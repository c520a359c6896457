//! A vehicle on two rolling wheels that carries a swinging load.
//!
//! Each wheel has a motor with a gear and an elastic shaft; the torques of the motors differ, so
//! that the vehicle drives in curves. The load hangs on two joints behind the axle.

use libraries::multibody::*;
use libraries::prelude::*;
use libraries::rotational::{IdealGear, Inertia, SpringDamper, Torque2};

/// The model.
pub fn model(m: &mut Assembly) {
    m.add("world", World::new().n([0, 0, -1]));
    add! { m,
        set "wheels": RollingWheelSet::new()
            .r_wheel(0.3).track(1.4).m_wheel(15).I_wheel_axis(0.7).I_wheel_long(0.4)
            .x(fixed(0)).y(fixed(0)),
        chassis: BodyShape::new().r([-0.8, 0.0, 0.4]).r_cm([0.1, 0.0, 0.2]).m(250)
            .inertia([20, 40, 50]),
        pitch: Revolute::new().n(Y).phi(fixed(0.2)).w(fixed(0)),
        roll: Revolute::new().n(X).phi(fixed(-0.1)).w(fixed(0)),
        load: BodyShape::new().r([0.0, 0.0, -0.5]).r_cm([0.0, 0.0, -0.5]).m(60).inertia([1.0, 1.0, 0.5]),
    }
    m.chain((set.frame_middle, chassis, pitch, roll, load.frame_a));
    for (k, axis, phase) in [(1, set.axis1, 0.0), (2, set.axis2, 0.7)] {
        let name = format!("drive{k}");
        add! { m, name;
            sine: Sine::new().amplitude(12).f(0.3).phase(phase).offset(8),
            torque: Torque2::new(),
            motor: Inertia::new().J(0.02),
            gear: IdealGear::new().ratio(8),
            shaft: SpringDamper::new().c(4000).d(40).phi_rel(fixed(0)).w_rel(fixed(0)),
        }
        m.connect(sine.y, torque.tau);
        m.connect(torque.flange_a, set.support);
        m.chain((torque.flange_b, motor, gear, shaft, axis));
    }
    m.output("x", set.x);
    m.output("y", set.y);
    m.output("phi", set.phi);
    m.stop_time(10);
}
