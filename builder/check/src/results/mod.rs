//! What is found, for readers and for other programs.

pub mod baseline;
pub mod checked;
pub mod formats;
pub mod summary;
