//! Sliding masses between two springs, with and without gap.

fmu_runtime::export!();
