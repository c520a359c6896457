//! Two bodies in the gravity field of a point.

fmu_runtime::export!();
