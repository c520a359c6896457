//! A run of an FMU, step by step, as by a simple importer.

use std::thread;
use std::time::Duration;

use super::faults::TestFault;
use super::start_values;
use super::type_test::{ROUNDING, TypeTest, shown};
use crate::calls::causes::{DISCARDED, UNWRITTEN};
use fmus::fmi::{FmuType, Status};
use fmus::host::{CompletedStep, FmuState, Instance, ModelExchangeArray};
use fmus::model_description::{Base, ModelDescription};

/// The values of all variables except texts at the end of a step, in their order.
pub(super) type Record = Vec<f64>;

/// The progress of a run.
#[derive(Clone, Debug)]
pub(super) struct RunProgress {
    pub time: f64,
    pub next_event: Option<f64>,
    indicators: Vec<f64>,
    /// Whether the FMU asked to end the simulation.
    pub ended: bool,
    /// The values at the last record.
    before: Option<Record>,
    /// Whether there was an event since then.
    event: bool,
}

/// An initialized instance that is simulated step by step.
pub(super) struct TestRun<'l> {
    pub instance: Instance<'l>,
    pub progress: RunProgress,
    /// The length of a step in s.
    pub step: f64,
}

/// The results of a step that the FMU does not discard.
struct Tried {
    indicators: Vec<f64>,
    completed: CompletedStep,
}

impl<'l> TestRun<'l> {
    /// Sets up the experiment of an instance and enters Initialization Mode; returns the start time
    /// and the length of a step in s.
    pub fn prepare(
        test: &mut TypeTest<'_>,
        instance: &mut Instance<'l>,
    ) -> Result<(f64, f64), TestFault> {
        let e = &test.fmu.description.experiment;
        let start = e.start_time.unwrap_or(0.0);
        let span = e.stop_time.map(|stop| stop - start).filter(|span| *span > 0.0).unwrap_or(1.0);
        let step = e.step_size.filter(|step| *step > 0.0).unwrap_or(span / 500.0);
        let step = step * test.refinement;
        test.stage("fmi2SetupExperiment");
        instance.setup_experiment(e.tolerance, start, None)?;
        test.stage("fmi2EnterInitializationMode");
        instance.enter_initialization_mode()?;
        Ok((start, step))
    }

    /// Initializes an instance that was reset.
    pub fn again(test: &mut TypeTest<'_>, instance: Instance<'l>) -> Result<Self, TestFault> {
        test.after_reset = true;
        let run = TestRun::begin(test, instance);
        test.after_reset = false;
        run
    }

    /// Initializes an instance.
    pub fn begin(test: &mut TypeTest<'_>, mut instance: Instance<'l>) -> Result<Self, TestFault> {
        let (start, step) = TestRun::prepare(test, &mut instance)?;
        test.stage("reading outputs in Initialization Mode");
        start_values::outputs_at_start(test, &mut instance)?;
        test.stage("fmi2ExitInitializationMode");
        instance.exit_initialization_mode()?;
        test.stage("reading start values");
        start_values::starts(test, &mut instance)?;
        let indicators = vec![0.0; test.fmu.description.number_of_event_indicators];
        let (time, next_event, ended) = (start, None, false);
        let progress =
            RunProgress { time, next_event, indicators, ended, before: None, event: true };
        let mut run = TestRun { instance, progress, step };
        if test.fmu_type == FmuType::ModelExchange {
            run.iterate(test)?;
            run.nominals(test)?;
        }
        Ok(run)
    }

    /// Makes steps and returns the values after each one; the run ends where the FMU discards them.
    pub fn go(&mut self, test: &mut TypeTest<'_>, steps: u32) -> Result<Vec<Record>, TestFault> {
        let mut records = Vec::new();
        for _ in 0..steps {
            if self.progress.ended {
                break;
            }
            self.advance(test, self.step)?;
            let record = match self.record(&test.fmu.description) {
                Err(fault) if fault.is_legal() => {
                    self.progress.ended = true;
                    break;
                }
                record => record?,
            };
            if let Some(before) = self.progress.before.replace(record.clone()) {
                variability(test, &before, &record, self.progress.event);
            }
            self.progress.event = false;
            records.push(record);
        }
        Ok(records)
    }

