//! Proves the boundaries between the crates: who may depend on whom.

use std::collections::{BTreeMap, BTreeSet};

use anyhow::{Context, Result, bail};
use serde_json::Value;

/// What a crate may use of the workspace and, if that is limited, of other crates.
struct Boundary {
    package: &'static str,
    workspace: &'static [&'static str],
    others: Option<&'static [&'static str]>,
}

/// The crates that may be used by few; all others are tests and chores.
const BOUNDARIES: [Boundary; 10] = [
    Boundary { package: "kernels", workspace: &[], others: Some(&["libm"]) },
    Boundary {
        package: "program",
        workspace: &["kernels"],
        others: Some(&["postcard", "serde", "sha2"]),
    },
    Boundary { package: "fmu-runtime", workspace: &["kernels", "program"], others: Some(&[]) },
    Boundary { package: "player", workspace: &["fmu-runtime", "program"], others: Some(&[]) },
    Boundary { package: "equations", workspace: &["kernels", "program"], others: None },
    Boundary {
        package: "mechanics-macros",
        workspace: &[],
        others: Some(&["proc-macro2", "quote", "syn"]),
    },
    Boundary {
        package: "mechanics",
        workspace: &["equations", "fmu-runtime", "mechanics-macros"],
        others: None,
    },
    Boundary {
        package: "fmu-builder",
        workspace: &["equations", "fmu-runtime", "player"],
        others: None,
    },
    Boundary {
        package: "coupler-fmi",
        workspace: &["equations", "fmu-builder", "fmu-runtime", "mechanics"],
        others: Some(&[]),
    },
    Boundary { package: "models", workspace: &["coupler-fmi"], others: Some(&[]) },
];

/// Checks every crate of the workspace; tests of a crate (dev-dependencies) may use anything.
pub fn run() -> Result<()> {
    let output = crate::cargo(&["metadata", "--format-version", "1", "--no-deps"]).output()?;
    let metadata: Value =
        serde_json::from_slice(&output.stdout).context("`cargo metadata` cannot be read")?;
    let packages = metadata["packages"].as_array().context("`cargo metadata` lists no packages")?;
    let names: BTreeSet<&str> = packages.iter().filter_map(|p| p["name"].as_str()).collect();
    let mut violations = Vec::new();
    for package in packages {
        violations.extend(check(package, &names));
    }
    if let Some(missing) = BOUNDARIES.iter().find(|b| !names.contains(b.package)) {
        violations.push(format!("there is no crate {}", missing.package));
    }
    if !violations.is_empty() {
        bail!("{}", violations.join("\n"));
    }
    Ok(())
}

/// The dependencies of a package that cross a boundary, each as a sentence.
fn check(package: &Value, workspace: &BTreeSet<&str>) -> Vec<String> {
    let name = package["name"].as_str().unwrap_or_default();
    let mut dependencies: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for dependency in package["dependencies"].as_array().into_iter().flatten() {
        let kind = dependency["kind"].as_str().unwrap_or("normal");
        dependencies.entry(kind).or_default().extend(dependency["name"].as_str());
    }
    let of = |kind: &str| dependencies.get(kind).cloned().unwrap_or_default();
    let refuse = |what: &str, used: &str| format!("{name}: {what} may not depend on {used}");
    if let Some(boundary) = BOUNDARIES.iter().find(|b| b.package == name) {
        let allowed = |used: &&str| {
            if workspace.contains(used) {
                boundary.workspace.contains(used)
            } else {
                boundary.others.is_none_or(|others| others.contains(used))
            }
        };
        let used = of("normal").into_iter().chain(of("build"));
        return used.filter(|d| !allowed(d)).map(|d| refuse("it", d)).collect();
    }
    Vec::new()
}
