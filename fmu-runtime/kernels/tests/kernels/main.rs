//! Tests of the kernels, one module for each.

mod impact;
mod linear;
mod newton;
mod paths;
mod rows;
mod scalar;
mod table;
