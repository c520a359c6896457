//! Two rotors and a bevel gear on a box that turns about three axes.

fmu_runtime::export!();
