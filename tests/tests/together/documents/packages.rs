//! Tests of users' packages, which are made anywhere, tested, run, and built to FMUs with cargo.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use coupler::FACADE;
use coupler_tests::Fmu;
use coupler_tests::python::{both, script};
use coupler_tests::{root, target};
use fmu_builder::new::{self, Facade, Owner, Template};
use serde_json::Value;

/// The profiles of the repository, so that compiled crates are shared.
fn profiles() -> String {
    let manifest = fs::read_to_string(root().join("Cargo.toml")).expect("the manifest");
    manifest[manifest.find("[profile.").expect("profiles")..].to_owned()
}

/// The standard output of cargo in a folder.
fn cargo(folder: &Path, arguments: &[&str]) -> String {
    output(folder, "cargo", arguments, &target())
}

/// The standard output of a program in a folder, with a target folder for cargo.
fn output(folder: &Path, program: &str, arguments: &[&str], target: &Path) -> String {
    let output = outcome(folder, program, arguments, target);
    assert!(output.status.success(), "{program} {}: {}", arguments.join(" "), both(&output));
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// The outcome of a program in a folder, with a target folder for cargo.
fn outcome(folder: &Path, program: &str, arguments: &[&str], target: &Path) -> Output {
    Command::new(program)
        .args(arguments)
        .current_dir(folder)
        .env("CARGO_TARGET_DIR", target)
        .env("CARGO_INCREMENTAL", "0")
        .output()
        .expect("the program runs")
}

/// Tests and runs a package, checks its FMUs, and runs them in an importer.
fn use_as_a_person(package: &Path, name: &str, [fmi_name, output]: [&str; 2]) {
    let message = cargo(package, &["test", "--quiet"]);
    assert!(message.contains("1 passed"), "{message}");
    let run = |arguments: &[&str]| cargo(package, &[&["run", "--quiet", "--"], arguments].concat());
    run(&["run", name, "--interpreted", "--output", "at_once.csv", "--no-plot"]);
    run(&["run", name, "--output", "compiled.csv", "--no-plot"]);
    let table = |file: &str| fs::read(package.join(file)).expect("a table");
    assert!(table("at_once.csv") == table("compiled.csv"), "{name}: the same program");
    run(&["build", name, "--out", "compiled"]);
    run(&["build", name, "--interpreted", "--out", "interpreted"]);
    for kind in ["compiled", "interpreted"] {
        hand_over(package, &package.join(kind).join(format!("{fmi_name}.fmu")), output);
    }
}

/// Checks an FMU and runs it in an importer.
fn hand_over(package: &Path, fmu: &Path, output: &str) {
    let file = fmu.to_str().expect("a path");
    cargo(package, &["run", "--quiet", "--", "check", "--strict", file]);
    assert_eq!(script("validate.py", &["fmpy", file]).trim(), "[]", "{file}");
    let run = script("simulate.py", &[file, "CoSimulation", "0.1", "1", "1e-6", output]);
    assert_eq!(run.lines().count(), 12, "{file}: {run}");
}

/// The owner of the packages.
fn owner() -> Owner {
    let [author, license] = ["A. Person <a@person.example>", "LicenseRef-Works"];
    Owner::new(Some(author.to_owned()), Some(license.to_owned())).expect("an SPDX expression")
}

/// A new package with a workspace of its own, which has the profiles and versions of the
/// repository.
fn package_of_its_own(folder: &Path, name: &str, template: Template) -> PathBuf {
    let package = new::package(folder, name, template, &FACADE, &owner()).expect("a package");
    let manifest = package.join("Cargo.toml");
    let text = fs::read_to_string(&manifest).expect("the manifest");
    let end = text.find("[profile.").expect("it is the root of its workspace");
    fs::write(&manifest, text[..end].to_owned() + &profiles()).expect("other profiles");
    fs::copy(root().join("Cargo.lock"), package.join("Cargo.lock")).expect("the same versions");
    package
}

#[test]
fn a_package_in_an_empty_folder_has_models_that_importers_run() {
    let folder = tempfile::tempdir().expect("a folder");
    let package = package_of_its_own(folder.path(), "pump", Template::Components);
    use_as_a_person(&package, "pump", ["Pump", "w_load"]);
    let fmu = Fmu::open(&package.join("compiled/Pump.fmu"));
    let (author, license) = (owner().author, owner().license);
    assert_eq!((&fmu.description.author, &fmu.description.license), (&author, &license));
}

#[test]
fn a_package_in_a_foreign_workspace_has_models_that_importers_run() {
    let folder = tempfile::tempdir().expect("a folder");
    let manifest = format!("[workspace]\nresolver = \"3\"\nmembers = []\n\n{}", profiles());
    fs::write(folder.path().join("Cargo.toml"), manifest).expect("a workspace");
    fs::copy(root().join("Cargo.lock"), folder.path().join("Cargo.lock")).expect("versions");
    let package = new::package(folder.path(), "swing", Template::Equations, &FACADE, &owner());
    let package = package.expect("a package");
    let text = fs::read_to_string(package.join("Cargo.toml")).expect("the manifest");
    assert!(!text.contains("workspace") && !text.contains("[profile"), "{text}");
    use_as_a_person(&package, "swing", ["Swing", "phi"]);
}

/// The names of the packages that are published.
fn published() -> Vec<String> {
    let metadata = cargo(&root(), &["metadata", "--format-version", "1", "--no-deps"]);
    let metadata: Value = serde_json::from_str(&metadata).expect("metadata");
    let packages = metadata["packages"].as_array().expect("packages").iter();
    let name = |package: &Value| package["name"].as_str().expect("a name").to_owned();
    packages.filter(|package| package["publish"].is_null()).map(name).collect()
}

/// Packages the published crates and unpacks them into a folder; returns their folders there by
/// name.
fn unpacked(folder: &Path) -> Vec<(String, PathBuf)> {
    let names = published();
    let mut package = vec!["package", "--no-verify", "--allow-dirty", "--offline"];
    package.extend(names.iter().flat_map(|name| ["--package", name]));
    cargo(&root(), &package);
    let unpack = |name: String| {
        let package = format!("{name}-{}", FACADE.version);
        let archive = target().join("package").join(format!("{package}.crate"));
        output(folder, "tar", &["xzf", archive.to_str().expect("a path")], &target());
        (name, folder.join(package))
    };
    names.into_iter().map(unpack).collect()
}

/// The manifest of a workspace that has published packages in folders.
fn workspace_with(packages: &[(String, PathBuf)]) -> String {
    let patch = |(name, folder): &(String, PathBuf)| format!("{name} = {{ path = {folder:?} }}\n");
    let patches: String = packages.iter().map(patch).collect();
    format!(
        "[workspace]\nresolver = \"3\"\nmembers = []\n\n[patch.crates-io]\n{patches}\n\
         [profile.dev]\ndebug = 0\n"
    )
}

/// Published packages are compiled from the same files with the same options, so their libraries
/// have the same bytes as those of the repository.
#[test]
fn published_packages_make_the_fmus_that_the_repository_makes() {
    let temporary = tempfile::tempdir().expect("a folder");
    let folder = temporary.path();
    let packages = unpacked(folder);
    fs::write(folder.join("Cargo.toml"), workspace_with(&packages)).expect("a workspace");
    fs::copy(root().join("Cargo.lock"), folder.join("Cargo.lock")).expect("the same versions");
    let (_, sources) = packages.iter().find(|(name, _)| name == FACADE.package).expect("it is one");
    let sources = String::leak(sources.to_str().expect("a path").to_owned());
    let name = "bouncing_ball";
    let facade = Facade { folder: sources, ..FACADE };
    let package = new::package(folder, name, Template::Equations, &facade, &owner());
    let package = package.expect("a package");
    let manifest = fs::read_to_string(package.join("Cargo.toml")).expect("the manifest");
    assert!(manifest.contains(&format!("version = \"{}\"\n", FACADE.version)), "{manifest}");
    let text = format!("src/{name}.rs");
    fs::copy(root().join("models").join(&text), package.join(&text)).expect("the model");

    let target = folder.join("target");
    output(&package, "cargo", &["build", "--quiet"], &target);
    let fmu = target.join("debug").join(name);
    let fmu = |arguments: &[&str]| {
        output(&package, fmu.to_str().expect("a path"), arguments, &target);
    };
    fmu(&["build", name, "--out", "compiled"]);
    fmu(&["build", name, "--interpreted", "--out", "interpreted"]);
    let library = |fmu: &Path| fs::read(Fmu::open(fmu).library()).expect("the library");
    let ours = coupler_tests::fmu::folder();
    for (kind, ours) in [("compiled", ours.clone()), ("interpreted", ours.join("interpreted"))] {
        let theirs = library(&package.join(kind).join("BouncingBall.fmu"));
        assert!(theirs == library(&ours.join("BouncingBall.fmu")), "{kind}: other bytes");
    }
}

/// A Rust text of a page of the documentation, by its number there, as a reader copies it: without
/// the lines for tests of the page.
fn example(page: &str, number: usize) -> String {
    let text = fs::read_to_string(root().join("docs").join(page)).expect("the page");
    let after = text.split("```rust\n").nth(number).expect("an example");
    let end = after.find("\n```\n").expect("its end");
    let lines = after[..end].lines().filter(|line| !line.starts_with("# "));
    lines.map(|line| format!("{line}\n")).collect()
}

#[test]
fn a_model_with_a_compiled_controller_is_one_that_importers_run() {
    let folder = tempfile::tempdir().expect("a folder");
    let package = package_of_its_own(folder.path(), "median", Template::Components);
    let text = example("sampled-systems.md", 2);
    fs::write(package.join("src/median.rs"), text).expect("a model");
    let message = cargo(&package, &["test", "--quiet"]);
    assert!(message.contains("1 passed"), "{message}");
    let run =
        |arguments: &[&str]| cargo(&package, &[&["run", "--quiet", "--"], arguments].concat());
    run(&["run", "median", "--interpreted", "--output", "here.csv", "--no-plot"]);
    run(&["run", "median", "--output", "compiled.csv", "--no-plot"]);
    let table = |file: &str| fs::read_to_string(package.join(file)).expect("a table");
    assert_eq!(table("here.csv"), table("compiled.csv"), "the same code");
    run(&["build", "median", "--out", "."]);
    hand_over(&package, &package.join("Median.fmu"), "plant.y");
    let refused = ["run", "--quiet", "--", "build", "median", "--interpreted"];
    let message = both(&outcome(&package, "cargo", &refused, &target()));
    let why = "median: the controller controller is compiled code, which a player cannot run; \
               build the FMU without --interpreted";
    assert_eq!(message.trim(), format!("fmu: {why}"));
}

#[test]
fn a_system_written_by_hand_is_a_model_that_importers_run() {
    let folder = tempfile::tempdir().expect("a folder");
    let package = package_of_its_own(folder.path(), "pendulum", Template::Equations);
    fs::write(package.join("src/pendulum.rs"), example("system-by-hand.md", 1)).expect("a system");
    let message = cargo(&package, &["test", "--quiet"]);
    assert!(message.contains("1 passed"), "{message}");
    let run =
        |arguments: &[&str]| cargo(&package, &[&["run", "--quiet", "--"], arguments].concat());
    run(&["run", "pendulum", "--output", "here.csv", "--no-plot"]);
    run(&["build", "pendulum", "--out", "."]);
    run(&["run", "Pendulum.fmu", "--output", "compiled.csv", "--no-plot"]);
    let table = |file: &str| fs::read_to_string(package.join(file)).expect("a table");
    assert_eq!(table("here.csv"), table("compiled.csv"), "the same code");
    let message = run(&["inspect", "Pendulum.fmu", "--all"]);
    assert!(message.contains("Angular velocity") && message.contains("rad/s2"), "{message}");
    hand_over(&package, &package.join("Pendulum.fmu"), "phi");
    let refused = ["run", "--quiet", "--", "build", "pendulum", "--interpreted"];
    let message = both(&outcome(&package, "cargo", &refused, &target()));
    let why = "pendulum is a system written by hand: there is no program as data to interpret";
    assert_eq!(message.trim(), format!("fmu: {why}"));
}
