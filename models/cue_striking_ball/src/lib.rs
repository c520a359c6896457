//! Cue that strikes a ball.

fmu_runtime::export!();
