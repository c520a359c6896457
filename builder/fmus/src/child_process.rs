//! Runs this program again in a child process, which may crash with the code that it loads.

use std::path::{Path, PathBuf};
use std::process::{self, Child, Command, ExitStatus, Stdio};
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex};
use std::time::{SystemTime, UNIX_EPOCH};
use std::{env, fs, io, thread};

use crate::vocabulary::error::{Error, FileContext};

/// The environment variable with which the child receives its temporary folder.
const CHILD: &str = "COUPLER_CHILD";

/// The name of the code of an FMU in messages.
pub const LIBRARY: &str = "the library of the FMU";

/// The beginning of the name of this folder.
const PREFIX: &str = "fmu-run-";

/// A file in the child's temporary folder: the child writes it at the end of its work, with its
/// success.
const DONE: &str = "done";

/// The file in the same folder that names the code which the child runs.
const CODE: &str = "code";

/// The content of the file [`DONE`] after a success.
const SUCCESS: &str = "success";

/// Locked while a child deletes its folder, because its parent has ended.
static ENDING: Mutex<()> = Mutex::new(());

/// How often a child tries to delete its folder, in which its work may still make files.
const ATTEMPTS: usize = 100;

/// How a child ended.
pub enum ChildEnd {
    /// It ended regularly, with or without success, and has printed its errors. What a library did
    /// to the process afterwards does not matter.
    Own {
        /// Whether it succeeded.
        success: bool,
    },
    /// Other code ended it.
    Foreign {
        /// The code that ran: the argument of [`runs`].
        code: String,
        /// How the process ended.
        status: ExitStatus,
    },
}

/// Whether this process is the child.
pub fn is_child() -> bool {
    env::var_os(CHILD).is_some()
}

/// Runs the same command in a child and waits for it. Its temporary folder, which the child makes
/// ([`make_folder`]), is deleted, however it ends.
///
/// # Errors
/// If the child cannot be started.
pub fn run() -> Result<ChildEnd, Error> {
    let place = env::temp_dir();
    let nanoseconds = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |t| t.as_nanos());
    let folder = place.join(format!("{PREFIX}{}-{nanoseconds:x}", process::id()));
    let program = env::current_exe().attempt("find the program of", &place)?;
    let mut child = Command::new(&program)
        .args(env::args_os().skip(1))
        .env(CHILD, &folder)
        .envs(["TMPDIR", "TMP", "TEMP"].map(|name| (name, &folder)))
        .stdin(Stdio::piped())
        .spawn()
        .attempt("start", &program)?;
    // The pipe is open as long as this process runs.
    let _lifeline = child.stdin.take();
    let status = child.wait().attempt("wait for", &program);
    let end = status.map(|status| how_it_ended(&folder, status));
    // A child that could not make its folder has left none.
    drop(fs::remove_dir_all(&folder));
    end
}

/// A command that runs this program for a part of this process's work, and the temporary folder of
/// the child. The standard input of the child is a pipe, which this process holds open while it
/// needs the child.
///
/// # Errors
/// If the file of this program is not known.
pub fn assistant() -> Result<Command, Error> {
    let program = env::current_exe().attempt("find the program of", &env::temp_dir())?;
    let mut command = Command::new(program);
    // The folder belongs to this process, which deletes it.
    command.env_remove(CHILD).stdin(Stdio::piped());
    Ok(command)
}

/// A process started with [`Family::spawn`], and all processes started by this process: on Unix its
/// process group. All end when this value is dropped.
pub struct Family {
    child: Child,
    /// How the process ended; afterwards, another process may have its number.
    end: Option<ExitStatus>,
}

impl Family {
    /// Starts a process.
    ///
    /// # Errors
    /// If the system refuses.
    pub fn spawn(command: &mut Command) -> io::Result<Family> {
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(command, 0);
        Ok(Family { child: command.spawn()?, end: None })
    }

    /// The process, for its pipes.
    pub fn first(&mut self) -> &mut Child {
        &mut self.child
    }

    /// Ends all processes; returns how the first one ended.
    pub fn end(&mut self) -> Option<ExitStatus> {
        if self.end.is_none() {
            // A process that has ended keeps its number until it is waited for.
            #[cfg(unix)]
            {
                use rustix::process::{Pid, Signal, kill_process_group};
                let _ = kill_process_group(Pid::from_child(&self.child), Signal::KILL);
            }
            drop(self.child.kill());
            self.end = self.child.wait().ok();
        }
        self.end
    }

