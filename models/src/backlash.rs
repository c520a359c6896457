//! Torsional oscillators with and without backlash.
//!
//! Three equal inertias are connected to the ground by different components: a spring-damper, an
//! elastic backlash whose damping torque is limited to the spring torque, and one whose torque
//! jumps at contact. Each inertia starts at rest at an angle of 90 deg.
//!
//! The system is the example `Backlash` of Modelica.Mechanics.Rotational.

use coupler::prelude::*;
use coupler::rotational::*;
use std::f64::consts::{FRAC_PI_2, FRAC_PI_4};

/// The model.
pub fn model(m: &mut Assembly) {
    const C: f64 = 20e3;
    const D: f64 = 50.0;
    add! { m,
        ground "fixed": Fixed::new(),
        spring "springDamper": SpringDamper::new().c(C).d(D).phi_nominal(1),
        limited "elastoBacklash": ElastoBacklash::new().c(C).d(D).b(FRAC_PI_4).phi_nominal(1),
        jumping "elastoBacklash2": ElastoBacklash2::new().c(C).d(D).b(FRAC_PI_4).phi_nominal(1),
    }

    let elements = [
        ("inertia1", spring.flange_a, spring.flange_b),
        ("inertia2", limited.flange_a, limited.flange_b),
        ("inertia3", jumping.flange_a, jumping.flange_b),
    ];
    for (name, flange_a, flange_b) in elements {
        add! { m, inertia [name]: Inertia::new().J(5).phi(fixed(FRAC_PI_2)).w(fixed(0)) }
        m.connect(ground.flange, flange_a);
        m.connect(flange_b, inertia.flange_a);
        m.outputs([inertia.w]);
    }
    m.stop_time(1);
}
