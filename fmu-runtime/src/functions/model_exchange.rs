//! Model Exchange: the importer integrates, the instance evaluates and iterates events.
//!
//! `fmi2NewDiscreteStates` repeats passes of the event iteration until nothing changes, because
//! some importers call it only once, or use only its last result. Its flags combine those of all
//! passes.
//!
//! If the importer sets time or states without having left Event Mode, Event Mode ends there:
//! OpenModelica integrates in Event Mode until the first event. Pending events are then iterated at
//! the old point, and the instance enters the state `EventLeft`. In this state, values are computed
//! as in continuous time, and calls of Event Mode remain allowed; `fmi2EnterEventMode`,
//! `fmi2NewDiscreteStates` or `fmi2EnterContinuousTimeMode` begins the next event.
//!
//! OpenModelica sets parameters after initialization. Between `fmi2ExitInitializationMode` and the
//! first call of Event or Continuous-Time Mode, in the state `FirstEvent`, fixed parameters and
//! start values may therefore change, and the instance is initialized again before a value is read.
//! Inputs and tunable parameters that change in this state are kept until the event begins, at the
//! latest when a value is read, so the initialization does not depend on them. Only a repeated
//! initialization uses the changed tunable parameters.
//!
//! States with which nothing can be evaluated are accepted, because OpenModelica ends the
//! simulation when `fmi2SetContinuousStates` is discarded; instead, the functions that evaluate are
//! discarded.

use crate::data::status::NO_STATE;
use crate::fmi::calls::InstanceState;
use crate::fmi::fmi2::*;
use crate::fmi::log::Category;
use crate::instance::Instance;
use crate::model::fault::Fault;
use crate::model::system::Subject;

impl Instance {
    fn length_differs(&mut self, what: &str, given: usize, wanted: usize) -> fmi2Status {
        self.error(format_args!("{what}: {given} values, but the model has {wanted}"))
    }

    /// Begins an event at the present point, in one of the states of Event Mode.
    pub(crate) fn begin_event(&mut self, state: InstanceState) {
        self.lifecycle.state = state;
        self.lifecycle.jumped = false;
        self.lifecycle.tuned = false;
        self.lifecycle.stale = true;
        self.lifecycle.event_pending = true;
    }

    /// In Event Mode nothing needs to be done: later changes are pending already.
    pub(crate) fn enter_event_mode(&mut self) -> fmi2Status {
        if self.lifecycle.state != InstanceState::Event {
            // If that is not possible, the iteration of the event tells why.
            if self.check_states().is_ok() {
                let _ = self.evaluation.record_completed_signals();
            }
            self.begin_event(InstanceState::Event);
        }
        fmi2OK
    }

    /// Iterates until nothing changes, because some importers call this only once, or use only the
    /// last result.
    pub(crate) fn new_discrete_states(&mut self, event: &mut fmi2EventInfo) -> fmi2Status {
        self.enter_event_mode();
        // The value is for importers that read the time although it is not defined.
        *event = fmi2EventInfo { nextEventTime: f64::MAX, ..fmi2EventInfo::default() };
        let done = self.iterate_pending_event(event);
        self.status(done, fmi2Error)
    }

    fn iterate_pending_event(&mut self, event: &mut fmi2EventInfo) -> Result<(), Fault> {
        self.check_states()?;
        let evaluation = &mut self.evaluation;
        evaluation.check_requirements(Subject::Parameters)?;
        let iteration = evaluation.iterate_event(Some(&mut self.log))?;
        // The importer knows no largest step, but no step passes an event.
        let covered = evaluation.time() + evaluation.shortest_delay();
        let next = evaluation.realize_next_time_event()?.min(covered);
        self.lifecycle.stale = false;
        self.lifecycle.event_pending = false;
        event.terminateSimulation = fmi2Boolean::from(iteration.terminate);
        event.valuesOfContinuousStatesChanged = fmi2Boolean::from(iteration.states_changed);
        if next.is_finite() {
            event.nextEventTimeDefined = fmi2True;
            event.nextEventTime = next;
        }
        if iteration.terminate {
            let t = self.evaluation.time();
            let reason = format_args!("t={t} the model asks to end the simulation");
            self.log.send(fmi2OK, Category::Events, reason);
        }
        Ok(())
    }

    pub(crate) fn enter_continuous_time_mode(&mut self) -> fmi2Status {
        self.enter_event_mode();
        self.leave_event(InstanceState::ContinuousTime)
    }

    /// Ends the present event.
    fn leave_event(&mut self, to: InstanceState) -> fmi2Status {
        let done = self.complete_event();
        if done.is_ok() {
            self.lifecycle.state = to;
            self.lifecycle.moved = false;
        }
        self.status(done, fmi2Error)
    }

    fn complete_event(&mut self) -> Result<(), Fault> {
        self.check_states()?;
        let evaluation = &mut self.evaluation;
        if self.lifecycle.event_pending {
            evaluation.check_requirements(Subject::Parameters)?;
            let iteration = evaluation.iterate_event(Some(&mut self.log))?;
            if iteration.states_changed {
                let t = evaluation.time();
                let reason = "a state jumped in an event that ended without fmi2NewDiscreteStates";
                self.log.send(fmi2Warning, Category::StatusWarning, format_args!("t={t} {reason}"));
            }
        }
        evaluation.accept_point()?;
        self.lifecycle.stale = false;
        self.lifecycle.event_pending = false;
        Ok(())
    }

