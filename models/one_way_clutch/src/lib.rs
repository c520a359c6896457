//! One-way clutch between two inertias.

fmu_runtime::export!();
