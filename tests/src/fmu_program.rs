//! Runs the program `fmu`, as a user does, and foreign programs.

use std::fs::File;
use std::path::PathBuf;
use std::process::{Command, Output};
use std::thread;
use std::time::{Duration, Instant};

/// The program, to be run in the root of the repository; arguments can be added.
pub fn fmu() -> Command {
    // Cargo puts programs into the parent of the folder with test programs.
    let test = std::env::current_exe().expect("a test knows its own path");
    let folder = test.parent().and_then(|deps| deps.parent()).map_or_else(PathBuf::new, Into::into);
    let program = folder.join("fmu");
    assert!(program.is_file(), "{} is missing: {}", program.display(), crate::ADVICE);
    let mut command = Command::new(program);
    command.current_dir(crate::root());
    command
}

/// Runs a command, which must succeed; returns its output.
pub fn succeeds(command: &mut Command) -> String {
    let output: Output = command.output().expect("the program starts");
    let text = crate::python::both(&output);
    assert!(output.status.success(), "{command:?}: {text}");
    text
}

/// Runs a command; `None` if it had to be ended after `limit`.
pub fn within(command: &mut Command, limit: Duration) -> Option<Output> {
    // The output goes to files, because a full pipe would block the program.
    let folder = tempfile::tempdir().expect("a temporary folder");
    let [out, err] = ["out", "err"].map(|name| folder.path().join(name));
    let file = |path| File::create(path).expect("a temporary file");
    let mut child = command
        .stdout(file(&out))
        .stderr(file(&err))
        .spawn()
        .unwrap_or_else(|error| panic!("{command:?} cannot be started: {error}"));
    let begin = Instant::now();
    let status = loop {
        if let Some(status) = child.try_wait().expect("a child can be waited for") {
            break status;
        }
        if begin.elapsed() > limit {
            child.kill().and_then(|()| child.wait()).expect("a child can be ended");
            return None;
        }
        thread::sleep(Duration::from_millis(5));
    };
    let [stdout, stderr] = [out, err].map(|path| std::fs::read(path).expect("what it printed"));
    Some(Output { status, stdout, stderr })
}
