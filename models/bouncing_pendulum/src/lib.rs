//! Pendulum that bounces on a floor.

fmu_runtime::export!();
