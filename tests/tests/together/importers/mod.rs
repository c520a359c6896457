//! Tests that existing importers compute the numbers of the C harness.

mod coarse;
mod masters;
mod matrix;
mod openmodelica;
