//! Which function may be called in which state: the call order of FMI 2.0 as one table.

/// The kind of an instance.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// The importer integrates.
    ModelExchange,
    /// The instance integrates.
    CoSimulation,
}

/// Where an instance is in its life.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum State {
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
    /// Event Mode after time or states were moved (Model Exchange): the event is over, and what
    /// Event Mode and what Continuous-Time Mode allow is allowed.
    Moved,
}

impl State {
    /// All states.
    pub const ALL: [State; 12] = [
        State::Instantiated,
        State::Initialization,
        State::Event,
        State::ContinuousTime,
        State::StepComplete,
        State::StepInProgress,
        State::StepFailed,
        State::StepCanceled,
        State::Terminated,
        State::Error,
        State::Fatal,
        State::Moved,
    ];

    /// The columns of the table that hold in this state.
    const fn columns(self) -> u16 {
        match self {
            State::Moved => State::Event.columns() | State::ContinuousTime.columns(),
            _ => 1 << self as u16,
        }
    }

    /// The name used in messages.
    pub const fn name(self) -> &'static str {
        match self {
            State::Instantiated => "instantiated",
            State::Initialization => "Initialization Mode",
            State::Event | State::Moved => "Event Mode",
            State::ContinuousTime => "Continuous-Time Mode",
            State::StepComplete => "step complete",
            State::StepInProgress => "step in progress",
            State::StepFailed => "step failed",
            State::StepCanceled => "step canceled",
            State::Terminated => "terminated",
            State::Error => "error",
            State::Fatal => "fatal error",
        }
    }
}

/// The states of one kind in which a function may be called, one letter each; a dot is a state in
/// which it may not. Order: instantiated, initialization, event (ME), continuous time (ME), step
/// complete, in progress, failed, canceled (CS), terminated, error, fatal.
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
        #[allow(missing_docs, reason = "the names say it")]
        pub enum Function {
            $($function,)*
        }

        impl Function {
            /// All functions, in the order of the table.
            pub const ALL: &[Function] = &[$(Function::$function,)*];

            /// The C name.
            pub const fn name(self) -> &'static str {
                match self {
                    $(Function::$function => $name,)*
                }
            }

            #[inline(always)]
            const fn mask(self, kind: Kind) -> u16 {
                match (self, kind) {
                    $((Function::$function, Kind::ModelExchange) => states($me),
                      (Function::$function, Kind::CoSimulation) => states($cs),)*
                }
            }
        }
    };
}

// The columns name the states (I instantiated, N initialization, E event, C continuous time,
// S step complete, P in progress, F failed, X canceled, T terminated, R error). Where they go
// beyond the standard, [`LENIENCIES`] says why.
calls! {
    SetDebugLogging             "fmi2SetDebugLogging"             b"INEC....TR." b"IN..SPFXTR."
    FreeInstance                "fmi2FreeInstance"                b"INEC....TRF" b"IN..S.FXTRF"
    SetupExperiment             "fmi2SetupExperiment"             b"I.........." b"I.........."
    EnterInitializationMode     "fmi2EnterInitializationMode"     b"I.........." b"I.........."
    ExitInitializationMode      "fmi2ExitInitializationMode"      b".N........." b".N........."
    Terminate                   "fmi2Terminate"                   b"..EC......." b"....S.F...."
    Reset                       "fmi2Reset"                       b"INEC....TR." b"IN..S.FXTR."
    GetReal                     "fmi2GetReal"                     b"INEC....TR." b"IN..S.FXTR."
    GetInteger                  "fmi2GetInteger"                  b"INEC....TR." b"IN..S.FXTR."
    GetBoolean                  "fmi2GetBoolean"                  b"INEC....TR." b"IN..S.FXTR."
    GetString                   "fmi2GetString"                   b"INEC....TR." b"IN..S.FXTR."
    SetReal                     "fmi2SetReal"                     b"INEC......." b"IN..S......"
    SetInteger                  "fmi2SetInteger"                  b"INE........" b"IN..S......"
    SetBoolean                  "fmi2SetBoolean"                  b"INE........" b"IN..S......"
    SetString                   "fmi2SetString"                   b"INE........" b"IN..S......"
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

impl Function {
    /// Whether the function may be called in a state of an instance of a kind.
    ///
    /// `fmi2FreeInstance` is also allowed after a fatal error. Conditions on single variables are
    /// not part of this table.
    #[inline(always)]
    pub const fn allowed(self, kind: Kind, state: State) -> bool {
        self.mask(kind) & state.columns() != 0
    }
}

/// What is accepted beyond the standard, for the sake of an importer.
#[derive(Clone, Copy, Debug)]
pub struct Leniency {
    /// The functions.
    pub functions: &'static [Function],
    /// The state in which the standard does not let them be called; `None`: what they do there is
    /// wider.
    pub state: Option<State>,
    /// What is accepted, as a sentence.
    pub what: &'static str,
    /// Whose habit that is.
    pub habit: &'static str,
}

/// All that is accepted beyond the standard. Whatever else it forbids is refused.
pub const LENIENCIES: &[Leniency] = &[
    Leniency {
        functions: &[
            Function::GetReal,
            Function::GetInteger,
            Function::GetBoolean,
            Function::GetString,
        ],
        state: Some(State::Instantiated),
        what: "before Initialization Mode they give start values",
        habit: "importers that show start values to their users",
    },
    Leniency {
        functions: &[Function::FreeInstance],
        state: Some(State::Fatal),
        what: "frees an instance after a fatal error",
        habit: "importers that clean up whatever happened",
    },
    Leniency {
        functions: &[Function::SetContinuousStates],
        state: Some(State::Event),
        what: "other states in Event Mode end the event: what is pending is iterated before, and values \
               are those of continuous time until the next event begins",
        habit: "OpenModelica, which integrates in Event Mode until the first event; importers after \
                the first text of FMI 2.0, which allowed it",
    },
    Leniency {
        functions: &[Function::SetTime],
        state: None,
        what: "another time in Event Mode ends the event, for models with states too, and time may go \
               back",
        habit: "OpenModelica",
    },
    Leniency {
        functions: &[Function::EnterEventMode],
        state: None,
        what: "in Event Mode it begins the next event",
        habit: "OpenModelica, at its first event",
    },
    Leniency {
        functions: &[Function::NewDiscreteStates],
        state: None,
        what: "iterates to the end in one call; its flags are those of all passes, and a next time \
               event that is not defined is the largest number",
        habit: "OpenModelica calls it once and reads the time without its flag; the FMU Compliance \
                Checker and the pseudocode of FMI 2.0 before 2.0.2 heed the last answer alone",
    },
    Leniency {
        functions: &[Function::CompletedIntegratorStep],
        state: None,
        what: "may be called at points that are rejected later, and at points without solution, which \
               are not accepted",
        habit: "OpenModelica, at every evaluation",
    },
    Leniency {
        functions: &[Function::DoStep],
        state: None,
        what: "a step of length zero is an event",
        habit: "masters that iterate at a communication point",
    },
];
