//! Co-Simulation: communication steps over the integrator, with events inside.
//!
//! The integrator's last step may end after the communication point reached; as long as nothing is
//! set from outside, the following points are answered from its interpolant. An event at the end of
//! that step is handled when a communication step arrives there.

use crate::calls::State;
use crate::capabilities::MAX_INPUT_ORDER;
use crate::evaluation::Evaluation;
use crate::fault::{Fault, Moving, Quantity};
use crate::fmi2::*;
use crate::instance::Instance;
use crate::integrate::{Integrator, Method, OdeSystem, Outcome, Stop};
use crate::log::{Category, Log};
use crate::system::Stage;
use kernels::settle::reached;
use std::mem::take;

/// How far the importer's idea of the present time may be from ours, relative to `max(1, |t|)`;
/// also how far a step may pass the stop time.
const TIME_TOLERANCE: f64 = 1e-9;

/// A state is too fast if it changes by more than this part of itself within the resolution of
/// time.
const TOO_FAST: f64 = 1e-6;

/// Internal steps of one communication step after which it is given up.
const MOST_STEPS: u32 = 1_000_000;

/// Events nearer to each other than this, in s, make no progress.
const CROWDED: f64 = 1e-9;

/// Nor do events nearer than this, relative to time: a small multiple of the resolution of time.
const CROWDED_BY_ROUNDING: f64 = 1e3 * f64::EPSILON;

/// Events without progress after which the simulation is given up.
const MOST_CROWDED: u32 = 200;

/// So many events of one communication step...
const MANY_EVENTS: u32 = 100_000;

/// ... in less time than this, in s, are no progress either.
const MANY_CROWDED: f64 = 1e-3;

impl OdeSystem for Evaluation {
    fn derivatives(&mut self, t: f64, x: &[f64], dx: &mut [f64]) -> Result<(), Stop> {
        self.move_to(t, x);
        self.climb(Stage::Dynamics)?;
        let known = self.memory.dx();
        let mut finite = true;
        for (dx, known) in dx.iter_mut().zip(known) {
            *dx = *known;
            finite &= known.is_finite();
        }
        if finite { Ok(()) } else { Err(Stop::NotFinite) }
    }

    fn indicators(&mut self, t: f64, x: &[f64], z: &mut [f64]) -> Result<(), Stop> {
        self.move_to(t, x);
        Ok(self.evaluate_indicators(z)?)
    }

    fn jacobian(
        &mut self,
        t: f64,
        x: &[f64],
        jacobian: &mut [f64],
        dfdt: &mut [f64],
    ) -> Result<(), Stop> {
        self.move_to(t, x);
        Ok(Evaluation::jacobian(self, jacobian, dfdt)?)
    }

    fn accept(&mut self, t: f64, x: &[f64]) -> Result<(), Stop> {
        if self.info.sizes.unknowns > 0 {
            self.move_to(t, x);
            self.climb(Stage::Dynamics)?;
            self.take_anchor();
        }
        Ok(())
    }
}

impl Evaluation {
    /// Moves to a point of the present mode; inputs follow their slopes.
    #[inline]
    fn move_to(&mut self, t: f64, x: &[f64]) {
        self.memory.set_time(t);
        self.extrapolate_inputs(t);
        self.set_states(x);
    }
}

/// The parts of an instance that move it through time.
struct Motion<'a> {
    evaluation: &'a mut Evaluation,
    integrator: Integrator<'a>,
    log: &'a mut Log,
}

