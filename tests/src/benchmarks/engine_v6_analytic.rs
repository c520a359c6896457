//! The engine of the model `engine_v6` with an assembly of joints in closed form, `JointRRP`, in
//! each cylinder.
//!
//! The motion is that of `EngineV6`. The system is the example `EngineV6_analytic` of
//! Modelica.Mechanics.MultiBody.

use libraries::prelude::*;
use models::engine_v6::{PistonJoints, with_joints};

/// The model.
pub fn model(m: &mut Assembly) {
    with_joints(m, PistonJoints::Assembly);
}
