//! The program `fmu`, run as a person runs it.

use std::path::PathBuf;
use std::process::{Command, Output};

/// The program, in the root of the repository, with its arguments to come.
pub fn fmu() -> Command {
    // Cargo puts programs beside the folder with the tests' own.
    let test = std::env::current_exe().expect("a test knows its own path");
    let folder = test.parent().and_then(|deps| deps.parent()).map_or_else(PathBuf::new, Into::into);
    let program = folder.join("fmu");
    assert!(program.is_file(), "{} is missing: {}", program.display(), crate::ADVICE);
    let mut command = Command::new(program);
    command.current_dir(crate::root());
    command
}

/// Runs a command; it must succeed. Returns what it printed.
pub fn succeeds(command: &mut Command) -> String {
    let output: Output = command.output().expect("the program starts");
    let text = crate::python::both(&output);
    assert!(output.status.success(), "{command:?}: {text}");
    text
}
