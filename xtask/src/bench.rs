//! `cargo xtask bench`: the speed of every FMU next to hand-written yardsticks of the same run.

use anyhow::Result;

use crate::progress::{Progress, execute};
use crate::{fmus, venv};

/// Runs the chore for the models named, or for all.
pub fn run(models: &[String]) -> Result<()> {
    let mut progress = Progress::new(3);
    progress.step("virtual environment (headers of FMI)", venv::ensure)?;
    progress.command("FMUs of all models", &mut fmus::build_all())?;
    progress.command(
        "yardsticks",
        &mut crate::cargo(&["build", "--release", "--package", "yardstick-*"]),
    )?;
    let mut bench = crate::cargo(&["run", "--quiet", "--release", "--package", "coupler-tests"]);
    execute(bench.args(["--bin", "bench", "--"]).args(models))
}
