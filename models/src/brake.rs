//! Two masses that are braked to a standstill.
//!
//! Both masses slide at the same speed until their brakes are pressed. One brake is fixed to the
//! ground, the other one to a fixed housing. Both masses stop at the same instant and stay at rest.
//!
//! The system is the example `Brake` of Modelica.Mechanics.Translational.

use coupler::prelude::*;
use coupler::translational::*;

/// The model.
pub fn model(m: &mut Assembly) {
    add! { m,
        mass1: Mass::new().m(1).s(fixed(0)).v(fixed(1)),
        mass2: Mass::new().m(1).s(fixed(0)).v(fixed(1)),
        brake: Brake::new().fn_max(1),
        brake1: Brake::new().fn_max(1),
        fixed: Fixed::new(),
        step: Step::new().height(2).start_time(0.1),
    }

    m.connect(mass1.flange_b, brake.flange_a);
    m.connect(mass2.flange_b, brake1.flange_a);
    m.connect(brake1.support, fixed.flange);
    m.connect(step.y, brake.f_normalized);
    m.connect(step.y, brake1.f_normalized);

    m.output("v1", mass1.v);
    m.output("v2", mass2.v);
    m.stop_time(2);
}
