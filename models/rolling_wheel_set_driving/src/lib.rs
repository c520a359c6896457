//! Axle with two wheels that torques drive.

fmu_runtime::export!();
