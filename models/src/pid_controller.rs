//! Drive with an elastic shaft, whose speed a controller with limits makes follow a motion.
//!
//! The system starts in a steady state, also of the controller.
//!
//! The system is the example `PID_Controller` of Modelica.Blocks.

use coupler::blocks::{LimPID, SimpleController};
use coupler::prelude::*;
use coupler::rotational::*;
use std::f64::consts::FRAC_PI_2;

/// The model.
pub fn model(m: &mut Assembly) {
    let controller = LimPID::new().controller_type(SimpleController::PI).k(100).Ti(0.1).Td(0.1);
    let spring = SpringDamper::new().c(1e4).d(100).w_rel(fixed(0)).states(Prefer);
    add! { m,
        motion "kinematicPTP": KinematicPTP::new().deltaq([FRAC_PI_2]).qd_max([1]).qdd_max([1]).start_time(0.5),
        integrator: Integrator::new(),
        controller "PI": controller.Ni(0.1).y_max(12).init_type(Init::SteadyState),
        torque: Torque::new(),
        inertia1: Inertia::new().J(1).phi(fixed(0)).a(fixed(0)),
        speed "speedSensor": SpeedSensor::new(),
        spring: spring.a_rel(fixed(0)),
        inertia2: Inertia::new().J(2),
        load "loadTorque": ConstantTorque::new().tau_constant(10),
    }

    m.connect(motion.y.element(1), integrator.u);
    m.connect(integrator.y, controller.u_s);
    m.connect(speed.w, controller.u_m);
    m.connect(controller.y, torque.tau);
    m.chain((torque.flange, inertia1, spring, inertia2, load.flange));
    m.connect(inertia1.flange_b, speed.flange);

    m.outputs([inertia1.w, inertia2.w, controller.y]);
    m.stop_time(4);
    m.step_size(4e-3);
}
