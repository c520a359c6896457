//! Electric motor that feeds a drive train in co-simulation.

fmu_runtime::export!();
