//! Four-bar loop that hits a floor.

fmu_runtime::export!();