    /// Makes one step.
    pub fn advance(&mut self, test: &mut TypeTest<'_>, step: f64) -> Result<(), TestFault> {
        match test.fmu_type {
            FmuType::ModelExchange => self.integrate(test, step),
            FmuType::CoSimulation => {
                self.communicate(test, step)?;
                self.progress.time += step;
                Ok(())
            }
        }
    }

    fn communicate(&mut self, test: &mut TypeTest<'_>, step: f64) -> Result<(), TestFault> {
        let time = self.progress.time;
        test.stage(&format!("fmi2DoStep at {time} s"));
        match self.instance.do_step(time, step) {
            Err(call) if call.status == Status::Discard => {
                self.progress.ended = self.instance.is_terminated()?;
                let last = self.instance.last_successful_time()?;
                if !(last >= time && last <= time + step * (1.0 + 1e-9)) {
                    let text = format!(
                        "after a discarded step from {time} s the last successful time is {last} s"
                    );
                    test.error_due_to("last successful time", "A093", text);
                }
                if !self.progress.ended {
                    // An importer continues with shorter steps if it can return to an earlier
                    // state.
                    test.warning_due_to(DISCARDED, "A092", format!("the step at {time} s: {call}"));
                    self.progress.ended = true;
                }
                Ok(())
            }
            Err(call)
                if call.status == Status::Pending
                    && test.interface.flag("canRunAsynchronuously") =>
            {
                test.stage("fmi2GetStatus of a pending step");
                loop {
                    match self.instance.step_status()? {
                        Status::Pending => thread::sleep(Duration::from_millis(1)),
                        Status::Ok | Status::Warning => return Ok(()),
                        _ => return Err(call.into()),
                    }
                }
            }
            outcome => Ok(outcome?),
        }
    }

    pub fn record(&mut self, d: &ModelDescription) -> Result<Record, TestFault> {
        let numbers = d.variables.iter().filter(|v| v.base != Base::String);
        Ok(numbers.map(|v| self.instance.number(v)).collect::<Result<_, _>>()?)
    }

    /// Integrates over a communication step with the announced time events, whose instants are
    /// reached exactly, however the times of the steps are rounded.
    fn integrate(&mut self, test: &mut TypeTest<'_>, step: f64) -> Result<(), TestFault> {
        const MAX_PARTS: u32 = 1000;
        let end = self.progress.time + step;
        let rounding = ROUNDING * step;
        for _ in 0..MAX_PARTS {
            let time = self.progress.time;
            let next = self.progress.next_event.filter(|next| *next > time);
            let until = next.filter(|next| *next <= end + rounding).unwrap_or(end);
            self.go_towards(test, until)?;
            if self.progress.ended || self.progress.time >= end - rounding {
                return Ok(());
            }
        }
        // There are too many events in this step: the run continues from the time reached.
        Ok(())
    }

    /// Makes a step of Euler's method that ends at a time, or earlier if the FMU discards it.
    fn go_towards(&mut self, test: &mut TypeTest<'_>, until: f64) -> Result<(), TestFault> {
        const MAX_HALVINGS: u32 = 20;
        let time = self.progress.time;
        test.stage(&format!("the step of Model Exchange to {until} s"));
        let x = self.array(test, ModelExchangeArray::States)?;
        let dx = self.array(test, ModelExchangeArray::Derivatives)?;
        if let Some(i) = dx.iter().position(|dx| !dx.is_finite()) {
            let d = &test.fmu.description;
            let variable = d.derivatives.get(i).and_then(|u| d.variables.get(u.index));
            let name = variable.map_or("a derivative", |v| &v.name);
            test.warning("A068", format!("{name} is {}", dx[i]));
            self.progress.ended = true;
            return Ok(());
        }
        let mut step = until - time;
        for _ in 0..MAX_HALVINGS {
            let target = if step == until - time { until } else { time + step };
            match self.try_step(test, &x, &dx, target) {
                Ok(tried) => return self.complete(test, target, tried),
                Err(fault) if fault.discarded => {
                    step *= 0.5;
                    self.instance.set_time(time)?;
                    if !x.is_empty() {
                        self.instance.set_continuous_states(&x)?;
                    }
                }
                Err(fault) => return Err(fault),
            }
        }
        let text = format!("at {time} s every step is discarded, however short");
        test.warning_due_to(DISCARDED, "A062", text);
        self.progress.ended = true;
        Ok(())
    }

