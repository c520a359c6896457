//! What the file of a shared library says: system and processor, exported names, and what is needed
//! to load the library.

use std::fmt;

use object::read::NameOrOrdinal;
use object::read::elf::{Dyn, FileHeader};
use object::read::macho::{FatArch, MachHeader, MachOFatFile32, MachOFatFile64};
use object::{Architecture, BinaryFormat, FileKind, Object, ObjectSymbol};

use crate::vocabulary::platform::{Platform, System};

/// A version of a system: on Linux that of its C library (glibc), otherwise that of macOS.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Version(pub u32, pub u32);

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.0, self.1)
    }
}

/// The contents of a file that matter to the loader.
#[derive(Clone, Debug)]
pub struct SharedLibrary {
    /// Its format.
    pub format: BinaryFormat,
    /// Its processor.
    pub architecture: Architecture,
    /// The names that it exports, as in C.
    pub exports: Vec<String>,
    /// The libraries that it declares as needed.
    pub needed: Vec<String>,
    /// The oldest system that can load it, if the file says so.
    pub oldest_system: Option<Version>,
}

impl SharedLibrary {
    /// Reads a library; of a file with several, the one for a platform.
    ///
    /// # Errors
    /// If the file is no library.
    pub fn read(bytes: &[u8], platform: Option<&Platform>) -> object::Result<SharedLibrary> {
        let bytes = part_for(bytes, platform.and_then(expected))?;
        let file = object::File::parse(bytes)?;
        Ok(SharedLibrary {
            format: file.format(),
            architecture: file.architecture(),
            exports: exports(&file),
            needed: needed(&file),
            oldest_system: glibc(bytes).or_else(|| macos(bytes)),
        })
    }

    /// The needed libraries that are neither on every system of a platform nor among the files
    /// beside this library.
    pub fn missing(&self, platform: &Platform, beside: &[&str]) -> Vec<&str> {
        let is_beside = |name: &str| {
            // On macOS, a name may begin with a place such as `@rpath` or `@loader_path`.
            let is_placed = platform.system == System::Darwin && name.starts_with('@');
            let file = if is_placed { name.rsplit('/').next().unwrap_or(name) } else { name };
            beside.iter().any(|other| platform.is_same_file(other, file))
        };
        let needed = self.needed.iter().map(String::as_str);
        needed.filter(|n| !is_of_the_system(n, platform.system) && !is_beside(n)).collect()
    }
}

/// The format and architecture of libraries for a platform.
pub fn expected(platform: &Platform) -> Option<(BinaryFormat, Architecture)> {
    let format = match platform.system {
        System::Linux => BinaryFormat::Elf,
        System::Windows => BinaryFormat::Pe,
        System::Darwin => BinaryFormat::MachO,
    };
    let architecture = match platform.processor.as_str() {
        "x86_64" => Architecture::X86_64,
        "x86" => Architecture::I386,
        "aarch64" => Architecture::Aarch64,
        _ => return None,
    };
    Some((format, architecture))
}

/// Libraries of every Linux system, without their versions.
const LINUX: &[&str] =
    &["libc.so", "libm.so", "libgcc_s.so", "ld-linux", "libpthread.so", "libdl.so", "librt.so"];

/// Libraries of every 64-bit Windows since version 10, in lower case. The C++ and C libraries of
/// Visual Studio (`vcruntime140.dll`) and those of mingw are not among them.
const WINDOWS: &[&str] = &[
    "advapi32.dll",
    "bcrypt.dll",
    "bcryptprimitives.dll",
    "comctl32.dll",
    "comdlg32.dll",
    "crypt32.dll",
    "dbghelp.dll",
    "gdi32.dll",
    "imm32.dll",
    "iphlpapi.dll",
    "kernel32.dll",
    "mpr.dll",
    "msvcrt.dll",
    "netapi32.dll",
    "ntdll.dll",
    "ole32.dll",
    "oleaut32.dll",
    "opengl32.dll",
    "powrprof.dll",
    "psapi.dll",
    "rpcrt4.dll",
    "secur32.dll",
    "setupapi.dll",
    "shell32.dll",
    "shlwapi.dll",
    "ucrtbase.dll",
    "user32.dll",
    "userenv.dll",
    "version.dll",
    "winmm.dll",
    "winspool.drv",
    "ws2_32.dll",
    "wsock32.dll",
];

