//! Sliding frame whose position follows a sine.

fmu_runtime::export!();
