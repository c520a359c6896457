//! Eddy current brake that heats up.
//!
//! A rotating inertia is slowed down by an eddy current brake whose excitation rises within a tenth
//! of a second. All power becomes heat in a small mass of copper. As its temperature rises, its
//! resistance increases, and the brake reaches its largest torque at a higher speed.
//!
//! The system is the example `EddyCurrentBrake` of Modelica.Mechanics.Rotational.

use coupler::prelude::*;
use coupler::rotational::*;
use coupler::thermal::HeatCapacitor;

/// The model.
pub fn model(m: &mut Assembly) {
    add! { m,
        brake "eddyCurrentTorque":
            EddyCurrentTorque::new().tau_nominal(100).w_nominal(10).alpha20(3.92e-3),
        inertia: Inertia::new().J(1).phi(fixed(0)).w(fixed(20)),
        copper "heatCapacitor": HeatCapacitor::new().C(1).T(fixed(293.15)),
        excitation "ramp": Ramp::new().height(1).duration(0.1).start_time(0.1),
    }

    m.connect(brake.flange, inertia.flange_a);
    m.connect(brake.heat_port, copper.port);
    m.connect(excitation.y, brake.excitation);

    m.output("w", inertia.w);
    m.output("T", copper.T);
    m.output("lossPower", brake.loss_power);
}