impl Motion<'_> {
    /// The time that the integrator has reached.
    fn end(&self) -> f64 {
        Integrator::time(&self.evaluation.memory.history)
    }

    /// Lets the integrator begin at the present point.
    fn restart(&mut self) -> Result<(), Fault> {
        let evaluation = &mut *self.evaluation;
        evaluation.memory.now.moving = false;
        evaluation.accept_point()?;
        let t = evaluation.memory.now.t;
        let mut x = take(&mut evaluation.scratch.point);
        let mut history = take(&mut evaluation.memory.history);
        x.copy_from_slice(evaluation.memory.x());
        let done = self.integrator.restart(&mut history, t, &x, evaluation);
        evaluation.move_to(t, &x);
        evaluation.scratch.point = x;
        evaluation.memory.history = history;
        evaluation.memory.now.moving = done.is_ok();
        evaluation.memory.now.event_ahead = false;
        done.map_err(|stop| self.explain(stop))
    }

    /// The fault behind a stop of the integrator, with the derivative that was not finite in its
    /// last evaluation.
    fn explain(&self, stop: Stop) -> Fault {
        let derivatives = self.evaluation.memory.dx();
        match (stop, derivatives.iter().position(|dx| !dx.is_finite())) {
            (Stop::NotFinite, Some(i)) => Fault::NotFinite(Quantity::Derivative(i)),
            (Stop::StepTooSmall, _) => self.too_fast().unwrap_or(Fault::StepTooSmall),
            _ => Fault::from(stop),
        }
    }

    /// The fault of the state that changes most, if the shortest step is too long for it.
    fn too_fast(&self) -> Option<Fault> {
        let (rate, fastest) = self.fastest()?;
        let resolution = f64::EPSILON * self.end().abs().max(1.0);
        (rate * resolution > TOO_FAST).then_some(Fault::TooFast(fastest))
    }

    /// The state that changes most as a part of itself, and by which part per s.
    fn fastest(&self) -> Option<(f64, Moving)> {
        let history = &self.evaluation.memory.history;
        let points =
            self.integrator.states(history).iter().zip(self.integrator.derivatives(history));
        let rates = points.zip(self.evaluation.info.states).enumerate();
        let rates = rates.map(|(state, ((&value, &derivative), declared))| {
            let rate = derivative.abs() / value.abs().max(declared.nominal);
            (rate, Moving { state, value, derivative })
        });
        rates.max_by(|a, b| a.0.total_cmp(&b.0))
    }

    /// Event iteration at the present point, then a restart from there.
    fn handle_event(&mut self) -> Result<(), Fault> {
        let iteration = self.evaluation.iterate_to_the_end(Some(self.log))?;
        let next = self.evaluation.realize_next_event()?;
        let now = &mut self.evaluation.memory.now;
        now.next_event = next;
        now.terminated |= iteration.terminate;
        self.evaluation.memory.now.jumped = iteration.states_changed;
        self.restart()
    }

    /// Refuses events that follow one another without progress.
    fn check_progress(&mut self) -> Result<(), Fault> {
        let now = &mut self.evaluation.memory.now;
        let near = now.t - now.last_event <= CROWDED.max(CROWDED_BY_ROUNDING * now.t.abs());
        now.crowded = if near { now.crowded + 1 } else { 0 };
        now.last_event = now.t;
        if now.crowded <= MOST_CROWDED { Ok(()) } else { Err(self.zeno()) }
    }

    /// The fault of events without progress, with the relation that changed last.
    fn zeno(&self) -> Fault {
        let crossed = self.integrator.crossed(&self.evaluation.memory.history);
        let indicator = crossed.iter().position(|&change| change != 0.0);
        match indicator.map(|i| self.evaluation.state_relations[i]) {
            Some(relation) if !self.evaluation.memory.now.jumped => Fault::Chattering(relation),
            relation => Fault::Zeno(relation),
        }
    }

    /// What was set since the last step takes effect.
    #[cold]
    fn take_over_settings(&mut self) -> Result<(), Fault> {
        if self.evaluation.memory.now.parameters_touched {
            self.evaluation.check_settings()?;
        }
        let nu = self.evaluation.info.inputs.len();
        let memory = &mut self.evaluation.memory;
        let order = if memory.now.slopes_set {
            let highest = memory.slopes().iter().rposition(|&slope| slope != 0.0);
            highest.map_or(0, |last| last / nu + 1)
        } else {
            memory.slopes_mut().fill(0.0);
            0
        };
        let now = &mut memory.now;
        let event = now.inputs_touched || now.parameters_touched || !now.moving;
        now.slopes_set = false;
        now.input_t = now.t;
        now.input_order = order as u32;
        if event {
            let (sections, _, now) = memory.split();
            sections.u.copy_from_slice(sections.u_set);
            let mut changed = Stage::Dynamics;
            if now.parameters_touched {
                sections.p.copy_from_slice(sections.p_set);
                changed = Stage::Parameter;
            }
            now.inputs_touched = false;
            now.parameters_touched = false;
            // What was integrated beyond this point does not hold any more.
            now.moving = false;
            memory.lower(changed);
            self.handle_event()
        } else if order > 0 && self.end() > self.evaluation.memory.now.t {
            self.restart()
        } else {
            Ok(())
        }
    }

    /// Integrates and handles events up to a time, or to the point where the model wants to stop,
    /// or to the first event if that is the end; says whether it is.
    fn run(&mut self, target: f64, end_at_event: bool) -> Result<bool, Fault> {
        let (mut events, mut since) = (0, self.evaluation.memory.now.t);
        for _ in 0..MOST_STEPS {
            if self.evaluation.covers(target) {
                return Ok(false);
            }
            let end = self.end();
            let now = &self.evaluation.memory.now;
            if now.event_ahead && reached(target, end) {
                // An event within rounding of the communication point belongs to it.
                let t = if reached(end, target) { target } else { end };
                let now = &mut self.evaluation.memory.now;
                if end >= now.next_event {
                    now.time_events = now.time_events.saturating_add(1);
                }
                self.move_to_end(t);
                self.check_progress()?;
                events += 1;
                if events == MANY_EVENTS {
                    if t - since < MANY_CROWDED {
                        return Err(self.zeno());
                    }
                    (events, since) = (0, t);
                }
                self.handle_event()?;
                if end_at_event || self.evaluation.memory.now.terminated {
                    return Ok(end_at_event);
                }
                continue;
            }
            let mut limit = now.next_event.min(now.stop_time.max(target));
            if now.input_order > 0 {
                // The slopes hold for this step only.
                limit = limit.min(target);
            }
            self.evaluation.memory.now.troubled = false;
            let mut history = take(&mut self.evaluation.memory.history);
            let outcome = self.integrator.step(&mut history, self.evaluation, limit);
            self.evaluation.memory.history = history;
            let outcome = outcome.map_err(|stop| self.explain(stop))?;
            let end = self.end();
            let now = &mut self.evaluation.memory.now;
            now.event_ahead = outcome == Outcome::Event || end >= now.next_event;
        }
        Err(Fault::TooManySteps(MOST_STEPS, self.fastest().map(|(_, fastest)| fastest)))
    }

    /// Moves to the states that the integrator has reached.
    fn move_to_end(&mut self, t: f64) {
        let history = take(&mut self.evaluation.memory.history);
        self.evaluation.move_to(t, self.integrator.states(&history));
        self.evaluation.memory.history = history;
    }
}

