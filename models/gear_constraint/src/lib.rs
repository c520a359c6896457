//! Gear between two shafts in space and the same drive train in one dimension.

fmu_runtime::export!();
