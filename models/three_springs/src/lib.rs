//! Body on three springs that meet in a point without mass.

fmu_runtime::export!();
