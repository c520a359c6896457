//! What importers and the run time are told of a program.

pub mod affine;
pub mod describe;
pub mod guid;
pub mod info;
pub mod publish;
