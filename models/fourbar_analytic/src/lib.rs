//! Four-bar linkage in space whose loop is closed in closed form.

fmu_runtime::export!();
