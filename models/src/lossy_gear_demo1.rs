//! Gear with mesh losses between two inertias that drive in turn.
//!
//! A torque that varies like a sine drives one side of a gear with an efficiency of one half; a
//! torque that falls with time acts on the other side. The driving flange changes, and for a while
//! the gear is stuck: the torques are not large enough to overcome its losses.
//!
//! The system is the example `LossyGearDemo1` of Modelica.Mechanics.Rotational.

use coupler::prelude::*;
use coupler::rotational::*;

/// The model.
pub fn model(m: &mut Assembly) {
    let gear = m.add("gear", LossyGear::ratio(2.0).loss_table([[0.0, 0.5, 0.5, 0.0, 0.0]]));
    let inertia1 = m.add("Inertia1", Inertia::J(1.0));
    let inertia2 = m.add("Inertia2", Inertia::J(1.5).phi(fixed(0.0)).w(fixed(0.0)));
    let torque1 = m.add("torque1", Torque);
    let torque2 = m.add("torque2", Torque);
    let drive_sine = m.add("DriveSine", Sine::amplitude_f(10.0, 1.0));
    let load = m.add("load", Ramp::height_duration(5.0, 2.0).offset(-10.0));
    let fixed = m.add("fixed", Fixed::default());

    m.connect(torque1.flange, inertia1.flange_a);
    m.connect(inertia1.flange_b, gear.flange_a);
    m.connect(gear.flange_b, inertia2.flange_a);
    m.connect(torque2.flange, inertia2.flange_b);
    m.connect(fixed.flange, gear.support);
    m.connect(fixed.flange, torque1.support);
    m.connect(fixed.flange, torque2.support);
    m.connect(drive_sine.y, torque1.tau);
    m.connect(load.y, torque2.tau);

    m.output("Inertia2_phi", inertia2.phi);
    m.output("Inertia2_w", inertia2.w);
    m.stop_time(0.5);
}
