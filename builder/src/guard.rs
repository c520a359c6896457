//! Runs this program again in a child, which may crash with the library of an FMU it loads.

use std::fs::File;
use std::process::{self, Command, ExitStatus, Stdio};
use std::{env, io, thread};

use crate::error::{Attempt, Error};

/// Set in the child.
const CHILD: &str = "COUPLER_CHILD";

/// The file in the child's temporary folder that says that it came to its own end.
const DONE: &str = "done";

/// How a child ended.
pub enum End {
    /// By itself, with this status; it has said what there was to say.
    Own(ExitStatus),
    /// By what the library did.
    Library(ExitStatus),
}

/// Whether this process is the child.
pub fn is_child() -> bool {
    env::var_os(CHILD).is_some()
}

/// Runs the same command in a child and waits for it; what it leaves in its temporary folder goes,
/// however it ends.
///
/// # Errors
/// There is no temporary folder, or the child cannot be started.
pub fn run() -> Result<End, Error> {
    let place = env::temp_dir();
    let folder = tempfile::Builder::new().prefix("fmu-run-").tempdir();
    let folder = folder.attempt("make a folder in", &place)?;
    let program = env::current_exe().attempt("find the program of", &place)?;
    let mut child = Command::new(&program)
        .args(env::args_os().skip(1))
        .env(CHILD, "1")
        .envs(["TMPDIR", "TMP", "TEMP"].map(|name| (name, folder.path())))
        .stdin(Stdio::piped())
        .spawn()
        .attempt("start", &program)?;
    // It is open as long as this process lives.
    let _lifeline = child.stdin.take();
    let status = child.wait().attempt("wait for", &program)?;
    let by_itself = folder.path().join(DONE).exists();
    Ok(if by_itself { End::Own(status) } else { End::Library(status) })
}

/// Says in the child that it has done what it was to do.
pub fn done() {
    // Where this cannot be written, the parent blames the library.
    drop(File::create(env::temp_dir().join(DONE)));
}

/// Ends this process when its parent ends, which closes the standard input.
pub fn follow_parent() {
    thread::spawn(|| {
        let _ = io::copy(&mut io::stdin().lock(), &mut io::sink());
        process::exit(1);
    });
}
