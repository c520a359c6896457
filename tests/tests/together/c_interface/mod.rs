//! Tests of the C interface of every FMU, which a C program calls as importers do.

mod call_order;
mod co_simulation;
mod compiled_controllers;
mod derivatives;
mod event_mode;
mod fuzzing;
mod initialization;
mod instances;
mod load;
mod memory;
mod model_exchange;
mod one_of_each;
mod output_derivatives;
mod process;
mod resources;
mod rollback;
mod settability;
mod steps;
mod tapes;
mod typed_inputs;
mod values;
