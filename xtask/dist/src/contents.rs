//! The files that the program carries: players for all platforms, and the sources on which packages
//! with models depend.

use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, ensure};
use fmu_builder::archive::Entry;
use fmu_builder::carried::{PLAYERS, SOURCES};
use fmu_builder::libraries::players::{Player, Players};
use fmu_builder::licenses;
use fmu_builder::platform::{SUPPORTED, Target};
use toml::{Table, Value};

/// The file with the licences of everything in the program.
pub const LICENSES: &str = "licenses.txt";

/// What programs for all platforms have in common.
pub struct Contents {
    /// The version, with the commit of the sources.
    pub version: String,
    /// The files that they carry.
    pub files: Vec<Entry>,
    players: Vec<Player>,
}

impl Contents {
    /// Builds the players, and reads the sources of a repository.
    pub fn of(root: &Path, target: &Path) -> Result<Contents> {
        let folder = target.join("dist").join(PLAYERS);
        let (mut files, mut players) = (sources(root)?, Vec::new());
        let all = Players::of(&target.join("libraries"));
        for (platform, _) in SUPPORTED {
            let of = Target::of_folder(platform).map_err(anyhow::Error::msg)?;
            players.push(all.make_in(&folder, &of)?);
            let folder = folder.join(platform);
            for file in fs::read_dir(&folder)? {
                let file = file?;
                let name = file.file_name().to_string_lossy().into_owned();
                let bytes = fs::read(file.path())?;
                files.push(Entry::new(format!("{PLAYERS}/{platform}/{name}"), bytes));
            }
        }
        Ok(Contents { version: version(root)?, files, players })
    }

    /// The licences of a program with the terms of foreign packages in it, and of the players.
    pub fn licenses(&self, terms: &str) -> String {
        let players = self.players.iter().map(|player| player.terms.as_str());
        licenses::of_program(&self.version, [terms].into_iter().chain(players))
    }
}

/// The version with the commit, and whether files differ from it.
fn version(root: &Path) -> Result<String> {
    let commit = git(root, &["log", "-1", "--format=%h", "--abbrev=10"])?;
    let changes = git(root, &["status", "--porcelain"])?;
    let changed = if changes.trim().is_empty() { "" } else { ", changed" };
    Ok(format!("{} ({}{changed})", env!("CARGO_PKG_VERSION"), commit.trim()))
}

/// The sources of the packages on which models depend, and of the models: the files that git does
/// not ignore, without tests.
fn sources(root: &Path) -> Result<Vec<Entry>> {
    let own = ["Cargo.toml", "Cargo.lock", "LICENSE-APACHE", "LICENSE-MIT"];
    let folders = ["builder", "fmu-runtime", "models"];
    let all = ["ls-files", "-z", "--cached", "--others", "--exclude-standard", "--"];
    let list = [&all[..], &own, &folders].concat();
    let names = git(root, &list)?;
    let is_test = |name: &str| {
        let before_source = name.split("/src/").next().unwrap_or(name);
        before_source.split('/').any(|folder| folder == "tests")
    };
    let names: Vec<&str> = names.split_terminator('\0').filter(|name| !is_test(name)).collect();
    let entry = |name: &&str| {
        let bytes = fs::read(root.join(name)).with_context(|| format!("cannot read {name}"))?;
        let bytes = if *name == "Cargo.toml" { manifest(&bytes, &names)? } else { bytes };
        Ok(Entry::new(format!("{SOURCES}/{name}"), bytes))
    };
    names.iter().map(entry).collect()
}

/// The manifest of the workspace with those of its members that are among files.
fn manifest(bytes: &[u8], files: &[&str]) -> Result<Vec<u8>> {
    let mut manifest: Table = std::str::from_utf8(bytes)?.parse()?;
    let workspace = manifest.get_mut("workspace").and_then(Value::as_table_mut);
    let workspace = workspace.context("Cargo.toml has no workspace")?;
    workspace.remove("exclude");
    let members = workspace.get_mut("members").and_then(Value::as_array_mut);
    let is_carried = |member: &Value| {
        let manifest = member.as_str().map(|member| format!("{member}/Cargo.toml"));
        manifest.is_some_and(|manifest| files.contains(&manifest.as_str()))
    };
    members.context("Cargo.toml lists no members")?.retain(is_carried);
    Ok(toml::to_string(&manifest)?.into_bytes())
}

/// What git prints in the repository.
fn git(root: &Path, arguments: &[&str]) -> Result<String> {
    let output = Command::new("git").args(arguments).current_dir(root).output();
    let output = output.context("git cannot be started")?;
    ensure!(output.status.success(), "git {}: {}", arguments[0], output.status);
    Ok(String::from_utf8(output.stdout)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sources_are_a_workspace_without_tests() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        let sources = sources(&root).unwrap();
        let of = |path: &str| sources.iter().find(|entry| entry.path == format!("sources/{path}"));
        let manifest: Table =
            std::str::from_utf8(&of("Cargo.toml").unwrap().bytes).unwrap().parse().unwrap();
        let members = manifest["workspace"]["members"].as_array().unwrap();
        assert!(members.contains(&"models/coupler".into()) && !members.contains(&"tests".into()));
        for member in members {
            assert!(of(&format!("{}/Cargo.toml", member.as_str().unwrap())).is_some(), "{member}");
        }
        assert!(of("models/src/fourbar2.rs").is_some() && of("Cargo.lock").is_some());
        assert!(of("builder/check/src/tests/libraries.rs").is_some(), "part of a crate");
        assert!(!sources.iter().any(|entry| entry.path.starts_with("sources/models/tests/")));
    }
}
