//! Eddy current brake for a sliding mass.

fmu_runtime::export!();
