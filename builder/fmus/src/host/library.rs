//! The library of an FMU, which is loaded from its file or part of this program.

use std::ffi::c_void;
use std::fs;
use std::path::Path;

use fmu_runtime::fmi2::*;
use object::{FileKind, Object, ObjectSection, ObjectSegment};

use super::strings::string;
use crate::vocabulary::error::{Error, FileContext};
use crate::vocabulary::fmi::{FmuType, required_functions};

/// Declares the table of functions that are found in a library. Libraries for one type of FMU do
/// not have all of them.
macro_rules! found_functions {
    ([] $(fn $name:ident($($argument:ident: $type:ty),*) -> $answer:ty;)*) => {
        // The table is that of the standard; this program does not call all of its functions.
        #[allow(non_snake_case, dead_code, reason = "the fields are named after the functions; some are only required to exist")]
        pub(super) struct Found {
            $(pub(super) $name: Option<unsafe extern "C" fn($($type),*) -> $answer>,)*
        }

        impl Found {
            fn in_library(library: &libloading::Library) -> Found {
                Found {
                    // SAFETY: the type is the one the standard gives to the function of this name.
                    $($name: unsafe {
                        library.get(concat!(stringify!($name), "\0").as_bytes()).ok().map(|f| *f)
                    },)*
                }
            }
        }

        impl From<Functions> for Found {
            fn from(functions: Functions) -> Found {
                Found { $($name: Some(functions.$name),)* }
            }
        }
    };
}

fmu_runtime::fmi2_functions!([found_functions] []);

/// The functions that are called only if a capability flag declares them.
const PROMISED: &[&str] = &[
    "fmi2GetFMUstate",
    "fmi2SetFMUstate",
    "fmi2FreeFMUstate",
    "fmi2SerializedFMUstateSize",
    "fmi2SerializeFMUstate",
    "fmi2DeSerializeFMUstate",
    "fmi2GetDirectionalDerivative",
    "fmi2SetRealInputDerivatives",
    "fmi2GetRealOutputDerivatives",
];

/// The library of an FMU.
pub struct FmuLibrary {
    pub(super) functions: Found,
    // Declared last, so that it outlives the functions; `None` for functions of this program.
    _library: Option<libloading::Library>,
}

impl From<Functions> for FmuLibrary {
    fn from(functions: Functions) -> FmuLibrary {
        FmuLibrary { functions: functions.into(), _library: None }
    }
}

impl FmuLibrary {
    /// Loads a library for a type of FMU. Functions that need not be called may be missing: a rule
    /// of the check tests that they are exported.
    ///
    /// # Errors
    /// If the system cannot load the library, or if a function that is always called is missing.
    pub fn load(path: &Path, fmu_type: FmuType) -> Result<FmuLibrary, Error> {
        let fail = |reason: String| Error::Library { path: path.to_owned(), reason };
        let bytes = fs::read(path).attempt("read", path)?;
        complete(&bytes).map_err(|e| fail(format!("the library cannot be loaded: {e}")))?;
        drop(bytes);
        // SAFETY: the user asks to run the code of this FMU, which includes the initialisers of its
        // library.
        let library = unsafe { libloading::Library::new(path) }
            .map_err(|e| fail(format!("the library cannot be loaded: {}", cause(&e))))?;
        for name in required_functions(fmu_type).filter(|name| !PROMISED.contains(name)) {
            // SAFETY: the symbol is only looked up, not used.
            let found = unsafe { library.get::<*const c_void>(format!("{name}\0").as_bytes()) };
            if found.is_err() {
                return Err(fail(format!("the library does not export {name}")));
            }
        }
        Ok(FmuLibrary { functions: Found::in_library(&library), _library: Some(library) })
    }

    /// `fmi2GetTypesPlatform` and `fmi2GetVersion`.
    pub fn platform_and_version(&self) -> (String, String) {
        // SAFETY: both functions may be called at any time and return static strings.
        let text = |f: Option<unsafe extern "C" fn() -> fmi2String>| match f {
            Some(f) => unsafe { string(f()) },
            None => String::new(),
        };
        (text(self.functions.fmi2GetTypesPlatform), text(self.functions.fmi2GetVersion))
    }

    /// `fmi2FreeInstance` without an instance.
    pub fn free_nothing(&self) {
        if let Some(free) = self.functions.fmi2FreeInstance {
            // SAFETY: the standard allows null.
            unsafe { free(std::ptr::null_mut()) }
        }
    }
}

/// Checks that a library is complete, because the system's loader ends the process if a part is
/// missing.
///
/// # Errors
/// If it is not.
pub fn complete(library: &[u8]) -> Result<(), object::Error> {
    if matches!(FileKind::parse(library)?, FileKind::MachOFat32 | FileKind::MachOFat64) {
        // The file contains several libraries, one of which the loader selects.
        return Ok(());
    }
    let file = object::File::parse(library)?;
    file.segments().try_for_each(|segment| segment.data().map(|_| ()))?;
    file.sections().try_for_each(|section| section.data().map(|_| ()))
}

/// The error of the system's loader.
fn cause(error: &libloading::Error) -> String {
    let source = std::error::Error::source(error);
    source.map_or_else(|| error.to_string(), ToString::to_string)
}
