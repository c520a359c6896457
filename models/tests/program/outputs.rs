//! Where `fmu` writes: pipes that are closed, links, devices, and names of other files.

use std::fs;

use crate::fixture::{fmu, fmu_in, folder_with, names, succeed};

const RUN: [&str; 4] = ["run", "BouncingBall.fmu", "--stop", "0.1"];

#[test]
fn a_closed_pipe_changes_neither_files_nor_the_exit_code() {
    let folder = folder_with(&[("a.csv", "time,h\n0,1\n1,1\n"), ("b.csv", "time,h\n0,1\n1,2\n")]);
    let code = |words: &[&str]| {
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        fmu(folder.path(), words).stdout(writer).status().unwrap().code()
    };
    let files = ["--output", "x.csv", "--plot", "x.svg"];
    assert_eq!(code(&[&RUN[..], &files].concat()), Some(0));
    let written = names(folder.path());
    assert!(files.iter().skip(1).step_by(2).all(|file| written.iter().any(|w| w == file)));
    assert_eq!(code(&["compare", "a.csv", "b.csv", "--no-plot", "--limit", "0.1"]), Some(1));
    assert_eq!(code(&["compare", "a.csv", "a.csv", "--no-plot", "--limit", "0.1"]), Some(0));
    assert_eq!(code(&["check", "--no-run", "a.csv"]), Some(1));
}

#[test]
fn a_table_does_not_replace_files_of_other_kinds() {
    let folder = folder_with(&[("model.rs", "a text")]);
    for name in ["model.rs", "BouncingBall.fmu", "x.txt"] {
        let output = fmu_in(folder.path(), &[&RUN[..], &["--output", name]].concat());
        let errors = String::from_utf8(output.stderr).unwrap();
        assert_eq!(errors, format!("fmu: {name}: the name of a table ends in .csv\n"));
    }
    assert_eq!(fs::read_to_string(folder.path().join("model.rs")).unwrap(), "a text");
}

#[cfg(unix)]
#[test]
fn links_and_devices_stay_what_they_are() {
    let folder = folder_with(&[("real.csv", "old")]);
    let at = |name: &str| folder.path().join(name);
    std::os::unix::fs::symlink("real.csv", at("link.csv")).unwrap();
    let run = |output: &str| {
        succeed(folder.path(), &[&RUN[..], &["--no-plot", "--output", output]].concat())
    };
    run("link.csv");
    assert!(at("link.csv").is_symlink());
    assert!(fs::read_to_string(at("real.csv")).unwrap().starts_with("time,"));
    // The table, and then what is printed otherwise.
    assert!(run("/dev/stdout").starts_with("time,"));
    let full = [&RUN[..], &["--no-plot", "--output", "/dev/full"]].concat();
    let output = fmu_in(folder.path(), &full);
    let errors = String::from_utf8(output.stderr).unwrap();
    assert_eq!(errors, "fmu: cannot write /dev/full: there is no space left\n");
    assert!(!fs::metadata("/dev/full").unwrap().is_file());
}
