//! Two masses in a row, three times, cut where FMUs could be joined.

fmu_runtime::export!();
