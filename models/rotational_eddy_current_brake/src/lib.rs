//! Eddy current brake that heats up.

fmu_runtime::export!();
