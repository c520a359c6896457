//! Whole simulations of an FMU by the harness.

use crate::curves::{TimeSeries, parse};
use fmu_builder::model_description::Base;
use program::SolverCount;

use crate::harness::{Answer, Instantiation, Message, bits, bits_of, references_text};
use crate::python::script;
use crate::{Fmu, FmuType, Harness, Instance, Status, openmodelica};

/// The settings of a simulation.
#[derive(Clone, Debug)]
pub struct Run<'a> {
    /// The relative tolerance; if it is `None`, that of the FMU.
    pub tolerance: Option<f64>,
    /// Communication step in s.
    pub h: f64,
    /// Stop time in s; the last communication point is the last multiple of `h` that is not after
    /// it.
    pub stop: f64,
    /// Start values and parameters to set.
    pub starts: &'a [(&'a str, f64)],
    /// The Real variables to record; if empty, the FMU's signals.
    pub record: &'a [&'a str],
    /// The period in s with which inputs move in triangles around their start values; `None`: they
    /// are constant.
    pub waves: Option<f64>,
}

/// The habits of an importer that the harness imitates in Model Exchange, call by call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Habit {
    /// What the standard prescribes.
    Standard,
    /// OpenModelica's `importFMU`.
    OpenModelica,
    /// An importer written after the pseudocode of FMI 2.0 before 2.0.2.
    Pseudocode,
    /// The program `fmusim` of the Reference FMUs, with CVode.
    Fmusim,
    /// The FMU Compliance Checker, with one step of Euler's method from row to row.
    FmuCheck,
}

impl Habit {
    /// Its name in the harness.
    pub fn name(self) -> &'static str {
        match self {
            Habit::Standard => "standard",
            Habit::OpenModelica => "OpenModelica",
            Habit::Pseudocode => "pseudocode",
            Habit::Fmusim => "fmusim",
            Habit::FmuCheck => "fmuCheck",
        }
    }

    /// Integrates an initialized instance from the time 0 with some communication steps; `rest`
    /// are the number and the references of recorded variables, and inputs that move. If it
    /// succeeds, the instance is in Continuous-Time Mode then.
    pub fn integrate(self, instance: &Instance, h: f64, steps: usize, rest: &str) -> Answer {
        let description = &instance.fmu.description;
        let sizes =
            format!("{} {}", description.states().len(), description.number_of_event_indicators);
        let run = format!("{} {} {} {steps} {sizes} {rest}", self.name(), bits(0.0), bits(h));
        instance.call("simulate_as", &run)
    }

    /// Sets up and initializes as the importer does.
    fn start(self, instance: &Instance, run: &Run) {
        let starts = run.starts;
        let is_parameter = |name: &str| instance.fmu.variable(name).causality == "parameter";
        let later = |name: &str| self == Habit::OpenModelica && is_parameter(name);
        let before = starts.iter().filter(|(name, _)| !later(name));
        before.for_each(|(name, value)| instance.set(name, *value));
        let tolerance = run.tolerance.filter(|_| self == Habit::Fmusim);
        instance.setup(tolerance, 0.0, None).then("enter_initialization");
        instance.then("exit_initialization");
        if self == Habit::OpenModelica {
            openmodelica::set_parameters(instance, starts);
        }
    }
}

