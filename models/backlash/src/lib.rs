//! Torsional oscillators with and without backlash.

fmu_runtime::export!();
