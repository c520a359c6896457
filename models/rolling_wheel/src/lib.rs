//! Wheel that rolls on a plane without slip.

fmu_runtime::export!();
