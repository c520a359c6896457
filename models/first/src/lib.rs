//! Drive train with a gear and an elastic shaft.

fmu_runtime::export!();
