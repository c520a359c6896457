//! Ball on a spring that bounces.

fmu_runtime::export!();
