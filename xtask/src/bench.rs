//! `cargo xtask bench`: the speed of every FMU next to hand-written yardsticks of the same run.

use std::fs;
use std::process::Command;

use anyhow::{Context, Result};

use crate::progress::{ChoreProgress, execute};
use crate::{fmus, venv, workspace};

/// A chain written by hand: the name by which it is selected, its package, its library, its
/// lengths.
struct Chain {
    name: &'static str,
    package: &'static str,
    library: &'static str,
    lengths: &'static [&'static str],
}

const CHAINS: [Chain; 2] = [
    Chain {
        name: "Chain",
        package: "yardstick-chain",
        library: "libyardstick_chain.so",
        lengths: &["2", "10", "100", "1000"],
    },
    Chain {
        name: "Revolutes",
        package: "yardstick-revolutes",
        library: "libyardstick_revolutes.so",
        lengths: &["6", "30"],
    },
];

/// Runs the chore for the named models, or for all.
pub fn run(models: &[String]) -> Result<()> {
    let is_chain = |name: &String| CHAINS.iter().any(|chain| chain.name == name);
    let only_chains = !models.is_empty() && models.iter().all(is_chain);
    let mut progress = ChoreProgress::new(3 + if only_chains { 0 } else { fmus::STEPS });
    progress.step("virtual environment (headers of FMI)", venv::ensure)?;
    if !only_chains {
        fmus::build_all(&mut progress)?;
    }
    progress.command("yardsticks", &mut yardsticks("yardstick-*"))?;
    let is_wanted = |c: &&Chain| models.is_empty() || models.iter().any(|name| name == c.name);
    let wanted: Vec<&Chain> = CHAINS.iter().filter(is_wanted).collect();
    progress.step("chains", || {
        wanted.iter().try_for_each(|c| c.lengths.iter().try_for_each(|length| chain(c, length)))
    })?;
    let mut bench =
        workspace::cargo(&["run", "--quiet", "--release", "--package", "coupler-tests"]);
    execute(bench.args(["--bin", "bench", "--"]).args(models))
}

fn yardsticks(package: &str) -> Command {
    workspace::cargo(&["build", "--quiet", "--release", "--package", package])
}

/// Builds a chain written by hand and copies it, because the next length overwrites it.
fn chain(chain: &Chain, length: &str) -> Result<()> {
    let folder = workspace::target().join("bench").join(chain.name).join(length);
    fs::create_dir_all(&folder).with_context(|| format!("{} cannot be made", folder.display()))?;
    execute(yardsticks(chain.package).env("COUPLER_CHAIN", length))?;
    fs::copy(workspace::target().join("release").join(chain.library), folder.join(chain.library))
        .with_context(|| format!("{} cannot be copied", chain.library))?;
    Ok(())
}
