//! Terms of FMI 2.0: the status of functions, the types of an FMU, the functions of its library,
//! and the folders of platforms.

use std::ffi::c_int;
use std::fmt;

use fmu_runtime::fmi2::Functions;

pub use fmu_runtime::calls::FmuType;

/// The status that a function of an FMU returns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names are self-explanatory")]
pub enum Status {
    Ok,
    Warning,
    Discard,
    Error,
    Fatal,
    Pending,
}

impl Status {
    /// The status with a code; `None` if the standard does not define it.
    pub fn of(code: c_int) -> Option<Status> {
        Some(match code {
            0 => Status::Ok,
            1 => Status::Warning,
            2 => Status::Discard,
            3 => Status::Error,
            4 => Status::Fatal,
            5 => Status::Pending,
            _ => return None,
        })
    }
}

impl fmt::Display for Status {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "fmi2{self:?}")
    }
}

/// Names of the functions of the standard.
pub const FUNCTIONS: &[&str] = &Functions::NAMES;

/// The functions that a library without Model Exchange need not have.
const MODEL_EXCHANGE: &[&str] = &[
    "fmi2EnterEventMode",
    "fmi2NewDiscreteStates",
    "fmi2EnterContinuousTimeMode",
    "fmi2CompletedIntegratorStep",
    "fmi2SetTime",
    "fmi2SetContinuousStates",
    "fmi2GetDerivatives",
    "fmi2GetEventIndicators",
    "fmi2GetContinuousStates",
    "fmi2GetNominalsOfContinuousStates",
];

/// The functions that a library without Co-Simulation need not have.
const CO_SIMULATION: &[&str] = &[
    "fmi2SetRealInputDerivatives",
    "fmi2GetRealOutputDerivatives",
    "fmi2DoStep",
    "fmi2CancelStep",
    "fmi2GetStatus",
    "fmi2GetRealStatus",
    "fmi2GetIntegerStatus",
    "fmi2GetBooleanStatus",
    "fmi2GetStringStatus",
];

/// The functions that a library for a type of FMU must export.
pub fn required_functions(fmu_type: FmuType) -> impl Iterator<Item = &'static str> {
    let other = if fmu_type == FmuType::ModelExchange { CO_SIMULATION } else { MODEL_EXCHANGE };
    FUNCTIONS.iter().copied().filter(move |name| !other.contains(name))
}

/// Whether a name is an identifier of C.
pub fn is_c_identifier(name: &str) -> bool {
    let legal = |b: u8| b.is_ascii_alphanumeric() || b == b'_';
    name.bytes().all(legal) && name.bytes().next().is_some_and(|b| !b.is_ascii_digit())
}

/// The folder below `binaries/` and the extension of a library, for a target of the compiler.
///
/// The folder has the name that FMI 2.0 defines for the platform or, if there is none, the tuple of
/// FMI 3.0.
pub fn platform(triple: &str) -> (String, &'static str) {
    let architecture = triple.split('-').next().unwrap_or_default();
    let (system, extension) = if triple.contains("windows") {
        ("windows", "dll")
    } else if triple.contains("apple") || triple.contains("darwin") {
        ("darwin", "dylib")
    } else {
        ("linux", "so")
    };
    let short = if system == "windows" { "win" } else { system };
    let folder = match architecture {
        "x86_64" => format!("{short}64"),
        "i386" | "i586" | "i686" => format!("{short}32"),
        other => format!("{other}-{system}"),
    };
    (folder, extension)
}

/// The folders below `binaries/` whose libraries may run on this machine, and the extension of a
/// library.
pub fn this_machine() -> (Vec<String>, &'static str) {
    let (system, short, extension) = match std::env::consts::OS {
        "windows" => ("windows", "win", "dll"),
        "macos" => ("darwin", "darwin", "dylib"),
        _ => ("linux", "linux", "so"),
    };
    let architecture = std::env::consts::ARCH;
    let tuple = format!("{architecture}-{system}");
    let folders = match architecture {
        "x86_64" => vec![format!("{short}64"), tuple],
        "x86" => vec![format!("{short}32"), tuple],
        _ => vec![tuple, format!("{short}64")],
    };
    (folders, extension)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn platform_folders_are_those_of_the_standard() {
        let check = |triple: &str, folder: &str, extension: &str| {
            assert_eq!(platform(triple), (folder.to_owned(), extension), "{triple}");
        };
        check("x86_64-unknown-linux-gnu", "linux64", "so");
        check("i686-unknown-linux-gnu", "linux32", "so");
        check("x86_64-pc-windows-msvc", "win64", "dll");
        check("i686-pc-windows-gnu", "win32", "dll");
        check("x86_64-apple-darwin", "darwin64", "dylib");
        check("aarch64-apple-darwin", "aarch64-darwin", "dylib");
        check("aarch64-unknown-linux-gnu", "aarch64-linux", "so");
    }
}
