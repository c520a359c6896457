//! Sliding masses brought to rest by dampers.

fmu_runtime::export!();
