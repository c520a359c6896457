//! Piston engine that is fired by impulses.

fmu_runtime::export!();
