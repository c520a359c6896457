//! The call order of FMI 2.0: one table of the functions that each state allows.

use crate::plain_data::Word;
use std::fmt;

/// The interface of an instance: `fmi2Type`, the argument `fmuType` of `fmi2Instantiate`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FmuType {
    /// The importer integrates.
    ModelExchange,
    /// The instance integrates.
    CoSimulation,
}

impl fmt::Display for FmuType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            FmuType::ModelExchange => "Model Exchange",
            FmuType::CoSimulation => "Co-Simulation",
        })
    }
}

/// The states of an instance in the state machine of its calling sequence (FMI 2.0.5, sections
/// 3.2.3 and 4.2.4).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum InstanceState {
    /// After instantiation or reset.
    Instantiated,
    /// Initialization Mode.
    Initialization,
    /// Event Mode (Model Exchange).
    Event,
    /// Continuous-Time Mode (Model Exchange).
    ContinuousTime,
    /// Between communication steps (Co-Simulation).
    StepComplete,
    /// During a pending step (Co-Simulation; never reached: steps are synchronous).
    StepInProgress,
    /// After a step that was discarded (Co-Simulation).
    StepFailed,
    /// After a cancelled step (Co-Simulation; never reached).
    StepCanceled,
    /// After `fmi2Terminate`.
    Terminated,
    /// After `fmi2Error`.
    Error,
    /// After `fmi2Fatal`.
    Fatal,
    /// Event Mode, after the importer has set time or states (Model Exchange): the event has ended,
    /// values are computed as in continuous time, and the calls of Event Mode remain allowed.
    EventLeft,
    /// Event Mode, since the end of initialization (Model Exchange): start values may still change.
    /// Changed inputs and tunable parameters are kept for the event.
    FirstEvent,
}

impl Word for InstanceState {
    fn to_word(self) -> f64 {
        f64::from(self as u8)
    }
    fn from_word(word: f64) -> Option<InstanceState> {
        InstanceState::ALL.into_iter().find(|state| state.to_word() == word)
    }
}

impl InstanceState {
    /// All states.
    pub const ALL: [InstanceState; 13] = [
        InstanceState::Instantiated,
        InstanceState::Initialization,
        InstanceState::Event,
        InstanceState::ContinuousTime,
        InstanceState::StepComplete,
        InstanceState::StepInProgress,
        InstanceState::StepFailed,
        InstanceState::StepCanceled,
        InstanceState::Terminated,
        InstanceState::Error,
        InstanceState::Fatal,
        InstanceState::EventLeft,
        InstanceState::FirstEvent,
    ];

    /// The columns of the table that apply to this state.
    const fn columns(self) -> u16 {
        match self {
            InstanceState::EventLeft | InstanceState::FirstEvent => InstanceState::Event.columns(),
            _ => 1 << self as u16,
        }
    }

    /// The name used in messages.
    pub const fn name(self) -> &'static str {
        match self {
            InstanceState::Instantiated => "instantiated",
            InstanceState::Initialization => "Initialization Mode",
            InstanceState::Event | InstanceState::EventLeft | InstanceState::FirstEvent => {
                "Event Mode"
            }
            InstanceState::ContinuousTime => "Continuous-Time Mode",
            InstanceState::StepComplete => "step complete",
            InstanceState::StepInProgress => "step in progress",
            InstanceState::StepFailed => "step failed",
            InstanceState::StepCanceled => "step canceled",
            InstanceState::Terminated => "terminated",
            InstanceState::Error => "error",
            InstanceState::Fatal => "fatal error",
        }
    }
}

/// The states of one type in which a function may be called, one letter each; a dot stands for a
/// state in which it must not be called. Order: instantiated, initialization, event (ME),
/// continuous time (ME), step complete, in progress, failed, canceled (CS), terminated, error,
/// fatal.
const fn states(columns: &[u8; 11]) -> u16 {
    let mut mask = 0;
    let mut i = 0;
    while i < 11 {
        if columns[i] != b'.' {
            mask |= 1 << i;
        }
        i += 1;
    }
    mask
}

macro_rules! calls {
    ($($function:ident $name:literal $me:literal $cs:literal)*) => {
        /// The functions that are called with an instance.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        #[allow(missing_docs, reason = "the names are self-explanatory")]
        pub enum FmiFunction {
            $($function,)*
        }

        impl FmiFunction {
            /// All functions, in the order of the table.
            pub const ALL: &[FmiFunction] = &[$(FmiFunction::$function,)*];

            /// The C name.
            pub const fn name(self) -> &'static str {
                match self {
                    $(FmiFunction::$function => $name,)*
                }
            }

            #[inline(always)]
            const fn mask(self, fmu_type: FmuType) -> u16 {
                match (self, fmu_type) {
                    $((FmiFunction::$function, FmuType::ModelExchange) => const { states($me) },
                      (FmiFunction::$function, FmuType::CoSimulation) => const { states($cs) },)*
                }
            }
        }
    };
}

