//! Builds FMUs with the program `fmu`.

use std::process::Command;

/// The command that builds those of all models.
pub fn build_all() -> Command {
    build(&["--all"])
}

/// The command `fmu build`.
pub fn build(arguments: &[&str]) -> Command {
    let fmu = ["run", "--quiet", "--package", "fmu-builder", "--bin", "fmu", "--", "build"];
    let mut command = crate::cargo(&fmu);
    command.args(arguments);
    command
}
