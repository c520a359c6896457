//! Tests that code quoted in the documents is the real code, and that their commands work.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{LazyLock, Mutex, MutexGuard, PoisonError};

use coupler_tests::python::{both, program};
use coupler_tests::{Fmu, root, target};
use models::MODELS;

/// The fenced blocks of a document: the line before, the language, the text.
pub fn blocks(document: &str) -> Vec<(String, String, String)> {
    let text = fs::read_to_string(root().join(document)).expect("the document exists");
    let lines: Vec<&str> = text.lines().collect();
    let mut blocks = Vec::new();
    let mut k = 0;
    while k < lines.len() {
        if let Some(language) = lines[k].strip_prefix("```") {
            let before = if k > 0 { lines[k - 1] } else { "" };
            let end = (k + 1..lines.len()).find(|&e| lines[e] == "```").expect("the block ends");
            blocks.push((before.to_owned(), language.to_owned(), lines[k + 1..end].join("\n")));
            k = end;
        }
        k += 1;
    }
    blocks
}

/// The `cargo fmu` commands of a document, without comments.
fn commands(document: &str) -> Vec<Vec<String>> {
    blocks(document)
        .into_iter()
        .filter(|(_, language, _)| language == "sh")
        .flat_map(|(_, _, text)| text.lines().map(str::to_owned).collect::<Vec<_>>())
        .map(|line| {
            let command = line.split('#').next().unwrap_or_default();
            command.split_whitespace().map(str::to_owned).collect()
        })
        .filter(|words: &Vec<String>| words.starts_with(&["cargo".into(), "fmu".into()]))
        .collect()
}

/// The file of a block, which a comment before it names.
pub fn quoted(before: &str) -> Option<&str> {
    before.strip_prefix("<!-- ")?.strip_suffix(" -->")
}

#[test]
fn quoted_code_is_the_code() {
    let mut quotes = 0;
    for document in ["README.md", "docs/checking.md", "docs/control.md"] {
        for (before, _, text) in blocks(document) {
            if let Some(path) = quoted(&before) {
                let source = fs::read_to_string(root().join(path)).expect("the file exists");
                assert!(source.contains(&text), "{document} does not quote {path} as it is");
                quotes += 1;
            }
        }
    }
    let what =
        "the README shows a model, the page on checks an action, and that on control a drive";
    assert_eq!(quotes, 5, "{what}");
}

/// Makes a copy of the checkout in another folder.
fn copied() -> PathBuf {
    let folder = target().join("documents/checkout");
    // Its target folder with earlier builds stays.
    for entry in fs::read_dir(&folder).into_iter().flatten().flatten() {
        if entry.file_name() != "target" {
            let remove = if entry.path().is_dir() { fs::remove_dir_all } else { fs::remove_file };
            remove(entry.path()).expect("the copy is renewed");
        }
    }
    let files = Command::new("git")
        .args(["ls-files", "--cached", "--others", "--exclude-standard"])
        .current_dir(root())
        .output()
        .expect("git lists the files");
    for file in String::from_utf8_lossy(&files.stdout).lines() {
        let (from, to) = (root().join(file), folder.join(file));
        if from.is_file() {
            fs::create_dir_all(to.parent().expect("a folder")).expect("a new folder");
            fs::copy(from, to).expect("a copy");
        }
    }
    folder
}

/// The copy of the checkout, in which one test works at a time.
pub fn copy() -> MutexGuard<'static, PathBuf> {
    static COPY: LazyLock<Mutex<PathBuf>> = LazyLock::new(|| Mutex::new(copied()));
    COPY.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Runs cargo in the copy.
fn cargo_in_copy(copy: &Path, arguments: &[impl AsRef<std::ffi::OsStr>]) {
    let output = Command::new("cargo")
        .args(arguments)
        .current_dir(copy)
        .env_remove("CARGO_TARGET_DIR")
        .env("CARGO_INCREMENTAL", "0")
        .output()
        .expect("cargo runs");
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    let words: Vec<_> = arguments.iter().map(|word| word.as_ref().to_string_lossy()).collect();
    assert!(output.status.success(), "cargo {}: {text}", words.join(" "));
}

