//! Four-bar linkage in space with a massless rod.

fmu_runtime::export!();
