//! Drive train whose housings need no connection.

fmu_runtime::export!();
