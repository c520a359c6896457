//! Drive train with a gear and an elastic shaft.
//!
//! A torque that varies like a sine drives, through a gear, an inertia that a damper holds back,
//! and through a spring a second one. The motor's inertia has no states of its own: its angle is
//! ten times that of the gear's output.
//!
//! The system is the example `First` of Modelica.Mechanics.Rotational.

use coupler::prelude::*;
use coupler::rotational::*;

/// The model.
pub fn model(m: &mut Assembly) {
    let torque = m.add("torque", Torque);
    let inertia1 = m.add("inertia1", Inertia::J(0.1));
    let gear = m.add("idealGear", IdealGear::ratio(10.0));
    let inertia2 = m.add("inertia2", Inertia::J(2.0).phi(fixed(0.0)).w(fixed(0.0)));
    let spring = m.add("spring", Spring::c(1e4).phi_rel(fixed(0.0)));
    let inertia3 = m.add("inertia3", Inertia::J(2.0).w(fixed(0.0)));
    let damper = m.add("damper", Damper::d(10.0));
    let sine = m.add("sine", Sine::amplitude_f(10.0, 5.0));
    let ground = m.add("fixed", Fixed::default());

    m.connect(sine.y, torque.tau);
    m.connect(torque.flange, inertia1.flange_a);
    m.connect(inertia1.flange_b, gear.flange_a);
    m.connect(gear.flange_b, inertia2.flange_a);
    m.connect(inertia2.flange_b, spring.flange_a);
    m.connect(spring.flange_b, inertia3.flange_a);
    m.connect(inertia2.flange_b, damper.flange_a);
    m.connect(damper.flange_b, ground.flange);
    m.connect(torque.support, ground.flange);
    m.connect(gear.support, ground.flange);

    for (name, inertia) in
        [("inertia1_w", inertia1), ("inertia2_w", inertia2), ("inertia3_w", inertia3)]
    {
        m.output(name, inertia.w);
    }
    m.stop_time(1.0);
}
