//! Inertia with a flange at the border: torque in, angle out.
//!
//! `tauDrive` drives the inertia, `tau` is what the neighbour at the border takes from it. The
//! outputs are angle, speed and acceleration of the flange. The angle depends on the torque through
//! two states, the acceleration at once.
//!
//! It is the part `directInertia` of the example `GenerationOfFMUs` of
//! Modelica.Mechanics.Rotational.

use coupler::prelude::*;
use coupler::rotational::*;

/// The model.
pub fn model(m: &mut Assembly) {
    let tau_drive = ExternalInput::unit_start("N.m", 0.0).describe("Torque that drives");
    let tau_drive = m.add("tauDrive", tau_drive);
    let tau = ExternalInput::unit_start("N.m", 0.0).describe("Torque out at the border");
    let tau = m.add("tau", tau);

    let torque = m.add("torque", Torque);
    let inertia = m.add("inertia", Inertia::J(1.0).phi(fixed(0.0)).w(fixed(0.0)));
    let border = m.add("torqueToAngle", TorqueToAngleAdaptor);

    m.connect(tau_drive.y, torque.tau);
    m.connect(torque.flange, inertia.flange_a);
    m.connect(inertia.flange_b, border.flange);
    m.connect(tau.y, border.tau);

    m.output("phi", border.phi);
    m.output("w", border.w);
    m.output("a", border.a);
    m.stop_time(1.0);
}
