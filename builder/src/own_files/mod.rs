//! The files that the program carries, and the folders that it uses.

pub mod carried;
pub mod folders;
