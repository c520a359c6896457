//! FMUs with libraries for other platforms, and the players of these.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use fmu_builder::archive::{Entry, pack};
use fmu_builder::platform::Platform;
use tempfile::TempDir;

use crate::fixture::{entries, fmu, names, repository, succeed, succeeded};

/// A copy of the program without players beside it, in a new folder below `target`.
fn lonely() -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
    let program = folder.path().join("fmu");
    fs::copy(env!("CARGO_BIN_EXE_fmu"), &program).unwrap();
    (folder, program)
}

/// A run of a program that finds neither compiled libraries nor the players of a user, but the
/// compiler, without linkers.
fn run(program: &Path, arguments: &[&str]) -> Command {
    let folder = program.parent().unwrap();
    let mut command = Command::new(program);
    command.args(arguments).current_dir(folder);
    for name in ["COUPLER_PLAYERS", "LOCALAPPDATA"] {
        command.env_remove(name);
    }
    if let Some(cargo) = std::env::var_os("CARGO") {
        command.env("RUSTC", Path::new(&cargo).with_file_name("rustc"));
    }
    command.env("PATH", "").env("XDG_DATA_HOME", folder.join("data"));
    command.env("CARGO_TARGET_DIR", folder.join("target"));
    command
}

fn refused(mut command: Command) -> String {
    let output = command.output().unwrap();
    assert!(!output.status.success(), "{command:?}");
    let message = String::from_utf8(output.stderr).unwrap();
    message.trim_end().trim_start_matches("fmu: ").to_owned()
}

/// A folder with the player for this machine, as `fmu players build` writes it.
fn player() -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("players");
    let here = Platform::this_machine().folder();
    let out = folder.to_string_lossy().into_owned();
    let build = ["players", "build", "--platform", &here, "--out", &out];
    assert!(succeed(repository(), &build).starts_with(&here));
    folder
}

#[test]
fn a_missing_part_is_refused_with_the_command_that_installs_it() {
    let (folder, program) = lonely();
    let windows = "there is no linker x86_64-w64-mingw32-gcc for x86_64-pc-windows-gnu; \
                   `apt install gcc-mingw-w64-x86-64` installs it";
    let build = |more: &[&str]| {
        let build = ["build", "torque_source", "--out", "out", "--platform"];
        refused(run(&program, &[&build, more].concat()))
    };
    assert_eq!(build(&["win64"]), windows);
    let elsewhere = "(`fmu players add` takes one that was made elsewhere)";
    let message = build(&["win64", "--interpreted"]);
    assert_eq!(message, format!("the player for win64 is missing {elsewhere}, and {windows}"));
    let mut command = run(&program, &["build", "torque_source", "--interpreted", "--out", "out"]);
    command.env("RUSTC", "nothing");
    let here = Platform::this_machine().folder();
    let reason = "cannot run nothing; is Rust installed?";
    let message = refused(command);
    assert_eq!(message, format!("the player for {here} is missing {elsewhere}, and {reason}"));
    let mut command = run(&program, &["build", "torque_source", "--out", "out"]);
    command.env("RUSTC", "nothing");
    assert_eq!(refused(command), format!("{reason} (--interpreted needs none)"));
    if !cfg!(target_os = "macos") {
        let message = build(&["aarch64-darwin"]);
        assert!(message.ends_with("`pip install ziglang cargo-zigbuild` installs it"), "{message}");
    }
    let message = build(&["win16"]);
    let all = "linux64, win64, aarch64-linux, darwin64, aarch64-darwin";
    assert_eq!(message, format!("there is no platform win16; the platforms are {all}"));
    assert!(!folder.path().join("out").exists());
}

