//! Platforms: a system on a processor, with its names in FMI 2.0, in FMI 3.0 and in the compiler.

use std::env::consts;

/// A system: how libraries are named and loaded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names are self-explanatory")]
pub enum System {
    Linux,
    Windows,
    Darwin,
}

impl System {
    const ALL: [System; 3] = [System::Linux, System::Windows, System::Darwin];

    /// Its names: in tuples of FMI 3.0, and in folders of FMI 2.0.
    fn names(self) -> (&'static str, &'static str) {
        match self {
            System::Linux => ("linux", "linux"),
            System::Windows => ("windows", "win"),
            System::Darwin => ("darwin", "darwin"),
        }
    }

    /// The extension of libraries.
    pub fn extension(self) -> &'static str {
        match self {
            System::Linux => "so",
            System::Windows => "dll",
            System::Darwin => "dylib",
        }
    }
}

/// A system on a processor.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Platform {
    /// The system.
    pub system: System,
    /// The processor, as in the tuples of FMI 3.0: `x86_64`, `x86`, `aarch64`, ...
    pub processor: String,
}

/// The platforms for which libraries are built and tested: their folders, and the compiler's
/// targets.
pub const SUPPORTED: [(&str, &str); 5] = [
    ("linux64", "x86_64-unknown-linux-gnu"),
    ("win64", "x86_64-pc-windows-gnu"),
    ("aarch64-linux", "aarch64-unknown-linux-gnu"),
    ("darwin64", "x86_64-apple-darwin"),
    ("aarch64-darwin", "aarch64-apple-darwin"),
];

impl Platform {
    /// The platform of a target of the compiler.
    pub fn of_target(triple: &str) -> Platform {
        let system = if triple.contains("windows") {
            System::Windows
        } else if triple.contains("apple") || triple.contains("darwin") {
            System::Darwin
        } else {
            System::Linux
        };
        let processor = match triple.split('-').next().unwrap_or_default() {
            "i386" | "i586" | "i686" => "x86",
            other => other,
        };
        Platform { system, processor: processor.to_owned() }
    }

    /// The platform of a folder below `binaries/`, whose name is that of FMI 2.0 or a tuple of
    /// FMI 3.0.
    pub fn of_folder(folder: &str) -> Option<Platform> {
        let of = |system, processor: &str| Platform { system, processor: processor.to_owned() };
        let tuple = folder.split_once('-').and_then(|(processor, name)| {
            let system = System::ALL.into_iter().find(|system| system.names().0 == name)?;
            (!processor.is_empty()).then(|| of(system, processor))
        });
        tuple.or_else(|| {
            System::ALL.into_iter().find_map(|system| {
                match folder.strip_prefix(system.names().1)? {
                    "64" => Some(of(system, "x86_64")),
                    "32" => Some(of(system, "x86")),
                    _ => None,
                }
            })
        })
    }

    /// The platform of this process.
    pub fn this_machine() -> Platform {
        let system = match consts::OS {
            "windows" => System::Windows,
            "macos" => System::Darwin,
            _ => System::Linux,
        };
        Platform { system, processor: consts::ARCH.to_owned() }
    }

    /// Its folder below `binaries/`: the name that FMI 2.0 defines or, if there is none, the tuple
    /// of FMI 3.0.
    pub fn folder(&self) -> String {
        let (_, short) = self.system.names();
        match self.processor.as_str() {
            "x86_64" => format!("{short}64"),
            "x86" => format!("{short}32"),
            _ => self.tuple(),
        }
    }

    fn tuple(&self) -> String {
        format!("{}-{}", self.processor, self.system.names().0)
    }

    /// The folders whose libraries may run on it, the most probable one first.
    pub fn folders(&self) -> Vec<String> {
        let (_, short) = self.system.names();
        match self.processor.as_str() {
            "x86_64" | "x86" => vec![self.folder(), self.tuple()],
            _ => vec![self.tuple(), format!("{short}64")],
        }
    }

    /// The name of the file of a library.
    pub fn file(&self, name: &str) -> String {
        format!("{name}.{}", self.system.extension())
    }

    /// Whether two names are those of one file: on Windows, capitals do not matter.
    pub fn is_same_file(&self, one: &str, other: &str) -> bool {
        one == other || self.system == System::Windows && one.eq_ignore_ascii_case(other)
    }

