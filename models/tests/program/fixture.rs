//! Runs the program `fmu` as a user does, in a folder of its own.

use std::ffi::OsStr;
use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::OnceLock;

use fmu_builder::archive::Entry;
use tempfile::TempDir;

/// The root of the repository.
pub fn repository() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap()
}

/// The program `fmu`, which will run in a folder.
pub fn fmu<S: AsRef<OsStr>>(folder: &Path, arguments: &[S]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_fmu"));
    command.args(arguments).current_dir(folder);
    command
}

/// Runs `fmu` in a folder.
pub fn fmu_in<S: AsRef<OsStr>>(folder: &Path, arguments: &[S]) -> Output {
    fmu(folder, arguments).output().unwrap()
}

/// The standard output of a run of `fmu` that must succeed.
pub fn succeed<S: AsRef<OsStr>>(folder: &Path, arguments: &[S]) -> String {
    succeeded(fmu_in(folder, arguments))
}

/// The standard output of a run that must have succeeded.
pub fn succeeded(output: Output) -> String {
    let errors = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{errors}");
    String::from_utf8(output.stdout).unwrap()
}

/// The FMUs of the models bouncing_ball and torque_source, built once.
pub fn fmus() -> &'static Path {
    static FOLDER: OnceLock<PathBuf> = OnceLock::new();
    FOLDER.get_or_init(|| {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("fmus");
        let out = folder.to_string_lossy().into_owned();
        succeed(repository(), &["build", "bouncing_ball", "torque_source", "--out", &out]);
        folder
    })
}

/// The files in one of the two FMUs.
pub fn entries(name: &str) -> Vec<Entry> {
    let file = fs::File::open(fmus().join(name)).unwrap();
    let mut archive = zip::ZipArchive::new(file).unwrap();
    let count = archive.len();
    let entry = |i| {
        let mut entry = archive.by_index(i).unwrap();
        let mut bytes = Vec::new();
        entry.read_to_end(&mut bytes).unwrap();
        Entry::new(entry.name().unwrap().into_owned(), bytes)
    };
    (0..count).map(entry).collect()
}

/// A folder with the two FMUs, and with files that have the given names and texts.
pub fn folder_with(files: &[(&str, &str)]) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    for name in ["BouncingBall.fmu", "TorqueSource.fmu"] {
        fs::copy(fmus().join(name), folder.path().join(name)).unwrap();
    }
    for (name, text) in files {
        fs::write(folder.path().join(name), text).unwrap();
    }
    folder
}

/// The names of the files in a folder, sorted.
pub fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap();
    let mut names: Vec<String> =
        entries.map(|e| e.unwrap().file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    names
}
