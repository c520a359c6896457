//! Bar held at rest by a spring of unknown stiffness.

fmu_runtime::export!();
