//! Vehicles on a driving cycle, one of them with a trailer.

fmu_runtime::export!();
