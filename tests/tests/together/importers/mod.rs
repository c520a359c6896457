//! Importers that exist give the numbers of the C harness.

mod coarse;
mod masters;
mod matrix;
