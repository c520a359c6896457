//! The folders for results and for compiled code, below `target` of a workspace.

use std::path::{self, Path, PathBuf};
use std::{env, fs};

/// The folder for FMUs and results: `target/fmu` of the workspace that contains the current folder,
/// or outside workspaces the current folder. A target folder that many packages share is not used,
/// because their results would be mixed.
pub fn results() -> PathBuf {
    let here = env::current_dir().unwrap_or_default();
    workspace(&here).map_or_else(PathBuf::new, |root| root.join("target").join("fmu"))
}

/// The folder in which the program with the models of a package compiles libraries of FMUs.
pub fn compiled(package: &Path) -> PathBuf {
    let below = |root: PathBuf| root.join("target");
    let target = env::var_os("CARGO_TARGET_DIR").map(PathBuf::from);
    let target = target.or_else(|| workspace(package).map(below));
    // A program whose sources no longer exist compiles in the current folder.
    let folder = target.unwrap_or_else(|| PathBuf::from("target")).join("libraries");
    // The path is made absolute because compiled code replaces folders by their full names.
    path::absolute(&folder).unwrap_or(folder)
}

/// The variable that names the folder for data of programs, instead of the one in the home folder.
pub const DATA: &str = if cfg!(windows) { "LOCALAPPDATA" } else { "XDG_DATA_HOME" };

/// The folder for data of this user.
pub fn data() -> Option<PathBuf> {
    let named = env::var_os(DATA).map(PathBuf::from).filter(|folder| folder.is_absolute());
    let data = named.or_else(|| Some(env::home_dir()?.join(".local").join("share")));
    Some(data?.join("coupler"))
}

/// The root of the workspace that contains a folder: the folder above it whose Cargo.toml has a
/// table `workspace`, or else the folder of its package.
pub fn workspace(folder: &Path) -> Option<PathBuf> {
    let manifests = folder.ancestors().filter_map(|above| {
        let text = fs::read_to_string(above.join("Cargo.toml")).ok()?;
        Some((above, text))
    });
    let mut package = None;
    for (above, text) in manifests {
        if text.lines().any(|line| line.starts_with("[workspace")) {
            return Some(above.to_owned());
        }
        package.get_or_insert_with(|| above.to_owned());
    }
    package
}

/// The package that contains a folder: the nearest Cargo.toml above it is that of a package, and
/// not the root of a workspace, which may get further members.
pub fn package(folder: &Path) -> Option<PathBuf> {
    let manifest = |above: &Path| fs::read_to_string(above.join("Cargo.toml")).ok();
    let (nearest, text) = folder.ancestors().find_map(|above| Some((above, manifest(above)?)))?;
    let has = |table: &str| text.lines().any(|line| line.starts_with(table));
    (has("[package]") && !has("[workspace")).then(|| nearest.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_root_of_a_workspace_is_above_its_packages() {
        let root = tempfile::tempdir().unwrap();
        let root = root.path();
        let package = root.join("machines/pump");
        fs::create_dir_all(package.join("src")).unwrap();
        fs::write(package.join("Cargo.toml"), "[package]\nname = \"pump\"\n").unwrap();
        assert_eq!(workspace(&package.join("src")), Some(package.clone()));
        fs::write(root.join("Cargo.toml"), "[workspace]\nmembers = [\"machines/*\"]\n").unwrap();
        assert_eq!(workspace(&package.join("src")).as_deref(), Some(root));
        assert_eq!(workspace(root).as_deref(), Some(root));
        assert_eq!(super::package(&package.join("src")), Some(package.clone()));
        assert_eq!(super::package(&root.join("machines")), None);
    }
}
