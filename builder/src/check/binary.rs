//! Rules for the library of an FMU, read from the file without loading it.

use object::read::NameOrOrdinal;
use object::{Architecture, BinaryFormat, Object};

use super::Finding;
use crate::archive;
use crate::host::{self, Kind};

/// The kinds of FMU that a library has to serve.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Interfaces {
    /// One of them.
    One(Kind),
    /// Both, in one library.
    Both,
}

impl Interfaces {
    fn functions(self) -> Vec<&'static str> {
        match self {
            Interfaces::One(kind) => host::required_functions(kind).collect(),
            Interfaces::Both => host::FUNCTIONS.to_vec(),
        }
    }
}

/// The rules that a library breaks which is to run on a target of the compiler.
pub fn library(bytes: &[u8], target: &str, interfaces: Interfaces) -> Vec<Finding> {
    let (platform, _) = archive::platform(target);
    let mut findings = on_platform(bytes, &platform, interfaces);
    findings.extend(missing(bytes, &platform, &[]).into_iter().map(|name| {
        Finding::warning("D010", format!("binaries/{platform}: the library needs {name}"))
    }));
    findings
}

/// The rules that a library in the folder of a platform breaks.
pub fn on_platform(bytes: &[u8], platform: &str, interfaces: Interfaces) -> Vec<Finding> {
    let file = match object::File::parse(bytes) {
        Ok(file) => file,
        Err(e) => {
            return vec![Finding::error(
                "D010",
                format!("binaries/{platform}: not a library: {e}"),
            )];
        }
    };
    let mut findings = Vec::new();
    if let Some(expected) =
        expected(platform).filter(|e| *e != (file.format(), file.architecture()))
    {
        findings.push(Finding::error(
            "D010",
            format!(
                "binaries/{platform}: the library is {:?} for {:?}, not {:?} for {:?}",
                file.format(),
                file.architecture(),
                expected.0,
                expected.1
            ),
        ));
    }
    let exports = exports(&file);
    for function in interfaces.functions() {
        if !exports.iter().any(|e| e == function) {
            let text = format!("binaries/{platform}: the library does not export {function}");
            findings.push(Finding::error("A001", text));
        }
    }
    if let Some(other) = exports.iter().find(|e| !host::FUNCTIONS.contains(&e.as_str())) {
        let text = format!("binaries/{platform}: the library also exports {other}");
        findings.push(Finding::warning("A008", text));
    }
    findings
}

/// What a library needs that is neither on every Linux nor in its folder.
pub(super) fn missing(bytes: &[u8], platform: &str, beside: &[&str]) -> Vec<String> {
    let Some(file) = object::File::parse(bytes).ok().filter(|_| platform.contains("linux")) else {
        return Vec::new();
    };
    let needed = file.import_libraries().into_iter().flatten().filter_map(Result::ok);
    needed
        .map(|library| String::from_utf8_lossy(library.name()).into_owned())
        .filter(|name| !BASELINE.iter().any(|b| name.starts_with(b)))
        .filter(|name| !beside.contains(&name.as_str()))
        .collect()
}

/// Where a library looks for others, if it says so: its RPATH or RUNPATH.
pub(super) fn search_path(bytes: &[u8]) -> Option<String> {
    use object::elf::{DT_RPATH, DT_RUNPATH, FileHeader64};
    use object::read::elf::{Dyn, FileHeader};

    let header = FileHeader64::<object::Endianness>::parse(bytes).ok()?;
    let endian = header.endian().ok()?;
    let sections = header.sections(endian, bytes).ok()?;
    let (entries, link) = sections.dynamic(endian, bytes).ok()??;
    let strings = sections.strings(endian, bytes, link).ok()?;
    let path = entries.iter().find(|e| matches!(e.tag(endian), DT_RPATH | DT_RUNPATH))?;
    let path = path.string(endian, strings).ok()?;
    Some(String::from_utf8_lossy(path).into_owned())
}

/// The libraries that every Linux has.
const BASELINE: &[&str] =
    &["libc.so", "libm.so", "libgcc_s.so", "ld-linux", "libpthread.so", "libdl.so", "librt.so"];

/// The names a library exports.
fn exports(file: &object::File<'_>) -> Vec<String> {
    let name = |export: object::read::Export<'_>| match export.name() {
        NameOrOrdinal::Name(name) => Some(String::from_utf8_lossy(name).into_owned()),
        NameOrOrdinal::Ordinal(_) => None,
    };
    file.exports().into_iter().flatten().filter_map(|e| name(e.ok()?)).collect()
}

/// The format and architecture that a platform's folder stands for.
fn expected(platform: &str) -> Option<(BinaryFormat, Architecture)> {
    let (architecture, system) = match platform.split_once('-') {
        Some((architecture, system)) => (architecture, system),
        None if platform.ends_with("64") => ("x86_64", platform.trim_end_matches("64")),
        None => ("x86", platform.trim_end_matches("32")),
    };
    let format = match system {
        "linux" => BinaryFormat::Elf,
        "win" | "windows" => BinaryFormat::Pe,
        "darwin" => BinaryFormat::MachO,
        _ => return None,
    };
    let architecture = match architecture {
        "x86_64" => Architecture::X86_64,
        "x86" => Architecture::I386,
        "aarch64" => Architecture::Aarch64,
        _ => return None,
    };
    Some((format, architecture))
}
