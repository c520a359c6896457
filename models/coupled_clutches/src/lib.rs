//! Drive train with three dynamically coupled clutches.

fmu_runtime::export!();
