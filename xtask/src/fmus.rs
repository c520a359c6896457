//! Builds the FMUs of all models with the program `fmu`.

use std::process::Command;

/// The command that builds them.
pub fn build_all() -> Command {
    crate::cargo(&[
        "run",
        "--quiet",
        "--package",
        "fmu-builder",
        "--bin",
        "fmu",
        "--",
        "build",
        "--all",
    ])
}
