//! Five free balls that attract and hit each other.

fmu_runtime::export!();
