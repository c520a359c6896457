//! The C interface of every FMU, called by a C program as importers call it.

mod call_order;
mod co_simulation;
mod derivatives;
mod event_mode;
mod fuzzing;
mod initialization;
mod instances;
mod load;
mod memory;
mod model_exchange;
mod process;
mod resources;
mod rollback;
mod settability;
mod steps;
mod tapes;
mod values;
