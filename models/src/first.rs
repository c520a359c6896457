//! Drive train with a gear and an elastic shaft.
//!
//! A sinusoidal torque acts on the inertia of a motor. The motor drives an inertia with a damper
//! through a gear, and a further inertia through a spring. The motor's inertia has no states of its
//! own: its angle is ten times that of the gear's output.
//!
//! The system is the example `First` of Modelica.Mechanics.Rotational.

use coupler::prelude::*;
use coupler::rotational::*;

/// The model.
pub fn model(m: &mut Assembly) {
    add! { m,
        torque: Torque::new(),
        inertia1: Inertia::new().J(0.1),
        gear "idealGear": IdealGear::new().ratio(10),
        inertia2: Inertia::new().J(2).phi(fixed(0)).w(fixed(0)),
        spring: Spring::new().c(1e4).phi_rel(fixed(0)),
        inertia3: Inertia::new().J(2).w(fixed(0)),
        damper: Damper::new().d(10),
        sine: Sine::new().amplitude(10).f(5),
        ground "fixed": Fixed::new(),
    }

    m.connect(sine.y, torque.tau);
    m.chain((torque.flange, inertia1, gear, inertia2, spring, inertia3.flange_a));
    m.chain((inertia2.flange_b, damper, ground.flange));
    m.connect(torque.support, ground.flange);
    m.connect(gear.support, ground.flange);

    m.outputs([inertia1.w, inertia2.w, inertia3.w]);
    m.stop_time(1);
}
