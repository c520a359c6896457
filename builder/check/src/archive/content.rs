//! Rules for the files in an FMU: libraries and documentation.

use std::collections::BTreeMap;

use super::binary::Interfaces;
use super::files::Files;
use super::{additions, binary, related_files, source_files, symbols};
use fmus::finding::Finding;
use fmus::fmi::FmuType;
use fmus::model_description::ModelDescription;
use fmus::platform::{Platform, System};
use fmus::shared_library;
use fmus::wording::listed;

/// The rules that the files of an FMU break.
pub(crate) fn findings(files: &Files, d: &ModelDescription) -> Vec<Finding> {
    let mut findings = implementations(files, d);
    findings.extend(source_files::findings(files, d));
    findings.extend(documentation(files, d));
    findings.extend(additions::findings(files, d));
    findings.extend(related_files::findings(files, d));
    findings
}

/// The folders below `binaries/`.
fn platforms(files: &Files) -> Vec<&str> {
    let paths = files.keys().filter_map(|p| p.strip_prefix("binaries/")?.split_once('/'));
    let mut platforms: Vec<&str> = paths.map(|(platform, _)| platform).collect();
    platforms.dedup();
    platforms
}

/// D006 to D010: there is a library for each interface, and it is for the platform of its folder.
fn implementations(files: &Files, d: &ModelDescription) -> Vec<Finding> {
    let platforms = platforms(files);
    if platforms.is_empty() && !files.keys().any(|p| p.starts_with("sources/")) {
        return vec![Finding::error("D006", "there is neither a library nor sources")];
    }
    let mut wanted: BTreeMap<&str, Vec<FmuType>> = BTreeMap::new();
    for (fmu_type, interface) in d.interfaces() {
        wanted.entry(&interface.model_identifier).or_default().push(fmu_type);
    }
    let mut findings = Vec::new();
    for name in platforms {
        let Some(platform) = Platform::of_folder(name) else {
            let text = format!("binaries/{name}: this platform has no name in FMI 2.0");
            findings.push(Finding::warning("D007", text));
            continue;
        };
        let folder = format!("binaries/{name}/");
        let library = |identifier: &str| format!("{folder}{}", platform.file(identifier));
        if has_static_libraries_only(files, &folder) {
            continue;
        }
        let there = wanted.keys().filter(|i| files.contains_key(&library(i))).count();
        for (identifier, fmu_types) in &wanted {
            let interfaces = match fmu_types[..] {
                [fmu_type] => Interfaces::One(fmu_type),
                _ => Interfaces::Both,
            };
            let path = library(identifier);
            let Some(bytes) = files.get(&path) else {
                findings.push(absent(files, &path, there));
                continue;
            };
            findings.extend(binary::on_platform(bytes, &path, &platform, interfaces));
            findings.extend(dependencies(files, &path, &platform, bytes));
        }
    }
    findings
}

/// Whether a platform has only static libraries, in folders named after compilers.
fn has_static_libraries_only(files: &Files, folder: &str) -> bool {
    let names = || files.keys().filter_map(|p| p.strip_prefix(folder));
    let is_static = |n: &str| n.contains('/') && (n.ends_with(".a") || n.ends_with(".lib"));
    names().any(is_static) && !names().any(|n| !n.contains('/'))
}

/// D008 and D009: a library is missing. This is only a warning if there is no other library.
fn absent(files: &Files, path: &str, of_other_interface: usize) -> Finding {
    let (folder, name) = path.rsplit_once('/').unwrap_or_default();
    let (_, extension) = name.rsplit_once('.').unwrap_or_default();
    let inside = || files.keys().filter_map(|p| p.strip_prefix(folder)?.strip_prefix('/'));
    if of_other_interface > 0 {
        return Finding::error("D009", format!("{path} is missing"));
    }
    let there = listed(inside()).map_or_else(|| "nothing".to_owned(), |(_, names)| names);
    let text = format!("{path} is missing; there is {there}");
    let is_library = |file: &str| file.rsplit_once('.').is_some_and(|(_, e)| e == extension);
    if inside().any(is_library) {
        Finding::error("D008", text)
    } else {
        Finding::warning("D008", text)
    }
}

/// D010 and D011: the libraries that a library needs exist and are found.
fn dependencies(files: &Files, path: &str, platform: &Platform, bytes: &[u8]) -> Vec<Finding> {
    let (folder, _) = path.rsplit_once('/').unwrap_or_default();
    let beside: BTreeMap<&str, &[u8]> = files
        .iter()
        .filter_map(|(p, b)| Some((p.strip_prefix(folder)?.strip_prefix('/')?, b.as_slice())))
        .collect();
    let names: Vec<&str> = beside.keys().copied().collect();
    let mut findings = Vec::new();
    let missing = binary::missing(bytes, platform, &names);
    if !is_documented(files) && !missing.is_empty() {
        let missing = missing.join(", ");
        let text =
            format!("{path} needs libraries that are neither in the FMU nor documented: {missing}");
        findings.push(Finding::warning("D011", text));
    }
    let mut advice = |text: String| {
        findings.push(Finding::warning("D010", format!("{path} {text}")));
    };
    let uses_others = binary::missing(bytes, platform, &[]).iter().any(|n| names.contains(&&**n));
    let search = shared_library::search_path(bytes).unwrap_or_default();
    // Windows looks in the folder of a library if an importer loads it by its whole path.
    let is_linux = platform.system == System::Linux;
    if is_linux && uses_others && !search.contains("$ORIGIN") {
        advice("does not look for its libraries in its own folder".to_owned());
    }
    if let Some(elsewhere) = search.split(':').find(|p| p.starts_with('/')) {
        advice(format!("looks for libraries in {elsewhere}"));
    }
    symbols::undefined(bytes, &beside).into_iter().for_each(advice);
    findings
}

/// Whether there is a page about the external dependencies of the FMU.
fn is_documented(files: &Files) -> bool {
    ["txt", "html"]
        .iter()
        .any(|e| files.contains_key(&format!("documentation/externalDependencies.{e}")))
}

/// D014 to D016 and D021: documentation, licence, picture, and external tools.
fn documentation(files: &Files, d: &ModelDescription) -> Vec<Finding> {
    let mut findings = Vec::new();
    let any = |names: &[&str]| names.iter().any(|n| files.contains_key(*n));
    if d.interfaces().iter().any(|(_, i)| i.flag("needsExecutionTool")) && !is_documented(files) {
        let text = "a tool is needed, but documentation/externalDependencies does not name it";
        findings.push(Finding::warning("D021", text));
    }
    if !any(&["documentation/index.html"]) {
        findings.push(Finding::note("D014", "documentation/index.html is missing"));
    }
    if !any(&["documentation/licenses/license.txt", "documentation/licenses/license.html"]) {
        findings.push(Finding::note("D015", "documentation/licenses/license.txt is missing"));
    }
    if files.get("model.png").is_some_and(|png| !png.starts_with(b"\x89PNG\r\n\x1a\n")) {
        findings.push(Finding::warning("D016", "model.png is not a PNG file"));
    }
    findings
}
