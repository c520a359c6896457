//! A child of this program, which calls the library of an FMU and may crash with it.

use std::env;
use std::fs;
use std::io::Read;
use std::path::Path;
use std::process::{Command, ExitStatus, Stdio};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use fmus::child_process::Family;
use fmus::error::{Error, FileContext};

/// A child that takes longer is ended, whatever the reason.
pub(super) const TIME_LIMIT: Duration = Duration::from_secs(120);

/// Time for which the output of the child is read after the child has ended.
const DRAIN_TIME: Duration = Duration::from_secs(1);

/// Maximum size of a child's output that is read, in bytes.
const MAX_OUTPUT: u64 = 1 << 26;

/// The beginning of a line about a fault of the machine, after which nothing can be said about the
/// FMU.
pub(super) const FAULT: &str = "fault ";

/// What a child has reported, printed, and how it has ended.
pub(super) struct ChildReport {
    pub(super) lines: String,
    pub(super) printed: String,
    pub(super) end: TestEnd,
}

/// Runs a subcommand of the program `fmu` with an FMU and a file for its report.
///
/// # Errors
/// If the child cannot be started, or reports a fault of the machine.
pub(super) fn run(program: &Path, subcommand: &str, path: &Path) -> Result<ChildReport, Error> {
    // Files that a crashed child leaves are deleted with this folder.
    let place = env::temp_dir();
    let folder = tempfile::Builder::new().prefix("fmu-test-").tempdir_in(&place);
    let folder = folder.attempt("make a folder in", &place)?;
    let report = folder.path().join("report");
    let path = std::path::absolute(path).attempt("find", path)?;
    // Files that the library writes to its current folder are also in it.
    let mut command = Command::new(program);
    command
        .current_dir(folder.path())
        .arg(subcommand)
        .args([&path, &report])
        .envs(["TMPDIR", "TMP", "TEMP"].map(|name| (name, folder.path())))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null());
    let mut processes = Family::spawn(&mut command).attempt("start", program)?;
    let child = processes.first();
    // The pipe is open as long as this process runs.
    let _lifeline = child.stdin.take();
    let output = child.stdout.take().map(ChildOutput::read);
    let begin = Instant::now();
    let (mut length, mut change) = (0, begin);
    let end = loop {
        let now = fs::metadata(&report).map_or(0, |data| data.len());
        if now != length {
            (length, change) = (now, Instant::now());
        }
        let has_ended = processes.has_ended();
        if !has_ended && begin.elapsed() < TIME_LIMIT {
            thread::sleep(Duration::from_millis(5));
            continue;
        }
        // A process that the library has started ends too.
        match processes.end() {
            Some(status) if has_ended => break TestEnd::Own(status),
            _ => break TestEnd::Killed(change.elapsed()),
        }
    };
    let printed = output.map(ChildOutput::so_far).unwrap_or_default();
    let lines = fs::read(&report).unwrap_or_default();
    let lines = String::from_utf8_lossy(&lines).into_owned();
    // On a full disk, the report is not complete.
    let probe = folder.path().join("probe");
    fs::write(&probe, [0; 1 << 16]).attempt("write", &probe)?;
    if let Some(fault) = lines.lines().find_map(|line| line.strip_prefix(FAULT)) {
        return Err(Error::Request(format!(
            "{}: the library was not tried: {fault}",
            path.display()
        )));
    }
    Ok(ChildReport { lines, printed, end })
}

/// The output of a child.
struct ChildOutput {
    bytes: Arc<Mutex<Vec<u8>>>,
    reader: JoinHandle<()>,
}

impl ChildOutput {
    fn read(pipe: impl Read + Send + 'static) -> ChildOutput {
        let bytes = Arc::new(Mutex::new(Vec::new()));
        let shared = Arc::clone(&bytes);
        let reader = thread::spawn(move || {
            let (mut pipe, mut block) = (pipe.take(MAX_OUTPUT), [0; 4096]);
            while let Ok(n @ 1..) = pipe.read(&mut block) {
                shared.lock().unwrap_or_else(PoisonError::into_inner).extend(&block[..n]);
            }
        });
        ChildOutput { bytes, reader }
    }

    /// The output up to the child's end. A process that the library has started may keep the pipe
    /// open; its end is not awaited.
    fn so_far(self) -> String {
        let end = Instant::now();
        while !self.reader.is_finished() && end.elapsed() < DRAIN_TIME {
            thread::sleep(Duration::from_millis(5));
        }
        let bytes = self.bytes.lock().unwrap_or_else(PoisonError::into_inner);
        String::from_utf8_lossy(&bytes).into_owned()
    }
}

/// How a child ended.
pub(super) enum TestEnd {
    Own(ExitStatus),
    /// It was ended after it had reported nothing for this time.
    Killed(Duration),
}
