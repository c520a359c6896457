//! The dependencies of crates that the map allows.

use std::path::Path;

use serde_json::Value;

use super::map::{Crate, MAP};
use crate::workspace;

/// Messages about the dependencies of packages that the map does not allow; tests of a crate
/// (dev-dependencies) may use anything.
pub fn check(packages: &[Value]) -> Vec<String> {
    let mut findings = order(&MAP);
    for entry in &MAP {
        match packages.iter().find(|p| folder(&p["manifest_path"]) == entry.folder) {
            Some(package) => findings.extend(dependencies(entry, package)),
            None => findings.push(format!("there is no crate in {}", entry.folder)),
        }
    }
    findings
}

/// Messages about crates that use a crate which is not below them in the map.
fn order(map: &[Crate]) -> Vec<String> {
    let mut findings = Vec::new();
    for (index, entry) in map.iter().enumerate() {
        for used in entry.uses {
            if !map[..index].iter().any(|lower| lower.name == *used) {
                findings.push(format!("{}: {used} is not below it", entry.name));
            }
        }
    }
    findings
}

/// Messages about the dependencies of a package that its entry does not allow.
fn dependencies(entry: &Crate, package: &Value) -> Vec<String> {
    let all = package["dependencies"].as_array().into_iter().flatten();
    let used = all.filter(|dependency| dependency["kind"].as_str() != Some("dev"));
    let is_allowed = |dependency: &&Value| match &*folder(&dependency["path"]) {
        "" => {
            let name = dependency["name"].as_str().unwrap_or_default();
            entry.others.is_none_or(|others| others.contains(&name))
        }
        folder => MAP.iter().any(|c| c.folder == folder && entry.uses.contains(&c.name)),
    };
    let refused = used.filter(|dependency| !is_allowed(dependency));
    refused.map(|d| format!("{}: it may not depend on {}", entry.name, d["name"])).collect()
}

/// The folder of a package in the repository; empty for packages from elsewhere.
fn folder(path: &Value) -> String {
    let path = Path::new(path.as_str().unwrap_or_default());
    let inside = path.strip_prefix(workspace::root()).unwrap_or(Path::new(""));
    inside.to_string_lossy().trim_end_matches("Cargo.toml").trim_end_matches('/').to_owned()
}
