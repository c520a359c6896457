//! Torsion spring and damper with two flanges at the border: angles in, torques out.

fmu_runtime::export!();
