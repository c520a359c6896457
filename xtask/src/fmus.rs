//! Builds FMUs with the program `fmu`.

use std::process::Command;

/// The command that builds those of all models.
pub fn build_all() -> Command {
    crate::cargo(&["run", "--quiet", "--package", "models", "--bin", "fmu", "--", "build", "--all"])
}
