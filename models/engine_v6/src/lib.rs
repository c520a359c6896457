//! Engine with six cylinders in two rows.

fmu_runtime::export!();
