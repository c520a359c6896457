//! Builds FMUs with the program `fmu`.

use std::fs;
use std::process::Command;

use anyhow::Result;

use crate::progress::Progress;
use crate::workspace;

/// Models whose FMUs are tested with tapes too: equations, clutches, losses, tables, loops,
/// impacts.
const INTERPRETED: [&str; 6] = [
    "bouncing_ball",
    "coupled_clutches",
    "four_bar_loop",
    "fourbar2",
    "lossy_gear_demo1",
    "test_bench",
];

/// How many steps [`build_all`] takes.
pub const STEPS: usize = 2;

/// Builds those of all models, and some with tapes; nothing is left of models that are gone.
pub fn build_all(progress: &mut Progress) -> Result<()> {
    let folder = workspace::root().join("target/fmu");
    for entry in fs::read_dir(&folder).into_iter().flatten().flatten() {
        if entry.path().extension().is_some_and(|extension| extension == "fmu") {
            let _ = fs::remove_file(entry.path());
        }
    }
    progress.command("FMUs of all models", fmu().args(["build", "--all"]))?;
    let folder = folder.join("interpreted");
    let _ = fs::remove_dir_all(&folder);
    let mut build = fmu();
    build.args(["build", "--interpreted", "--out"]).arg(folder).args(INTERPRETED);
    progress.command("FMUs with tapes", &mut build)
}

fn fmu() -> Command {
    workspace::cargo(&["run", "--quiet", "--package", "models", "--bin", "fmu", "--"])
}