impl<'a> Run<'a> {
    /// The FMU's default experiment with the starts that make it move, and a communication step.
    pub fn of(fmu: &Fmu, h: f64) -> Run<'a> {
        let tolerance = Some(fmu.tolerance());
        Run { tolerance, h, stop: fmu.stop_time(), starts: fmu.starts(), record: &[], waves: None }
    }

    /// The number of whole communication steps.
    pub fn steps(&self) -> usize {
        (self.stop / self.h * (1.0 + 1e-12)).floor() as usize
    }

    /// The names of the recorded variables.
    pub fn names<'b>(&self, fmu: &'b Fmu) -> Vec<&'b str>
    where
        'a: 'b,
    {
        if self.record.is_empty() { fmu.signals() } else { self.record.to_vec() }
    }

    /// Simulates by Co-Simulation.
    pub fn co_simulation(&self, fmu: &Fmu) -> TimeSeries {
        let harness = Harness::new(fmu);
        let instance = harness.instantiate(fmu, FmuType::CoSimulation);
        instance.start(self.tolerance, self.starts);
        self.steps_of(&instance)
    }

    /// Simulates by Co-Simulation with an initialized instance.
    pub fn steps_of(&self, instance: &Instance) -> TimeSeries {
        let fmu = instance.fmu;
        let names = self.names(fmu);
        let references = fmu.reals(names.iter().copied());
        let arguments = format!("{} {} {}", bits(0.0), bits(self.h), self.steps());
        let arguments = format!("{arguments} {}{}", references_text(&references), self.inputs(fmu));
        let answer = instance.ok("simulate_cs", &arguments);
        self.table(&names, &answer.reals(2))
    }

    /// Simulates by Model Exchange with the habits of an importer; also returns the number of
    /// events.
    pub fn imitating(&self, fmu: &Fmu, habit: Habit) -> (TimeSeries, i64) {
        let (answer, log) = self.answer_to(fmu, habit);
        assert_eq!(answer.status(), Status::Ok, "{} in {}: {log:?}", fmu.name(), habit.name());
        (self.table(&self.names(fmu), &answer.reals(2)), answer.integer(0))
    }

    /// The worst status of such a run, and the messages of the FMU.
    pub fn try_imitating(&self, fmu: &Fmu, habit: Habit) -> (Status, Vec<Message>) {
        let (answer, log) = self.answer_to(fmu, habit);
        (answer.status(), log)
    }

    fn answer_to(&self, fmu: &Fmu, habit: Habit) -> (Answer, Vec<Message>) {
        let harness = Harness::new(fmu);
        let fmu_type = FmuType::ModelExchange as i32;
        let with = Instantiation { fmu_type, logging: true, ..Instantiation::of(fmu) };
        let instance = harness.try_instantiate(fmu, &with).expect("an instance");
        habit.start(&instance, self);
        let recorded = references_text(&fmu.reals(self.names(fmu)));
        let rest = format!("{recorded}{}", self.inputs(fmu));
        harness.log();
        let answer = habit.integrate(&instance, self.h, self.steps(), &rest);
        let log = harness.log();
        if answer.status() == Status::Ok {
            instance.then("terminate");
        }
        (answer, log)
    }

    /// The motion of inputs, in the form that the harness reads.
    fn inputs(&self, fmu: &Fmu) -> String {
        let Some(period) = self.waves else { return String::new() };
        let names = fmu.names(Base::Real, &["input"]);
        let start = |name: &str| {
            let changed = self.starts.iter().find(|(n, _)| *n == name).map(|(_, value)| *value);
            changed.or(fmu.variable(name).start_number()).unwrap_or(0.0)
        };
        let base: Vec<f64> = names.iter().map(|name| start(name)).collect();
        let amplitude = |base: &f64| if *base == 0.0 { 0.25 } else { 0.5 * base };
        let amplitudes: Vec<f64> = base.iter().map(amplitude).collect();
        let references = fmu.reals(names);
        let list: Vec<String> = references.iter().map(u32::to_string).collect();
        let (base, amplitudes) = (bits_of(&base), bits_of(&amplitudes));
        format!(" {} {} {} {base} {amplitudes}", references.len(), bits(period), list.join(" "))
    }

    /// By FMPy: its Co-Simulation master, or Model Exchange with CVode, which reports at events
    /// too.
    pub fn fmpy(&self, fmu: &Fmu, fmu_type: FmuType) -> TimeSeries {
        let fmu_type = match fmu_type {
            FmuType::CoSimulation => "CoSimulation",
            FmuType::ModelExchange => "ModelExchange",
        };
        let tolerance = self.tolerance.unwrap_or_else(|| fmu.tolerance());
        let path = fmu.path.to_string_lossy();
        let numbers = [self.h, self.stop, tolerance].map(|number| number.to_string());
        let starts = self.starts.iter().map(|(name, value)| format!("{name}={value}"));
        let starts: Vec<String> = starts.collect();
        let mut arguments = vec![&*path, fmu_type];
        arguments.extend(numbers.iter().chain(&starts).map(String::as_str));
        arguments.extend(self.names(fmu));
        parse(&script("simulate.py", &arguments))
    }

    fn table(&self, names: &[&str], values: &[f64]) -> TimeSeries {
        let rows: Vec<Vec<f64>> = values.chunks(names.len()).map(<[f64]>::to_vec).collect();
        let time = (0..rows.len()).map(|i| i as f64 * self.h).collect();
        TimeSeries { names: names.iter().map(|n| (*n).to_owned()).collect(), time, rows }
    }
}

/// The most events of a run in an importer of Python, which needs a second for some thousands.
const MOST_EVENTS: f64 = 6000.0;

/// The number of events of a Co-Simulation until now.
pub fn events(instance: &Instance) -> f64 {
    let counts = [SolverCount::StateEvents, SolverCount::TimeEvents].map(SolverCount::name);
    instance.values(&counts).iter().sum()
}

/// The duration in s of a run in importers: that of the default experiment, or a part of it if it
/// has very many events.
pub fn span(fmu: &Fmu) -> f64 {
    let harness = Harness::new(fmu);
    let instance = harness.instantiate(fmu, FmuType::CoSimulation);
    instance.start(None, fmu.starts()).step(0.0, fmu.stop_time());
    fmu.stop_time() * (MOST_EVENTS / events(&instance)).min(1.0)
}

/// The work of a Co-Simulation: each count of its solver.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SolverWork([u64; SolverCount::ALL.len()]);

impl SolverWork {
    /// The work in the message that an FMU logs when it is terminated.
    pub fn logged(log: &[Message]) -> Option<SolverWork> {
        SolverWork::parse(log.iter().find_map(|message| message.text.strip_prefix("solver: "))?)
    }

    /// The work in such a message.
    pub fn parse(text: &str) -> Option<SolverWork> {
        let mut parts = text.split(", ");
        let mut work = SolverWork::default();
        for count in SolverCount::ALL {
            let (number, what) = parts.next()?.split_once(' ')?;
            work.0[count as usize] = number.parse().ok().filter(|_| what == count.what())?;
        }
        parts.next().is_none().then_some(work)
    }

    /// One of the counts.
    pub fn of(&self, count: SolverCount) -> u64 {
        self.0[count as usize]
    }
}
