//! Builds FMUs with the program `fmu`.

use std::fs;
use std::path::PathBuf;
use std::process::Command;

use anyhow::Result;

use crate::progress::ChoreProgress;
use crate::workspace;

/// Models whose FMUs are also tested with tapes: equations, clutches, losses, tables, loops, a free
/// loop, impacts.
const INTERPRETED: [&str; 7] = [
    "bouncing_ball",
    "coupled_clutches",
    "four_bar_loop",
    "fourbar2",
    "lossy_gear_demo1",
    "test_bench",
    "triple_rocker",
];

/// Models whose FMUs the inner loop tests: equations with impacts; friction with time events;
/// inputs and a clutch; a closed loop with impacts; heat in space; a mode that initial values
/// determine; tables in files; a motor to be coupled.
const QUICK: [&str; 8] = [
    "bouncing_ball",
    "coupled_clutches",
    "drivetrain",
    "four_bar_loop",
    "multibody_heat_losses",
    "one_way_clutch",
    "test_bench",
    "torque_source",
];

/// The number of steps of [`build_all`] and of [`build_quick`].
pub const STEPS: usize = 2;

/// The folder for the FMUs of the tests: those that a user builds remain as they are.
fn folder() -> PathBuf {
    workspace::root().join("target/test-fmus")
}

/// Builds the FMUs of all models, and some with tapes; FMUs of models that no longer exist are
/// removed.
pub fn build_all(progress: &mut ChoreProgress) -> Result<()> {
    let folder = folder();
    remove_unpacked();
    for entry in fs::read_dir(&folder).into_iter().flatten().flatten() {
        if entry.path().extension().is_some_and(|extension| extension == "fmu") {
            let _ = fs::remove_file(entry.path());
        }
    }
    progress.command("FMUs of all models", fmu().args(["build", "--all", "--out"]).arg(&folder))?;
    let folder = folder.join("interpreted");
    let _ = fs::remove_dir_all(&folder);
    let mut build = fmu();
    build.args(["build", "--interpreted", "--out"]).arg(folder).args(INTERPRETED);
    progress.command("FMUs with tapes", &mut build)
}

/// The folder for the FMUs of [`build_quick`].
pub fn quick_folder() -> PathBuf {
    folder().join("quick")
}

/// Builds the FMUs of the inner loop.
pub fn build_quick(progress: &mut ChoreProgress) -> Result<()> {
    let folder = quick_folder();
    remove_unpacked();
    let _ = fs::remove_dir_all(&folder);
    let mut build = fmu();
    build.args(["build", "--out"]).arg(&folder).args(QUICK);
    progress.command("FMUs of eight models", &mut build)?;
    let mut build = fmu();
    build.args(["build", "--interpreted", "--out"]).arg(folder.join("interpreted")).args(QUICK);
    progress.command("FMUs with tapes", &mut build)
}

/// Removes what tests have unpacked of FMUs that are now replaced.
fn remove_unpacked() {
    let _ = fs::remove_dir_all(workspace::target().join("unpacked"));
}

/// The program `fmu` with the models of the repository.
pub fn fmu() -> Command {
    workspace::cargo(&["run", "--quiet", "--package", "models", "--bin", "fmu", "--"])
}
