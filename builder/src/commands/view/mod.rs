//! Shows a simulation that runs while it is watched: a page with controls, and a server on this
//! machine behind it.

pub mod controls;
mod request;
mod server;
mod session;

pub use server::{View, serve};
pub use session::{Code, Launch, SUBCOMMAND, run_session};
