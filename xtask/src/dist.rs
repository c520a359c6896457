//! `cargo xtask dist`: makes the program `fmu` for machines without Rust.

use std::env;

use anyhow::Result;

use crate::progress::execute;
use crate::workspace;

/// Runs the chore with the arguments of the program `dist`, which finds Zig where `.ci/run` puts
/// it.
pub fn run(arguments: &[String]) -> Result<()> {
    let path = env::var_os("PATH").unwrap_or_default();
    let zig = [workspace::target().join("zig/bin")];
    let folders = zig.into_iter().chain(env::split_paths(&path));
    let mut cargo = workspace::cargo(&["run", "--quiet", "--package", "dist", "--"]);
    execute(cargo.args(arguments).env("PATH", env::join_paths(folders)?))
}
