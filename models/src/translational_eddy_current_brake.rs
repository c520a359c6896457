//! Eddy current brake for a sliding mass.
//!
//! A sliding mass is slowed down by an eddy current brake whose excitation rises within a tenth of
//! a second. All power becomes heat in a small mass of copper. As its temperature rises, its
//! resistance increases, and the brake reaches its largest force at a higher speed.
//!
//! The system is the example `EddyCurrentBrake` of Modelica.Mechanics.Translational.

use coupler::prelude::*;
use coupler::thermal::HeatCapacitor;
use coupler::translational::*;

/// The model.
pub fn model(m: &mut Assembly) {
    add! { m,
        brake "eddyCurrentForce":
            EddyCurrentForce::new().f_nominal(100).v_nominal(10).alpha20(3.92e-3),
        mass: Mass::new().m(1).s(fixed(0)).v(fixed(20)),
        copper "heatCapacitor": HeatCapacitor::new().C(1).T(fixed(293.15)),
        excitation "ramp": Ramp::new().height(1).duration(0.1).start_time(0.1),
    }

    m.connect(brake.flange, mass.flange_a);
    m.connect(brake.heat_port, copper.port);
    m.connect(excitation.y, brake.excitation);

    m.output("v", mass.v);
    m.output("T", copper.T);
    m.output("lossPower", brake.loss_power);
}
