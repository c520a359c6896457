//! Makes the virtual environment of the tests, `target/venv`, from `tests/requirements.txt`.

use std::fs;
use std::path::PathBuf;
use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::progress::execute;
use crate::workspace;

/// Makes the environment unless it already has the present requirements.
pub fn ensure() -> Result<PathBuf> {
    let venv = workspace::target().join("venv");
    let wanted = fs::read_to_string(workspace::root().join("tests/requirements.txt"))
        .context("tests/requirements.txt cannot be read")?;
    // This file is written last, so that an incomplete environment is made again.
    let stamp = venv.join("requirements.txt");
    if fs::read_to_string(&stamp).is_ok_and(|present| present == wanted) {
        return Ok(venv);
    }
    let python = python()?;
    execute(Command::new(python).args(["-m", "venv", "--clear"]).arg(&venv)).context(
        "Python's virtual environments are not available (on Debian: install python3-venv)",
    )?;
    execute(
        Command::new(venv.join("bin/python"))
            .args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check"])
            .args(["--no-deps", "--only-binary", ":all:", "--requirement"])
            .arg(workspace::root().join("tests/requirements.txt")),
    )?;
    fs::write(&stamp, wanted).with_context(|| format!("{} cannot be written", stamp.display()))?;
    Ok(venv)
}

/// A Python of version 3.11 or newer.
fn python() -> Result<&'static str> {
    let recent = "import sys; sys.exit(sys.version_info < (3, 11))";
    for name in ["python3", "python3.13", "python3.12", "python3.11", "python"] {
        if Command::new(name).args(["-c", recent]).status().is_ok_and(|status| status.success()) {
            return Ok(name);
        }
    }
    bail!("Python 3.11 or newer is needed and was not found")
}
