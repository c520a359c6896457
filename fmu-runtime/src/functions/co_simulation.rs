//! Co-Simulation: `fmi2DoStep` and the status of the last step.
//!
//! `fmi2DoStep` has these steps:
//!
//! 1. `abi` checks that the instance exists and that the call is allowed. From here on a panic
//!    becomes `fmi2Fatal`.
//! 2. The arguments are checked: the communication point must be the current one, the step must
//!    not be negative, and the stop time must not be passed.
//! 3. If a value was set since the last step, inputs take effect, events are iterated, and the
//!    integrator restarts at the current point with its previous step size.
//! 4. The integrator makes steps until its last step covers the target. An event at the end of a
//!    step is iterated there. The limit of the next step is the earliest of the next time event,
//!    the stop time and, if inputs vary, the target. Inputs vary if input derivatives are in use,
//!    or if inputs were changed at successive communication points; otherwise a step may pass the
//!    target.
//! 5. Dense output gives the states at the target, and outputs are computed, when they are read, or
//!    at once if outputs can fail or if an evaluation failed in the integrator's last step.
//!
//! A communication step inside an integrator step therefore costs the interpolation of what is
//! read. If an
//! evaluation fails, the instance remains at the last successful time, and the step returns
//! `fmi2Discard`; events without end are an `fmi2Error`.

use crate::fmi::calls::{FmuType, InstanceState};
use crate::fmi::fmi2::*;
use crate::fmi::log::Category;
use crate::instance::Instance;
use crate::instance::solver::{IntegrationEnd, Solver, StepGoal, last_step_covers};
use crate::integrate::{Integrator, Method};
use crate::model::fault::Fault;
use crate::model::system::{SolverCount, SolverParameters};
use std::mem::take;

/// Tolerance of the distance between the communication point and the time reached, and of the
/// distance by which a step may end after the stop time; relative to `max(1, |t|)`.
const TIME_TOLERANCE: f64 = 1e-9;

/// The result of a communication step.
pub(crate) struct CommunicationStep {
    pub status: fmi2Status,
    /// Whether it ended at an event before the communication point, which was its goal.
    pub at_event: bool,
}

