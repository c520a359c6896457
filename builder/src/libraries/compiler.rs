//! Compiles the libraries of FMUs: writes crates to one workspace below the target folder and runs
//! cargo once for all of them.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use toml::{Table, Value as Toml};

use super::artifacts::{Artifacts, Compiled};
use super::run_time::{self, RunTime};
use super::toolchain::Toolchain;
use fmus::atomic_file;
use fmus::error::{Error, FileContext};
use fmus::platform::{Platform, Target};

/// A crate to be compiled: its name and its `lib.rs`.
pub struct Crate {
    /// Its name, which is also that of its folder.
    pub name: String,
    /// The text of its library.
    pub text: String,
    /// Crates of the run time on which it depends.
    pub dependencies: &'static [&'static str],
    /// The number of units into which the compiler may divide it, to compile them in parallel.
    pub units: usize,
}

/// How crates are compiled: a profile of the workspace.
#[derive(Clone, Copy)]
pub enum Profile {
    /// That of models, each a crate of its own.
    Models,
    /// That of the player.
    Player,
}

impl Profile {
    /// Its name in the manifest of the workspace.
    fn name(self) -> &'static str {
        match self {
            Profile::Models => "release",
            Profile::Player => "player",
        }
    }
}

/// The workspace for crates of FMUs.
///
/// The workspace contains copies of the run time's sources, so all compiled code is below one
/// folder. Hashes that cargo derives from the locations of packages are then the same on every
/// machine. Only one process uses the workspace at a time; others wait.
pub struct Compiler {
    folder: PathBuf,
    toolchain: Toolchain,
    _lock: File,
}

impl Compiler {
    /// The workspace in a folder, which is created if necessary, for a target.
    ///
    /// # Errors
    /// As [`Toolchain::find`], and if the folder cannot be written.
    pub fn below(folder: &Path, target: &Target) -> Result<Compiler, Error> {
        let toolchain = Toolchain::find(target)?;
        fs::create_dir_all(folder).attempt("create", folder)?;
        let path = folder.join("lock");
        let lock = File::create(&path).attempt("write", &path)?;
        if lock.try_lock().is_err() {
            // A closed standard error is not a failure.
            let _ = writeln!(
                io::stderr(),
                "waiting for another process to compile in {}",
                folder.display()
            );
            lock.lock().attempt("lock", &path)?;
        }
        Ok(Compiler { folder: folder.to_owned(), toolchain, _lock: lock })
    }

    /// Compiles crates with a profile: their libraries in the same order.
    ///
    /// # Errors
    /// If a file cannot be written, cargo fails, or a library breaks the rules of FMI.
    pub fn compile(&self, profile: Profile, crates: &[Crate]) -> Result<Vec<Compiled>, Error> {
        for c in crates {
            let manifest = format!(
                "[package]\nname = \"{}\"\nversion = \"0.0.0\"\nedition = \"2024\"\n\n\
                 [lib]\ncrate-type = [\"cdylib\"]\n\n[dependencies]\n{}",
                package(&c.name),
                c.dependencies
                    .iter()
                    .map(|name| format!("{name}.workspace = true\n"))
                    .collect::<String>()
            );
            self.write(format!("{}/Cargo.toml", member(c)), manifest.as_bytes())?;
            self.write(format!("{}/src/lib.rs", member(c)), c.text.as_bytes())?;
        }
        self.write_workspace(crates)?;
        let packages: Vec<String> = crates.iter().map(|c| package(&c.name)).collect();
        self.run_cargo(profile, &packages)
    }

    /// Writes a file unless it has this content already, because cargo compiles changed files
    /// again.
    fn write(&self, path: impl AsRef<Path>, bytes: &[u8]) -> Result<(), Error> {
        let path = self.folder.join(path);
        let is_so = fs::read(&path).is_ok_and(|present| present == bytes);
        if is_so { Ok(()) } else { atomic_file::write(&path, bytes) }
    }

    /// Writes the manifest of the workspace of these crates, and copies the crates on which they
    /// depend.
    fn write_workspace(&self, crates: &[Crate]) -> Result<(), Error> {
        let run_time = RunTime::read()?;
        let manifest = workspace_of(&run_time, crates)?;
        let manifest = toml::to_string(&manifest).map_err(|error| Error::Build(error.to_string()));
        self.write("Cargo.toml", manifest?.as_bytes())?;
        self.write("Cargo.lock", &run_time.lock)?;
        for (path, bytes) in &run_time.files {
            self.write(path, bytes)?;
        }
        self.remove_others(Path::new(run_time::FOLDER), &run_time.files)
    }

