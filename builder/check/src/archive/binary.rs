//! Rules for the library of an FMU, read from the file without loading it.

use fmus::finding::Finding;
use fmus::fmi::{FUNCTIONS, FmuType, required_functions};
use fmus::host;
use fmus::platform::Platform;
use fmus::shared_library::{SharedLibrary, expected};
use fmus::wording::{counted, listed};

/// The types of FMU that a library must implement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Interfaces {
    /// One type.
    One(FmuType),
    /// Both types in one library.
    Both,
}

impl Interfaces {
    fn functions(self) -> Vec<&'static str> {
        match self {
            Interfaces::One(fmu_type) => required_functions(fmu_type).collect(),
            Interfaces::Both => FUNCTIONS.to_vec(),
        }
    }
}

/// The rules that a library of our own for a platform breaks: it needs no libraries except those of
/// the system.
pub fn library(bytes: &[u8], platform: &Platform, interfaces: Interfaces) -> Vec<Finding> {
    let path = format!("binaries/{}: the library", platform.folder());
    let mut findings = on_platform(bytes, &path, platform, interfaces);
    let missing = missing(bytes, platform, &[]);
    if !missing.is_empty() {
        findings.push(Finding::warning("D010", format!("{path} needs {}", missing.join(", "))));
    }
    findings
}

/// The rules that a library at a path in the folder of a platform breaks.
pub(crate) fn on_platform(
    bytes: &[u8],
    path: &str,
    platform: &Platform,
    interfaces: Interfaces,
) -> Vec<Finding> {
    let whole = host::complete(bytes);
    let file = match whole.and_then(|()| SharedLibrary::read(bytes, Some(platform))) {
        Ok(file) => file,
        Err(e) => {
            let text = format!("{path} is not a complete library: {e}");
            return vec![Finding::error("D010", text).of_damage()];
        }
    };
    let mut findings = Vec::new();
    let is = (file.format, file.architecture);
    if let Some((format, architecture)) = expected(platform).filter(|e| *e != is) {
        let text =
            format!("{path} is {:?} for {:?}, not {format:?} for {architecture:?}", is.0, is.1);
        findings.push(Finding::error("D010", text));
    }
    let exports = file.exports;
    let functions = interfaces.functions();
    let missing = functions.iter().filter(|f| !exports.iter().any(|e| e == *f));
    findings.extend(listed(missing).map(|(count, names)| {
        let text = format!("{path} does not export {count} of {}: {names}", functions.len());
        Finding::error("A001", text)
    }));
    let others = exports.iter().filter(|e| !FUNCTIONS.contains(&e.as_str()));
    findings.extend(listed(others).map(|(count, names)| {
        let text = format!("{path} also exports {}: {names}", counted(count, "other name"));
        Finding::warning("A008", text)
    }));
    findings
}

/// The missing libraries: the library needs them, but they are neither in its folder nor on every
/// system of the platform.
pub(crate) fn missing(bytes: &[u8], platform: &Platform, beside: &[&str]) -> Vec<String> {
    let Ok(file) = SharedLibrary::read(bytes, Some(platform)) else { return Vec::new() };
    file.missing(platform, beside).into_iter().map(str::to_owned).collect()
}
