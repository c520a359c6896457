//! Body on a spherical joint beside a body on a constraint of the same freedoms.

fmu_runtime::export!();