    /// Removes everything in a folder of the workspace that is not among these files.
    fn remove_others(
        &self,
        folder: &Path,
        files: &BTreeMap<PathBuf, Vec<u8>>,
    ) -> Result<(), Error> {
        let copy = self.folder.join(folder);
        for entry in fs::read_dir(&copy).attempt("read", &copy)? {
            let entry = entry.attempt("read", &copy)?;
            let (path, name) = (entry.path(), folder.join(entry.file_name()));
            if path.is_dir() {
                self.remove_others(&name, files)?;
            } else if !files.contains_key(&name) {
                fs::remove_file(&path).attempt("remove", &path)?;
            }
        }
        Ok(())
    }

    /// Runs cargo; returns the libraries of the packages in their order.
    fn run_cargo(&self, profile: Profile, packages: &[String]) -> Result<Vec<Compiled>, Error> {
        let folders = self.toolchain.folders(&self.folder);
        let results = self.folder.join(self.toolchain.results());
        let mut cargo = self.toolchain.build();
        cargo
            .args(["--profile", profile.name(), "--lib"])
            .args(packages.iter().flat_map(|package| ["--package", package]))
            .arg("--manifest-path")
            .arg(self.folder.join("Cargo.toml"))
            .arg("--target-dir")
            .arg(&results)
            // Intermediate files of libraries are not for a folder that other workspaces share.
            .env("CARGO_BUILD_BUILD_DIR", &results)
            .env("CARGO_ENCODED_RUSTFLAGS", self.toolchain.rust_flags(&folders));
        let target = self.toolchain.triple.as_str();
        let artifacts = Artifacts::of(&mut cargo, target)?.ok_or_else(|| {
            let names: Vec<String> = packages.iter().map(|package| shown(package)).collect();
            let names = names.join(", ");
            Error::Build(format!("cargo cannot compile {names}, see above"))
        })?;
        let platform = Platform::of_target(target);
        let library = |package: &String| {
            let (path, made) = artifacts.made(package)?;
            let mut findings = check::library(&made.bytes, &platform, check::Interfaces::Both);
            findings.extend(check::build_paths(&made.bytes, &folders));
            check::refuse(path, findings)?;
            Ok(made)
        };
        packages.iter().map(library).collect()
    }
}

/// The name of the package with a library, which differs from those of the run time.
fn package(name: &str) -> String {
    format!("library-{name}")
}

/// What such a package contains, in words: names of models have no hyphens.
fn shown(package: &str) -> String {
    package.trim_start_matches("library-").replace('-', " ")
}

/// The folder of a crate in the workspace.
fn member(c: &Crate) -> String {
    format!("libraries/{}", c.name)
}

/// The manifest of the workspace, with the profiles of these crates.
fn workspace_of(run_time: &RunTime, crates: &[Crate]) -> Result<Table, Error> {
    let mut root = run_time.workspace(crates.iter().map(member))?;
    let profiles = root.get_mut("profile").and_then(|profiles| profiles.get_mut("release"));
    let special = profiles.and_then(|release| release.get_mut("package"));
    if let Some(special) = special.and_then(Toml::as_table_mut) {
        for Crate { name, units, .. } in crates.iter().filter(|c| c.units != 1) {
            let units = Table::from_iter([("codegen-units".to_owned(), (*units as i64).into())]);
            special.insert(package(name), units.into());
        }
    }
    Ok(root)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn large_crates_have_a_profile_of_their_own() {
        let named = |name: &str, units| Crate {
            name: name.to_owned(),
            text: String::new(),
            dependencies: &[],
            units,
        };
        let root = workspace_of(&RunTime::read().unwrap(), &[named("a", 1), named("b", 2)]);
        let root = root.unwrap();
        let members = ["libraries/a", "libraries/b"].map(Toml::from);
        assert_eq!(root["workspace"]["members"], Toml::Array(members.into()));
        let special = &root["profile"]["release"]["package"];
        assert_eq!(special["library-b"]["codegen-units"], Toml::Integer(2));
        assert!(special.get("library-a").is_none());
    }
}
