//! Two inertias on a shaft, three times, cut where FMUs could be joined.

fmu_runtime::export!();
