//! Python's importers and checkers in the virtual environment that `cargo xtask test` makes.

use std::fs;
use std::path::PathBuf;
use std::process::{Command, Output};

/// The virtual environment.
pub fn environment() -> PathBuf {
    let folder = crate::target().join("venv");
    assert!(
        folder.join("requirements.txt").is_file(),
        "{} is missing or incomplete: {}",
        folder.display(),
        crate::ADVICE
    );
    folder
}

/// The folder of its packages.
pub fn packages() -> PathBuf {
    fs::read_dir(environment().join("lib"))
        .expect("the environment has a library folder")
        .flatten()
        .map(|entry| entry.path().join("site-packages"))
        .find(|path| path.is_dir())
        .expect("the environment has packages")
}

/// A program of the environment, for example `fmpy`.
pub fn program(name: &str) -> Command {
    Command::new(environment().join("bin").join(name))
}

/// Runs one of the scripts in `tests/python`; it must succeed. Returns its standard output.
pub fn script(name: &str, arguments: &[&str]) -> String {
    let path = crate::root().join("tests/python").join(name);
    let output = program("python").arg(path).args(arguments).output().expect("Python starts");
    assert!(output.status.success(), "{name} {arguments:?} failed:\n{}", both(&output));
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// The output of a program to both channels.
pub fn both(output: &Output) -> String {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    format!("{}{}", text(&output.stdout), text(&output.stderr))
}
