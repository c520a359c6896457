//! Terms of FMI 2.0: the status of functions, the types of an FMU, and the functions of its
//! library.

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
