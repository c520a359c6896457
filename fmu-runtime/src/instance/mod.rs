//! One instance of the FMU: its parts, the check of every call, and reports of failures.

pub mod solver;

use crate::data::status::{Lifecycle, NO_STATE, Progress};
use crate::data::stored_states;
use crate::evaluation::Evaluation;
use crate::fmi::calls::{FmiFunction, FmuType, InstanceState};
use crate::fmi::fmi2::*;
use crate::fmi::log::{Category, Log};
use crate::integrate::{ImplicitWork, IntegratorState, JacobianPattern};
use crate::model::changes::Changes;
use crate::model::equations::RunnableModel;
use crate::model::fault::Fault;
use crate::model::system::{Failure, FailureKind, Source};
use kernels::limits::{self, Assigned, Number};
use kernels::rows::Rows;
use std::fmt;

/// A step is too long if it changes a state by more than this many times its magnitude.
const MAX_MOVE: f64 = 10.0;

/// Evaluations of the derivatives that an evaluation with tangents is worth.
const TANGENTS: f64 = 2.0;

/// The work of the implicit method, in evaluations of the derivatives.
fn implicit_work(evaluation: &Evaluation, pattern: &JacobianPattern) -> ImplicitWork {
    // A system written by hand does not state its operations: at least four are assumed for each
    // state and each entry of the Jacobian.
    let known = evaluation.info.sizes.operations;
    let time = usize::from(evaluation.info.time_dependent);
    let operations = known.max(4 * (pattern.states() + pattern.entries())).max(1);
    ImplicitWork {
        // Columns that last are evaluated again only if parameters or modes have changed.
        jacobian: TANGENTS * (evaluation.tangent.varying + time) as f64,
        factorization: pattern.operations() as f64 / operations as f64,
    }
}

/// One instance of the FMU.
pub struct Instance {
    pub(crate) fmu_type: FmuType,
    pub(crate) evaluation: Evaluation,
    pub(crate) lifecycle: Lifecycle,
    /// The progress of Co-Simulation.
    pub(crate) progress: Progress,
    /// The integrator state of Co-Simulation.
    pub(crate) integrator_state: IntegratorState,
    pub(crate) log: Log,
    /// Nominal values of the states.
    pub(crate) nominal: Box<[f64]>,
    /// Where the Jacobian has entries.
    pub(crate) pattern: JacobianPattern,
    /// What the implicit method costs.
    pub(crate) implicit_work: ImplicitWork,
    /// The identity under which its stored states are kept.
    pub(crate) owner: u64,
    /// Whether the present call was refused: its error leaves the instance unchanged.
    refused: bool,
}

impl Instance {
    pub(crate) fn new(
        model: &dyn RunnableModel,
        tables: Box<[Rows]>,
        fmu_type: FmuType,
        log: Log,
    ) -> Instance {
        let evaluation = Evaluation::new(model, tables, fmu_type);
        let (states, indicators) = (evaluation.info.states, evaluation.state_relations.len());
        let pattern = JacobianPattern::new(evaluation.info.jacobian);
        let integrator_state = match fmu_type {
            FmuType::ModelExchange => IntegratorState::unused(),
            FmuType::CoSimulation => IntegratorState::new(&pattern, indicators),
        };
        Instance {
            fmu_type,
            nominal: states.iter().map(|state| state.nominal).collect(),
            implicit_work: implicit_work(&evaluation, &pattern),
            pattern,
            evaluation,
            lifecycle: Lifecycle::START,
            progress: Progress::START,
            integrator_state,
            log,
            owner: stored_states::new_identity(),
            refused: false,
        }
    }

    // --- the guard of every call ---

    #[inline(always)]
    pub(crate) fn allows(&self, function: FmiFunction) -> bool {
        function.allowed(self.fmu_type, self.lifecycle.state)
    }

    /// Runs the body of a function if the present state allows the call.
    #[inline(always)]
    pub(crate) fn perform(
        &mut self,
        function: FmiFunction,
        body: impl FnOnce(&mut Instance) -> fmi2Status,
    ) -> fmi2Status {
        if !function.interpolates_itself() {
            self.complete_states();
        }
        if self.lifecycle.state == InstanceState::FirstEvent && function.begins_first_event() {
            let begun = self.begin_first_event();
            if self.status(begun, fmi2Error) != fmi2OK {
                return self.failed(function);
            }
        }
        match if self.allows(function) { body(self) } else { self.refuse(function) } {
            fmi2Error => self.failed(function),
            status => status,
        }
    }