    /// Whether the first process has ended; on systems other than Unix the others remain then.
    pub fn has_ended(&mut self) -> bool {
        #[cfg(unix)]
        {
            use rustix::process::{Pid, WaitId, WaitIdOptions, waitid};
            let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
            let first = WaitId::Pid(Pid::from_child(&self.child));
            self.end.is_some() || matches!(waitid(first, options), Ok(Some(_)))
        }
        #[cfg(not(unix))]
        matches!(self.child.try_wait(), Ok(Some(_)))
    }
}

impl Drop for Family {
    fn drop(&mut self) {
        self.end();
    }
}

/// Ends this process. If it is the first process of a [`Family`], the whole family ends; a process
/// started in another way ends alone, with the exit status `code`.
pub fn end_family(code: i32) -> ! {
    #[cfg(unix)]
    {
        use rustix::process::{Signal, getpgrp, getpid, kill_process_group};
        if getpgrp() == getpid() {
            let _ = kill_process_group(getpid(), Signal::KILL);
        }
    }
    process::exit(code)
}

/// The temporary folder of this run, in a child or in one of its assistants.
pub fn temporary() -> Option<PathBuf> {
    Some(env::temp_dir()).filter(|folder| is_of_a_run(folder))
}

/// How a child with this folder ended, according to the files in it.
fn how_it_ended(folder: &Path, status: ExitStatus) -> ChildEnd {
    if !folder.is_dir() && status.code() == Some(1) {
        // The child has reported why it could not make the folder.
        return ChildEnd::Own { success: false };
    }
    match fs::read_to_string(folder.join(DONE)) {
        Ok(word) => ChildEnd::Own { success: word == SUCCESS },
        Err(_) => {
            let code = fs::read_to_string(folder.join(CODE));
            ChildEnd::Foreign { code: code.unwrap_or_else(|_| "other code".to_owned()), status }
        }
    }
}

/// Makes the temporary folder of the child. A parent that made the folder, and was killed before
/// the start of the child, would leave the folder behind.
///
/// # Errors
/// If it cannot be made.
pub fn make_folder() -> Result<(), Error> {
    let Some(folder) = own_folder() else { return Ok(()) };
    let place = folder.parent().unwrap_or(&folder);
    #[cfg_attr(not(unix), allow(unused_mut, reason = "only Unix has modes"))]
    let mut builder = fs::DirBuilder::new();
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(&folder).attempt("make a folder in", place)
}

/// Records in the child which foreign code runs from here on, because it may end the process.
pub fn runs(code: &str) {
    if is_child() {
        // Without the file the parent names no code.
        drop(fs::write(env::temp_dir().join(CODE), code));
    }
}

/// Records in the child that its work is finished; does not return while its folder is deleted.
pub fn done(success: bool) {
    drop(ENDING.lock());
    // Without the file the parent reports that other code ended the process.
    drop(fs::write(env::temp_dir().join(DONE), if success { SUCCESS } else { "failure" }));
}

/// Ends this process when its parent ends, which closes the standard input. A parent that was ended
/// by a signal has not deleted the child's temporary folder; Ctrl-C and other signals that both
/// receive must therefore end the parent only.
pub fn follow_parent() {
    let received = Arc::new(AtomicBool::new(false));
    // Where signals cannot be handled, the folder remains.
    for signal in signals() {
        drop(signal_hook::flag::register(*signal, Arc::clone(&received)));
    }
    thread::spawn(|| {
        let _ = io::copy(&mut io::stdin().lock(), &mut io::sink());
        let _ending = ENDING.lock();
        if let Some(folder) = own_folder() {
            let is_gone = || fs::remove_dir_all(&folder).is_ok() || !folder.exists();
            let _ = (0..ATTEMPTS).any(|_| is_gone());
        }
        end_family(1)
    });
}

/// The signals that a terminal or another program sends to end this one.
fn signals() -> &'static [i32] {
    #[cfg(unix)]
    return &[
        signal_hook::consts::SIGINT,
        signal_hook::consts::SIGTERM,
        signal_hook::consts::SIGHUP,
    ];
    #[cfg(not(unix))]
    return &[signal_hook::consts::SIGINT, signal_hook::consts::SIGTERM];
}

/// The temporary folder that the parent has made for this process.
fn own_folder() -> Option<PathBuf> {
    Some(PathBuf::from(env::var_os(CHILD)?)).filter(|folder| is_of_a_run(folder))
}

fn is_of_a_run(folder: &Path) -> bool {
    folder.file_name().is_some_and(|name| name.to_string_lossy().starts_with(PREFIX))
}
