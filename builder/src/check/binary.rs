//! Rules for the library of an FMU, read from the file without loading it.

use object::read::NameOrOrdinal;
use object::read::macho::{FatArch, MachOFatFile32, MachOFatFile64};
use object::{Architecture, BinaryFormat, FileKind, Object, ObjectSymbol};

use crate::finding::Finding;
use crate::fmi::{self, FUNCTIONS, FmuType, required_functions};
use crate::host;
use crate::wording::{counted, listed};

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

/// The rules that a library for a target of the compiler breaks.
pub fn library(bytes: &[u8], target: &str, interfaces: Interfaces) -> Vec<Finding> {
    let (platform, _) = fmi::platform(target);
    let path = format!("binaries/{platform}: the library");
    let mut findings = on_platform(bytes, &path, &platform, interfaces);
    let missing = missing(bytes, &platform, &[]);
    if !missing.is_empty() {
        findings.push(Finding::warning("D010", format!("{path} needs {}", missing.join(", "))));
    }
    findings
}

/// The rules that a library at a path in the folder of a platform breaks.
pub(super) fn on_platform(
    bytes: &[u8],
    path: &str,
    platform: &str,
    interfaces: Interfaces,
) -> Vec<Finding> {
    let expected = expected(platform);
    let part = host::complete(bytes).and_then(|()| part_for(bytes, expected));
    let file = match part.and_then(object::File::parse) {
        Ok(file) => file,
        Err(e) => {
            let text = format!("{path} is not a complete library: {e}");
            return vec![Finding::error("D010", text).of_damage()];
        }
    };
    let mut findings = Vec::new();
    let is = (file.format(), file.architecture());
    if let Some((format, architecture)) = expected.filter(|e| *e != is) {
        let text =
            format!("{path} is {:?} for {:?}, not {format:?} for {architecture:?}", is.0, is.1);
        findings.push(Finding::error("D010", text));
    }
    let exports = exports(&file);
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

/// The part of a file for an architecture: on macOS a file may contain libraries for several.
fn part_for(bytes: &[u8], wanted: Option<(BinaryFormat, Architecture)>) -> object::Result<&[u8]> {
    fn part<'b, A: FatArch>(
        bytes: &'b [u8],
        parts: &[A],
        wanted: Option<(BinaryFormat, Architecture)>,
    ) -> object::Result<&'b [u8]> {
        let fits = |part: &&A| wanted.is_some_and(|(_, a)| a == part.architecture());
        let part = parts.iter().find(fits).or(parts.first());
        part.map_or(Ok(bytes), |part| part.data(bytes))
    }
    match FileKind::parse(bytes) {
        Ok(FileKind::MachOFat32) => part(bytes, MachOFatFile32::parse(bytes)?.arches(), wanted),
        Ok(FileKind::MachOFat64) => part(bytes, MachOFatFile64::parse(bytes)?.arches(), wanted),
        _ => Ok(bytes),
    }
}

/// The libraries that a library needs and that are neither on every Linux system nor in its folder.
pub(super) fn missing(bytes: &[u8], platform: &str, beside: &[&str]) -> Vec<String> {
    let Some(file) = object::File::parse(bytes).ok().filter(|_| platform.contains("linux")) else {
        return Vec::new();
    };
    let mut missing = needed(&file);
    missing.retain(|name| !BASELINE.iter().any(|b| name.starts_with(b)));
    missing.retain(|name| !beside.contains(&name.as_str()));
    missing
}

/// The libraries that a library declares as needed.
pub(super) fn needed(file: &object::File<'_>) -> Vec<String> {
    let needed = file.import_libraries().into_iter().flatten().filter_map(Result::ok);
    needed.map(|library| String::from_utf8_lossy(library.name()).into_owned()).collect()
}

/// Where the loader searches for needed libraries: RPATH or RUNPATH.
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

/// The libraries that every Linux system has.
const BASELINE: &[&str] =
    &["libc.so", "libm.so", "libgcc_s.so", "ld-linux", "libpthread.so", "libdl.so", "librt.so"];

/// The names that a library exports, as in C.
fn exports(file: &object::File<'_>) -> Vec<String> {
    if file.format() == BinaryFormat::MachO {
        // The tree of exports may have exponentially many branches; the symbol table has not.
        let symbols = file.symbols().filter(|s| s.is_global() && !s.is_undefined());
        let names = symbols.filter_map(|s| s.name().ok());
        // On macOS an underscore precedes each name of C.
        return names.map(|name| name.strip_prefix('_').unwrap_or(name).to_owned()).collect();
    }
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
