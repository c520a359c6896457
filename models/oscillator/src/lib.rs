//! Two oscillators driven at resonance, one of them damped.

fmu_runtime::export!();
