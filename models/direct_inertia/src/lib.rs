//! Inertia with a flange at the border: torque in, angle out.

fmu_runtime::export!();
