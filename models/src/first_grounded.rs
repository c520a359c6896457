//! Drive train whose housings need no connection.
//!
//! This is the drive train of `first`. The supports of torque and gear are not connected, so they
//! are fixed.
//!
//! The system is the example `FirstGrounded` of Modelica.Mechanics.Rotational.

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

    m.outputs([inertia1.w, inertia2.w, inertia3.w]);
    m.stop_time(1);
}
