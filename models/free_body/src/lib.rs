//! Free body on two springs.

fmu_runtime::export!();
