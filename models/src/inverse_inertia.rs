//! Inertia with a flange at the border: angle in, torque out.
//!
//! The neighbour moves the flange with the angle `phi`, its speed `w` and its acceleration `a`;
//! `tau` is the torque that this takes. There is no state: the inertia follows at once.
//!
//! It is the part `inverseInertia` of the example `GenerationOfFMUs` of
//! Modelica.Mechanics.Rotational.

use coupler::prelude::*;
use coupler::rotational::*;

/// The model.
pub fn model(m: &mut Assembly) {
    let phi = ExternalInput::unit_start("rad", 0.0).describe("Angle of the flange");
    let phi = m.add("phi", phi);
    let w = ExternalInput::unit_start("rad/s", 0.0).describe("Its derivative");
    let w = m.add("w", w);
    let a = ExternalInput::unit_start("rad/s2", 0.0).describe("Its second derivative");
    let a = m.add("a", a);

    let border = m.add("angleToTorque", AngleToTorqueAdaptor);
    let inertia = m.add("inertia", Inertia::J(1.0));

    m.connect(phi.y, border.phi);
    m.connect(w.y, border.w);
    m.connect(a.y, border.a);
    m.connect(border.flange, inertia.flange_a);

    m.output("tau", border.tau);
    m.stop_time(1.0);
}
