//! Gear with mesh losses between two inertias that drive in turn.

fmu_runtime::export!();
