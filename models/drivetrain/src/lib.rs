//! Motor, clutch, gear and an elastic shaft with a load.

fmu_runtime::export!();
