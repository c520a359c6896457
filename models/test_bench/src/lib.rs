//! Motor on a test bench whose speed follows a cycle from a file.

fmu_runtime::export!();
