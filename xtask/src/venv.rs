//! The virtual environment of the tests: `target/venv`, made from `tests/requirements.txt`.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::progress::execute;

/// Makes the environment unless it is already that of the present requirements.
pub fn ensure() -> Result<PathBuf> {
    let venv = crate::target().join("venv");
    let wanted = fs::read_to_string(crate::root().join("tests/requirements.txt"))
        .context("tests/requirements.txt cannot be read")?;
    // Written last, so that an environment whose making was interrupted is made again.
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
            .arg(crate::root().join("tests/requirements.txt")),
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

/// The environment variables with which bindgen, which the crate `fmi` builds with, finds libclang
/// (a package of the environment) and the C compiler's own headers.
pub fn bindgen(venv: &Path) -> Result<[(&'static str, String); 2]> {
    let library = fs::read_dir(venv.join("lib"))?
        .flatten()
        .map(|entry| entry.path().join("site-packages/clang/native"))
        .find(|path| path.is_dir())
        .context("the virtual environment lacks libclang")?;
    let output = Command::new("cc")
        .arg("-print-file-name=include")
        .output()
        .context("a C compiler is needed and `cc` was not found")?;
    let include = String::from_utf8_lossy(&output.stdout).trim().to_owned();
    Ok([
        ("LIBCLANG_PATH", library.display().to_string()),
        ("BINDGEN_EXTRA_CLANG_ARGS", format!("-I{include}")),
    ])
}
