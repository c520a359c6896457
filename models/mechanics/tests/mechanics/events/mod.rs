//! Events: their instants, their order, and modes that are consistent with each other.

mod friction_instants;
mod friction_networks;
mod samplers;
mod signal_sources;
mod tables;
