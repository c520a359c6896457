//! The work of each command, without printing.

pub mod build;
pub mod compare;
pub mod cut;
pub mod export;
pub mod inspect;
pub mod new;
pub mod plot;
pub mod report;
pub mod systems;
pub mod view;
