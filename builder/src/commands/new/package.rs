//! Makes a package for models: `lib.rs` with their list, `main.rs` with the program, and a first
//! model with a test.

use std::env;
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Stdio;

use serde::Serialize;

use super::model_name::legal;
use super::owner::Owner;
use super::template::Template;
use crate::libraries::{run_time, toolchain};
use crate::models::camel_case;
use crate::own_files::{carried, folders};
use fmus::atomic_file;
use fmus::error::{Error, FileContext};

/// The crate on which models depend, as a new package names it.
#[derive(Clone, Copy, Debug)]
pub struct Facade {
    /// Its name as a package.
    pub package: &'static str,
    /// Its name as a library.
    pub library: &'static str,
    /// Its version.
    pub version: &'static str,
    /// The folder with its sources, or that in the sources which a distributed program carries.
    pub folder: &'static str,
}

/// Makes a package for models with a first model of the same name, in a new subfolder; returns the
/// new folder. In a workspace it becomes a member.
///
/// # Errors
/// If the name is not legal, the folder exists already, cargo refuses, or a file cannot be written.
pub fn package(
    within: &Path,
    name: &str,
    template: Template,
    facade: &Facade,
    owner: &Owner,
) -> Result<PathBuf, Error> {
    legal(name, facade.library)?;
    let folder = within.join(name);
    if folder.exists() {
        return Err(Error::Request(format!("there is already {}", folder.display())));
    }
    let workspace = folders::workspace(within).map(|root| root.join("Cargo.toml"));
    // Cargo writes to the manifest of the workspace, which is restored after a failure.
    let before = match workspace {
        Some(path) => Some((fs::read(&path).attempt("read", &path)?, path)),
        None => None,
    };
    let made = made_by_cargo(&folder, name).and_then(|()| {
        let is_root = folders::workspace(&folder).is_none_or(|root| root == folder);
        let manifest = manifest(name, facade, owner, is_root)?;
        let write =
            |file: &str, text: &str| atomic_file::write(&folder.join(file), text.as_bytes());
        write("Cargo.toml", &manifest)?;
        if let Some(lock) = lock_of(facade).filter(|_| is_root) {
            write("Cargo.lock", &lock)?;
            if let Some(configuration) = configuration() {
                fs::create_dir(folder.join(".cargo")).attempt("create", &folder.join(".cargo"))?;
                write(".cargo/config.toml", &configuration)?;
            }
        }
        write(".gitignore", "/target\n")?;
        write("README.md", &readme(name))?;
        write("src/lib.rs", &list(name, facade))?;
        write("src/main.rs", &main(name, facade))?;
        write(&format!("src/{name}.rs"), template.text())
    });
    match made {
        Ok(()) => Ok(folder),
        Err(error) => {
            let _ = fs::remove_dir_all(&folder);
            if let Some((text, path)) = before {
                let _ = fs::write(path, text);
            }
            Err(error)
        }
    }
}

/// Lets cargo make an empty library and list it in a workspace around it.
fn made_by_cargo(folder: &Path, name: &str) -> Result<(), Error> {
    let output = toolchain::cargo()
        .args(["new", "--quiet", "--lib", "--vcs", "none", "--name", name])
        .arg(folder)
        .stdin(Stdio::null())
        .output()
        .map_err(toolchain::no_cargo)?;
    if output.status.success() {
        return Ok(());
    }
    let printed = String::from_utf8_lossy(&output.stderr);
    let reason =
        printed.lines().find_map(|line| line.strip_prefix("error: ")).unwrap_or("it fails");
    Err(Error::Build(format!("cargo cannot make {}: {reason}", folder.display())))
}

/// The table `package`, in the usual order of manifests.
#[derive(Serialize)]
struct PackageSection<'a> {
    name: &'a str,
    version: &'a str,
    edition: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    authors: Option<[&'a str; 1]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    license: Option<&'a str>,
}

#[derive(Serialize)]
struct Dependency<'a> {
    package: &'a str,
    #[serde(flatten)]
    source: DependencySource<'a>,
}

