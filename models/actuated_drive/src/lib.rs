//! The same rotor as a body in space and as part of a drive train.

fmu_runtime::export!();
