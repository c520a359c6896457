//! Checks the boundaries between the crates: the allowed dependencies.

use std::collections::{BTreeMap, BTreeSet};

use crate::workspace;
use anyhow::{Context, Result, bail};
use serde_json::Value;

/// The crates of the workspace that a crate may use and, if they are limited, the other crates.
struct Boundary {
    package: &'static str,
    workspace: &'static [&'static str],
    others: Option<&'static [&'static str]>,
}

/// The crates with limited dependencies; all others are tests and chores.
const BOUNDARIES: [Boundary; 12] = [
    Boundary { package: KERNELS, workspace: &[], others: Some(&["libm"]) },
    Boundary {
        package: PROGRAM,
        workspace: &[KERNELS],
        others: Some(&["postcard", "serde", "sha2"]),
    },
    Boundary { package: RUN_TIME, workspace: &[KERNELS, PROGRAM], others: Some(&[]) },
    Boundary { package: PLAYER, workspace: &[RUN_TIME, PROGRAM], others: Some(&[]) },
    Boundary {
        package: EXPRESSIONS,
        workspace: &[KERNELS],
        others: Some(&["num-traits", "rustc-hash"]),
    },
    Boundary { package: EQUATIONS, workspace: &[EXPRESSIONS, KERNELS, PROGRAM], others: None },
    Boundary { package: MACROS, workspace: &[], others: Some(&["proc-macro2", "quote", "syn"]) },
    Boundary { package: MECHANICS, workspace: &[EQUATIONS, MACROS, RUN_TIME], others: None },
    Boundary { package: REPORT, workspace: &[], others: Some(&["base64", "serde", "serde_json"]) },
    Boundary {
        package: BUILDER,
        workspace: &[EQUATIONS, KERNELS, PLAYER, PROGRAM, REPORT, RUN_TIME],
        others: None,
    },
    Boundary {
        package: FACADE,
        workspace: &[BUILDER, EQUATIONS, MECHANICS, RUN_TIME],
        others: Some(&[]),
    },
    Boundary { package: "models", workspace: &[FACADE], others: Some(&[]) },
];

const KERNELS: &str = "coupler-fmi-kernels";
const PROGRAM: &str = "coupler-fmi-program";
const RUN_TIME: &str = "coupler-fmi-runtime";
const PLAYER: &str = "coupler-fmi-player";
const EXPRESSIONS: &str = "coupler-fmi-expressions";
const EQUATIONS: &str = "coupler-fmi-equations";
const REPORT: &str = "coupler-fmi-report";
const MACROS: &str = "coupler-fmi-mechanics-macros";
const MECHANICS: &str = "coupler-fmi-mechanics";
const BUILDER: &str = "coupler-fmi-builder";
const FACADE: &str = "coupler-fmi";

/// Checks every crate of the workspace; tests of a crate (dev-dependencies) may use anything.
pub fn run() -> Result<()> {
    let output = workspace::cargo(&["metadata", "--format-version", "1", "--no-deps"]).output()?;
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

/// Messages about the dependencies of a package that cross a boundary.
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
