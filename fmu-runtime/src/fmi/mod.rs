//! The terms of FMI: types and constants of C, call order, capabilities, log.

pub mod calls;
pub mod capabilities;
pub mod fmi2;
pub mod log;
