//! Whole simulations of an FMU by the harness.

use crate::curves::Table;
use crate::harness::{Message, bits, references_text};
use crate::python::script;
use crate::{Fmu, Harness, Instance, Kind, Status};

/// How to simulate.
#[derive(Clone, Debug)]
pub struct Run<'a> {
    /// Relative tolerance; `None`: the FMU's own choice.
    pub tolerance: Option<f64>,
    /// Communication step in s.
    pub h: f64,
    /// The last communication point is the last multiple of `h` not after this time in s.
    pub stop: f64,
    /// Start values and parameters to set.
    pub starts: &'a [(&'a str, f64)],
    /// The Real variables to record; empty: the FMU's signals.
    pub record: &'a [&'a str],
}

impl<'a> Run<'a> {
    /// The FMU's default experiment, with the starts that make it move, and a communication step.
    pub fn of(fmu: &Fmu, h: f64) -> Run<'a> {
        let tolerance = Some(fmu.tolerance());
        Run { tolerance, h, stop: fmu.stop_time(), starts: fmu.starts(), record: &[] }
    }

    /// The number of whole communication steps.
    pub fn steps(&self) -> usize {
        (self.stop / self.h * (1.0 + 1e-12)).floor() as usize
    }

    /// The names of what is recorded.
    pub fn names<'b>(&self, fmu: &'b Fmu) -> Vec<&'b str>
    where
        'a: 'b,
    {
        if self.record.is_empty() { fmu.signals() } else { self.record.to_vec() }
    }

    /// By Co-Simulation.
    pub fn co_simulation(&self, fmu: &Fmu) -> Table {
        let harness = Harness::new(fmu);
        let instance = harness.instantiate(fmu, Kind::CoSimulation);
        instance.start(self.tolerance, self.starts);
        self.steps_of(&instance)
    }

    /// By Co-Simulation, with an instance that has been initialized.
    pub fn steps_of(&self, instance: &Instance) -> Table {
        let fmu = instance.fmu;
        let names = self.names(fmu);
        let references = fmu.reals(names.iter().copied());
        let arguments = format!("{} {} {}", bits(0.0), bits(self.h), self.steps());
        let arguments = format!("{arguments} {}", references_text(&references));
        let answer = instance.ok("simulate_cs", &arguments);
        self.table(&names, &answer.reals(2))
    }

    /// By Model Exchange, with the harness' Runge-Kutta method of fixed step; also the number of
    /// events.
    pub fn model_exchange(&self, fmu: &Fmu) -> (Table, i64) {
        let harness = Harness::new(fmu);
        let instance = harness.instantiate(fmu, Kind::ModelExchange);
        instance.start(self.tolerance, self.starts);
        let names = self.names(fmu);
        let references = fmu.reals(names.iter().copied());
        let description = &fmu.description;
        let arguments = format!(
            "{} {} {} {} {} {}",
            bits(0.0),
            bits(self.h),
            self.steps(),
            fmu.states().len(),
            description.number_of_event_indicators,
            references_text(&references)
        );
        let answer = instance.call("simulate_me", &arguments);
        assert_eq!(answer.status(), Status::Ok, "{}: {:?}", fmu.name(), harness.log());
        (self.table(&names, &answer.reals(2)), answer.integer(0))
    }

    /// By FMPy: its Co-Simulation master, or Model Exchange with CVode, which reports at events
    /// too.
    pub fn fmpy(&self, fmu: &Fmu, kind: Kind) -> Table {
        let kind = match kind {
            Kind::CoSimulation => "CoSimulation",
            Kind::ModelExchange => "ModelExchange",
        };
        let tolerance = self.tolerance.unwrap_or_else(|| fmu.tolerance());
        let path = fmu.path.to_string_lossy();
        let numbers = [self.h, self.stop, tolerance].map(|number| number.to_string());
        let starts = self.starts.iter().map(|(name, value)| format!("{name}={value}"));
        let starts: Vec<String> = starts.collect();
        let mut arguments = vec![&*path, kind];
        arguments.extend(numbers.iter().chain(&starts).map(String::as_str));
        arguments.extend(self.names(fmu));
        Table::parse(&script("simulate.py", &arguments))
    }

    fn table(&self, names: &[&str], values: &[f64]) -> Table {
        let rows: Vec<Vec<f64>> = values.chunks(names.len()).map(<[f64]>::to_vec).collect();
        let time = (0..rows.len()).map(|i| i as f64 * self.h).collect();
        Table { names: names.iter().map(|n| (*n).to_owned()).collect(), time, rows }
    }
}

/// The work of a Co-Simulation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Work {
    /// Accepted steps of the integrator.
    pub steps: usize,
    /// Rejected steps.
    pub rejected: usize,
    /// Evaluations of the right-hand side.
    pub evaluations: usize,
    /// Jacobians.
    pub jacobians: usize,
    /// Events.
    pub events: usize,
}

impl Work {
    /// What an FMU logs when it is terminated.
    pub fn logged(log: &[Message]) -> Option<Work> {
        let text = log.iter().find_map(|message| message.text.strip_prefix("solver: "))?;
        let number = |part: &str| part.split(' ').next()?.parse().ok();
        let numbers: Option<Vec<usize>> = text.split(", ").map(number).collect();
        let [steps, rejected, evaluations, jacobians, events] = numbers?.try_into().ok()?;
        Some(Work { steps, rejected, evaluations, jacobians, events })
    }
}
