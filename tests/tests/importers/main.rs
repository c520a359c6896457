//! Importers that exist give the numbers of the C harness.

mod masters;
mod matrix;
mod rust_fmi;
