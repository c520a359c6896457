//! Two masses that are braked to a standstill.

fmu_runtime::export!();