// The columns name the states (I instantiated, N initialization, E event, C continuous time,
// S step complete, P in progress, F failed, X canceled, T terminated, R error). They are wider than
// the standard where docs/conformance.md says so, and for which importers.
calls! {
    SetDebugLogging             "fmi2SetDebugLogging"             b"INEC....TR." b"IN..SPFXTR."
    FreeInstance                "fmi2FreeInstance"                b"INEC....TRF" b"IN..S.FXTRF"
    SetupExperiment             "fmi2SetupExperiment"             b"I.........." b"I.........."
    EnterInitializationMode     "fmi2EnterInitializationMode"     b"I.........." b"I.........."
    ExitInitializationMode      "fmi2ExitInitializationMode"      b".N........." b".N........."
    Terminate                   "fmi2Terminate"                   b"..EC.....R." b"....S.F..R."
    Reset                       "fmi2Reset"                       b"INEC....TR." b"IN..S.FXTR."
    GetReal                     "fmi2GetReal"                     b"INEC....TR." b"IN..S.FXTR."
    GetInteger                  "fmi2GetInteger"                  b"INEC....TR." b"IN..S.FXTR."
    GetBoolean                  "fmi2GetBoolean"                  b"INEC....TR." b"IN..S.FXTR."
    GetString                   "fmi2GetString"                   b"INEC....TR." b"IN..S.FXTR."
    SetReal                     "fmi2SetReal"                     b"INEC......." b"IN..S......"
    SetInteger                  "fmi2SetInteger"                  b"INEC......." b"IN..S......"
    SetBoolean                  "fmi2SetBoolean"                  b"INEC......." b"IN..S......"
    SetString                   "fmi2SetString"                   b"INEC......." b"IN..S......"
    GetFMUstate                 "fmi2GetFMUstate"                 b"INEC....TR." b"IN..S.FXTR."
    SetFMUstate                 "fmi2SetFMUstate"                 b"INEC....TR." b"IN..S.FXTR."
    FreeFMUstate                "fmi2FreeFMUstate"                b"INEC....TR." b"IN..S.FXTR."
    SerializedFMUstateSize      "fmi2SerializedFMUstateSize"      b"INEC....TR." b"IN..S.FXTR."
    SerializeFMUstate           "fmi2SerializeFMUstate"           b"INEC....TR." b"IN..S.FXTR."
    DeSerializeFMUstate         "fmi2DeSerializeFMUstate"         b"INEC....TR." b"IN..S.FXTR."
    GetDirectionalDerivative    "fmi2GetDirectionalDerivative"    b".NEC....TR." b".N..S.FXTR."
    EnterEventMode              "fmi2EnterEventMode"              b"..EC......." b"..........."
    NewDiscreteStates           "fmi2NewDiscreteStates"           b"..E........" b"..........."
    EnterContinuousTimeMode     "fmi2EnterContinuousTimeMode"     b"..E........" b"..........."
    CompletedIntegratorStep     "fmi2CompletedIntegratorStep"     b"...C......." b"..........."
    SetTime                     "fmi2SetTime"                     b"..EC......." b"..........."
    SetContinuousStates         "fmi2SetContinuousStates"         b"..EC......." b"..........."
    GetDerivatives              "fmi2GetDerivatives"              b".NEC....TR." b"..........."
    GetEventIndicators          "fmi2GetEventIndicators"          b".NEC....TR." b"..........."
    GetContinuousStates         "fmi2GetContinuousStates"         b".NEC....TR." b"..........."
    GetNominals                 "fmi2GetNominalsOfContinuousStates" b"INEC....TR." b"..........."
    SetRealInputDerivatives     "fmi2SetRealInputDerivatives"     b"..........." b"IN..S......"
    GetRealOutputDerivatives    "fmi2GetRealOutputDerivatives"    b"..........." b"....S.FXTR."
    DoStep                      "fmi2DoStep"                      b"..........." b"....S......"
    CancelStep                  "fmi2CancelStep"                  b"..........." b".....P....."
    GetStatus                   "fmi2GetStatus"                   b"..........." b"....SPF.T.."
    GetRealStatus               "fmi2GetRealStatus"               b"..........." b"....SPF.T.."
    GetIntegerStatus            "fmi2GetIntegerStatus"            b"..........." b"....SPF.T.."
    GetBooleanStatus            "fmi2GetBooleanStatus"            b"..........." b"....SPF.T.."
    GetStringStatus             "fmi2GetStringStatus"             b"..........." b"....SPF.T.."
}

impl FmiFunction {
    /// Whether the function may be called with instances of a type at all.
    pub const fn is_of(self, fmu_type: FmuType) -> bool {
        self.mask(fmu_type) != 0
    }

    /// Whether the function reads single states, or none, of a communication point that are not
    /// interpolated yet; all others find them in the memory.
    #[inline(always)]
    pub(crate) fn interpolates_itself(self) -> bool {
        matches!(
            self,
            FmiFunction::DoStep
                | FmiFunction::GetReal
                | FmiFunction::GetInteger
                | FmiFunction::GetBoolean
        )
    }

    /// Whether the call is one of Event or Continuous-Time Mode, as an importer makes it after it
    /// has set all start values.
    pub const fn begins_first_event(self) -> bool {
        matches!(
            self,
            FmiFunction::EnterEventMode
                | FmiFunction::NewDiscreteStates
                | FmiFunction::EnterContinuousTimeMode
                | FmiFunction::SetTime
                | FmiFunction::SetContinuousStates
                | FmiFunction::GetDerivatives
                | FmiFunction::GetEventIndicators
                | FmiFunction::GetContinuousStates
                | FmiFunction::GetDirectionalDerivative
        )
    }

    /// Whether the function may be called in a state of an instance of this type.
    ///
    /// `fmi2FreeInstance` is also allowed after a fatal error. Conditions on single variables are
    /// not part of this table.
    #[inline(always)]
    pub const fn allowed(self, fmu_type: FmuType, state: InstanceState) -> bool {
        self.mask(fmu_type) & state.columns() != 0
    }
}