impl Evaluation {
    /// Whether the integrator's last step covers a communication point before anything happens.
    #[inline]
    fn covers(&self, target: f64) -> bool {
        let end = Integrator::time(&self.memory.history);
        end >= target && !(self.memory.now.event_ahead && reached(target, end))
    }

    /// Moves to a communication point within the integrator's last step. If that step met what
    /// could not be solved, everything must be computable there; otherwise back to the point
    /// before.
    #[inline]
    fn arrive(&mut self, target: f64) -> Result<(), Fault> {
        if self.memory.now.troubled || self.info.fallible.report.is_some() {
            self.arrive_if_possible(target)?;
        } else {
            self.move_within_step(target);
        }
        if self.memory.now.input_order > 0 {
            self.rebase_inputs();
        }
        Ok(())
    }

    fn arrive_if_possible(&mut self, target: f64) -> Result<(), Fault> {
        let t = self.memory.now.t;
        self.scratch.before.copy_from_slice(self.memory.x());
        self.move_within_step(target);
        let solved = self.realize_what_can_fail();
        if solved.is_err() {
            let before = take(&mut self.scratch.before);
            self.move_to(t, &before);
            self.scratch.before = before;
            // What was integrated beyond this point is of no use.
            self.memory.now.moving = false;
        }
        Ok(solved?)
    }

