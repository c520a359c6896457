//! Eddy current brake that heats up.
//!
//! A spinning inertia is slowed by an eddy current brake whose excitation rises in a tenth of a
//! second. All power becomes heat in a small mass of copper; as that gets warmer, its resistance
//! rises and the brake reaches its largest torque at a higher speed.
//!
//! The system is the example `EddyCurrentBrake` of Modelica.Mechanics.Rotational.

use coupler::prelude::*;
use coupler::rotational::*;
use coupler::thermal::HeatCapacitor;

/// The model.
pub fn model(m: &mut Assembly) {
    let brake = EddyCurrentTorque::tau_nominal_w_nominal(100.0, 10.0).alpha20(3.92e-3);
    let brake = m.add("eddyCurrentTorque", brake);
    let inertia = m.add("inertia", Inertia::J(1.0).phi(fixed(0.0)).w(fixed(20.0)));
    let copper = m.add("heatCapacitor", HeatCapacitor::C(1.0).T(fixed(293.15)));
    let excitation = m.add("ramp", Ramp::height_duration(1.0, 0.1).start_time(0.1));

    m.connect(brake.flange, inertia.flange_a);
    m.connect(brake.heat_port, copper.port);
    m.connect(excitation.y, brake.excitation);

    m.output("w", inertia.w);
    m.output("T", copper.T);
    m.output("lossPower", brake.loss_power);
}
