//! `fmu players`: lists, builds and adds the libraries of interpreted FMUs.

use std::path::PathBuf;

use anyhow::{Result, anyhow};

use super::arguments::PlayersAction;
use super::build::targets;
use super::output::print_line;
use crate::libraries::players::{Found, Players, beside_the_program};
use crate::models::Package;
use crate::own_files::folders;

/// Does an action, or lists the players.
pub fn players(package: &Package, action: Option<PlayersAction>) -> Result<()> {
    let players = Players::of(&folders::compiled(&package.source()?));
    match action {
        None => list(&players.list()),
        Some(PlayersAction::Add { folder }) => list(&players.add(&folder)?),
        Some(PlayersAction::Build { platform, out }) => build(&players, platform, out),
    }
}

fn list(found: &[Found]) -> Result<()> {
    if found.is_empty() {
        return print_line("there are no players yet");
    }
    found.iter().try_for_each(|player| {
        let Found { platform, folder, size, manifest, is_current } = player;
        let (version, folder) = (&manifest.version, folder.display());
        let hash = manifest.sha256.get(..12).unwrap_or_default();
        let old = if *is_current { "" } else { "  (out of date)" };
        let kilobytes = size.div_ceil(1000);
        print_line(&format!("{platform:<14} {version} {kilobytes:>5} kB {hash} {folder}{old}"))
    })
}

/// Builds the players for platforms; those that cannot be built do not prevent the others.
fn build(players: &Players, platforms: Vec<String>, out: Option<PathBuf>) -> Result<()> {
    let all = || vec!["all".to_owned()];
    let targets = targets(if platforms.is_empty() { all() } else { platforms })?;
    let folder = out.or_else(beside_the_program);
    let folder = folder.ok_or_else(|| anyhow!("this program has no folder; use --out"))?;
    let mut faults = Vec::new();
    for target in &targets {
        let platform = target.platform.folder();
        match players.make_in(&folder, target) {
            Ok(player) => {
                let kilobytes = player.library.len().div_ceil(1000);
                print_line(&format!("{platform:<14} {kilobytes:>5} kB in {}", folder.display()))?;
            }
            Err(error) => faults.push(format!("no player for {platform}: {error}")),
        }
    }
    if faults.is_empty() { Ok(()) } else { Err(anyhow!(faults.join("; "))) }
}
