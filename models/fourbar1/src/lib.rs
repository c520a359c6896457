//! Four-bar linkage in space, its loop closed by a spherical joint.

fmu_runtime::export!();
