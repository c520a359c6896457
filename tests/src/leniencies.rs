//! The calls that FMUs of Coupler accept beyond the standard, and the importers for which they do
//! so.

use fmu_runtime::calls::{FmiFunction, InstanceState};

/// A call that is accepted beyond the standard because an importer needs it.
#[derive(Clone, Copy, Debug)]
pub struct Leniency {
    /// The functions.
    pub functions: &'static [FmiFunction],
    /// The states in which the standard does not allow them; empty if the standard allows the call,
    /// but they do more than it says.
    pub states: &'static [InstanceState],
    /// What is accepted, as a sentence without subject.
    pub what: &'static str,
    /// The importers that need it.
    pub habit: &'static str,
}

/// Everything that is accepted beyond the standard. All other calls that it forbids are refused.
pub const LENIENCIES: &[Leniency] = &[
    Leniency {
        functions: &[
            FmiFunction::GetReal,
            FmiFunction::GetInteger,
            FmiFunction::GetBoolean,
            FmiFunction::GetString,
        ],
        states: &[InstanceState::Instantiated],
        what: "before Initialization Mode they give start values",
        habit: "importers that show start values to their users",
    },
    Leniency {
        functions: &[FmiFunction::FreeInstance],
        states: &[InstanceState::Fatal],
        what: "frees an instance after a fatal error",
        habit: "importers that always free their instances",
    },
    Leniency {
        functions: &[FmiFunction::Terminate],
        states: &[InstanceState::Error],
        what: "ends a simulation after an error, without a second error that would hide the first",
        habit: "importers that end every simulation with it",
    },
    Leniency {
        functions: &[FmiFunction::SetReal, FmiFunction::SetInteger, FmiFunction::SetBoolean],
        states: &[],
        what: "after initialization, before any call of Event or Continuous-Time Mode, fixed \
               parameters and start values may change, and the FMU is initialized again as if they \
               had been set before; inputs and tunable parameters that change begin the event as \
               soon as a value is read",
        habit: "OpenModelica up to release 1.27.0, which sets all parameters after \
                fmi2ExitInitializationMode",
    },
    Leniency {
        functions: &[
            FmiFunction::SetReal,
            FmiFunction::SetInteger,
            FmiFunction::SetBoolean,
            FmiFunction::SetString,
        ],
        states: &[InstanceState::ContinuousTime],
        what: "parameters that have the given values already are accepted after initialization too",
        habit: "CasADi, which sets all parameters before each evaluation; OpenModelica",
    },
    Leniency {
        functions: &[FmiFunction::SetReal, FmiFunction::SetInteger, FmiFunction::SetBoolean],
        states: &[InstanceState::ContinuousTime],
        what: "tunable parameters that change act at once, and are an event, for which the next \
               fmi2CompletedIntegratorStep requests Event Mode",
        habit: "CasADi, which sets parameters before an evaluation and knows no Event Mode",
    },
    Leniency {
        functions: &[FmiFunction::SetContinuousStates],
        states: &[InstanceState::Event],
        what: "new states in Event Mode end the event: pending events are iterated before, and \
               values are those of continuous time until the next event begins",
        habit: "OpenModelica, which integrates in Event Mode until the first event; importers \
                that follow the first text of FMI 2.0, which allowed it",
    },
    Leniency {
        functions: &[FmiFunction::SetTime],
        states: &[],
        what: "a new time in Event Mode ends the event, also for models with states, and time may \
               decrease",
        habit: "OpenModelica",
    },
    Leniency {
        functions: &[FmiFunction::EnterEventMode],
        states: &[],
        what: "in Event Mode it begins the next event",
        habit: "OpenModelica, at its first event",
    },
    Leniency {
        functions: &[FmiFunction::NewDiscreteStates],
        states: &[],
        what: "iterates in one call until nothing changes; its flags combine those of all passes, \
               and a nextEventTime that is not defined is the largest number",
        habit: "OpenModelica calls it once and reads nextEventTime without its flag; the FMU \
                Compliance Checker and the pseudocode of FMI 2.0 before 2.0.2 use only the last \
                result",
    },
    Leniency {
        functions: &[FmiFunction::CompletedIntegratorStep],
        states: &[],
        what: "may be called at points that are rejected later, and at points without solution, which \
               are not accepted",
        habit: "OpenModelica, at every evaluation",
    },
    Leniency {
        functions: &[FmiFunction::DoStep],
        states: &[],
        what: "a step of length zero is an event",
        habit: "masters that iterate at a communication point",
    },
];