/// The commands run in the copy, because some of them add models.
#[test]
fn commands_of_the_documents_work() {
    let mut all = commands("docs/adding-a-model.md");
    all.extend(commands("docs/running.md"));
    all.extend(commands("docs/reports.md"));
    all.extend(commands("docs/netlist.md"));
    all.extend(commands("README.md"));
    assert!(all.len() >= 5, "the documents show commands");
    let copy = copy();
    for words in all {
        cargo_in_copy(&copy, &words[1..]);
    }
    for name in ["MyModel.fmu", "MyModel.csv", "MyModel.svg", "MyModel.html", "Fourbar2.fmu"] {
        assert!(copy.join("target/fmu").join(name).is_file(), "{name} was written");
    }
}

/// What the example in Python of a document prints, in a folder with an FMU in `target/fmu`.
fn printed_by_python(document: &str, fmu: &str) -> Vec<f64> {
    let blocks = blocks(document);
    let examples = blocks.iter().filter(|(_, language, _)| language == "python");
    let [(_, _, example)] = examples.collect::<Vec<_>>()[..] else { panic!("one example") };
    let folder = tempfile::tempdir().expect("a folder");
    let fmus = folder.path().join("target/fmu");
    fs::create_dir_all(&fmus).expect("a folder");
    let fmu = Fmu::named(fmu).path;
    fs::copy(&fmu, fmus.join(fmu.file_name().expect("a file name"))).expect("a copy");
    let mut python = program("python");
    let output = python.args(["-c", example]).current_dir(&folder).output().expect("it starts");
    assert!(output.status.success(), "{document}: {}", both(&output));
    let printed = String::from_utf8_lossy(&output.stdout).into_owned();
    printed.split_whitespace().map(|n| n.parse().expect(n)).collect()
}

#[test]
fn the_examples_in_python_work() {
    for (document, stop_time) in [("README.md", 5.0), ("docs/running.md", 2.0)] {
        let printed = printed_by_python(document, "Fourbar2");
        let [time, s] = printed[..] else { panic!("{document}: two numbers: {printed:?}") };
        let mut simulation = MODELS.simulation("fourbar2").expect("the model");
        simulation.set("b1.diameter", 0.08).expect("a parameter");
        simulation.start(None).expect("the start");
        simulation.run_to(stop_time).expect("a run");
        let expected = simulation.read("j2.s").expect("an output");
        let agrees = time == stop_time && (s - expected).abs() < 1e-4;
        assert!(agrees, "{document}: {time} {s} {expected}");
    }
}

#[test]
fn a_change_must_pass_the_test_command_of_the_readme() {
    let script = fs::read_to_string(root().join(".ci/run")).expect("the script");
    let blocks = blocks("README.md");
    let (_, _, text) = blocks.iter().find(|(_, language, _)| language == "sh").expect("commands");
    let [build, test] = text.lines().collect::<Vec<_>>()[..] else { panic!("two commands") };
    assert!(build.starts_with("cargo fmu build "), "{build}");
    let runs = |line: &str| line.split(" <").next() == Some(test);
    assert!(script.lines().any(runs), ".ci/run does not run `{test}`");
}

// FMI: D023
#[test]
fn another_checkout_in_another_folder_builds_the_same_bytes() {
    // These have equations of their own, drive trains, tables, mechanisms in space, loops, and
    // impacts.
    let models = [
        ("bouncing_ball", "BouncingBall"),
        ("lossy_gear_demo1", "LossyGearDemo1"),
        ("test_bench", "TestBench"),
        ("surfaces", "Surfaces"),
        ("fourbar2", "Fourbar2"),
        ("cp2", "Cp2"),
    ];
    let folder = target().join("documents/second-build");
    let folder = folder.to_string_lossy();
    let names = models.map(|(name, _)| name);
    cargo_in_copy(&copy(), &[&["fmu", "build", "--out", &folder], &names[..]].concat());
    for (_, model) in models {
        let fmu = Fmu::named(model);
        let file = fmu.path.file_name().expect("a file name");
        let again = fs::read(Path::new(&*folder).join(file)).expect("it was built again");
        let first = fs::read(&fmu.path).expect("it was built");
        assert!(first == again, "{model}: two builds differ");
        let mut archive = zip::ZipArchive::new(std::io::Cursor::new(first)).expect("an archive");
        let begins = archive.by_index(0).expect("an entry").name().expect("text").into_owned();
        assert_eq!(begins, "modelDescription.xml", "{model}: the first entry");
    }
}
