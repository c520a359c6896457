//! What Cargo knows: the workspace, the models in it, their dependencies.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

use serde::Deserialize;

use crate::error::Error;
use crate::xml::Origin;

/// A Cargo workspace.
#[derive(Debug, Deserialize)]
pub struct Workspace {
    /// Its folder.
    #[serde(rename = "workspace_root")]
    pub root: PathBuf,
    /// Where Cargo puts what it builds.
    #[serde(rename = "target_directory")]
    pub target: PathBuf,
    packages: Vec<Package>,
    #[serde(rename = "workspace_members")]
    members: Vec<String>,
}

/// A package of the workspace.
#[derive(Clone, Debug, Deserialize)]
pub struct Package {
    /// Its name.
    pub name: String,
    /// Cargo's name for this very package.
    pub id: String,
    /// Its version.
    pub version: String,
    /// Its Cargo.toml.
    pub manifest_path: PathBuf,
    /// Its licence, as an SPDX expression.
    pub license: Option<String>,
    authors: Vec<String>,
    targets: Vec<Target>,
}

#[derive(Clone, Debug, Deserialize)]
struct Target {
    crate_types: Vec<String>,
}

impl Package {
    /// The package's folder.
    pub fn folder(&self) -> &Path {
        self.manifest_path.parent().unwrap_or(Path::new("."))
    }

    /// What the package says about itself in a description.
    pub fn origin(&self) -> Origin {
        Origin {
            version: Some(self.version.clone()),
            author: Some(self.authors.join(", ")).filter(|authors| !authors.is_empty()),
            license: self.license.clone(),
        }
    }

    /// The FMI model name: the package's name in camel case.
    pub fn model_name(&self) -> String {
        camel_case(&self.name)
    }

    fn is_model(&self) -> bool {
        self.targets.iter().any(|t| t.crate_types.iter().any(|c| c == "cdylib"))
    }
}

impl Workspace {
    /// The workspace that contains the current folder, or the package of a given Cargo.toml.
    ///
    /// # Errors
    /// There is none, or Cargo cannot read it.
    pub fn locate(manifest: Option<&Path>) -> Result<Workspace, Error> {
        let mut command = cargo();
        // Without dependencies nothing has to be resolved or downloaded.
        command.args(["metadata", "--format-version", "1", "--no-deps"]);
        if let Some(manifest) = manifest {
            command.arg("--manifest-path").arg(manifest);
        }
        let output = command
            .output()
            .map_err(|e| Error::Build(format!("cannot run cargo: {e}; is Rust installed?")))?;
        if !output.status.success() {
            let text = String::from_utf8_lossy(&output.stderr);
            return Err(Error::Build(match text.lines().find(|l| l.starts_with("error")) {
                Some(line) if line.contains("could not find `Cargo.toml`") => {
                    "this folder is not in a Cargo workspace: go to one, or name an .fmu file"
                        .to_owned()
                }
                Some(line) => {
                    let reason: Vec<&str> = text.lines().skip_while(|l| *l != line).collect();
                    let cause = reason.last().filter(|_| reason.len() > 1);
                    let cause = cause.map(|c| format!(": {}", c.trim())).unwrap_or_default();
                    format!("cargo: {}{cause}", line.trim_start_matches("error:").trim())
                }
                None => "cargo could not read the workspace".to_owned(),
            }));
        }
        serde_json::from_slice(&output.stdout)
            .map_err(|e| Error::Build(format!("cargo metadata is not as expected: {e}")))
    }

    /// The models of the workspace: packages in its folder `models` with a library to load.
    pub fn models(&self) -> Vec<&Package> {
        let folder = self.root.join("models");
        let mut models: Vec<&Package> = self
            .packages
            .iter()
            .filter(|p| self.members.contains(&p.id) && p.is_model())
            .filter(|p| p.manifest_path.starts_with(&folder))
            .collect();
        models.sort_by(|a, b| a.name.cmp(&b.name));
        models
    }

    /// The model of a name, be it the package's or FMI's.
    ///
    /// # Errors
    /// No model has the name.
    pub fn model(&self, name: &str) -> Result<&Package, Error> {
        let models = self.models();
        let wanted = name.replace('-', "_");
        models
            .iter()
            .find(|p| p.name.replace('-', "_") == wanted || p.model_name() == name)
            .copied()
            .ok_or_else(|| {
                let names: Vec<&str> = models.iter().map(|p| p.name.as_str()).collect();
                Error::Request(match names.is_empty() {
                    true => format!("no model `{name}`: this workspace has no models yet"),
                    false => format!("no model `{name}`: there are {}", names.join(", ")),
                })
            })
    }

    /// The model in a folder.
    ///
    /// # Errors
    /// The package there is not a model.
    pub fn model_in(&self, folder: &Path) -> Result<&Package, Error> {
        let manifest = folder.join("Cargo.toml");
        let manifest = fs::canonicalize(&manifest).unwrap_or(manifest);
        self.packages
            .iter()
            .find(|p| fs::canonicalize(&p.manifest_path).is_ok_and(|m| m == manifest))
            .filter(|p| p.is_model())
            .ok_or_else(|| {
                let folder = folder.display();
                Error::Request(format!("{folder} is not a model: its library is not a cdylib"))
            })
    }

    /// Whether a package of the name exists in the workspace.
    pub fn has_member(&self, name: &str) -> bool {
        self.packages.iter().any(|p| p.name == name && self.members.contains(&p.id))
    }

    /// Where FMUs and results of the workspace go.
    pub fn fmu_folder(&self) -> PathBuf {
        self.root.join("target").join("fmu")
    }
}

/// Cargo, the one that runs this program if one does.
pub(crate) fn cargo() -> Command {
    Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
}

/// A package's name in camel case: `coupled_clutches` becomes `CoupledClutches`.
pub fn camel_case(name: &str) -> String {
    let capitalised = |word: &str| {
        let mut letters = word.chars();
        letters.next().map(|c| c.to_ascii_uppercase().to_string() + letters.as_str())
    };
    name.split(['_', '-']).filter_map(capitalised).collect()
}

#[cfg(test)]
mod tests {
    use super::camel_case;

    #[test]
    fn model_names_are_package_names_in_camel_case() {
        for (package, model) in [
            ("coupled_clutches", "CoupledClutches"),
            ("fourbar2", "Fourbar2"),
            ("engine-v6", "EngineV6"),
            ("a__b", "AB"),
        ] {
            assert_eq!(camel_case(package), model);
        }
    }
}
