//! Gear with mesh losses and a bearing with friction, which stick in turn.

fmu_runtime::export!();
