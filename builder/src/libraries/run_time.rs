//! The sources of the run time, from which libraries are compiled; they are the same files in the
//! repository and in published packages.

use std::collections::BTreeMap;
use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};
use toml::{Table, Value as Toml};

use crate::own_files::carried;
use fmus::error::{Error, FileContext};

/// The crates of the run time, by the names that dependencies have in all manifests, with the
/// folders of their sources.
const CRATES: [(&str, &str); 4] = [
    ("fmu-runtime", fmu_runtime::FOLDER),
    ("kernels", kernels::FOLDER),
    ("player", player::FOLDER),
    ("program", program::FOLDER),
];

/// The profile with which libraries are compiled; a test compares it with the manifest of the
/// repository.
const PROFILE: &str = include_str!("profile.toml");

/// The folder of all crates in the workspace of libraries.
pub const FOLDER: &str = "run-time";

/// The sources and manifests of the run time.
pub struct RunTime {
    /// The content of every file, by its path in the workspace of libraries.
    pub files: BTreeMap<PathBuf, Vec<u8>>,
    /// A file `Cargo.lock`: the versions with which this program was published or made.
    pub lock: Vec<u8>,
    /// An entry for each crate as a dependency in the workspace.
    dependencies: Table,
}

impl RunTime {
    /// Reads the files.
    ///
    /// # Errors
    /// If a file is missing, or differs from its form in the repository and in packages.
    pub fn read() -> Result<RunTime, Error> {
        let mut files = BTreeMap::new();
        let mut dependencies = Table::new();
        let mut packages = Vec::new();
        for (name, folder) in CRATES {
            let (from, to) = (carried::source(folder)?, Path::new(FOLDER).join(name));
            let manifest = complete_manifest(&from)?;
            let package = manifest["package"]["name"].clone();
            let path = Toml::String(format!("{FOLDER}/{name}"));
            let dependency = Table::from_iter([
                ("package".to_owned(), package.clone()),
                ("path".to_owned(), path),
            ]);
            dependencies.insert(name.to_owned(), dependency.into());
            packages.push(package);
            let manifest = toml::to_string(&manifest).map_err(unexpected)?;
            files.insert(to.join("Cargo.toml"), manifest.into_bytes());
            read_folder(&from.join("src"), &to.join("src"), &mut files)?;
        }
        let own = carried::source(kernels::folder!())?;
        let lock = read_table(&root_of(&own, &read_manifest(&own)?).join("Cargo.lock"))?;
        let lock = toml::to_string(&of_paths(lock, &packages)).map_err(unexpected)?.into_bytes();
        Ok(RunTime { files, lock, dependencies })
    }

    /// The checksum of the sources, of the versions of their dependencies and of the profile; it is
    /// the same on all systems.
    pub fn checksum(&self) -> String {
        let mut hash = Sha256::new();
        hash.update(PROFILE);
        hash.update(&self.lock);
        for (path, bytes) in &self.files {
            hash.update(portable(path));
            hash.update(bytes);
        }
        hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
    }

    /// The manifest of a workspace with members that depend on the run time.
    ///
    /// # Errors
    /// If the profile is not a table.
    pub fn workspace(&self, members: impl Iterator<Item = String>) -> Result<Table, Error> {
        let mut root: Table = PROFILE.parse().map_err(unexpected)?;
        let workspace = Table::from_iter([
            ("resolver".to_owned(), Toml::from("3")),
            ("members".to_owned(), Toml::Array(members.map(Toml::String).collect())),
            ("dependencies".to_owned(), self.dependencies.clone().into()),
        ]);
        root.insert("workspace".to_owned(), workspace.into());
        Ok(root)
    }
}

/// A relative path with slashes, on all systems.
fn portable(path: &Path) -> String {
    let parts = path.components().map(|part| part.as_os_str().to_string_lossy());
    parts.collect::<Vec<_>>().join("/")
}

/// Adds the files of a folder and of its subfolders.
fn read_folder(
    from: &Path,
    to: &Path,
    files: &mut BTreeMap<PathBuf, Vec<u8>>,
) -> Result<(), Error> {
    for entry in fs::read_dir(from).attempt("read", from)? {
        let entry = entry.attempt("read", from)?;
        let (path, to) = (entry.path(), to.join(entry.file_name()));
        if path.is_dir() {
            read_folder(&path, &to, files)?;
        } else {
            files.insert(to, fs::read(&path).attempt("read", &path)?);
        }
    }
    Ok(())
}

