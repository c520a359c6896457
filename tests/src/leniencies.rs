//! The calls that FMUs of Coupler accept beyond the standard, and the importers for which they do
//! so.

use fmu_runtime::calls::{Function, InstanceState};

/// A call that is accepted beyond the standard because an importer needs it.
#[derive(Clone, Copy, Debug)]
pub struct Leniency {
    /// The functions.
    pub functions: &'static [Function],
    /// The states in which the standard does not allow them; empty if the calls are allowed, but do
    /// more than the standard says.
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
            Function::GetReal,
            Function::GetInteger,
            Function::GetBoolean,
            Function::GetString,
        ],
        states: &[InstanceState::Instantiated],
        what: "before Initialization Mode they give start values",
        habit: "importers that show start values to their users",
    },
    Leniency {
        functions: &[Function::FreeInstance],
        states: &[InstanceState::Fatal],
        what: "frees an instance after a fatal error",
        habit: "importers that clean up after every run",
    },
    Leniency {
        functions: &[Function::Terminate],
        states: &[InstanceState::Error],
        what: "ends a run after an error without a second error, which would conceal the first",
        habit: "importers that end every run with it",
    },
    Leniency {
        functions: &[Function::SetContinuousStates],
        states: &[InstanceState::Event],
        what: "other states in Event Mode end the event: what is pending is iterated before, and values \
               are those of continuous time until the next event begins",
        habit: "OpenModelica, which integrates in Event Mode until the first event; importers after \
                the first text of FMI 2.0, which allowed it",
    },
    Leniency {
        functions: &[Function::SetTime],
        states: &[],
        what: "another time in Event Mode ends the event, for models with states too, and time may go \
               back",
        habit: "OpenModelica",
    },
    Leniency {
        functions: &[Function::EnterEventMode],
        states: &[],
        what: "in Event Mode it begins the next event",
        habit: "OpenModelica, at its first event",
    },
    Leniency {
        functions: &[Function::NewDiscreteStates],
        states: &[],
        what: "iterates to the end in one call; its flags are those of all passes, and a next time \
               event that is not defined is the largest number",
        habit: "OpenModelica calls it once and reads the time without its flag; the FMU Compliance \
                Checker and the pseudocode of FMI 2.0 before 2.0.2 use the last answer alone",
    },
    Leniency {
        functions: &[Function::CompletedIntegratorStep],
        states: &[],
        what: "may be called at points that are rejected later, and at points without solution, which \
               are not accepted",
        habit: "OpenModelica, at every evaluation",
    },
    Leniency {
        functions: &[Function::DoStep],
        states: &[],
        what: "a step of length zero is an event",
        habit: "masters that iterate at a communication point",
    },
];
