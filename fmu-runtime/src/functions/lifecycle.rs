//! The life cycle of an instance: set-up of the experiment, initialization, termination, reset.

use crate::data::status::{Lifecycle, Progress};
use crate::fmi::calls::{FmuType, InstanceState};
use crate::fmi::fmi2::*;
use crate::fmi::log::Category;
use crate::instance::Instance;
use crate::model::fault::Fault;
use crate::model::system::SolverCount;
use std::ffi::CStr;
use std::fmt;

/// All counts of the solver's work, as the log states them.
struct SolverWork([f64; SolverCount::ALL.len()]);

impl fmt::Display for SolverWork {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        for (i, (number, count)) in self.0.iter().zip(SolverCount::ALL).enumerate() {
            let separator = if i == 0 { "" } else { ", " };
            write!(f, "{separator}{number} {}", count.what())?;
        }
        Ok(())
    }
}

impl Instance {
    pub(crate) fn set_debug_logging<'a>(
        &mut self,
        logging_on: bool,
        names: impl Iterator<Item = Option<&'a CStr>>,
    ) -> fmi2Status {
        if self.log.select(logging_on, names) {
            fmi2OK
        } else {
            self.refuse_because(format_args!("fmi2SetDebugLogging: unknown log category"))
        }
    }

    pub(crate) fn setup_experiment(
        &mut self,
        tolerance: Option<f64>,
        start_time: f64,
        stop_time: Option<f64>,
    ) -> fmi2Status {
        if !start_time.is_finite() {
            return self.error(format_args!("start time {start_time} is not a finite number"));
        }
        let stop_time = stop_time.unwrap_or(f64::INFINITY);
        if stop_time.is_nan() || stop_time < start_time {
            return self.error(format_args!(
                "stop time {stop_time} is not after the start time {start_time}"
            ));
        }
        let lifecycle = &mut self.lifecycle;
        lifecycle.set_up = true;
        lifecycle.start_time = start_time;
        lifecycle.stop_time = stop_time;
        lifecycle.tolerance = tolerance.filter(|r| *r > 0.0 && r.is_finite()).unwrap_or(0.0);
        self.evaluation.memory.scalars.t = start_time;
        fmi2OK
    }

    pub(crate) fn enter_initialization_mode(&mut self) -> fmi2Status {
        if !self.lifecycle.set_up {
            return self.refuse_because(format_args!(
                "fmi2EnterInitializationMode: fmi2SetupExperiment has not been called"
            ));
        }
        self.lifecycle.state = InstanceState::Initialization;
        self.lifecycle.stale = true;
        self.evaluation.memory.scalars.initial = true;
        fmi2OK
    }

    pub(crate) fn exit_initialization_mode(&mut self) -> fmi2Status {
        let done = self.complete_initialization();
        self.status(done, fmi2Error)
    }

    fn complete_initialization(&mut self) -> Result<(), Fault> {
        self.refresh()?;
        self.evaluation.end_initialization()?;
        self.log.forget();
        match self.fmu_type {
            FmuType::ModelExchange => self.begin_event(InstanceState::FirstEvent),
            FmuType::CoSimulation => self.start_stepping()?,
        }
        Ok(())
    }

    pub(crate) fn terminate(&mut self) -> fmi2Status {
        self.log.send_kept();
        // The final values are those after the event, if its iteration succeeds. Start values with
        // which the simulation cannot begin are an error.
        if let Err(fault) = self.refresh()
            && self.lifecycle.start_changed
        {
            return self.answer(fault, fmi2Error);
        }
        self.lifecycle.state = InstanceState::Terminated;
        if self.fmu_type == FmuType::CoSimulation {
            let work = SolverWork(SolverCount::ALL.map(|count| self.solver_count(count)));
            self.log.send(fmi2OK, Category::Events, format_args!("solver: {work}"));
        }
        fmi2OK
    }

    pub(crate) fn reset(&mut self) -> fmi2Status {
        self.evaluation.reset();
        self.log.forget();
        self.lifecycle = Lifecycle::START;
        self.progress = Progress::START;
        self.integrator_state.reset();
        fmi2OK
    }
}