/// Whether every machine with a system has a library.
fn is_of_the_system(name: &str, system: System) -> bool {
    match system {
        System::Linux => LINUX.iter().any(|known| name.starts_with(known)),
        System::Windows => {
            let name = name.to_ascii_lowercase();
            WINDOWS.contains(&name.as_str()) || name.starts_with("api-ms-win-")
        }
        System::Darwin => name.starts_with("/usr/lib/") || name.starts_with("/System/Library/"),
    }
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

/// The libraries that a library declares as needed.
pub fn needed(file: &object::File<'_>) -> Vec<String> {
    let needed = file.import_libraries().into_iter().flatten().filter_map(Result::ok);
    needed.map(|library| String::from_utf8_lossy(library.name()).into_owned()).collect()
}

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

/// The header of a file of Linux for a 64-bit processor.
type Elf = object::elf::FileHeader64<object::Endianness>;

/// Where the loader searches for needed libraries: RPATH or RUNPATH.
pub fn search_path(bytes: &[u8]) -> Option<String> {
    use object::elf::{DT_RPATH, DT_RUNPATH};

    let header = Elf::parse(bytes).ok()?;
    let endian = header.endian().ok()?;
    let sections = header.sections(endian, bytes).ok()?;
    let (entries, link) = sections.dynamic(endian, bytes).ok()??;
    let strings = sections.strings(endian, bytes, link).ok()?;
    let path = entries.iter().find(|e| matches!(e.tag(endian), DT_RPATH | DT_RUNPATH))?;
    let path = path.string(endian, strings).ok()?;
    Some(String::from_utf8_lossy(path).into_owned())
}

/// The newest version `GLIBC_2.x` of the symbols that a library uses.
fn glibc(bytes: &[u8]) -> Option<Version> {
    let header = Elf::parse(bytes).ok()?;
    let endian = header.endian().ok()?;
    let sections = header.sections(endian, bytes).ok()?;
    let (mut libraries, link) = sections.gnu_verneed(endian, bytes).ok()??;
    let strings = sections.strings(endian, bytes, link).ok()?;
    let mut newest = None;
    while let Ok(Some((_, mut versions))) = libraries.next() {
        while let Ok(Some(version)) = versions.next() {
            let name = version.name(endian, strings).unwrap_or_default();
            newest = newest.max(version_of(name));
        }
    }
    newest
}

/// The version of macOS for which a library was linked.
fn macos(bytes: &[u8]) -> Option<Version> {
    type MachO = object::macho::MachHeader64<object::Endianness>;

    let header = MachO::parse(bytes, 0).ok()?;
    let endian = header.endian().ok()?;
    let mut commands = header.load_commands(endian, bytes, 0).ok()?;
    while let Some(command) = commands.next().ok()? {
        if let Some((built, _)) = command.build_version(endian).ok()? {
            let version = built.minos.get(endian);
            return Some(Version(version.major().into(), version.minor().into()));
        }
    }
    None
}

/// The version in `GLIBC_2.34`.
fn version_of(name: &[u8]) -> Option<Version> {
    let mut numbers = std::str::from_utf8(name).ok()?.strip_prefix("GLIBC_")?.split('.');
    let mut number = || numbers.next()?.parse().ok();
    Some(Version(number()?, number()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_ordered_by_their_numbers() {
        assert!(version_of(b"GLIBC_2.9") < version_of(b"GLIBC_2.17"));
        assert_eq!(version_of(b"GLIBC_2.2.5"), Some(Version(2, 2)));
        assert_eq!(version_of(b"GLIBC_PRIVATE"), None);
        assert_eq!(version_of(b"GCC_3.0"), None);
    }

    #[test]
    fn libraries_of_compilers_are_not_of_the_system() {
        for (name, system, expected) in [
            ("KERNEL32.dll", System::Windows, true),
            ("api-ms-win-core-synch-l1-2-0.dll", System::Windows, true),
            ("libgcc_s_seh-1.dll", System::Windows, false),
            ("libwinpthread-1.dll", System::Windows, false),
            ("VCRUNTIME140.dll", System::Windows, false),
            ("libc.so.6", System::Linux, true),
            ("libstdc++.so.6", System::Linux, false),
            ("/usr/lib/libSystem.B.dylib", System::Darwin, true),
            ("@rpath/libomp.dylib", System::Darwin, false),
        ] {
            assert_eq!(is_of_the_system(name, system), expected, "{name}");
        }
    }

    #[test]
    fn a_library_is_missing_unless_it_is_beside() {
        let missing = |folder: &str, needed: &str, beside: &[&str]| {
            let library = SharedLibrary {
                format: BinaryFormat::Elf,
                architecture: Architecture::X86_64,
                exports: Vec::new(),
                needed: vec![needed.to_owned()],
                oldest_system: None,
            };
            !library.missing(&Platform::of_folder(folder).unwrap(), beside).is_empty()
        };
        assert!(missing("win64", "odd.dll", &["even.dll"]));
        assert!(!missing("win64", "odd.dll", &["ODD.DLL"]));
        assert!(missing("linux64", "libodd.so", &["LIBODD.so"]));
        assert!(!missing("darwin64", "@rpath/libodd.dylib", &["libodd.dylib"]));
        assert!(!missing("darwin64", "@loader_path/libodd.dylib", &["libodd.dylib"]));
        assert!(missing("darwin64", "/opt/lib/libodd.dylib", &["libodd.dylib"]));
        assert!(missing("darwin64", "@rpath/libodd.dylib", &["libeven.dylib"]));
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn the_needs_of_this_program_are_read() {
        let program = std::fs::read(std::env::current_exe().unwrap()).unwrap();
        let read = SharedLibrary::read(&program, None).unwrap();
        assert_eq!(Some((read.format, read.architecture)), expected(&Platform::this_machine()));
        assert!(read.needed.iter().any(|name| name.starts_with("libc.so")), "{:?}", read.needed);
        assert!(read.oldest_system > Some(Version(2, 0)), "{:?}", read.oldest_system);
    }
}
