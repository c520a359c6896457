//! Five balls that attract and hit each other, without turning.

fmu_runtime::export!();