    /// Changing time or states in Event Mode first ends the event, at the old point. An event at a
    /// point where nothing can be evaluated continues at the new point.
    fn leave_event_if(&mut self, moves: bool) -> fmi2Status {
        match self.lifecycle.state {
            InstanceState::Event if moves && self.lifecycle.unusable == NO_STATE => {
                self.leave_event(InstanceState::EventLeft)
            }
            _ => fmi2OK,
        }
    }

    /// A point without solution is not accepted, but this is no error here, because OpenModelica
    /// completes trial points too. Reading a value there reports the reason.
    ///
    /// Event Mode is requested if a tunable parameter has changed, or if a relation has jumped with
    /// an input. Importers that change an input without entering Event Mode cannot notice the jump:
    /// they may take the indicators after the jump for indicators before the step.
    pub(crate) fn completed_integrator_step(&mut self, enter: &mut fmi2Boolean) -> fmi2Status {
        if self.check_states().is_ok() && self.evaluation.accept_point().is_ok() {
            self.log.forget();
            let lifecycle = &mut self.lifecycle;
            lifecycle.moved = false;
            lifecycle.jumped =
                lifecycle.jumped && self.evaluation.relations_are_outdated().unwrap_or(false);
            *enter = fmi2Boolean::from(lifecycle.jumped || lifecycle.tuned);
            // If derivatives cannot be computed here, reading them tells the reason.
            let recorded = self.evaluation.record_completed_signals();
            if let Err(fault @ Fault::HistoryFull { .. }) = recorded {
                return self.answer(fault, fmi2Error);
            }
        }
        fmi2OK
    }

    pub(crate) fn set_time(&mut self, t: f64) -> fmi2Status {
        if !t.is_finite() {
            return self.error(format_args!("time {t} is not a finite number"));
        }
        let left = self.leave_event_if(t != self.evaluation.time());
        if left == fmi2OK {
            self.lifecycle.moved |= t != self.evaluation.time();
            self.evaluation.memory.set_time(t);
        }
        left
    }

    pub(crate) fn set_continuous_states(&mut self, x: &[f64]) -> fmi2Status {
        let states = self.evaluation.info.states;
        if x.len() != states.len() {
            return self.length_differs("fmi2SetContinuousStates", x.len(), states.len());
        }
        let left = self.leave_event_if(x != self.evaluation.memory.x());
        if left == fmi2OK {
            self.lifecycle.moved |= x != self.evaluation.memory.x();
            self.evaluation.set_states(x);
            self.look_for_unusable_states();
        }
        left
    }

    /// Notes whether the states that were set are in the range in which values can be computed.
    pub(crate) fn look_for_unusable_states(&mut self) {
        let states = self.evaluation.memory.x().iter().zip(self.evaluation.info.states);
        let unusable = states.clone().position(|(x, state)| !state.is_in_range(*x));
        self.lifecycle.unusable = unusable.map_or(NO_STATE, |i| i as u32);
    }

    /// Refuses to evaluate anything if a state was set to a value with which that is not possible.
    #[inline]
    pub(crate) fn check_states(&self) -> Result<(), Fault> {
        match self.lifecycle.unusable {
            NO_STATE => Ok(()),
            i => {
                let value = self.evaluation.memory.x().get(i as usize).copied();
                Err(Fault::OutOfRange(i as usize, value.unwrap_or(f64::NAN)))
            }
        }
    }

    pub(crate) fn get_derivatives(&mut self, dx: &mut [f64]) -> fmi2Status {
        if dx.len() != self.nominal.len() {
            return self.length_differs("fmi2GetDerivatives", dx.len(), self.nominal.len());
        }
        let done = self.check_states().and_then(|()| self.refresh());
        let done = done.and_then(|()| self.evaluation.realize_derivatives());
        if done.is_ok() {
            dx.copy_from_slice(self.evaluation.memory.dx());
        }
        self.status(done, fmi2Discard)
    }

    pub(crate) fn get_event_indicators(&mut self, z: &mut [f64]) -> fmi2Status {
        let wanted = self.evaluation.state_relations.len();
        if z.len() != wanted {
            return self.length_differs("fmi2GetEventIndicators", z.len(), wanted);
        }
        let done = self.check_states().and_then(|()| self.refresh());
        let done = done.and_then(|()| self.evaluation.realize_indicators(z));
        self.status(done, fmi2Discard)
    }

    pub(crate) fn get_continuous_states(&mut self, x: &mut [f64]) -> fmi2Status {
        if x.len() != self.nominal.len() {
            return self.length_differs("fmi2GetContinuousStates", x.len(), self.nominal.len());
        }
        let done = self.refresh();
        if done.is_ok() {
            x.copy_from_slice(self.evaluation.memory.x());
        }
        self.status(done, fmi2Discard)
    }

    pub(crate) fn get_nominals(&mut self, nominals: &mut [f64]) -> fmi2Status {
        if nominals.len() != self.nominal.len() {
            let what = "fmi2GetNominalsOfContinuousStates";
            return self.length_differs(what, nominals.len(), self.nominal.len());
        }
        nominals.copy_from_slice(&self.nominal);
        fmi2OK
    }
}
