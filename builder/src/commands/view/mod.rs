//! `fmu view`: a simulation, a page with controls that shows it, and the server of the page on this
//! machine.
//!
//! `request` decides which requests are legal, `server` answers them, and a `session` is a process
//! of this program that runs an instance (`run::live`) and exchanges lines of JSON with the server:
//!
//! * A session simulates only up to the first communication point at or after the time that its
//!   page asks for.
//! * The server checks names and values before a session sees them, so a session that reports a
//!   problem has failed. A restart is a new process; nothing of a failed one is used again.
//! * A session ends with its standard input, so that no process remains, however the server ends. A
//!   session is a process group, so processes that an FMU starts end with the session. The process
//!   in which `fmu check` tries a library is a process group, too.
//! * The server stores one answer of a session, of limited length, and nothing else that the
//!   session prints.

pub mod controls;
mod request;
mod server;
mod session;

pub use server::{View, serve};
pub use session::{Code, Launch, SUBCOMMAND, run_session};
