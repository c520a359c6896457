//! `cargo xtask first-contact`: measures the time from a clone to the first plot.

use std::process::Command;
use std::time::{Duration, Instant};

use anyhow::{Result, ensure};

use crate::progress::execute;
use crate::workspace;

/// The maximum time for which a new user should wait, on two idle cores.
const LIMIT: Duration = Duration::from_secs(60);

/// Clones the repository into a temporary folder and simulates the README's model there.
/// Packages are downloaded before the measurement.
pub fn run() -> Result<()> {
    let folder = tempfile::tempdir()?;
    let clone = folder.path().join("coupler");
    execute(Command::new("git").args(["clone", "--quiet"]).arg(workspace::root()).arg(&clone))?;
    let cargo = || {
        let mut cargo = workspace::cargo(&[]);
        cargo.current_dir(&clone).env_remove("CARGO_TARGET_DIR");
        cargo
    };
    execute(cargo().args(["fetch", "--quiet", "--locked"]))?;
    let start = Instant::now();
    execute(cargo().args(["fmu", "run", "fourbar2", "--interpreted"]))?;
    let took = start.elapsed();
    println!("first contact: {:.0} s from a clone to the first plot", took.as_secs_f64());
    ensure!(took <= LIMIT, "the limit is {} s on two idle cores", LIMIT.as_secs());
    Ok(())
}
