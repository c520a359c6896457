//! Pendulum with a damper in its joint.

fmu_runtime::export!();
