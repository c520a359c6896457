//! Torsional oscillators with and without backlash.
//!
//! Three equal inertias hang on the ground, each by another element: a spring-damper, an elastic
//! backlash whose damping torque is limited by the spring's, and one whose torque jumps at contact.
//! Each is turned by a right angle and let go.
//!
//! The system is the example `Backlash` of Modelica.Mechanics.Rotational.

use coupler::prelude::*;
use coupler::rotational::*;
use std::f64::consts::{FRAC_PI_2, FRAC_PI_4};

/// The model.
pub fn model(m: &mut Assembly) {
    const C: f64 = 20e3;
    const D: f64 = 50.0;
    let ground = m.add("fixed", Fixed::default());
    let spring = SpringDamper::c_d(C, D).phi_nominal(1.0);
    let spring = m.add("springDamper", spring);
    let limited = ElastoBacklash::c_d(C, D).b(FRAC_PI_4).phi_nominal(1.0);
    let limited = m.add("elastoBacklash", limited);
    let jumping = ElastoBacklash2::c_d(C, D).b(FRAC_PI_4).phi_nominal(1.0);
    let jumping = m.add("elastoBacklash2", jumping);

    let elements = [
        ("inertia1", spring.flange_a, spring.flange_b),
        ("inertia2", limited.flange_a, limited.flange_b),
        ("inertia3", jumping.flange_a, jumping.flange_b),
    ];
    for (name, flange_a, flange_b) in elements {
        let inertia = m.add(name, Inertia::J(5.0).phi(fixed(FRAC_PI_2)).w(fixed(0.0)));
        m.connect(ground.flange, flange_a);
        m.connect(flange_b, inertia.flange_a);
        m.output(format!("{name}_w"), inertia.w);
    }
    m.stop_time(1.0);
}
