//! Tests that existing importers compute the numbers of the C harness.

mod coarse;
mod euler;
mod masters;
mod matrix;
mod openmodelica;
