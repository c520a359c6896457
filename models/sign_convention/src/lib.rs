//! Three masses that the same force accelerates alike.

fmu_runtime::export!();
