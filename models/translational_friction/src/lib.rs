//! Sliding masses with stops and Stribeck friction.

fmu_runtime::export!();