    /// Answers a call that the table forbids; the instance does not change.
    #[cold]
    pub(crate) fn refuse(&mut self, function: FmiFunction) -> fmi2Status {
        let state = self.lifecycle.state.name();
        self.refuse_because(format_args!("{}: not allowed in state {state}", function.name()))
    }

    /// Answers `fmi2Error` without consequences for the instance.
    #[cold]
    pub(crate) fn refuse_because(&mut self, reason: fmt::Arguments) -> fmi2Status {
        self.refused = true;
        self.error(reason)
    }

    /// Answers a call with a null pointer; the instance does not change, and no event begins.
    #[cold]
    pub(crate) fn refuse_null_pointer(&mut self, function: FmiFunction) -> fmi2Status {
        if self.allows(function) {
            self.refuse_because(format_args!("{}: a pointer is null", function.name()));
        } else {
            self.refuse(function);
        }
        self.failed(function)
    }

    /// Enters the state after an error, which only a reset or a stored state can end.
    #[cold]
    pub(crate) fn failed(&mut self, function: FmiFunction) -> fmi2Status {
        let state = &mut self.lifecycle.state;
        if !self.refused
            && function != FmiFunction::SetDebugLogging
            && *state != InstanceState::Fatal
        {
            *state = InstanceState::Error;
        }
        self.refused = false;
        fmi2Error
    }

    /// Enters the state after a panic, in which the instance can only be freed.
    #[cold]
    pub(crate) fn poison(&mut self, function: FmiFunction, text: &str) {
        self.lifecycle.state = InstanceState::Fatal;
        let reason = format_args!("{}: internal fault: {text}", function.name());
        self.log.send(fmi2Fatal, Category::StatusFatal, reason);
    }

    // --- status and message of a call ---

    /// Answers `fmi2Discard` because a variable cannot have this value at any point.
    #[cold]
    pub(crate) fn discard_value(&mut self, reason: fmt::Arguments) -> fmi2Status {
        self.keep_discarded(reason);
        self.log.send_always(fmi2Discard, Category::StatusDiscard, reason);
        fmi2Discard
    }

    #[cold]
    pub(crate) fn error(&mut self, reason: fmt::Arguments) -> fmi2Status {
        self.log.send(fmi2Error, Category::StatusError, reason);
        fmi2Error
    }

    #[cold]
    pub(crate) fn discard(&mut self, reason: fmt::Arguments) -> fmi2Status {
        self.log.send(fmi2Discard, Category::StatusDiscard, reason);
        fmi2Discard
    }

    /// Reports a fault once, in the category of its status, with one exception: a call discarded
    /// because of nonlinear equations is reported as `NonlinearSystems` if the importer has enabled
    /// this category, but not `StatusDiscard`.
    #[cold]
    pub(crate) fn answer(&mut self, fault: Fault, status: fmi2Status) -> fmi2Status {
        // Start values that were set too late end the simulation, as they do in
        // `fmi2ExitInitializationMode`.
        let status = if self.lifecycle.start_changed { fmi2Error } else { status };
        if let Fault::Unmet(i) = fault {
            return self.unmet(i, status);
        }
        let (info, t) = (self.evaluation.info, self.evaluation.time());
        let category = match (status, fault) {
            (fmi2Discard, Fault::Block(_))
                if self.log.wants(Category::NonlinearSystems)
                    && !self.log.wants(Category::StatusDiscard) =>
            {
                Category::NonlinearSystems
            }
            (fmi2Discard, _) => Category::StatusDiscard,
            _ => Category::StatusError,
        };
        let fault = match fault {
            Fault::Block(failure) => self.too_far(failure).unwrap_or(fault),
            _ => fault,
        };
        let in_time = fault.in_time(self.lifecycle.stop_time);
        let mut text = format!("t={t} {}{in_time}", fault.describe(info));
        if fault.is_of_loop(info) {
            let changes = Changes { info, parameters: self.evaluation.memory.p() };
            text += &changes.to_string();
        }
        self.report(status, category, format_args!("{text}"))
    }

    /// Sends a message. A discarded call of Model Exchange may be a trial step of the importer's
    /// integrator, and is told again if the importer gives up; in Co-Simulation it is a failed
    /// step, which the user must know.
    fn report(
        &mut self,
        status: fmi2Status,
        category: Category,
        text: fmt::Arguments,
    ) -> fmi2Status {
        if status == fmi2Discard {
            self.keep_discarded(text);
        }
        match self.fmu_type {
            FmuType::ModelExchange => self.log.send(status, category, text),
            FmuType::CoSimulation => self.log.send_always(status, category, text),
        }
        status
    }

