//! Runs this program again in a child, which may crash with the library of an FMU it loads.

use std::env;
use std::process::{Command, ExitStatus};

use crate::error::{Attempt, Error};

/// Set in the child.
const CHILD: &str = "COUPLER_CHILD";

/// Whether this process is the child.
pub fn is_child() -> bool {
    env::var_os(CHILD).is_some()
}

/// Runs the same command in a child and waits for it; what it leaves in its temporary folder goes,
/// however it ends.
///
/// # Errors
/// There is no temporary folder, or the child cannot be started.
pub fn run() -> Result<ExitStatus, Error> {
    let place = env::temp_dir();
    let folder = tempfile::Builder::new().prefix("fmu-run-").tempdir();
    let folder = folder.attempt("make a folder in", &place)?;
    let program = env::current_exe().attempt("find the program of", &place)?;
    Command::new(&program)
        .args(env::args_os().skip(1))
        .env(CHILD, "1")
        .envs(["TMPDIR", "TMP", "TEMP"].map(|name| (name, folder.path())))
        .status()
        .attempt("start", &program)
}