impl Instance {
    fn solver(&mut self) -> Solver<'_> {
        let info = self.evaluation.info;
        let memory = &self.evaluation.memory;
        let setting = |index: Option<u32>| index.map_or(0.0, |i| memory.p_set()[i as usize]);
        let positive = |value: f64| (value > 0.0).then_some(value);
        let tolerance = positive(setting(info.solver.map(|solver| solver.tolerance)))
            .or(positive(self.lifecycle.tolerance))
            .or(positive(info.tolerance))
            .unwrap_or(1e-6);
        let integrator = Integrator {
            pattern: &self.pattern,
            nominal: &self.nominal,
            indicators: self.evaluation.state_relations.len(),
            method: Method::from_parameter(setting(info.solver.map(|solver| solver.method))),
            implicit_work: self.implicit_work,
            tolerance,
            max_step: setting(info.solver.map(|solver| solver.max_step)),
            step: setting(info.solver.map(|solver| solver.step)),
            locates_events: true,
        };
        let most = f64::from(SolverParameters::MOST_ITERATIONS);
        let max_iterations = setting(info.solver.map(|solver| solver.max_iterations));
        let max_iterations = max_iterations.clamp(1.0, most) as u32;
        Solver {
            evaluation: &mut self.evaluation,
            progress: &mut self.progress,
            integrator,
            integrator_state: &mut self.integrator_state,
            stop_time: self.lifecycle.stop_time,
            max_iterations: integrator.method.has_fixed_steps().then_some(max_iterations),
            log: &mut self.log,
        }
    }

    /// The first event iteration, at the end of initialization.
    pub(crate) fn start_stepping(&mut self) -> Result<(), Fault> {
        let iteration = self.evaluation.iterate_event(Some(&mut self.log))?;
        self.evaluation.accept_point()?;
        self.evaluation.memory.scalars.iterations = 0;
        self.progress.terminated = iteration.terminate;
        self.progress.integrating = false;
        self.lifecycle.state = InstanceState::StepComplete;
        Ok(())
    }

    /// A communication step. The standard requires `h > 0`; `h = 0` is accepted as well: values
    /// that were set take effect, and time does not change.
    pub(crate) fn do_step(&mut self, t: f64, h: f64) -> fmi2Status {
        self.do_step_until(t, h, StepGoal::CommunicationPoint).status
    }

    /// [`Instance::do_step`], which may end before the communication point.
    pub(crate) fn do_step_until(&mut self, t: f64, h: f64, goal: StepGoal) -> CommunicationStep {
        match self.target(t, h) {
            Ok(target) => self.step_to(target, goal),
            Err(status) => CommunicationStep { status, at_event: false },
        }
    }

    /// The communication point to which a step leads; the error is the answer to a step that is not
    /// possible.
    fn target(&mut self, t: f64, h: f64) -> Result<f64, fmi2Status> {
        let (reached, stop) = (self.evaluation.time(), self.lifecycle.stop_time);
        let target = t + h;
        let off = (t - reached).abs();
        if off.is_nan() || off > TIME_TOLERANCE * t.abs().max(1.0) {
            return Err(self.error(format_args!(
                "fmi2DoStep: the communication point {t} is not the time reached, {reached}"
            )));
        }
        if !(h >= 0.0 && target.is_finite()) {
            return Err(self.error(format_args!(
                "fmi2DoStep: the step size {h} is negative or does not lead to a finite time"
            )));
        }
        if target > stop + TIME_TOLERANCE * stop.abs().max(1.0) {
            return Err(self.error(format_args!(
                "fmi2DoStep: the step to {target} passes the stop time {stop}"
            )));
        }
        Ok(target.max(reached))
    }

    fn step_to(&mut self, target: f64, goal: StepGoal) -> CommunicationStep {
        let done = self.advance_or_integrate(target, goal);
        let at_event = matches!(done, Ok(IntegrationEnd::Event));
        let status = match done {
            Ok(_) if self.progress.terminated => {
                let t = self.evaluation.time();
                let reason = format_args!("t={t} the model asks to end the simulation");
                self.log.send(fmi2Discard, Category::StatusDiscard, reason);
                self.end_step(InstanceState::StepFailed, fmi2Discard)
            }
            Ok(_) => fmi2OK,
            Err(fault) => self.fail_step(fault),
        };
        CommunicationStep { status, at_event }
    }

    #[inline]
    fn advance_or_integrate(
        &mut self,
        target: f64,
        goal: StepGoal,
    ) -> Result<IntegrationEnd, Fault> {
        let progress = &mut self.progress;
        if progress.terminated {
            return Ok(IntegrationEnd::Terminated);
        }
        progress.step_status = fmi2OK as u32;
        let unchanged =
            progress.is_undisturbed() && self.evaluation.memory.scalars.input_order == 0;
        if unchanged {
            progress.input_changes = 0;
        }
        let mut end = IntegrationEnd::Covered;
        if !(unchanged && last_step_covers(progress, &self.integrator_state, target)) {
            end = self.integrate_until(target, unchanged, goal)?;
        }
        if end == IntegrationEnd::Covered {
            self.advance_to(target)?;
        }
        Ok(end)
    }

    /// Integrates until the last step covers a communication point, or to another goal before it.
    #[inline(never)]
    fn integrate_until(
        &mut self,
        target: f64,
        unchanged: bool,
        goal: StepGoal,
    ) -> Result<IntegrationEnd, Fault> {
        self.complete_states();
        let mut solver = self.solver();
        if !unchanged {
            solver.apply_settings()?;
        }
        if solver.progress.terminated {
            return Ok(IntegrationEnd::Terminated);
        }
        solver.integrate_until(target, goal)
    }

    /// Advances to a communication point within the integrator's last step. If an evaluation has
    /// failed in that step, all values must be computable there; otherwise the instance returns to
    /// the previous point.
    #[inline]
    fn advance_to(&mut self, target: f64) -> Result<(), Fault> {
        let evaluation = &mut self.evaluation;
        if evaluation.memory.scalars.failed || evaluation.info.fallible.report.is_some() {
            self.advance_to_solvable(target)?;
        } else {
            self.move_along_step(target);
        }
        if self.evaluation.memory.scalars.input_order > 0 {
            self.evaluation.rebase_inputs();
        }
        Ok(())
    }

    fn advance_to_solvable(&mut self, target: f64) -> Result<(), Fault> {
        let t = self.evaluation.time();
        self.complete_states();
        self.evaluation.scratch.before.copy_from_slice(self.evaluation.memory.x());
        self.move_along_step(target);
        self.complete_states();
        let solved = self.evaluation.realize_fallible();
        if solved.is_err() {
            let before = take(&mut self.evaluation.scratch.before);
            self.evaluation.move_to(t, &before);
            self.evaluation.scratch.before = before;
            // The solution beyond this point is no longer used.
            self.progress.integrating = false;
        }
        Ok(solved?)
    }

    /// Sets time, and the states by dense output: when they are needed, if no value that is up to
    /// date depends on them.
    #[inline]
    fn move_along_step(&mut self, t: f64) {
        let evaluation = &mut self.evaluation;
        evaluation.memory.set_time(t);
        evaluation.extrapolate_inputs(t);
        if evaluation.states_are_free() {
            self.progress.interpolation_due = true;
        } else {
            let mut x = take(&mut evaluation.scratch.point);
            Integrator::interpolate(&self.integrator_state, t, &mut x);
            evaluation.set_states(&x);
            evaluation.scratch.point = x;
        }
    }

    /// Interpolates the states at the communication point, unless that was done.
    #[inline]
    pub(crate) fn complete_states(&mut self) {
        if self.progress.interpolation_due {
            self.interpolate_states();
        }
    }

    #[inline(never)]
    fn interpolate_states(&mut self) {
        let t = self.evaluation.time();
        let x = self.evaluation.memory.x_mut();
        Integrator::interpolate(&self.integrator_state, t, x);
        self.progress.interpolation_due = false;
    }

    /// One of the states of the communication point while they are still to be interpolated.
    #[inline]
    pub(crate) fn interpolated_state(&self, state: usize) -> f64 {
        let n = self.evaluation.info.states.len();
        Integrator::interpolate_one(&self.integrator_state, self.evaluation.time(), state, n)
    }

    /// Moves to another point in the present modes; the next step starts with an event there. If
    /// there is no solution there, the instance stays at the present point.
    pub(crate) fn move_to(&mut self, t: f64, x: &[f64]) -> fmi2Status {
        let (given, wanted) = (x.len(), self.nominal.len());
        if given != wanted {
            return self.refuse_because(format_args!(
                "{given} states are given, but the model has {wanted}"
            ));
        }
        let (from, before) = (self.evaluation.time(), self.evaluation.memory.x().to_vec());
        self.evaluation.move_to(t, x);
        let there = self.evaluation.realize_derivatives();
        let done = there.and_then(|()| Ok(self.evaluation.accept_point()?));
        match done {
            Ok(()) => {
                self.progress.integrating = false;
                fmi2OK
            }
            Err(fault) => {
                let answer = self.answer(fault, fmi2Discard);
                self.evaluation.move_to(from, &before);
                answer
            }
        }
    }

    /// Answers a step that could not be completed; the instance stays at the last point reached.
    #[cold]
    fn fail_step(&mut self, fault: Fault) -> fmi2Status {
        match fault {
            // No step has begun, so other parameters can be set.
            Fault::Unmet(_) => self.answer(fault, fmi2Error),
            Fault::RelationsOscillate(_)
            | Fault::EventsOscillate(_)
            | Fault::Asserted(_)
            | Fault::HistoryFull { .. }
            | Fault::Controller(_)
            | Fault::Zeno(_)
            | Fault::Chattering(_) => {
                self.end_step(InstanceState::Error, fmi2Error);
                self.answer(fault, fmi2Error)
            }
            _ => {
                let mut solver = self.solver();
                if solver.progress.integrating {
                    let end = solver.end();
                    solver.move_to_end(end);
                }
                self.answer(fault, fmi2Discard);
                self.end_step(InstanceState::StepFailed, fmi2Discard)
            }
        }
    }

    fn end_step(&mut self, state: InstanceState, status: fmi2Status) -> fmi2Status {
        self.lifecycle.state = state;
        self.progress.step_status = status as u32;
        status
    }

    // --- work of the solver ---

    /// A count of the solver's work; 0 in Model Exchange.
    pub(crate) fn solver_count(&self, count: SolverCount) -> f64 {
        if self.fmu_type == FmuType::ModelExchange {
            return 0.0;
        }
        let work = Integrator::statistics(&self.integrator_state);
        let number = match count {
            SolverCount::Steps => work.steps,
            SolverCount::Rejected => work.rejected,
            SolverCount::Evaluations => work.evaluations,
            SolverCount::Jacobians => work.jacobians,
            SolverCount::Factorizations => work.factorizations,
            SolverCount::Indicators => work.indicators,
            SolverCount::NewtonIterations => self.evaluation.memory.scalars.iterations,
            SolverCount::StateEvents => work.events,
            SolverCount::TimeEvents => self.progress.time_events.into(),
            SolverCount::LateEvents => self.progress.late_events.into(),
        };
        number as f64
    }

    // --- status of the last step ---

    pub(crate) fn get_status(
        &mut self,
        kind: fmi2StatusKind,
        value: &mut fmi2Status,
    ) -> fmi2Status {
        match kind {
            fmi2DoStepStatus => {
                *value = self.progress.step_status as fmi2Status;
                fmi2OK
            }
            _ => self.no_such_status(kind),
        }
    }

    pub(crate) fn get_real_status(
        &mut self,
        kind: fmi2StatusKind,
        value: &mut fmi2Real,
    ) -> fmi2Status {
        match kind {
            fmi2LastSuccessfulTime => {
                *value = self.evaluation.time();
                fmi2OK
            }
            _ => self.no_such_status(kind),
        }
    }

    pub(crate) fn get_integer_status(
        &mut self,
        kind: fmi2StatusKind,
        _value: &mut fmi2Integer,
    ) -> fmi2Status {
        self.no_such_status(kind)
    }

    pub(crate) fn get_boolean_status(
        &mut self,
        kind: fmi2StatusKind,
        value: &mut fmi2Boolean,
    ) -> fmi2Status {
        match kind {
            fmi2Terminated => {
                *value = fmi2Boolean::from(self.progress.terminated);
                fmi2OK
            }
            _ => self.no_such_status(kind),
        }
    }

    pub(crate) fn no_such_status(&mut self, kind: fmi2StatusKind) -> fmi2Status {
        self.discard(format_args!("status {kind} of this type is not available"))
    }
}
