//! Circuits: closed forms, loops of capacitors and cuts of inductors, modes of diodes, refusals.

mod batteries;
mod closed_forms;
mod dc_machines;
