//! The program `fmu`, run as a person runs it.

use std::process::{Command, Output};

/// `cargo fmu` in the root of the repository, with more arguments to come.
pub fn fmu() -> Command {
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command
        .args(["run", "--quiet", "--package", "fmu-builder", "--bin", "fmu", "--"])
        .current_dir(crate::root());
    command
}

/// Runs a command; it must succeed. Returns what it printed.
pub fn succeeds(command: &mut Command) -> String {
    let output: Output = command.output().expect("the program starts");
    let text = crate::python::both(&output);
    assert!(output.status.success(), "{command:?}: {text}");
    text
}