    /// Keeps the reason of a discarded call of Model Exchange until it no longer matters: a step is
    /// completed, or the importer goes back to another point.
    fn keep_discarded(&mut self, text: fmt::Arguments) {
        if self.fmu_type == FmuType::ModelExchange {
            self.log.keep(text);
        }
    }

    /// Reports parameters or initial values that violate a requirement. The instance does not
    /// change, so other values can be set.
    fn unmet(&mut self, requirement: usize, status: fmi2Status) -> fmi2Status {
        let requirement = &self.evaluation.info.requirements[requirement];
        let mut of = Vec::new();
        for &(name, unit, source) in requirement.of {
            let Ok(value) = self.evaluation.value(source) else { continue };
            let value = match source {
                Source::Parameter(_) | Source::Constant(_) | Source::Input(_) => value,
                _ => Number::computed(value),
            };
            of.push(Assigned { name, value, unit });
        }
        let sentence = limits::unmet(&of, requirement.sentence);
        self.refused = status == fmi2Error;
        let category = match status {
            fmi2Discard => Category::StatusDiscard,
            _ => Category::StatusError,
        };
        self.report(status, category, format_args!("{sentence}"))
    }

    /// The fault if equations have no solution because the importer has changed a state by many
    /// times its magnitude since the last completed step.
    fn too_far(&self, failure: Failure) -> Option<Fault> {
        let (memory, info) = (&self.evaluation.memory, self.evaluation.info);
        let anchored = info.sizes.unknowns > 0 && !memory.scalars.initial;
        let of_table = matches!(failure.kind, FailureKind::OutsideTable(_));
        if self.fmu_type == FmuType::CoSimulation || !anchored || of_table {
            return None;
        }
        let points = memory.x().iter().zip(memory.anchor_x()).zip(info.states);
        let moves = points.map(|((x, anchor), state)| {
            let distance = (x - anchor).abs();
            (distance, distance / state.nominal.max(anchor.abs()))
        });
        let (state, (distance, times)) =
            moves.enumerate().max_by(|a, b| a.1.1.total_cmp(&b.1.1))?;
        (times >= MAX_MOVE).then_some(Fault::TooFar { failure, state, distance })
    }

    /// `fmi2OK`, or the report of the fault.
    pub(crate) fn status(&mut self, done: Result<(), Fault>, otherwise: fmi2Status) -> fmi2Status {
        match done {
            Ok(()) => fmi2OK,
            Err(fault) => self.answer(fault, otherwise),
        }
    }

    /// Determines initial values or relations again if a value on which they depend was set. With
    /// states at which nothing can be evaluated, nothing changes.
    #[inline(always)]
    pub(crate) fn refresh(&mut self) -> Result<(), Fault> {
        match self.lifecycle.stale && self.lifecycle.unusable == NO_STATE {
            true => self.refresh_stale(),
            false => Ok(()),
        }
    }

    fn refresh_stale(&mut self) -> Result<(), Fault> {
        match self.lifecycle.state {
            InstanceState::Initialization => self.evaluation.initialize()?,
            InstanceState::Event | InstanceState::FirstEvent => {
                self.start_again()?;
                if self.progress.inputs_changed || self.progress.parameters_changed {
                    self.begin_first_event()?;
                }
                self.evaluation.find_consistent_relations()?;
            }
            _ => return Ok(()),
        }
        self.lifecycle.stale = false;
        Ok(())
    }

    /// Initializes the instance again if a start value was set in the first Event Mode. The inputs
    /// of the first initialization are used, but all parameters with their present values: an
    /// importer that sets fixed parameters in Event Mode sets all parameters.
    fn start_again(&mut self) -> Result<(), Fault> {
        if self.lifecycle.start_changed {
            self.evaluation.memory.take_parameters();
            self.progress.parameters_changed = false;
            self.evaluation.initialize()?;
            self.evaluation.end_initialization()?;
            self.lifecycle.start_changed = false;
        }
        Ok(())
    }

    /// Begins the first event, in which inputs and tunable parameters take effect: from now on,
    /// start values cannot change.
    #[cold]
    pub(crate) fn begin_first_event(&mut self) -> Result<(), Fault> {
        self.start_again()?;
        if std::mem::take(&mut self.progress.parameters_changed) {
            self.evaluation.memory.take_parameters();
        }
        if std::mem::take(&mut self.progress.inputs_changed) {
            self.evaluation.memory.take_inputs();
        }
        self.lifecycle.state = InstanceState::Event;
        Ok(())
    }
}

impl Drop for Instance {
    fn drop(&mut self) {
        stored_states::free_all_of(self.owner);
    }
}
