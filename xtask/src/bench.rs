//! `cargo xtask bench`: the speed of every FMU next to hand-written yardsticks of the same run.

use std::fs;
use std::process::Command;

use anyhow::{Context, Result};

use crate::progress::{Progress, execute};
use crate::{fmus, venv};

/// The chain as a model, and its lengths: the same text, so that only the length differs.
const CHAIN: &str = "chain_of_components";
const LENGTHS: [&str; 4] = ["2", "10", "100", "1000"];

/// Runs the chore for the models named, or for all.
pub fn run(models: &[String]) -> Result<()> {
    let mut progress = Progress::new(4);
    progress.step("virtual environment (headers of FMI)", venv::ensure)?;
    progress.command("FMUs of all models", &mut fmus::build_all())?;
    progress.command("yardsticks", &mut yardsticks("yardstick-*"))?;
    let wanted = models.is_empty() || models.iter().any(|name| name == "Chain");
    let lengths = if wanted { &LENGTHS[..] } else { &[] };
    progress.step("chains", || lengths.iter().try_for_each(|length| chain(length)))?;
    let mut bench = crate::cargo(&["run", "--quiet", "--release", "--package", "coupler-tests"]);
    execute(bench.args(["--bin", "bench", "--"]).args(models))
}

fn yardsticks(package: &str) -> Command {
    crate::cargo(&["build", "--quiet", "--release", "--package", package])
}

/// Builds the FMU and the yardstick of a chain, each of which the next length overwrites.
fn chain(length: &str) -> Result<()> {
    let folder = crate::target().join("bench").join("chain").join(length);
    fs::create_dir_all(&folder).with_context(|| format!("{} cannot be made", folder.display()))?;
    let model = format!("tests/yardsticks/{CHAIN}");
    let mut build = fmus::build(&[&model, "--out"]);
    execute(build.arg(&folder).env("COUPLER_CHAIN", length))?;
    execute(yardsticks("yardstick-chain").env("COUPLER_CHAIN", length))?;
    let library = "libyardstick_chain.so";
    fs::copy(crate::target().join("release").join(library), folder.join(library))
        .with_context(|| format!("{library} cannot be copied"))?;
    Ok(())
}
