//! Tests of the run time through its C functions and as simulations, with equations written by
//! hand.

mod allocation;
mod calls;
mod co_simulation;
mod counting_allocator;
mod delays;
mod derivatives;
mod events;
mod failures;
mod fmu_state;
mod fuzz;
mod importer;
mod late_starts;
mod lifecycle;
mod logging;
mod model_exchange;
mod output_derivatives;
mod requirements;
mod simulation;
mod systems;
mod tables;
mod variables;
