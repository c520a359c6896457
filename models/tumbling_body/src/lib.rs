//! Free body that tumbles about its middle axis of inertia.

fmu_runtime::export!();
