//! Tests of the run time through its C functions and as simulations, with equations written by
//! hand.

mod allocation;
mod calls;
mod co_simulation;
mod derivatives;
mod events;
mod failures;
mod fuzz;
mod host;
mod life;
mod logging;
mod model_exchange;
mod requirements;
mod simulation;
mod state;
mod systems;
mod tables;
mod variables;
