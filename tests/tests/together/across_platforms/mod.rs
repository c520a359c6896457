//! Tests of FMUs with libraries for several platforms, which run in emulators of these.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::Command;

use coupler_tests::fmu_program::{fmu, succeeds};
use coupler_tests::machines::is_in_path;
use coupler_tests::python::{both, script};
use zip::ZipArchive;

mod needs;
mod players;
mod same_bits;

/// Runs `fmu`.
///
/// # Errors
/// The sentence with which it refuses if a toolchain is not installed.
fn built(command: &mut Command) -> Result<(), String> {
    let output = command.output().expect("the program starts");
    let message = both(&output);
    if output.status.success() {
        return Ok(());
    }
    assert!(message.contains("` installs it"), "{message}");
    let linker =
        message.split_once("there is no linker ").and_then(|(_, rest)| rest.split(' ').next());
    let is_absent = match linker {
        Some(linker) => !is_in_path(linker),
        None => !Path::new("/usr/lib/rustlib/src/rust/library/std/Cargo.toml").is_file(),
    };
    assert!(is_absent, "it is installed, but: {message}");
    Err(message.trim().to_owned())
}

/// Unpacks an FMU beside its archive.
fn unpacked(path: &Path) -> PathBuf {
    let folder = path.with_extension("");
    let archive = File::open(path).expect("the FMU opens");
    ZipArchive::new(archive).expect("a zip").extract(&folder).expect("it unpacks");
    folder
}

/// Asserts that an FMU runs on platforms, and that three checkers find no problems except for the
/// two names that Zig exports on macOS.
fn passes_checkers(path: &Path, platforms: &[&str]) {
    let text = succeeds(fmu().arg("check").arg(path));
    let findings = text.lines().filter(|line| !line.starts_with(&*path.to_string_lossy()));
    let others = findings.filter(|line| {
        !(line.starts_with("warning A008 binaries/")
            && line.contains(".dylib also exports 2 other names: _mh_dylib_header, __dso_handle;"))
    });
    assert_eq!(others.collect::<Vec<_>>(), Vec::<&str>::new(), "{text}");
    let line = text.lines().find(|line| line.contains(": runs on ")).expect("the platforms");
    assert!(platforms.iter().all(|platform| line.contains(platform)), "{line}");
    for checker in ["fmpy", "fmutool"] {
        let problems = script("validate.py", &[checker, &path.to_string_lossy()]);
        assert_eq!(problems.trim(), "[]", "{checker}: {}", path.display());
    }
}
