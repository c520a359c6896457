//! Hydraulic cylinders with mass, as a joint and as a force along a line.

fmu_runtime::export!();
