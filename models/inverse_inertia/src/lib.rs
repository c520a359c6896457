//! Inertia with a flange at the border: angle in, torque out.

fmu_runtime::export!();
