//! An FMU that is run step by step, as a simple importer does.

use super::{Fault, Trial, number};
use crate::host::{Instance, Kind, Status};
use crate::read::{Base, ModelDescription};

/// The values of all variables but texts at the end of a step, in their order.
pub(super) type Record = Vec<f64>;

/// How far a run has come.
#[derive(Clone, Debug)]
pub(super) struct Place {
    pub time: f64,
    next_event: Option<f64>,
    indicators: Vec<f64>,
    /// Whether the FMU wished to end.
    pub ended: bool,
}

/// An initialized instance that goes on step by step.
pub(super) struct Run<'l> {
    pub instance: Instance<'l>,
    pub place: Place,
    /// The length of a step in s.
    pub step: f64,
}

impl<'l> Run<'l> {
    /// Initializes an instance.
    pub fn begin(trial: &mut Trial<'_>, mut instance: Instance<'l>) -> Result<Self, Fault> {
        let d = &trial.fmu.description;
        let start = d.experiment.start_time.unwrap_or(0.0);
        let span = d.experiment.stop_time.unwrap_or(start + 1.0) - start;
        let step = d.experiment.step_size.unwrap_or(span / 500.0);
        trial.stage("fmi2SetupExperiment");
        instance.setup_experiment(d.experiment.tolerance, start, None)?;
        trial.stage("fmi2EnterInitializationMode");
        instance.enter_initialization_mode()?;
        trial.stage("reading start values");
        trial.starts(&mut instance)?;
        trial.stage("fmi2ExitInitializationMode");
        instance.exit_initialization_mode()?;
        let indicators = vec![0.0; d.number_of_event_indicators];
        let place = Place { time: start, next_event: None, indicators, ended: false };
        let mut run = Run { instance, place, step };
        if trial.kind == Kind::ModelExchange {
            run.iterate(trial)?;
            run.nominals(trial)?;
        }
        Ok(run)
    }

    /// Makes steps; the values after each.
    pub fn go(&mut self, trial: &mut Trial<'_>, steps: u32) -> Result<Vec<Record>, Fault> {
        let mut records = Vec::new();
        for _ in 0..steps {
            if self.place.ended {
                break;
            }
            self.advance(trial, self.step)?;
            records.push(self.record(&trial.fmu.description)?);
        }
        Ok(records)
    }

    /// Makes one step.
    pub fn advance(&mut self, trial: &mut Trial<'_>, step: f64) -> Result<(), Fault> {
        match trial.kind {
            Kind::ModelExchange => self.integrate(trial, step)?,
            Kind::CoSimulation => {
                trial.stage(&format!("fmi2DoStep at {} s", self.place.time));
                match self.instance.do_step(self.place.time, step) {
                    Err(call) if call.status == Status::Discard => {
                        self.place.ended = self.instance.is_terminated()?;
                        if !self.place.ended {
                            return Err(call.into());
                        }
                    }
                    outcome => outcome?,
                }
            }
        }
        self.place.time += step;
        Ok(())
    }

    pub fn record(&mut self, d: &ModelDescription) -> Result<Record, Fault> {
        let numbers = d.variables.iter().filter(|v| v.base != Base::String);
        Ok(numbers.map(|v| number(&mut self.instance, v)).collect::<Result<_, _>>()?)
    }

    /// Explicit Euler: good enough to see whether the functions answer.
    fn integrate(&mut self, trial: &mut Trial<'_>, step: f64) -> Result<(), Fault> {
        let n = trial.fmu.description.derivatives.len();
        let (mut x, mut dx) = (vec![0.0; n], vec![0.0; n]);
        let (instance, place) = (&mut self.instance, &mut self.place);
        let time = place.time + step;
        trial.stage(&format!("the step of Model Exchange to {time} s"));
        instance.get_continuous_states(&mut x)?;
        instance.get_derivatives(&mut dx)?;
        if let Some(i) = dx.iter().position(|dx| !dx.is_finite()) {
            return Err(Fault("A068", format!("derivative {} is {}", i + 1, dx[i])));
        }
        instance.set_time(time)?;
        x.iter_mut().zip(&dx).for_each(|(x, dx)| *x += step * dx);
        instance.set_continuous_states(&x)?;
        let before: Vec<bool> = place.indicators.iter().map(|z| *z > 0.0).collect();
        instance.get_event_indicators(&mut place.indicators)?;
        let crossed = place.indicators.iter().zip(before).any(|(z, before)| (*z > 0.0) != before);
        let (enter, terminate) = instance.completed_integrator_step()?;
        place.ended = terminate;
        if !terminate && (crossed || enter || place.next_event.is_some_and(|t| t <= time)) {
            instance.enter_event_mode()?;
            self.iterate(trial)?;
            if let Some(next) = self.place.next_event.filter(|next| *next <= time) {
                trial.error("B017", format!("the next event at {next} s is not after {time} s"));
            }
        }
        Ok(())
    }

    /// Iterates an event and goes on in Continuous-Time Mode.
    fn iterate(&mut self, trial: &mut Trial<'_>) -> Result<(), Fault> {
        const MOST_PASSES: u32 = 1000;
        trial.stage("fmi2NewDiscreteStates");
        for _ in 0..MOST_PASSES {
            let info = self.instance.new_discrete_states()?;
            if !info.new_discrete_states_needed || info.terminate_simulation {
                self.instance.enter_continuous_time_mode()?;
                self.place.next_event = info.next_event_time;
                self.place.ended = info.terminate_simulation;
                return self.indicators(trial);
            }
        }
        Err(Fault("B012", format!("the event iteration does not end after {MOST_PASSES} passes")))
    }

    /// B024: after an event no indicator is zero.
    fn indicators(&mut self, trial: &mut Trial<'_>) -> Result<(), Fault> {
        self.instance.get_event_indicators(&mut self.place.indicators)?;
        if let Some(i) = self.place.indicators.iter().position(|z| *z == 0.0) {
            trial.warning("B024", format!("event indicator {} is 0 after an event", i + 1));
        }
        Ok(())
    }

    /// A090: nominal values are positive.
    fn nominals(&mut self, trial: &mut Trial<'_>) -> Result<(), Fault> {
        let d = &trial.fmu.description;
        let states = d.states();
        let mut nominals = vec![0.0; d.derivatives.len()];
        self.instance.get_nominals(&mut nominals)?;
        for (state, nominal) in states.iter().zip(nominals) {
            if nominal.is_nan() || nominal <= 0.0 {
                let name = &d.variables[*state].name;
                trial.error("A090", format!("the nominal value of {name} is {nominal}"));
            }
        }
        Ok(())
    }
}
