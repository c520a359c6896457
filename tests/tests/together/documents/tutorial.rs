//! Tests that the steps of the tutorial lead to what it shows.

use std::fs;
use std::path::Path;
use std::process::Command;

use coupler_tests::python::{both, environment};
use coupler_tests::root;

use super::commands::{blocks, copy, quoted};

/// Runs a line of the tutorial in a folder, with the Python of the tests; returns its output.
fn run(line: &str, folder: &Path) -> String {
    let path = std::env::var("PATH").expect("a search path");
    let output = Command::new("sh")
        .args(["-c", line])
        .current_dir(folder)
        .env("PATH", format!("{}:{path}", environment().join("bin").display()))
        .env_remove("CARGO_TARGET_DIR")
        .env("CARGO_INCREMENTAL", "0")
        .output()
        .expect("a shell");
    assert!(output.status.success(), "{line}: {}", both(&output));
    String::from_utf8_lossy(&output.stdout).into_owned()
}

#[test]
fn the_steps_of_the_tutorial_lead_to_its_plot() {
    let copy = copy();
    let mut output = String::new();
    for (before, language, text) in blocks("docs/tutorial.md") {
        match language.as_str() {
            "sh" => output = text.lines().map(|line| run(line, &copy)).collect(),
            "text" => assert!(output.contains(&text), "{text}\nis not in\n{output}"),
            _ => {
                let file = copy.join(quoted(&before).expect("the name of a file"));
                fs::write(file, text + "\n").expect("a file");
            }
        }
    }
    let drawn = fs::read(copy.join("target/fmu/engage.svg")).expect("a plot");
    let shown = root().join("docs/tutorial.svg");
    if std::env::var_os("COUPLER_BLESS").is_some() {
        fs::write(&shown, &drawn).expect("the plot is written");
    }
    let shown = fs::read(shown).expect("the plot of the page");
    assert!(drawn == shown, "docs/tutorial.svg: `cargo xtask bless` writes it again");
}
