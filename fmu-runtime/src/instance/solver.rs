//! The solver of Co-Simulation: integration with events, up to a communication point.
//!
//! The integrator's last step may end after the communication point; as long as the importer sets
//! no value, values at the next communication points are interpolated in it. An event at the end of
//! that step is handled when a communication step reaches it.

use crate::data::status::Progress;
use crate::evaluation::Evaluation;
use crate::evaluation::events::Iteration;
use crate::fmi::fmi2::fmi2Warning;
use crate::fmi::log::{Category, Log};
use crate::integrate::{Integrator, IntegratorState, NEAR_ZERO, StepOutcome, Stop};
use crate::model::fault::{ChangingState, Fault};
use crate::model::system::Stage;
use kernels::relations::reached;
use std::mem::take;

/// A state changes too fast if it changes by more than this fraction of its value within the
/// resolution of time.
const MAX_RELATIVE_CHANGE: f64 = 1e-6;

/// Maximum number of internal steps of one communication step.
const MAX_STEPS: u32 = 1_000_000;

/// Events with a smaller distance than this, in s, count as events without progress.
const NO_PROGRESS: f64 = 1e-9;

/// The same relative to time: a small multiple of the resolution of time.
const NO_PROGRESS_BY_ROUNDING: f64 = 1e3 * f64::EPSILON;

/// The same for time events, whose instants are known and not located: instants with a smaller
/// distance are one event.
const NO_PROGRESS_OF_TIME_EVENTS: f64 = 8.0 * f64::EPSILON;

/// Maximum number of consecutive events without progress.
const MAX_EVENTS_WITHOUT_PROGRESS: u32 = 200;

/// Maximum number of events in one communication step within [`MANY_EVENTS_INTERVAL`].
const MANY_EVENTS: u32 = 100_000;

/// Interval in s; more than [`MANY_EVENTS`] events within it also count as events without progress.
const MANY_EVENTS_INTERVAL: f64 = 1e-3;

/// The parts of an instance that are needed for integration.
pub(crate) struct Solver<'a> {
    pub evaluation: &'a mut Evaluation,
    pub progress: &'a mut Progress,
    pub integrator: Integrator<'a>,
    pub integrator_state: &'a mut IntegratorState,
    pub stop_time: f64,
    /// With steps of fixed length, the largest number of passes of an event iteration, and of
    /// events within the steps to a communication point; later ones are at the ends of steps.
    pub max_iterations: Option<u32>,
    pub log: &'a mut Log,
}

/// How far a communication step goes.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum StepGoal {
    CommunicationPoint,
    /// To the end of the first event, if there is one before the communication point.
    FirstEvent,
}

/// Where an integration ended.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum IntegrationEnd {
    /// The last step covers the communication point.
    Covered,
    /// At an event, which was the goal.
    Event,
    /// At an event at which the model asked to end the simulation.
    Terminated,
}

/// Whether the integrator's last step covers a communication point without an event before it.
#[inline]
pub(crate) fn last_step_covers(
    progress: &Progress,
    integrator_state: &IntegratorState,
    t: f64,
) -> bool {
    let end = Integrator::time(integrator_state);
    end >= t && !(progress.ends_at_event && reached(t, end))
}

