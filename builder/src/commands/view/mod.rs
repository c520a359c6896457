//! Shows a simulation that runs while it is watched: a page with controls, and a server on this
//! machine behind it.
//!
//! `request` decides which requests are legal, `server` answers them, and a `session` is a process
//! of this program that runs an instance (`run::live`) and exchanges lines of JSON with the server:
//!
//! * A session simulates only up to the first communication point at or after the time that its
//!   page asks for.
//! * The server checks names and values before a session sees them, so a session that reports a
//!   problem has failed. A restart is a new process; nothing of a failed one is used again.
//! * A session ends with its standard input, so that no process remains, however the server ends.
//!   It is a process group, so that those that an FMU starts end with it; the process in which
//!   `fmu check` tries a library is one, too.
//! * The server stores one answer of a session, of limited length, and nothing else that its
//!   process prints.

pub mod controls;
mod request;
mod server;
mod session;

pub use server::{View, serve};
pub use session::{Code, Launch, SUBCOMMAND, run_session};
