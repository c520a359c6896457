//! The folders for results and for compiled code, below `target` of a workspace.

use std::path::{self, Path, PathBuf};
use std::{env, fs};

/// The folder for FMUs and results: `target/fmu` of the workspace that contains the current folder,
/// outside of workspaces the current folder itself. A target folder that many packages share would
/// mix what they have.
pub fn results() -> PathBuf {
    let here = env::current_dir().unwrap_or_default();
    workspace(&here).map_or_else(PathBuf::new, |root| root.join("target").join("fmu"))
}

/// The folder where the program that has the models of a package puts what it compiles for FMUs.
pub fn compiled(package: &Path) -> PathBuf {
    let below = |root: PathBuf| root.join("target");
    let target = env::var_os("CARGO_TARGET_DIR").map(PathBuf::from);
    let target = target.or_else(|| workspace(package).map(below));
    // A program whose sources are gone compiles where it is called.
    let folder = target.unwrap_or_else(|| PathBuf::from("target")).join("libraries");
    // Folders are renamed in what is compiled, by their full names.
    path::absolute(&folder).unwrap_or(folder)
}

/// The root of the workspace that contains a folder: where a Cargo.toml above it has a table
/// `workspace`, else that of the package itself.
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

/// The package in which a folder is: the nearest Cargo.toml above it is one, and not the root of a
/// workspace, which may become larger.
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