impl Solver<'_> {
    /// The time that the integrator has reached.
    pub fn end(&self) -> f64 {
        Integrator::time(self.integrator_state)
    }

    /// Starts the integrator at the present point.
    fn restart(&mut self) -> Result<(), Fault> {
        let evaluation = &mut *self.evaluation;
        self.progress.integrating = false;
        evaluation.accept_point()?;
        let t = evaluation.time();
        let mut x = take(&mut evaluation.scratch.point);
        x.copy_from_slice(evaluation.memory.x());
        let done = self.integrator.restart(self.integrator_state, t, &x, evaluation);
        evaluation.move_to(t, &x);
        evaluation.scratch.point = x;
        self.progress.integrating = done.is_ok();
        self.progress.ends_at_event = false;
        done.map_err(|stop| self.explain(stop))
    }

    /// The fault that stopped the integrator. It names a derivative that was not finite in the last
    /// evaluation.
    fn explain(&self, stop: Stop) -> Fault {
        match (stop, self.evaluation.derivative_not_finite()) {
            (Stop::NotFinite, Some(derivative)) => Fault::NotFinite(derivative),
            (Stop::StepTooSmall, _) => self.too_fast().unwrap_or(Fault::StepTooSmall),
            _ => Fault::from(stop),
        }
    }

    /// The fault of the state that changes fastest, if the shortest step is too long for it.
    fn too_fast(&self) -> Option<Fault> {
        let (rate, fastest) = self.fastest()?;
        let resolution = f64::EPSILON * self.end().abs().max(NEAR_ZERO);
        (rate * resolution > MAX_RELATIVE_CHANGE).then_some(Fault::TooFast(fastest))
    }

    /// The state with the largest rate of change relative to its value, and this relative rate per
    /// s.
    fn fastest(&self) -> Option<(f64, ChangingState)> {
        let (integrator, state) = (&self.integrator, &*self.integrator_state);
        let points = integrator.states(state).iter().zip(integrator.derivatives(state));
        let rates = points.zip(self.evaluation.info.states).enumerate();
        let rates = rates.map(|(state, ((&value, &derivative), declared))| {
            let rate = derivative.abs() / value.abs().max(declared.nominal);
            (rate, ChangingState { state, value, derivative })
        });
        rates.max_by(|a, b| a.0.total_cmp(&b.0))
    }

    /// Event iteration at the present point, then a restart from there.
    fn handle_event(&mut self) -> Result<(), Fault> {
        let iteration = match self.max_iterations {
            None => self.evaluation.iterate_event(Some(self.log))?,
            Some(passes) => self.iterate_bounded(passes)?,
        };
        self.progress.next_time_event = self.evaluation.realize_next_time_event()?;
        self.progress.terminated |= iteration.terminate;
        self.progress.states_changed = iteration.states_changed;
        self.restart()
    }

    /// Event iteration with a limited number of passes; what then still changes is reported, and
    /// remains as it is until the next event.
    fn iterate_bounded(&mut self, passes: u32) -> Result<Iteration, Fault> {
        let iteration = self.evaluation.iterate_event_within(passes, Some(self.log))?;
        if let Some(changing) = iteration.changed {
            let (t, info) = (self.evaluation.time(), self.evaluation.info);
            let what = Fault::EventsOscillate(changing).describe(info).to_string();
            let reason = format_args!("t={t} after {passes} event iterations: {what}");
            self.log.send(fmi2Warning, Category::StatusWarning, reason);
        }
        Ok(iteration)
    }

    /// Refuses events that follow one another without progress.
    fn check_progress(&mut self, at_time_event: bool) -> Result<(), Fault> {
        let (t, progress) = (self.evaluation.time(), &mut *self.progress);
        let rounding =
            if at_time_event { NO_PROGRESS_OF_TIME_EVENTS } else { NO_PROGRESS_BY_ROUNDING };
        let near = t - progress.last_event <= NO_PROGRESS.max(rounding * t.abs());
        let count = &mut progress.events_without_progress;
        *count = if near { *count + 1 } else { 0 };
        progress.last_event = t;
        if *count <= MAX_EVENTS_WITHOUT_PROGRESS { Ok(()) } else { Err(self.zeno()) }
    }

    /// The fault for events without progress, with the relation that changed last.
    fn zeno(&self) -> Fault {
        let crossed = self.integrator.crossed(self.integrator_state);
        let indicator = crossed.iter().position(|&change| change != 0.0);
        match indicator.map(|i| self.evaluation.state_relations[i]) {
            Some(relation) if !self.progress.states_changed => Fault::Chattering(relation),
            relation => Fault::Zeno(relation),
        }
    }

    /// Makes the values that were set since the last step take effect.
    #[cold]
    pub fn apply_settings(&mut self) -> Result<(), Fault> {
        if self.progress.parameters_changed {
            self.evaluation.check_settings()?;
        }
        let varied = self.evaluation.memory.scalars.input_order > 0;
        if varied || !self.progress.is_undisturbed() {
            self.evaluation.record_signals()?;
        }
        let nu = self.evaluation.info.inputs.len();
        let memory = &mut self.evaluation.memory;
        let progress = &mut *self.progress;
        let order = if progress.input_derivatives_set {
            let highest = memory.input_derivatives().iter().rposition(|&value| value != 0.0);
            highest.map_or(0, |last| last / nu + 1)
        } else {
            memory.input_derivatives_mut().fill(0.0);
            0
        };
        let event = progress.inputs_changed || progress.parameters_changed || !progress.integrating;
        progress.input_derivatives_set = false;
        memory.scalars.input_t = memory.time();
        memory.scalars.input_order = order as u32;
        if event {
            let (sections, ..) = memory.split();
            sections.u.copy_from_slice(sections.u_set);
            let mut changed = Stage::Dynamics;
            if progress.parameters_changed {
                sections.p.copy_from_slice(sections.p_set);
                changed = Stage::Parameter;
            }
            let changes = progress.input_changes.saturating_add(1);
            progress.input_changes = if progress.inputs_changed { changes } else { 0 };
            progress.inputs_changed = false;
            progress.parameters_changed = false;
            // The solution beyond this point is no longer valid.
            progress.integrating = false;
            memory.invalidate(changed);
            return self.handle_event();
        }
        if order > 0 || varied {
            // The derivatives of the inputs may have jumped.
            self.evaluation.end_event_of_delays()?;
            let next = self.progress.next_time_event.min(self.evaluation.next_break());
            self.progress.next_time_event = next;
        }
        if order > 0 && self.end() > self.evaluation.time() { self.restart() } else { Ok(()) }
    }

    /// Integrates, with events, until the last step covers a time, or until the model asks to end
    /// the simulation, or to another goal.
    pub fn integrate_until(
        &mut self,
        target: f64,
        goal: StepGoal,
    ) -> Result<IntegrationEnd, Fault> {
        let (mut events, mut since) = (0, self.evaluation.time());
        let mut is_reported = false;
        for _ in 0..MAX_STEPS {
            if last_step_covers(self.progress, self.integrator_state, target) {
                return Ok(IntegrationEnd::Covered);
            }
            let end = self.end();
            if self.progress.ends_at_event && reached(target, end) {
                // An event within rounding of the communication point belongs to it. Where steps
                // end at communication points, it is moved there, because a step of the length of
                // a rounding error would remain. Elsewhere no communication point may move it.
                let t = if self.ends_at_points() && reached(end, target) { target } else { end };
                let at_time_event = end >= self.progress.next_time_event;
                if at_time_event {
                    self.progress.time_events = self.progress.time_events.saturating_add(1);
                }
                self.move_to_end(t);
                self.check_progress(at_time_event)?;
                if self.is_late(end) {
                    self.progress.late_events = self.progress.late_events.saturating_add(1);
                    if !is_reported {
                        self.report_late(t);
                    }
                    is_reported = true;
                }
                events += 1;
                if self.max_iterations.is_some_and(|most| events >= most) {
                    self.integrator.locates_events = false;
                }
                if events == MANY_EVENTS {
                    if t - since < MANY_EVENTS_INTERVAL {
                        return Err(self.zeno());
                    }
                    (events, since) = (0, t);
                }
                self.handle_event()?;
                if goal == StepGoal::FirstEvent {
                    return Ok(IntegrationEnd::Event);
                }
                if self.progress.terminated {
                    return Ok(IntegrationEnd::Terminated);
                }
                continue;
            }
            self.step(target)?;
        }
        Err(Fault::TooManySteps(MAX_STEPS, self.fastest().map(|(_, fastest)| fastest)))
    }

    /// Whether an event at the end of a step happened before, somewhere in this step.
    fn is_late(&self, end: f64) -> bool {
        let instant = self.progress.next_time_event;
        // A step that ends at the instant of a time event is in time.
        let at_instant = end >= instant && reached(instant, end);
        !self.integrator.locates_events && !at_instant
    }

    /// Warns of late events in a communication step, at the first one.
    #[cold]
    fn report_late(&mut self, t: f64) {
        let most = self.max_iterations.unwrap_or_default();
        let reason = format_args!(
            "t={t} there are more than solver.max_iterations = {most} events in a communication \
             step: the others are handled late, at the ends of steps"
        );
        self.log.send(fmi2Warning, Category::StatusWarning, reason);
    }

    /// One step of the integrator, which may end after the communication point `target`.
    fn step(&mut self, target: f64) -> Result<(), Fault> {
        let mut limit = self.progress.next_time_event.min(self.stop_time.max(target));
        if !self.integrator.locates_events {
            limit = target;
        } else if self.ends_at_points() {
            // The solution after the communication point would be discarded.
            limit = limit.min(target);
        }
        self.evaluation.memory.scalars.failed = false;
        limit = limit.min(self.end() + self.evaluation.shortest_delay());
        let delays = !self.evaluation.info.delays.is_empty();
        // The histories need the interpolant of every step.
        let before = if delays { f64::NEG_INFINITY } else { target };
        let outcome = self.integrator.step(self.integrator_state, self.evaluation, limit, before);
        let outcome = outcome.map_err(|stop| self.explain(stop))?;
        if delays {
            self.record_step()?;
        }
        let at_time_event = self.end() >= self.progress.next_time_event;
        self.progress.ends_at_event = outcome == StepOutcome::Event || at_time_event;
        Ok(())
    }

    /// Records the signals of the delays in the step that was made. Steps of fixed length have no
    /// interpolant.
    fn record_step(&mut self) -> Result<(), Fault> {
        let (end, state) = (self.end(), &*self.integrator_state);
        if self.integrator.method.has_fixed_steps() {
            self.move_to_end(end);
            return self.evaluation.record_signals();
        }
        let interpolate = |t: f64, x: &mut [f64]| Integrator::interpolate(state, t, x);
        self.evaluation.record_step(end, self.integrator.tolerance, interpolate)
    }

    /// Whether no step passes a communication point.
    fn ends_at_points(&self) -> bool {
        self.inputs_vary() || self.integrator.method.has_fixed_steps()
    }

    /// Whether the inputs of this communication step are expected to hold for no longer than it:
    /// they have derivatives, or were changed at the last two communication points.
    fn inputs_vary(&self) -> bool {
        self.evaluation.memory.scalars.input_order > 0 || self.progress.input_changes > 1
    }

    /// Moves to the states at the end of the integrator's last step.
    pub fn move_to_end(&mut self, t: f64) {
        self.evaluation.move_to(t, self.integrator.states(self.integrator_state));
    }
}
