//! Drive train with three dynamically coupled clutches.
//!
//! Four inertias in a row are joined by three clutches. A torque that varies like a sine acts on
//! the first one; clutch 1 is released slowly, clutches 2 and 3 are engaged at 0.4 s and 0.9 s.
//! From time to time several clutches are stuck at once, and which of them slide has to be found
//! together.
//!
//! The system is the example `CoupledClutches` of Modelica.Mechanics.Rotational.

use coupler::prelude::*;
use coupler::rotational::*;
use std::f64::consts::FRAC_PI_2;

/// The model.
pub fn model(m: &mut Assembly) {
    let j1 = m.add("J1", Inertia::J(1.0).phi(fixed(0.0)).w(fixed(10.0)));
    let j2 = m.add("J2", Inertia::J(1.0).phi(fixed(0.0)).w(fixed(0.0)));
    let j3 = m.add("J3", Inertia::J(1.0).phi(fixed(0.0)).w(fixed(0.0)));
    let j4 = m.add("J4", Inertia::J(1.0).phi(fixed(0.0)).w(fixed(0.0)));
    let torque = m.add("torque", Torque);
    let clutch1 = m.add("clutch1", Clutch::fn_max(20.0).peak(1.1));
    let clutch2 = m.add("clutch2", Clutch::fn_max(20.0).peak(1.1));
    let clutch3 = m.add("clutch3", Clutch::fn_max(20.0).peak(1.1));
    let fixed = m.add("fixed", Fixed::default());

    let sin1 = m.add("sin1", Sine::amplitude_f(10.0, 5.0));
    let sin2 = m.add("sin2", Sine::amplitude_f(1.0, 0.2).phase(FRAC_PI_2));
    let step1 = m.add("step1", Step::height(1.0).start_time(0.4));
    let step2 = m.add("step2", Step::height(1.0).start_time(0.9));

    m.connect(torque.support, fixed.flange);
    m.connect(torque.flange, j1.flange_a);
    m.connect(j1.flange_b, clutch1.flange_a);
    m.connect(clutch1.flange_b, j2.flange_a);
    m.connect(j2.flange_b, clutch2.flange_a);
    m.connect(clutch2.flange_b, j3.flange_a);
    m.connect(j3.flange_b, clutch3.flange_a);
    m.connect(clutch3.flange_b, j4.flange_a);

    m.connect(sin1.y, torque.tau);
    m.connect(sin2.y, clutch1.f_normalized);
    m.connect(step1.y, clutch2.f_normalized);
    m.connect(step2.y, clutch3.f_normalized);

    for (name, inertia) in [("J1_w", j1), ("J2_w", j2), ("J3_w", j3), ("J4_w", j4)] {
        m.output(name, inertia.w);
    }
    m.stop_time(1.5);
}