    /// Makes a step of Euler's method, which is sufficient to test the functions. If it is
    /// discarded, the run does not change and stays in Continuous-Time Mode.
    fn try_step(
        &mut self,
        test: &mut TypeTest<'_>,
        x: &[f64],
        dx: &[f64],
        until: f64,
    ) -> Result<Tried, TestFault> {
        let step = until - self.progress.time;
        self.instance.set_time(until)?;
        if !x.is_empty() {
            let moved: Vec<f64> = x.iter().zip(dx).map(|(x, dx)| x + step * dx).collect();
            self.instance.set_continuous_states(&moved)?;
        }
        let indicators = self.array(test, ModelExchangeArray::Indicators)?;
        let (completed, odd) = self.instance.watched_step()?;
        if let Some(odd) = odd {
            test.error("B030", format!("fmi2CompletedIntegratorStep: {odd}"));
        }
        let requests = completed.enter_event_mode || completed.terminate;
        if requests && test.interface.flag("completedIntegratorStepNotNeeded") {
            let text = "fmi2CompletedIntegratorStep requests an event or the end, but is declared as \
                        not needed";
            test.error("B029", text);
        }
        Ok(Tried { indicators, completed })
    }

    /// Completes a step that is not discarded, with the event at its end.
    fn complete(
        &mut self,
        test: &mut TypeTest<'_>,
        until: f64,
        tried: Tried,
    ) -> Result<(), TestFault> {
        let Tried { indicators, completed } = tried;
        let CompletedStep { enter_event_mode: enter, terminate } = completed;
        let mut crossed = self.progress.indicators.iter().zip(&indicators);
        let crossed = crossed.any(|(before, after)| (*before > 0.0) != (*after > 0.0));
        self.progress.indicators = indicators;
        self.progress.time = until;
        self.progress.ended = terminate;
        if !terminate && (crossed || enter || self.progress.next_event.is_some_and(|t| t <= until))
        {
            self.instance.enter_event_mode()?;
            self.iterate(test)?;
        }
        Ok(())
    }

    /// Restores a state and the progress of the run at that point. In Model Exchange the importer
    /// sets the time.
    pub fn restore(
        &mut self,
        test: &TypeTest<'_>,
        state: &FmuState,
        progress: &RunProgress,
    ) -> Result<(), TestFault> {
        self.instance.set_state(state)?;
        self.progress = progress.clone();
        if test.fmu_type == FmuType::ModelExchange && !progress.ended {
            self.instance.set_time(progress.time)?;
        }
        Ok(())
    }

    /// Reads an array of Model Exchange, which must have exactly as many values as the description
    /// declares.
    pub fn array(
        &mut self,
        test: &mut TypeTest<'_>,
        array: ModelExchangeArray,
    ) -> Result<Vec<f64>, TestFault> {
        let d = &test.fmu.description;
        let (n, rule, what) = match array {
            ModelExchangeArray::Indicators => {
                (d.number_of_event_indicators, "C010", "event indicators")
            }
            ModelExchangeArray::States => (d.derivatives.len(), "A085", "continuous states"),
            ModelExchangeArray::Derivatives => (d.derivatives.len(), "A085", "derivatives"),
            ModelExchangeArray::Nominals => (d.derivatives.len(), "A085", "nominal values"),
        };
        if n == 0 {
            // Not every importer reads it then, so an FMU need not support it.
            return Ok(Vec::new());
        }
        let written = self.instance.array(array, n)?;
        if written.beyond > 0 {
            test.error(rule, format!("it writes more than {n} {what}"));
        }
        if written.untouched > 0 {
            let found = n - written.untouched;
            let text = format!("it writes only {found} of {n} {what}");
            if matches!(array, ModelExchangeArray::States) {
                // Everything that follows would depend on values that are not there.
                return Err(TestFault::new(rule, text).due_to(UNWRITTEN));
            }
            test.error(rule, text);
        }
        Ok(written.values)
    }