/// The dependency on the facade.
#[derive(Serialize)]
#[serde(rename_all = "snake_case")]
enum DependencySource<'a> {
    Path(&'a Path),
    Version(&'a str),
}

fn manifest(name: &str, facade: &Facade, owner: &Owner, is_root: bool) -> Result<String, Error> {
    let authors = owner.author.as_deref().map(|author| [author]);
    let license = owner.license.as_deref();
    let package = PackageSection { name, version: "0.1.0", edition: "2024", authors, license };
    let folder = carried::source(facade.folder)?;
    let source = match run_time::is_in_workspace(&folder) {
        true => DependencySource::Path(&folder),
        false => DependencySource::Version(facade.version),
    };
    let unexpected = |error: toml::ser::Error| Error::Build(error.to_string());
    let package = toml::to_string(&package).map_err(unexpected)?;
    let dependency = Dependency { package: facade.package, source };
    let dependency = toml::to_string(&dependency).map_err(unexpected)?;
    let library = facade.library;
    let mut manifest = format!("[package]\n{package}\n[dependencies.{library}]\n{dependency}");
    // Cargo uses the profiles of a workspace's root only.
    if is_root {
        let _ = write!(manifest, "\n{}", include_str!("profile.toml"));
    }
    Ok(manifest)
}

/// The lock file of the facade's workspace: the package begins with the versions with which the
/// facade is tested. Cargo removes packages that it does not need.
fn lock_of(facade: &Facade) -> Option<String> {
    let folder = carried::source(facade.folder).ok()?;
    let root = folders::workspace(&folder).filter(|_| run_time::is_in_workspace(&folder))?;
    fs::read_to_string(root.join("Cargo.lock")).ok()
}

/// Settings of cargo by which the package uses what was compiled for the facade's workspace, if
/// this program was compiled there.
fn configuration() -> Option<String> {
    let program = env::current_exe().ok()?;
    let profile = program.parent().filter(|profile| profile.join(".fingerprint").is_dir())?;
    let compiled = profile.parent()?;
    let folder = toml::Value::from(compiled.to_str()?);
    Some(format!(
        "# What was compiled for Coupler is used here too.\n[build]\nbuild-dir = {folder}\n"
    ))
}

fn list(name: &str, facade: &Facade) -> String {
    let library = facade.library;
    format!(
        "//! The models of this package: each is a file in this folder.\n\n\
         {library}::models! {{\n    {name},\n}}\n"
    )
}

fn main(name: &str, facade: &Facade) -> String {
    let library = facade.library;
    format!(
        "//! The program that runs the models and makes FMUs of them.\n\n\
         fn main() -> std::process::ExitCode {{\n    {library}::run(&{name}::MODELS)\n}}\n"
    )
}

fn readme(name: &str) -> String {
    let fmi_name = camel_case(name);
    format!(
        "# {name}\n\n\
         ```sh\n\
         cargo run -- run {name} --interpreted   # simulates at once\n\
         cargo run -- run {name}                 # compiles target/fmu/{fmi_name}.fmu and simulates it\n\
         cargo run -- build {name} --interpreted # an FMU without compiling it\n\
         cargo run -- new another               # one more model\n\
         cargo run -- --help\n\
         cargo test\n\
         ```\n\n\
         A model is a file of `src` whose name is in the list of `src/lib.rs`. FMUs name the author and\n\
         the licence in `Cargo.toml` (`authors`, `license`); the texts of licences are files next to it, such as\n\
         `LICENSE`.\n"
    )
}

#[cfg(test)]
mod tests {
    use toml::Table;

    use super::*;

    #[test]
    fn the_profile_is_that_of_the_repository() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().join("Cargo.toml");
        let dev = |text: &str| -> Table {
            let table: Table = text.parse().unwrap();
            table["profile"]["dev"].as_table().unwrap().clone()
        };
        let own = dev(&fs::read_to_string(root).unwrap());
        let new = dev(include_str!("profile.toml"));
        let packages = |dev: &Table| dev["package"].as_table().unwrap().clone();
        let (mut of_own, mut of_new) = (packages(&own), packages(&new));
        of_own.remove("coupler-tests");
        // What the repository states for all packages, a new one states for those of others.
        let of_all = of_new.remove("*").unwrap();
        for setting in ["debug", "codegen-units"] {
            assert_eq!(of_all[setting], own[setting]);
        }
        assert_eq!(of_new, of_own);
        assert_eq!((&new["build-override"], &new["lto"]), (&own["build-override"], &own["lto"]));
    }
}
