//! Rules for the sources of an FMU, and for their build descriptions.

use std::collections::BTreeSet;

use super::files::Files;
use fmus::finding::Finding;
use fmus::model_description::ModelDescription;
use fmus::xml::{self, Element};

/// The headers of the standard, which every importer has.
const HEADERS: [&str; 3] = ["fmi2TypesPlatform.h", "fmi2FunctionTypes.h", "fmi2Functions.h"];

const BUILD: &str = "sources/buildDescription.xml";

/// The rules about sources that an FMU breaks.
pub(crate) fn findings(files: &Files, d: &ModelDescription) -> Vec<Finding> {
    let mut findings = listed(files, d);
    findings.extend(unlisted(files, d));
    findings.extend(shipped(files));
    findings.extend(prefixes(files));
    findings.extend(build_description(files, d));
    findings
}

fn is_source(path: &str) -> bool {
    [".c", ".cc", ".cpp", ".cxx"].iter().any(|e| path.ends_with(e))
}

/// C017: each listed file exists, is listed once, and can be compiled. The list matters only if
/// there are sources.
fn listed(files: &Files, d: &ModelDescription) -> Vec<Finding> {
    let any = files.keys().any(|p| p.starts_with("sources/"));
    let rule = if any { Finding::error } else { Finding::warning };
    let mut findings = Vec::new();
    for (fmu_type, interface) in d.interfaces() {
        let mut seen = BTreeSet::new();
        for file in &interface.source_files {
            let mut fault = |text: &str| {
                findings.push(rule("C017", format!("{fmu_type}: sources/{file} {text}")));
            };
            // A leading `./` denotes the same file.
            let path = file.trim_start_matches("./");
            if !seen.insert(path) {
                fault("is listed twice");
            } else if file.contains('\\') || file.starts_with('/') || file.contains("..") {
                fault("is not a path with slashes below sources/");
            } else if !files.contains_key(&format!("sources/{path}")) {
                fault("is missing");
            } else if file.ends_with(".h") || file.ends_with(".hpp") {
                fault("is a header, which cannot be compiled separately");
            }
        }
    }
    findings
}

/// D017: sources are useful only if the files to be compiled are listed.
fn unlisted(files: &Files, d: &ModelDescription) -> Vec<Finding> {
    let any = files.keys().any(|p| p.starts_with("sources/") && is_source(p));
    if !any || files.contains_key(BUILD) {
        return Vec::new();
    }
    let without = d.interfaces().into_iter().filter(|(_, i)| i.source_files.is_empty());
    without
        .map(|(fmu_type, _)| {
            let text = format!("{fmu_type}: there are sources, but SourceFiles does not list them");
            Finding::warning("D017", text)
        })
        .collect()
}

/// D022: files of the standard are not included.
fn shipped(files: &Files) -> Vec<Finding> {
    let own = |path: &&String| {
        let name = path.rsplit('/').next().unwrap_or_default();
        let below = path.starts_with("sources/") || path.starts_with("binaries/");
        let schema = name.starts_with("fmi2") && name.ends_with(".xsd");
        below && (HEADERS.contains(&name) || schema)
    };
    let paths = files.keys().filter(own);
    paths.map(|p| Finding::warning("D022", format!("{p} is a file of the standard"))).collect()
}

/// D017: a source defines the prefix of its functions before it includes their header.
fn prefixes(files: &Files) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (path, bytes) in files.iter().filter(|(p, _)| p.starts_with("sources/") && is_source(p)) {
        let text = String::from_utf8_lossy(bytes);
        let included = |line: &str| {
            line.trim_start().starts_with("#include") && line.contains("fmi2Functions.h")
        };
        if text.lines().any(|l| included(l) && l.contains('<')) {
            let text = format!("{path}: fmi2Functions.h is included in <>, not in quotes");
            findings.push(Finding::warning("D017", text));
        }
        let before = text.lines().take_while(|l| !included(l));
        let named = before.into_iter().any(|l| l.contains("FMI2_FUNCTION_PREFIX"));
        if text.lines().any(included) && !named {
            let text = format!("{path}: FMI2_FUNCTION_PREFIX is not defined before the functions");
            findings.push(Finding::warning("D017", text));
        }
    }
    findings
}

/// D018: the build description of FMI 3.0 refers to files and interfaces that exist.
fn build_description(files: &Files, d: &ModelDescription) -> Vec<Finding> {
    let Some(bytes) = files.get(BUILD) else { return Vec::new() };
    let fault = |text: String| Finding::error("D018", format!("{BUILD}: {text}"));
    let root = match xml::parse(&String::from_utf8_lossy(bytes)) {
        Ok(root) if root.name == "fmiBuildDescription" => root,
        Ok(root) => return vec![fault(format!("its root element is <{}>", root.name))],
        Err(reason) => return vec![fault(reason)],
    };
    let mut findings = Vec::new();
    let configurations = || root.children.iter().filter(|c| c.name == "BuildConfiguration");
    if configurations().count() == 0 {
        findings.push(fault("it lacks <BuildConfiguration>".to_owned()));
    }
    for configuration in configurations() {
        let identifier = configuration.attribute("modelIdentifier").unwrap_or_default();
        if !d.interfaces().iter().any(|(_, i)| i.model_identifier == identifier) {
            findings
                .push(fault(format!("modelIdentifier `{identifier}` is not that of an interface")));
        }
        for name in source_files(configuration) {
            if !files.contains_key(&format!("sources/{name}")) {
                findings.push(fault(format!("sources/{name} is missing")));
            }
        }
    }
    findings
}

fn source_files(configuration: &Element) -> impl Iterator<Item = &str> {
    let sets = configuration.children.iter().filter(|c| c.name == "SourceFileSet");
    let files = sets.flat_map(|s| s.children.iter().filter(|c| c.name == "SourceFile"));
    files.filter_map(|f| f.attribute("name"))
}
