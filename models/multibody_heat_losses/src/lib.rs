//! Bodies on springs and dampers in three arrangements.

fmu_runtime::export!();