    /// The compiler's target for it, if libraries for it are built and tested.
    pub fn target(&self) -> Option<&'static str> {
        let folder = self.folder();
        SUPPORTED.iter().find(|(known, _)| *known == folder).map(|(_, triple)| *triple)
    }
}

/// What a library is built for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Target {
    /// The platform.
    pub platform: Platform,
    /// The compiler's target. If there is none, libraries need to run on this machine only, and are
    /// linked by its own linker.
    pub triple: Option<String>,
}

impl Target {
    /// The target of this machine.
    pub fn this_machine() -> Target {
        Target { platform: Platform::this_machine(), triple: None }
    }

    /// A target of the compiler.
    pub fn of_triple(triple: &str) -> Target {
        Target { platform: Platform::of_target(triple), triple: Some(triple.to_owned()) }
    }

    /// The target for a platform, by the name of its folder.
    ///
    /// # Errors
    /// The sentence that lists the platforms, if it is none of them.
    pub fn of_folder(folder: &str) -> Result<Target, String> {
        let platform = Platform::of_folder(folder);
        let triple = platform.as_ref().and_then(Platform::target);
        triple.map(Target::of_triple).ok_or_else(|| {
            let folder = if folder.is_empty() { "without a name" } else { folder };
            let names: Vec<&str> = SUPPORTED.iter().map(|(folder, _)| *folder).collect();
            format!("there is no platform {folder}; the platforms are {}", names.join(", "))
        })
    }

    /// Whether it is the supported target of its platform.
    pub fn is_supported(&self) -> bool {
        self.triple.is_some() && self.triple.as_deref() == self.platform.target()
    }

    /// Whether its libraries run on this machine.
    pub fn runs_here(&self) -> bool {
        let is_usual = self.triple.is_none() || self.is_supported();
        is_usual && self.platform == Platform::this_machine()
    }

    /// The targets of all supported platforms.
    pub fn all() -> Vec<Target> {
        SUPPORTED.iter().filter_map(|(folder, _)| Target::of_folder(folder).ok()).collect()
    }
}

/// Whether Windows has no files of a name, because it is that of a device, with any extension.
pub fn is_device_of_windows(name: &str) -> bool {
    let stem = name.split('.').next().unwrap_or_default().to_ascii_uppercase();
    let device = stem.trim_end_matches(|c: char| c.is_ascii_digit());
    let numbered = matches!(device, "COM" | "LPT") && stem.len() == 4;
    numbered || matches!(&*stem, "CON" | "PRN" | "AUX" | "NUL")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_and_extensions_are_those_of_the_standard() {
        let check = |triple: &str, folder: &str, file: &str| {
            let platform = Platform::of_target(triple);
            assert_eq!((platform.folder().as_str(), platform.file("A").as_str()), (folder, file));
            assert_eq!(Platform::of_folder(folder), Some(platform), "{triple}");
        };
        check("x86_64-unknown-linux-gnu", "linux64", "A.so");
        check("i686-unknown-linux-gnu", "linux32", "A.so");
        check("x86_64-pc-windows-msvc", "win64", "A.dll");
        check("i686-pc-windows-gnu", "win32", "A.dll");
        check("x86_64-apple-darwin", "darwin64", "A.dylib");
        check("aarch64-apple-darwin", "aarch64-darwin", "A.dylib");
        check("aarch64-unknown-linux-gnu", "aarch64-linux", "A.so");
    }

    #[test]
    fn tuples_name_the_same_platforms() {
        let of = |folder| Platform::of_folder(folder).map(|platform| platform.folder());
        assert_eq!(of("x86_64-windows").as_deref(), Some("win64"));
        assert_eq!(of("x86_64-linux").as_deref(), Some("linux64"));
        for other in ["win", "win16", "plan9", "x86_64-plan9", "-linux", ""] {
            assert_eq!(of(other), None, "{other}");
        }
    }

    #[test]
    fn supported_platforms_have_one_target_each() {
        for (folder, triple) in SUPPORTED {
            assert_eq!(Platform::of_target(triple).folder(), folder);
            let target = Target::of_folder(folder).unwrap();
            assert_eq!((target.platform.target(), target.is_supported()), (Some(triple), true));
        }
        let reason = Target::of_folder("amiga").unwrap_err();
        assert!(reason.ends_with("linux64, win64, aarch64-linux, darwin64, aarch64-darwin"));
    }
}
