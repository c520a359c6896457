//! Newton's cradle with balls that touch.

fmu_runtime::export!();
