//! Planar four-bar linkage.

fmu_runtime::export!();
