//! `cargo xtask players`: builds the players of interpreted FMUs for all platforms.

use anyhow::Result;

use crate::fmus;
use crate::progress::execute;

/// Runs the chore with the arguments of `fmu players build`.
pub fn run(arguments: &[String]) -> Result<()> {
    execute(fmus::fmu().args(["players", "build"]).args(arguments))
}
