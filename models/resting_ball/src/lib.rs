//! Ball that bounces and comes to rest on a floor.

fmu_runtime::export!();
