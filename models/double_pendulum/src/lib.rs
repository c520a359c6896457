//! Double pendulum of two boxes.

fmu_runtime::export!();
