//! `cargo xtask bench`: the speed of FMUs next to systems written by hand, in the same run.

use std::fs;
use std::process::Command;

use anyhow::{Context, Result};

use crate::progress::{ChoreProgress, execute};
use crate::{venv, workspace};

/// A chain written by hand; `name` selects it on the command line.
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

/// Runs the chore; the arguments are names and options of the program `bench`, which measures.
pub fn run(arguments: &[String]) -> Result<()> {
    let accuracy = arguments.iter().any(|argument| argument == "--accuracy");
    let mut progress = ChoreProgress::new(if accuracy { 1 } else { 3 });
    progress.step("virtual environment (headers of FMI, solvers)", venv::ensure)?;
    if !accuracy {
        progress.command("yardsticks", &mut yardsticks("yardstick-*"))?;
        let named = |name: &str| arguments.iter().any(|argument| argument == name);
        // Options, and the number of `--rounds`, name nothing.
        let is_name = |word: &String| !word.starts_with('-') && word.parse::<usize>().is_err();
        let everything = named("--all") || !arguments.iter().any(is_name);
        let is_wanted = |c: &&Chain| everything || named(c.name);
        let wanted: Vec<&Chain> = CHAINS.iter().filter(is_wanted).collect();
        progress.step("chains", || {
            wanted.iter().try_for_each(|c| c.lengths.iter().try_for_each(|length| chain(c, length)))
        })?;
    }
    let mut bench =
        workspace::cargo(&["run", "--quiet", "--release", "--package", "coupler-tests"]);
    execute(bench.args(["--bin", "bench", "--"]).args(arguments))
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
