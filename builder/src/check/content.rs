//! Rules for the files in an FMU: libraries, sources, documentation.

use std::collections::BTreeMap;

use super::{Finding, binary};
use crate::check::binary::Interfaces;
use crate::host::Kind;
use crate::read::{Interface, ModelDescription};

/// The files of an archive by path.
pub(super) type Files = BTreeMap<String, Vec<u8>>;

/// The interfaces that a description declares.
fn interfaces(d: &ModelDescription) -> Vec<(Kind, &Interface)> {
    let me = d.model_exchange.as_ref().map(|i| (Kind::ModelExchange, i));
    let cs = d.co_simulation.as_ref().map(|i| (Kind::CoSimulation, i));
    me.into_iter().chain(cs).collect()
}

/// The rules that the files of an FMU break.
pub(super) fn findings(files: &Files, d: &ModelDescription) -> Vec<Finding> {
    let mut findings = implementations(files, d);
    findings.extend(sources(files, d));
    findings.extend(documentation(files, d));
    findings
}

/// Z04 and Z05: there is a library for each interface, and it is what its folder says.
fn implementations(files: &Files, d: &ModelDescription) -> Vec<Finding> {
    let platforms: Vec<&str> = {
        let paths = files.keys().filter_map(|p| p.strip_prefix("binaries/")?.split_once('/'));
        let mut platforms: Vec<&str> = paths.map(|(platform, _)| platform).collect();
        platforms.dedup();
        platforms
    };
    if platforms.is_empty() && !files.keys().any(|p| p.starts_with("sources/")) {
        return vec![Finding::error("Z04", "there is neither a library nor sources")];
    }
    let mut findings = Vec::new();
    for platform in platforms {
        let Some(extension) = extension(platform) else {
            let text = format!("binaries/{platform}: this platform has no name in FMI 2.0");
            findings.push(Finding::warning("Z05", text));
            continue;
        };
        let mut wanted: BTreeMap<&str, Vec<Kind>> = BTreeMap::new();
        for (kind, interface) in interfaces(d) {
            wanted.entry(&interface.model_identifier).or_default().push(kind);
        }
        for (identifier, kinds) in wanted {
            let path = format!("binaries/{platform}/{identifier}.{extension}");
            let interfaces = match kinds[..] {
                [kind] => Interfaces::One(kind),
                _ => Interfaces::Both,
            };
            match files.get(&path) {
                Some(bytes) => findings.extend(binary::on_platform(bytes, platform, interfaces)),
                None => findings.push(Finding::error("Z05", format!("{path} is missing"))),
            }
        }
    }
    findings
}

/// The extension of libraries on a platform.
fn extension(platform: &str) -> Option<&'static str> {
    let system = match platform {
        "win32" | "win64" | "linux32" | "linux64" | "darwin32" | "darwin64" => {
            platform.trim_end_matches("32").trim_end_matches("64")
        }
        tuple => tuple.split_once('-')?.1,
    };
    match system {
        "win" | "windows" => Some("dll"),
        "linux" => Some("so"),
        "darwin" => Some("dylib"),
        _ => None,
    }
}

/// X09: the source files listed are there.
fn sources(files: &Files, d: &ModelDescription) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (kind, interface) in interfaces(d) {
        for file in &interface.source_files {
            if !files.contains_key(&format!("sources/{file}")) {
                let text = format!("{kind}: the source file sources/{file} is missing");
                findings.push(Finding::error("X09", text));
            }
        }
    }
    findings
}

/// Z07 and Z08: what a person looks for.
fn documentation(files: &Files, d: &ModelDescription) -> Vec<Finding> {
    let mut findings = Vec::new();
    let any = |names: &[&str]| names.iter().any(|n| files.contains_key(*n));
    let needs_tool = interfaces(d).iter().any(|(_, i)| i.flag("needsExecutionTool"));
    if needs_tool
        && !any(&[
            "documentation/externalDependencies.txt",
            "documentation/externalDependencies.html",
        ])
    {
        let text = "a tool is needed, but documentation/externalDependencies does not name it";
        findings.push(Finding::warning("Z07", text));
    }
    if !any(&["documentation/index.html"]) {
        findings.push(Finding::warning("Z08", "documentation/index.html is missing"));
    }
    if !any(&["documentation/licenses/license.txt", "documentation/licenses/license.html"]) {
        findings.push(Finding::warning("Z08", "documentation/licenses/license.txt is missing"));
    }
    if files.get("model.png").is_some_and(|png| !png.starts_with(b"\x89PNG\r\n\x1a\n")) {
        findings.push(Finding::error("Z08", "model.png is not a PNG file"));
    }
    findings
}
