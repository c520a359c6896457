//! Circuits: closed forms, loops of capacitors and cuts of inductors, modes of diodes, refusals.

mod averaged_converters;
mod batteries;
mod closed_forms;
mod dc_machines;
