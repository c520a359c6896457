//! Body on a revolute joint beside a body on a constraint of the same freedom.

fmu_runtime::export!();
