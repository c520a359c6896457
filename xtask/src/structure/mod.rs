//! `cargo xtask structure`: checks the [map] of crates and folders; with `--print`, prints it in
//! docs/architecture.md.

mod crates;
mod cycles;
mod layers;
mod map;
mod modules;
mod page;
mod sizes;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use serde_json::Value;

use self::map::MAP;
use self::modules::Modules;
use crate::workspace;

/// Refuses dependencies of crates and folders that the map does not allow, large crates, large
/// cycles of modules, and a page that does not print the map.
pub fn run() -> Result<()> {
    let packages = packages()?;
    let mut findings = crates::check(&packages);
    let roots = crate_roots(&packages);
    let folders: BTreeSet<&Path> = roots.iter().filter_map(|root| root.parent()).collect();
    for folder in folders {
        findings.extend(sizes::check(&shown(folder), folder)?);
    }
    for root in &roots {
        let modules = Modules::of_crate(root)?;
        findings.extend(cycles::check(&shown(root), &modules));
        let of_root =
            |c: &&map::Crate| workspace::root().join(c.folder).join("src/lib.rs") == *root;
        if let Some(entry) = MAP.iter().find(of_root) {
            findings.extend(layers::check(entry, &modules));
        }
    }
    if !findings.is_empty() {
        bail!("{}", findings.join("\n"));
    }
    page::check()
}

/// As the arguments of the chore say.
pub fn run_with(arguments: &[String]) -> Result<()> {
    match arguments {
        [] => run(),
        [option] if option == "--print" => print(),
        _ => bail!("`cargo xtask structure` has only the argument --print"),
    }
}

/// Prints the map in the page.
pub fn print() -> Result<()> {
    page::write()
}

/// What cargo knows of the packages of the workspace.
fn packages() -> Result<Vec<Value>> {
    let output = workspace::cargo(&["metadata", "--format-version", "1", "--no-deps"]).output()?;
    let mut metadata: Value =
        serde_json::from_slice(&output.stdout).context("`cargo metadata` cannot be read")?;
    let packages = metadata["packages"].as_array_mut().map(std::mem::take);
    packages.context("`cargo metadata` lists no packages")
}

/// A path within the repository.
fn shown(path: &Path) -> String {
    path.strip_prefix(workspace::root()).unwrap_or(path).display().to_string()
}

/// The root files of all libraries and programs of the workspace.
fn crate_roots(packages: &[Value]) -> BTreeSet<PathBuf> {
    let targets = packages.iter().flat_map(|p| p["targets"].as_array().into_iter().flatten());
    let paths = targets.filter_map(|target| target["src_path"].as_str().map(PathBuf::from));
    let is_source = |path: &PathBuf| path.parent().is_some_and(|folder| folder.ends_with("src"));
    paths.filter(is_source).collect()
}
