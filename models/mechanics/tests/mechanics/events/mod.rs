//! Events: their instants, their order, and modes that agree with each other.

mod friction_instants;
mod friction_networks;
mod signal_sources;
mod tables;
