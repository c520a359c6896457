//! The bouncing ball as an FMU; the model is in `model.rs`.

fmu_runtime::export!();
