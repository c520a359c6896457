//! Terms of FMI 2.0: the status of functions, the types of an FMU, and the functions of its
//! library.

use std::ffi::c_int;
use std::fmt;

use fmu_runtime::calls::FmiFunction;
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

/// The functions that a library for a type of FMU must export.
pub fn required_functions(fmu_type: FmuType) -> impl Iterator<Item = &'static str> {
    let is_of_other = move |name: &&str| {
        let mut called = FmiFunction::ALL.iter().filter(|function| !function.is_of(fmu_type));
        called.any(|function| function.name() == *name)
    };
    FUNCTIONS.iter().copied().filter(move |name| !is_of_other(name))
}
