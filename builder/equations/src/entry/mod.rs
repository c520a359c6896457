//! The ways into this crate: model texts, systems written by hand, evaluation at one point.

pub mod hand_written;
pub mod interpret;
pub mod text;