#[test]
fn players_that_were_added_are_used_without_a_compiler() {
    let players = player();
    let (folder, program) = lonely();
    let text = players.to_string_lossy();
    let here = Platform::this_machine().folder();
    let listed = succeeded(run(&program, &["players", "add", &text]).output().unwrap());
    assert!(listed.starts_with(&here) && listed.contains(env!("CARGO_PKG_VERSION")), "{listed}");
    assert_eq!(succeeded(run(&program, &["players"]).output().unwrap()), listed);
    let build = ["build", "torque_source", "--interpreted", "--out", "."];
    let mut build = run(&program, &build);
    succeeded(build.env("RUSTC", "nothing").env("CARGO", "nothing").output().unwrap());
    assert!(folder.path().join("TorqueSource.fmu").is_file());

    let message = refused(run(&program, &["players", "add", "data"]));
    assert_eq!(message, "data: it has no players in folders such as win64");
    let manifest = folder.path().join("data/coupler/players").join(&here).join("player.toml");
    let old = fs::read_to_string(&manifest).unwrap().replace("sources = \"", "sources = \"0");
    fs::write(&manifest, old).unwrap();
    let message = refused(run(&program, &["players", "add", "data/coupler/players"]));
    let reason = format!("the player for {here} was made from other sources than this program");
    assert!(message.contains(&reason), "{message}");
    let listed = succeeded(run(&program, &["players"]).output().unwrap());
    assert!(listed.trim_end().ends_with("(out of date)"), "{listed}");
}

#[test]
fn players_are_put_beside_compiled_libraries_of_the_same_description() {
    let players = player();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("BouncingBall.fmu");
    let here = Platform::this_machine().folder();
    let add = |names: &str| {
        let add = ["build", "BouncingBall.fmu", "--add-platform", names];
        let mut command = fmu(folder.path(), &add);
        command.env("COUPLER_PLAYERS", &players);
        command
    };
    // The FMU of another machine, whose library is not for this one.
    let foreign = |entry: Entry| match entry.path.strip_prefix("binaries/") {
        Some(_) => Entry::new("binaries/plan9/BouncingBall.so", entry.bytes),
        None => entry,
    };
    let of_another: Vec<Entry> = entries("BouncingBall.fmu").into_iter().map(foreign).collect();
    fs::write(&path, pack(of_another.clone()).unwrap()).unwrap();
    assert!(!fmu(folder.path(), &["run", "BouncingBall.fmu"]).output().unwrap().status.success());
    succeeded(add(&here).output().unwrap());
    let text = succeed(folder.path(), &["run", "BouncingBall.fmu", "--no-plot"]);
    assert!(text.starts_with("BouncingBall: "), "{text}");
    let text = succeed(folder.path(), &["check", "BouncingBall.fmu"]);
    assert!(text.contains(&format!("runs on {here}")), "{text}");
    let before = fs::read(&path).unwrap();
    let message = refused(add(&here));
    assert_eq!(
        message,
        format!(
            "BouncingBall.fmu: there is already a library in binaries/{here}/; leave {here} out"
        )
    );

    // An FMU of another text of the model is unchanged.
    let other = |entry: &Entry| match entry.path.as_str() {
        "modelDescription.xml" => {
            let text = String::from_utf8(entry.bytes.clone()).unwrap();
            Entry::new("modelDescription.xml", text.replacen("guid=\"{", "guid=\"{0", 1))
        }
        _ => entry.clone(),
    };
    let changed = pack(of_another.iter().map(other).collect()).unwrap();
    assert!(changed != before);
    fs::write(&path, &changed).unwrap();
    let message = refused(add(&here));
    assert!(message.contains("it was made from another text of BouncingBall"), "{message}");
    assert!(fs::read(&path).unwrap() == changed);
    assert_eq!(names(folder.path()).iter().filter(|name| name.ends_with(".fmu")).count(), 1);
}

#[test]
fn players_are_not_added_for_a_tape_that_they_cannot_play() {
    let players = player();
    let folder = tempfile::tempdir().unwrap();
    let mut files = entries("TorqueSource.fmu");
    files.retain(|entry| !entry.path.starts_with("binaries/"));
    files.push(Entry::new("resources/TorqueSource.tape", "of another version"));
    let path = folder.path().join("x.fmu");
    let before = pack(files).unwrap();
    fs::write(&path, &before).unwrap();
    let here = Platform::this_machine().folder();
    let mut add = fmu(folder.path(), &["build", "x.fmu", "--add-platform", &here]);
    add.env("COUPLER_PLAYERS", players);
    let message = refused(add);
    assert!(message.contains("resources/TorqueSource.tape: "), "{message}");
    assert!(fs::read(&path).unwrap() == before);
}
