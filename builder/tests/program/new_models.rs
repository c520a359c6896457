//! A new model builds and runs at once, from either template.

use std::ffi::OsStr;
use std::fs;
use std::path::Path;
use std::process::Output;

use crate::fixture::{fmu, names, repository, succeeded};

/// Makes a workspace that knows the crates of this repository by their absolute paths.
fn workspace(folder: &Path) {
    let manifest = fs::read_to_string(repository().join("Cargo.toml")).unwrap();
    let root = repository().to_string_lossy();
    let lines = manifest.lines().map(|line| match line {
        line if line.starts_with("members") => "members = [\"models/*\"]".to_owned(),
        line => line.replace("path = \"", &format!("path = \"{root}/")),
    });
    let manifest: Vec<String> = lines.collect();
    fs::write(folder.join("Cargo.toml"), manifest.join("\n")).unwrap();
    fs::copy(repository().join("Cargo.lock"), folder.join("Cargo.lock")).unwrap();
    // Cargo insists on at least one member.
    fs::create_dir_all(folder.join("models/empty/src")).unwrap();
    let empty = "[package]\nname = \"empty\"\nedition = \"2024\"\n";
    fs::write(folder.join("models/empty/Cargo.toml"), empty).unwrap();
    fs::write(folder.join("models/empty/src/lib.rs"), "").unwrap();
}

/// Runs `fmu` with a folder for Cargo that the next run of the tests finds again.
fn output<S: AsRef<OsStr>>(folder: &Path, arguments: &[S]) -> Output {
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).join("new");
    fmu(folder, arguments).env("CARGO_TARGET_DIR", target).output().unwrap()
}

fn succeed<S: AsRef<OsStr>>(folder: &Path, arguments: &[S]) -> String {
    succeeded(output(folder, arguments))
}

#[test]
fn new_models_build_and_run_at_once() {
    let temporary = tempfile::tempdir().unwrap();
    let folder = temporary.path();
    workspace(folder);
    succeed(folder, &["new", "my_drive"]);
    succeed(&folder.join("models"), &["new", "swing", "--equations"]);
    assert_eq!(names(&folder.join("models")), ["empty", "my_drive", "swing"]);
    assert_eq!(output(folder, &["new", "swing"]).status.code(), Some(1));

    for (name, fmi_name) in [("my_drive", "MyDrive"), ("swing", "Swing")] {
        succeed(folder, &["run", name]);
        let results = names(&folder.join("target/fmu"));
        for file in
            [format!("{fmi_name}.fmu"), format!("{fmi_name}.csv"), format!("{fmi_name}.svg")]
        {
            assert!(results.contains(&file), "{file}: {results:?}");
        }
        let fmu = folder.join(format!("target/fmu/{fmi_name}.fmu"));
        succeed(folder, &["check".as_ref(), fmu.as_os_str()]);
    }
}
