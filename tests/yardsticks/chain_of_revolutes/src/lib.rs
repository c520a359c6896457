//! Bodies joined by revolute joints in space.

fmu_runtime::export!();
