//! The functions of FMI, for an instance that allows the call.

pub mod co_simulation;
pub mod derivatives;
pub mod fmu_state;
pub mod lifecycle;
pub mod model_exchange;
pub mod output_derivatives;
pub mod variables;
