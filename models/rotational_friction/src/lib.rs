//! Drive train with a clutch, a spring and a brake.

fmu_runtime::export!();
