//! Rules for the library of an FMU, which is called in a process of its own.

mod causes;
mod child;
pub mod library_test;
pub mod reference_test;
pub mod test_process;
