//! Slider crank of an engine with gas force.

fmu_runtime::export!();
