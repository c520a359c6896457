//! Other platforms compute the bits of Linux, in steps, at events and after a restored state.

use std::path::{Path, PathBuf};

use coupler_tests::fmu_program::{fmu, succeeds};
use coupler_tests::machines::{Job, Machine};
use coupler_tests::python::script;
use coupler_tests::skipped;

/// Models with equations and impacts; friction; inputs; a loop with impacts; heat in space; a mode
/// that initial values determine; tables; a motor.
const MODELS: [&str; 8] = [
    "bouncing_ball",
    "coupled_clutches",
    "drivetrain",
    "four_bar_loop",
    "multibody_heat_losses",
    "one_way_clutch",
    "test_bench",
    "torque_source",
];

/// The machine of a platform, or a message about what it lacks: the emulator here, or the toolchain
/// in the sentence with which `fmu` refuses to build.
fn machine(platform: &str, build: &[&str], out: &Path) -> Option<Machine> {
    let found = Machine::of(platform).and_then(|machine| {
        let mut command = fmu();
        command.arg("build").args(build).args(["--platform", &format!("linux64,{platform}")]);
        let output = command.arg("--out").arg(out).output().expect("the program starts");
        let message = String::from_utf8_lossy(&output.stderr).into_owned();
        let lacks = message.contains("` installs it");
        assert!(output.status.success() || lacks, "{message}");
        if output.status.success() { Ok(machine) } else { Err(message) }
    });
    found.map_err(|reason| skipped(reason.trim())).ok()
}

/// Asserts that FMUs in a folder simulate alike on Linux and on another machine, which also
/// continues from a state that was saved on Linux; returns the number of messages about events.
fn simulate_alike(folder: &Path, machine: &Machine) -> usize {
    let linux = Machine::of("linux64").expect("this machine");
    let mut events = 0;
    for path in archives(folder) {
        let unpacked = path.with_extension("");
        let archive = std::fs::File::open(&path).expect("the FMU opens");
        let mut archive = zip::ZipArchive::new(archive).expect("a zip");
        archive.extract(&unpacked).expect("the FMU unpacks");
        let state = unpacked.join("state");
        let expected = linux.simulate(&unpacked, Job::Save, &state);
        let other = machine.simulate(&unpacked, Job::Save, &unpacked.join("other"));
        let same = || expected.iter().zip(&other).position(|(one, other)| one != other);
        assert_eq!(expected.len(), other.len(), "{}", path.display());
        assert_eq!(same(), None, "{}: the first line that differs", path.display());
        let bytes = |path: PathBuf| std::fs::read(path).expect("a saved state");
        assert!(bytes(state.clone()) == bytes(unpacked.join("other")), "{}", path.display());
        let continued = machine.simulate(&unpacked, Job::Continue, &state);
        let after = |lines: &[String]| -> Vec<String> {
            lines.iter().skip_while(|line| *line != "again").cloned().collect()
        };
        assert_eq!(after(&continued), after(&expected), "{}", path.display());
        events += expected.iter().filter(|line| line.contains(" logEvents: ")).count();
    }
    events
}

fn archives(folder: &Path) -> Vec<PathBuf> {
    let files = std::fs::read_dir(folder).expect("the FMUs").flatten().map(|entry| entry.path());
    files.filter(|path| path.extension().is_some_and(|extension| extension == "fmu")).collect()
}

/// Builds the models with players and one of them compiled, and simulates both.
fn check(platform: &str) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let [players, compiled] = ["players", "compiled"].map(|name| folder.path().join(name));
    let interpreted: Vec<&str> = MODELS.into_iter().chain(["--interpreted"]).collect();
    let Some(machine) = machine(platform, &interpreted, &players) else { return };
    let events = simulate_alike(&players, &machine);
    assert!(events > 100, "{events} messages about events");
    assert!(self::machine(platform, &["coupled_clutches"], &compiled).is_some());
    assert_eq!(archives(&compiled).len(), 1);
    simulate_alike(&compiled, &machine);
    for path in [players.join("CoupledClutches.fmu"), compiled.join("CoupledClutches.fmu")] {
        let text = succeeds(fmu().arg("check").arg("--strict").arg(&path));
        assert!(text.contains(platform) && text.contains("linux64"), "{text}");
        for checker in ["fmpy", "fmutool"] {
            let problems = script("validate.py", &[checker, &path.to_string_lossy()]);
            assert_eq!(problems.trim(), "[]", "{checker}: {}", path.display());
        }
    }
}

#[test]
fn windows_computes_the_bits_of_linux() {
    check("win64");
}

#[test]
fn arm_computes_the_bits_of_linux() {
    check("aarch64-linux");
}
