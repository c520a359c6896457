//! Other platforms compute the bits of Linux, in steps, at events and after a restored state.

use std::path::Path;

use coupler_tests::fmu_program::fmu;
use coupler_tests::machines::{Job, Machine};
use coupler_tests::skipped;
use fmu_builder::models::camel_case;

use super::{built, passes_checkers, unpacked};

/// Models with equations and impacts; friction; inputs; a loop with impacts; heat in space; a mode
/// that initial values determine; tables; a motor; a free loop.
const MODELS: [&str; 9] = [
    "bouncing_ball",
    "coupled_clutches",
    "drivetrain",
    "four_bar_loop",
    "multibody_heat_losses",
    "one_way_clutch",
    "test_bench",
    "torque_source",
    "triple_rocker",
];

/// Asserts that an FMU simulates alike on Linux and on another machine, which also continues from
/// a state that was saved on Linux; returns the number of messages about events.
fn simulates_alike(path: &Path, linux: &Machine, machine: &Machine) -> usize {
    let folder = unpacked(path);
    let [state, other_state] = ["state", "other"].map(|name| folder.join(name));
    let expected = linux.simulate(&folder, Job::Save, &state);
    let other = machine.simulate(&folder, Job::Save, &other_state);
    let differs = || expected.iter().zip(&other).position(|(one, other)| one != other);
    assert_eq!(expected.len(), other.len(), "{}", path.display());
    assert_eq!(differs(), None, "{}: the first line that differs", path.display());
    let bytes = |path| std::fs::read(path).expect("a saved state");
    assert!(bytes(&state) == bytes(&other_state), "{}", path.display());
    let continued = machine.simulate(&folder, Job::Continue, &state);
    let after = |lines: &[String]| -> Vec<String> {
        lines.iter().skip_while(|line| *line != "again").cloned().collect()
    };
    assert!(after(&continued).len() > 5, "{}", path.display());
    assert_eq!(after(&continued), after(&expected), "{}", path.display());
    expected.iter().filter(|line| line.contains(" logEvents: ")).count()
}

/// Builds the models with players and compiled, and simulates both.
fn check(platform: &str) {
    let (linux, machine) = match (Machine::of("linux64"), Machine::of(platform)) {
        (Ok(linux), Ok(machine)) => (linux, machine),
        (Err(reason), _) | (_, Err(reason)) => return skipped(&reason),
    };
    let folder = tempfile::tempdir().expect("a temporary folder");
    for form in [&["--interpreted"][..], &[]] {
        // The space shows whether URIs are decoded.
        let out = folder.path().join(format!("form {}", form.len()));
        let mut build = fmu();
        build.arg("build").args(MODELS).args(form);
        build.args(["--platform", &format!("linux64,{platform}")]).arg("--out").arg(&out);
        if let Err(reason) = built(&mut build) {
            return skipped(&reason);
        }
        let paths = MODELS.map(|name| out.join(format!("{}.fmu", camel_case(name))));
        let events: usize = paths.iter().map(|path| simulates_alike(path, &linux, &machine)).sum();
        assert!(events > 100, "{events} messages about events");
        passes_checkers(&paths[1], &["linux64", platform]);
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
