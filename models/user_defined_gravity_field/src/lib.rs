//! Pendulum in a gravity field that depends on the height.

fmu_runtime::export!();