    #[inline]
    fn move_within_step(&mut self, target: f64) {
        self.memory.set_time(target);
        self.extrapolate_inputs(target);
        if self.states_are_free() {
            let (history, x) = self.memory.history_and_states();
            Integrator::interpolate(history, target, x);
        } else {
            let mut x = take(&mut self.scratch.point);
            Integrator::interpolate(&self.memory.history, target, &mut x);
            self.set_states(&x);
            self.scratch.point = x;
        }
    }

    /// Makes the present values of the inputs, and their present slopes, those that were set.
    fn rebase_inputs(&mut self) {
        let nu = self.info.inputs.len();
        let (sections, _, now) = self.memory.split();
        let dt = now.t - now.input_t;
        now.input_t = now.t;
        sections.u_set.copy_from_slice(sections.u);
        for i in 0..nu {
            for k in 0..MAX_INPUT_ORDER {
                let mut sum = 0.0;
                for j in (k..MAX_INPUT_ORDER).rev() {
                    sum = sections.slopes[j * nu + i] + dt / (j - k + 1) as f64 * sum;
                }
                sections.slopes[k * nu + i] = sum;
            }
        }
    }
}

impl Instance {
    fn motion(&mut self) -> Motion<'_> {
        let info = self.evaluation.info;
        let memory = &self.evaluation.memory;
        let setting = |index: Option<u32>| index.map_or(0.0, |i| memory.p_set()[i as usize]);
        let positive = |value: f64| (value > 0.0).then_some(value);
        let tolerance = positive(setting(info.solver.map(|solver| solver.tolerance)))
            .or(positive(memory.now.tolerance))
            .or(positive(info.tolerance))
            .unwrap_or(1e-6);
        let integrator = Integrator {
            nominal: &self.nominal,
            indicators: self.evaluation.state_relations.len(),
            method: Method::from_parameter(setting(info.solver.map(|solver| solver.method))),
            tolerance,
            max_step: setting(info.solver.map(|solver| solver.max_step)),
        };
        Motion { integrator, evaluation: &mut self.evaluation, log: &mut self.log }
    }

    /// The first event iteration, at the end of initialization.
    pub(crate) fn begin_motion(&mut self) -> Result<(), Fault> {
        let evaluation = &mut self.evaluation;
        let iteration = evaluation.iterate_to_the_end(Some(&mut self.log))?;
        evaluation.accept_point()?;
        let now = &mut evaluation.memory.now;
        now.terminated = iteration.terminate;
        now.moving = false;
        Ok(())
    }

    /// A communication step. The standard asks for `h > 0`; beyond it `h = 0` is accepted: what was
    /// set takes effect, and time stays where it is.
    pub(crate) fn do_step(&mut self, t: f64, h: f64) -> fmi2Status {
        self.do_step_with(t, h, None)
    }

    /// [`Instance::do_step`], which ends after the first event if somebody asks whether there is
    /// one.
    pub(crate) fn do_step_with(&mut self, t: f64, h: f64, event: Option<&mut bool>) -> fmi2Status {
        let now = &self.evaluation.memory.now;
        let target = t + h;
        let off = (t - now.t).abs();
        if off.is_nan() || off > TIME_TOLERANCE * t.abs().max(1.0) {
            let reached = now.t;
            return self.error(format_args!(
                "fmi2DoStep: the communication point {t} is not the time reached, {reached}"
            ));
        }
        if !(h >= 0.0 && target.is_finite()) {
            return self.error(format_args!(
                "fmi2DoStep: the step size {h} is negative or does not lead to a finite time"
            ));
        }
        if target > now.stop_time + TIME_TOLERANCE * now.stop_time.abs().max(1.0) {
            let stop = now.stop_time;
            return self.error(format_args!(
                "fmi2DoStep: the step to {target} passes the stop time {stop}"
            ));
        }
        let target = target.max(now.t);
        let done = self.integrate_to(target, event.is_some());
        let stopped = self.evaluation.memory.now.terminated;
        if let (Some(event), Ok(at_event)) = (event, &done) {
            *event = *at_event;
        }
        match done {
            Ok(_) if stopped => {
                let t = self.evaluation.memory.now.t;
                let reason = format_args!("t={t} the model asks to end the simulation");
                self.log.send(fmi2Discard, Category::StatusDiscard, reason);
                self.end_step(State::StepFailed, fmi2Discard)
            }
            Ok(_) => fmi2OK,
            Err(fault) => self.fail_step(fault),
        }
    }

    #[inline]
    fn integrate_to(&mut self, target: f64, end_at_event: bool) -> Result<bool, Fault> {
        let now = &mut self.evaluation.memory.now;
        if now.terminated {
            return Ok(false);
        }
        now.step_status = fmi2OK as u32;
        let quiet = now.moving
            && now.input_order == 0
            && !(now.slopes_set || now.inputs_touched || now.parameters_touched);
        let mut at_event = false;
        if !(quiet && self.evaluation.covers(target)) {
            at_event = self.move_on(target, quiet, end_at_event)?;
        }
        if !(at_event || self.evaluation.memory.now.terminated) {
            self.evaluation.arrive(target)?;
        }
        Ok(at_event)
    }

    /// Lets the integrator go on until its last step covers a communication point, or to the first
    /// event if that is the end; says whether it is.
    #[inline(never)]
    fn move_on(&mut self, target: f64, quiet: bool, end_at_event: bool) -> Result<bool, Fault> {
        let mut motion = self.motion();
        if !quiet {
            motion.take_over_settings()?;
        }
        if motion.evaluation.memory.now.terminated {
            return Ok(false);
        }
        motion.run(target, end_at_event)
    }

    /// Moves to another point in the present modes; the next step begins with an event there. If
    /// there is no solution the instance stays where it is.
    pub(crate) fn move_to(&mut self, t: f64, x: &[f64]) -> fmi2Status {
        let (given, wanted) = (x.len(), self.nominal.len());
        if given != wanted {
            return self.refuse_because(format_args!(
                "{given} states are given, but the model has {wanted}"
            ));
        }
        let (from, before) = (self.evaluation.memory.now.t, self.evaluation.memory.x().to_vec());
        self.evaluation.move_to(t, x);
        let there = self.evaluation.realize_derivatives();
        let done = there.and_then(|()| Ok(self.evaluation.accept_point()?));
        match done {
            Ok(()) => {
                self.evaluation.memory.now.moving = false;
                fmi2OK
            }
            Err(fault) => {
                let answer = self.answer(fault, fmi2Discard);
                self.evaluation.move_to(from, &before);
                answer
            }
        }
    }

    /// A step that could not be completed leaves the instance at the last point that was reached.
    #[cold]
    fn fail_step(&mut self, fault: Fault) -> fmi2Status {
        match fault {
            // Nothing has happened yet: other parameters can be set.
            Fault::Unmet(_) => self.answer(fault, fmi2Error),
            Fault::RelationsOscillate(_)
            | Fault::EventsOscillate(_)
            | Fault::Zeno(_)
            | Fault::Chattering(_) => {
                self.end_step(State::Error, fmi2Error);
                self.answer(fault, fmi2Error)
            }
            _ => {
                let mut motion = self.motion();
                if motion.evaluation.memory.now.moving {
                    let end = motion.end();
                    motion.move_to_end(end);
                }
                self.answer(fault, fmi2Discard);
                self.end_step(State::StepFailed, fmi2Discard)
            }
        }
    }

    fn end_step(&mut self, state: State, status: fmi2Status) -> fmi2Status {
        self.evaluation.memory.now.state = state;
        self.evaluation.memory.now.step_status = status as u32;
        status
    }

    // --- questions about the last step ---

    pub(crate) fn get_status(
        &mut self,
        kind: fmi2StatusKind,
        value: &mut fmi2Status,
    ) -> fmi2Status {
        match kind {
            fmi2DoStepStatus => {
                *value = self.evaluation.memory.now.step_status as fmi2Status;
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
                *value = self.evaluation.memory.now.t;
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
                *value = fmi2Boolean::from(self.evaluation.memory.now.terminated);
                fmi2OK
            }
            _ => self.no_such_status(kind),
        }
    }

    pub(crate) fn no_such_status(&mut self, kind: fmi2StatusKind) -> fmi2Status {
        self.discard(format_args!("status {kind} of this type is not available"))
    }
}