/// Whether the sources in a folder are part of a workspace, as in the repository; published
/// packages have complete manifests.
pub fn is_in_workspace(folder: &Path) -> bool {
    read_manifest(folder).is_ok_and(|manifest| inherits(&manifest))
}

fn inherits(manifest: &Table) -> bool {
    let version = manifest.get("package").and_then(|package| package.get("version"));
    version.is_some_and(Toml::is_table)
}

/// The folder with the lock file of a package: that of the workspace from which its manifest
/// inherits the version, or its own.
fn root_of<'a>(folder: &'a Path, manifest: &Table) -> &'a Path {
    let is_root = |above: &&Path| {
        read_manifest(above).is_ok_and(|manifest| manifest.contains_key("workspace"))
    };
    let root = folder.ancestors().skip(1).find(is_root).filter(|_| inherits(manifest));
    root.unwrap_or(folder)
}

/// The part that libraries need of the manifest of a run time crate. Values inherited from a
/// workspace are written out, and dependencies on other crates of the run time have paths.
fn complete_manifest(folder: &Path) -> Result<Table, Error> {
    let own = read_manifest(folder)?;
    let root = read_manifest(root_of(folder, &own))?;
    let shared = |table: &str| root.get("workspace").and_then(|shared| shared.get(table));
    let mut manifest = Table::new();
    for (table, keys) in [("package", &["name", "version", "edition"][..]), ("lib", &["name"])] {
        let mut kept = Table::new();
        for key in keys {
            let value = own.get(table).and_then(|table| table.get(key));
            let value = value.ok_or_else(|| unexpected(format!("{table} has no {key}")))?;
            let of_all = shared(table).and_then(|shared| shared.get(key));
            kept.insert((*key).to_owned(), inherited(value, of_all));
        }
        manifest.insert(table.to_owned(), kept.into());
    }
    manifest.extend(own.get("features").map(|features| ("features".to_owned(), features.clone())));
    let dependencies = own.get("dependencies").and_then(Toml::as_table).into_iter().flatten();
    let complete = dependencies.map(|(name, dependency)| {
        let of_all = shared("dependencies").and_then(|shared| shared.get(name));
        let mut dependency = match inherited(dependency, of_all) {
            Toml::Table(table) => table,
            version => Table::from_iter([("version".to_owned(), version)]),
        };
        if CRATES.iter().any(|(other, _)| other == name) {
            dependency.insert("path".to_owned(), Toml::String(format!("../{name}")));
        }
        (name.clone(), dependency.into())
    });
    let complete = Table::from_iter(complete);
    manifest.insert("dependencies".to_owned(), complete.into());
    Ok(manifest)
}

/// A value of a manifest: if it is `{ workspace = true, .. }`, the value of the workspace with the
/// other keys added.
fn inherited(value: &Toml, of_all: Option<&Toml>) -> Toml {
    let Some(own) = value.as_table().filter(|own| own.contains_key("workspace")) else {
        return value.clone();
    };
    let mut all = match of_all.cloned().unwrap_or(Toml::Boolean(false)) {
        Toml::Table(all) => all,
        plain if own.len() == 1 => return plain,
        version => Table::from_iter([("version".to_owned(), version)]),
    };
    for (key, value) in own.iter().filter(|(key, _)| *key != "workspace") {
        match (all.get_mut(key), value) {
            (Some(Toml::Array(all)), Toml::Array(more)) => all.extend(more.iter().cloned()),
            _ => drop(all.insert(key.clone(), value.clone())),
        }
    }
    all.into()
}

/// A lock file in which these packages have paths instead of a registry.
fn of_paths(mut lock: Table, packages: &[Toml]) -> Table {
    let entries = lock.get_mut("package").and_then(Toml::as_array_mut).into_iter().flatten();
    for entry in entries.filter_map(Toml::as_table_mut) {
        if entry.get("name").is_some_and(|name| packages.contains(name)) {
            entry.remove("source");
            entry.remove("checksum");
        }
    }
    lock
}

fn read_manifest(folder: &Path) -> Result<Table, Error> {
    read_table(&folder.join("Cargo.toml"))
}

