//! Force and torque between two frames, resolved in a third one.

fmu_runtime::export!();
