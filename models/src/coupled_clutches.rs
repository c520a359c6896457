//! Drive train with three dynamically coupled clutches.
//!
//! Four inertias in series are connected by three clutches. A sinusoidal torque acts on the first
//! one. Clutch 1 is released slowly; clutches 2 and 3 are engaged at 0.4 s and 0.9 s. At some times
//! several clutches are stuck at once, and the sliding ones must be determined together.
//!
//! The system is the example `CoupledClutches` of Modelica.Mechanics.Rotational.

use coupler::prelude::*;
use coupler::rotational::*;
use std::f64::consts::FRAC_PI_2;

/// The model.
pub fn model(m: &mut Assembly) {
    add! { m,
        j1 "J1": Inertia::new().J(1).phi(fixed(0)).w(fixed(10)),
        j2 "J2": Inertia::new().J(1).phi(fixed(0)).w(fixed(0)),
        j3 "J3": Inertia::new().J(1).phi(fixed(0)).w(fixed(0)),
        j4 "J4": Inertia::new().J(1).phi(fixed(0)).w(fixed(0)),
        torque: Torque::new(),
        clutch1: Clutch::new().fn_max(20).peak(1.1),
        clutch2: Clutch::new().fn_max(20).peak(1.1),
        clutch3: Clutch::new().fn_max(20).peak(1.1),
        fixed: Fixed::new(),
    }

    add! { m,
        sin1: Sine::new().amplitude(10).f(5),
        sin2: Sine::new().amplitude(1).f(0.2).phase(FRAC_PI_2),
        step1: Step::new().height(1).start_time(0.4),
        step2: Step::new().height(1).start_time(0.9),
    }

    m.connect(torque.support, fixed.flange);
    m.chain((torque.flange, j1, clutch1, j2, clutch2, j3, clutch3, j4.flange_a));

    m.connect(sin1.y, torque.tau);
    m.connect(sin2.y, clutch1.f_normalized);
    m.connect(step1.y, clutch2.f_normalized);
    m.connect(step2.y, clutch3.f_normalized);

    m.outputs([j1.w, j2.w, j3.w, j4.w]);
    m.stop_time(1.5);
}
