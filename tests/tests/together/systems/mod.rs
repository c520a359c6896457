//! Systems of several FMUs: masters keep the orders of theory, cuts converge to the whole model,
//! files are read by others, and mistakes are named.

mod cuts;
mod files;
mod orders;
mod sentences;