    /// Iterates an event and enters Continuous-Time Mode.
    pub fn iterate(&mut self, test: &mut TypeTest<'_>) -> Result<(), TestFault> {
        const MAX_PASSES: u32 = 1000;
        self.progress.event = true;
        for _ in 0..MAX_PASSES {
            test.stage("the states before fmi2NewDiscreteStates");
            let x = self.array(test, ModelExchangeArray::States)?;
            let nominals = self.array(test, ModelExchangeArray::Nominals)?;
            test.stage("fmi2NewDiscreteStates");
            let (info, odd) = self.instance.watched_event()?;
            if let Some(odd) = odd {
                test.error("B011", format!("fmi2NewDiscreteStates: {odd}"));
            }
            let changed = |a: &f64, b: &f64| a.to_bits() != b.to_bits();
            let after = self.array(test, ModelExchangeArray::States)?;
            let moved: Vec<usize> = (0..x.len()).filter(|i| changed(&x[*i], &after[*i])).collect();
            reinitialised(test, &moved, info.values_of_continuous_states_changed);
            let now = self.array(test, ModelExchangeArray::Nominals)?;
            let scaled = nominals.iter().zip(&now).any(|(a, b)| changed(a, b));
            if scaled && !info.nominals_of_continuous_states_changed {
                let text = "a nominal value changes without nominalsOfContinuousStatesChanged";
                test.error("B014", text);
            }
            if !info.new_discrete_states_needed || info.terminate_simulation {
                self.progress.next_event = info.next_event_time;
                let time = self.progress.time;
                if let Some(next) = info.next_event_time.filter(|next| *next <= time) {
                    let text = format!("the next event at {next} s is not after {time} s");
                    test.error_due_to("B017", "B017", text);
                }
                self.progress.ended = info.terminate_simulation;
                if self.progress.ended {
                    return Ok(());
                }
                self.instance.enter_continuous_time_mode()?;
                return self.indicators(test);
            }
        }
        let text = format!("the event iteration does not end after {MAX_PASSES} passes");
        Err(TestFault::new("B012", text))
    }

    /// B024: after an event no indicator is zero.
    fn indicators(&mut self, test: &mut TypeTest<'_>) -> Result<(), TestFault> {
        self.progress.indicators = self.array(test, ModelExchangeArray::Indicators)?;
        if let Some(i) = self.progress.indicators.iter().position(|z| *z == 0.0) {
            test.warning("B024", format!("event indicator {} is 0 after an event", i + 1));
        }
        Ok(())
    }

    /// A090: nominal values are positive.
    fn nominals(&mut self, test: &mut TypeTest<'_>) -> Result<(), TestFault> {
        let d = &test.fmu.description;
        let nominals = self.array(test, ModelExchangeArray::Nominals)?;
        for (state, nominal) in d.states().iter().zip(nominals) {
            if nominal.is_nan() || nominal <= 0.0 {
                let name = &d.variables[*state].name;
                test.error("A090", format!("the nominal value of {name} is {nominal}"));
            }
        }
        Ok(())
    }
}

/// B015 and B019: states change in an event only if that is reported and declared.
fn reinitialised(test: &mut TypeTest<'_>, moved: &[usize], reported: bool) {
    let d = &test.fmu.description;
    let states = d.states();
    let moved: Vec<_> = moved.iter().filter_map(|i| Some(&d.variables[*states.get(*i)?])).collect();
    match moved.first() {
        Some(v) if !reported => {
            let name = &v.name;
            let text = format!("{name} changes without valuesOfContinuousStatesChanged");
            test.error("B015", text);
        }
        None if reported => {
            let text = "valuesOfContinuousStatesChanged, but none has changed";
            test.warning("B015", text);
        }
        _ => {}
    }
    for v in moved.into_iter().filter(|v| v.reinit != Some(true)) {
        let text = format!("{} changes in an event, but its reinit is not true", v.name);
        test.error("B019", text);
    }
}

/// B004 and B021: variables change no more often than their variability allows.
fn variability(test: &mut TypeTest<'_>, before: &[f64], now: &[f64], event: bool) {
    let numbers = test.fmu.description.variables.iter().filter(|v| v.base != Base::String);
    for ((v, before), now) in numbers.zip(before).zip(now) {
        if before.to_bits() == now.to_bits() || before.is_nan() && now.is_nan() {
            continue;
        }
        let rule = match &*v.variability {
            "constant" | "fixed" | "tunable" => "B021",
            "discrete" if !event && test.fmu_type == FmuType::ModelExchange => "B004",
            _ => continue,
        };
        let (name, variability) = (&v.name, &v.variability);
        let (before, now) = (shown(*before), shown(*now));
        let text = format!("{name} is {variability}, but changes from {before} to {now}");
        test.error_due_to(format!("{rule} {name}"), rule, text);
    }
}
