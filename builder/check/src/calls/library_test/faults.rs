//! Failed calls, and the rules that they break.

use fmus::error::FailedCall;
use fmus::fmi::Status;

/// The violation of a rule after which a part of the library test cannot continue.
pub(super) struct TestFault {
    pub rule: &'static str,
    /// Faults with the same cause are one finding.
    pub cause: String,
    pub text: String,
    /// Whether it is a discarded call, after which other calls are possible.
    pub discarded: bool,
}

impl TestFault {
    pub fn new(rule: &'static str, text: impl Into<String>) -> TestFault {
        let text = text.into();
        TestFault { rule, cause: format!("{rule} {text}"), text, discarded: false }
    }

    /// The same fault with another cause.
    pub fn due_to(self, cause: &str) -> TestFault {
        TestFault { cause: cause.to_owned(), ..self }
    }

    /// Whether the standard allows it: a discarded call of a function that may return fmi2Discard.
    pub fn is_legal(&self) -> bool {
        self.discarded && self.rule == LEGAL
    }
}

impl From<FailedCall> for TestFault {
    fn from(call: FailedCall) -> TestFault {
        let discarded = call.status == Status::Discard;
        let fault = TestFault::new(rule(call.function, call.status), call.to_string());
        TestFault { discarded, ..fault }
    }
}

/// The rule about values that cannot be computed, to which legal discarded calls belong.
const LEGAL: &str = "A068";

/// The functions that evaluate, and may therefore return fmi2Discard.
const MAY_DISCARD: &[&str] =
    &["fmi2GetReal", "fmi2SetContinuousStates", "fmi2GetDerivatives", "fmi2GetEventIndicators"];

/// The rule that a function breaks if it fails where it must succeed.
pub(super) fn rule(function: &str, status: Status) -> &'static str {
    match (function, status) {
        (_, Status::Pending) => "A094",
        (function, Status::Discard) if MAY_DISCARD.contains(&function) => LEGAL,
        ("fmi2GetInteger" | "fmi2GetBoolean" | "fmi2GetString", Status::Discard) => "A062",
        ("fmi2SetDebugLogging", _) => "A033",
        ("fmi2SetupExperiment", _) => "A038",
        ("fmi2EnterInitializationMode", _) => "A041",
        ("fmi2ExitInitializationMode", _) => "A045",
        ("fmi2Terminate", _) => "A047",
        ("fmi2Reset", _) => "A048",
        ("fmi2SetReal" | "fmi2SetInteger" | "fmi2SetBoolean" | "fmi2SetString", _) => "A058",
        ("fmi2GetFMUstate", _) => "A069",
        ("fmi2SetFMUstate", _) => "A071",
        ("fmi2FreeFMUstate", _) => "A073",
        ("fmi2SerializedFMUstateSize" | "fmi2SerializeFMUstate", _) => "A075",
        ("fmi2DeSerializeFMUstate", _) => "A077",
        ("fmi2GetDirectionalDerivative", _) => "A082",
        ("fmi2EnterEventMode", _) => "B002",
        ("fmi2NewDiscreteStates", _) => "B011",
        ("fmi2EnterContinuousTimeMode", _) => "B022",
        ("fmi2CompletedIntegratorStep", _) => "B029",
        ("fmi2SetTime", _) => "A087",
        ("fmi2GetEventIndicators", _) => "C010",
        ("fmi2GetNominalsOfContinuousStates", _) => "A090",
        ("fmi2GetDerivatives" | "fmi2GetContinuousStates" | "fmi2SetContinuousStates", _) => "A085",
        ("fmi2SetRealInputDerivatives", _) => "A095",
        ("fmi2GetRealOutputDerivatives", _) => "A096",
        ("fmi2DoStep", _) => "A092",
        ("fmi2GetStatus", _) => "A094",
        ("fmi2GetRealStatus" | "fmi2GetBooleanStatus", _) => "A093",
        _ => "A051",
    }
}
