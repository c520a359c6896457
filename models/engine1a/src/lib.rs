//! Slider crank of an engine without gas force.

fmu_runtime::export!();