fn read_table(path: &Path) -> Result<Table, Error> {
    fs::read_to_string(path).attempt("read", path)?.parse().map_err(unexpected)
}

fn unexpected(reason: impl fmt::Display) -> Error {
    Error::Build(format!("the manifests of the run time: {reason}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_profile_is_that_of_the_repository() {
        let root = read_manifest(Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap()).unwrap();
        let own: Table = PROFILE.parse().unwrap();
        assert_eq!(own["profile"]["release"], root["profile"]["release"]);
    }

    #[test]
    fn manifests_are_complete_without_the_workspace_around_them() {
        let program = complete_manifest(Path::new(program::FOLDER)).unwrap();
        assert_eq!(program["package"]["name"], "coupler-fmi-program".into());
        assert_eq!(program["package"]["version"], env!("CARGO_PKG_VERSION").into());
        assert_eq!(program["dependencies"]["kernels"]["path"], "../kernels".into());
        let postcard = &program["dependencies"]["postcard"];
        assert_eq!(postcard["default-features"], false.into());
        assert_eq!(postcard["optional"], true.into());
        let player = complete_manifest(Path::new(player::FOLDER)).unwrap();
        assert_eq!(player["dependencies"]["program"]["features"], vec!["file"].into());
        assert!(!toml::to_string(&player).unwrap().contains("workspace"));
    }

    #[test]
    fn a_published_manifest_and_its_lock_file_lead_to_the_same_workspace() {
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path();
        let published = "[package]\nname = \"coupler-fmi-runtime\"\nversion = \"0.1.0\"\n\
                         edition = \"2024\"\nbuild = false\nreadme = \"README.md\"\n\n\
                         [lib]\nname = \"fmu_runtime\"\npath = \"src/lib.rs\"\n\n\
                         [dependencies.kernels]\nversion = \"=0.1.0\"\n\
                         package = \"coupler-fmi-kernels\"\n\n\
                         [dependencies.program]\nversion = \"=0.1.0\"\n\
                         package = \"coupler-fmi-program\"\n";
        fs::write(folder.join("Cargo.toml"), published).unwrap();
        assert!(!is_in_workspace(folder) && is_in_workspace(Path::new(fmu_runtime::FOLDER)));
        let ours = complete_manifest(Path::new(fmu_runtime::FOLDER)).unwrap();
        assert_eq!(complete_manifest(folder).unwrap(), ours);
        let lock = "[[package]]\nname = \"coupler-fmi-runtime\"\nversion = \"0.1.0\"\n\
                    source = \"registry\"\nchecksum = \"00\"\n\n\
                    [[package]]\nname = \"libm\"\nversion = \"0.2.16\"\nsource = \"registry\"\n";
        let lock = of_paths(lock.parse().unwrap(), &["coupler-fmi-runtime".into()]);
        assert!(lock["package"][0].get("source").is_none(), "{lock}");
        assert_eq!(lock["package"][1]["source"], "registry".into());
    }

    #[test]
    fn the_checksum_does_not_depend_on_the_separator_of_paths() {
        let run_time = |path: PathBuf| RunTime {
            files: BTreeMap::from([(path, vec![1])]),
            lock: Vec::new(),
            dependencies: Table::new(),
        };
        let checksum = run_time(Path::new("run-time").join("kernels")).checksum();
        let expected = Sha256::new().chain_update(PROFILE).chain_update("run-time/kernels\x01");
        let expected: String = expected.finalize().iter().map(|b| format!("{b:02x}")).collect();
        assert_eq!(checksum, expected);
    }

    #[test]
    fn the_workspace_has_the_crates_and_the_profile_of_the_run_time() {
        let run_time = RunTime::read().unwrap();
        let root = run_time.workspace(["libraries/a".to_owned()].into_iter()).unwrap();
        assert_eq!(root["workspace"]["members"], vec!["libraries/a"].into());
        assert_eq!(root["workspace"]["dependencies"]["kernels"]["path"], "run-time/kernels".into());
        assert_eq!(root["profile"]["release"]["strip"], true.into());
        assert_eq!(root["profile"]["player"]["inherits"], "release".into());
        for (name, _) in CRATES {
            let library = Path::new(FOLDER).join(name).join("src/lib.rs");
            assert!(run_time.files.contains_key(&library), "{name}");
        }
    }
}
