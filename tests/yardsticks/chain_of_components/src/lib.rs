//! Chain of inertias joined by spring-dampers.

fmu_runtime::export!();
