//! Newton's cradle.

fmu_runtime::export!();
