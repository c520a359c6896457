//! An instance of an FMU in a process of the harness, with the calls of FMI 2.0 by names of
//! variables.

use fmu_builder::model_description::Base;
use program::SolverCount;

use crate::harness::{Answer, bits, bits_of, references_text};
use crate::runs::Habit;
use crate::{Fmu, FmuType, Harness, Status};

/// An instance; calls that are expected to succeed panic with the FMU's log if they fail.
pub struct Instance<'a> {
    /// The process in which it exists.
    pub harness: &'a Harness,
    /// The FMU.
    pub fmu: &'a Fmu,
    number: usize,
}

impl<'a> Instance<'a> {
    /// The instance with a number in the process of the harness.
    pub(crate) fn new(harness: &'a Harness, fmu: &'a Fmu, number: usize) -> Instance<'a> {
        Instance { harness, fmu, number }
    }

    /// Its number in the process of the harness.
    pub fn number(&self) -> usize {
        self.number
    }

    /// Makes a call on the instance: the harness' command and its arguments.
    pub fn call(&self, command: &str, arguments: &str) -> Answer {
        self.harness.call(format!("{command} {} {arguments}", self.number).trim_end())
    }

    /// Makes a call that must succeed.
    pub fn ok(&self, command: &str, arguments: &str) -> Answer {
        let answer = self.call(command, arguments);
        assert_eq!(
            answer.status(),
            Status::Ok,
            "{}: `{command} {arguments}`; its log: {:?}",
            self.fmu.name(),
            self.harness.log()
        );
        answer
    }

    /// Makes a call that must succeed and has no result; calls can be chained.
    pub fn then(&self, command: &str) -> &Self {
        self.ok(command, "");
        self
    }

    /// fmi2SetupExperiment.
    pub fn setup(&self, tolerance: Option<f64>, start: f64, stop: Option<f64>) -> &Self {
        let option = |value: Option<f64>| {
            format!("{} {}", i32::from(value.is_some()), bits(value.unwrap_or(f64::NAN)))
        };
        self.ok("setup", &format!("{} {} {}", option(tolerance), bits(start), option(stop)));
        self
    }

    /// Sets up the experiment without options and initializes with some start values.
    pub fn start(&self, tolerance: Option<f64>, starts: &[(&str, f64)]) -> &Self {
        self.setup(tolerance, 0.0, None);
        starts.iter().for_each(|(name, value)| self.set(name, *value));
        self.then("enter_initialization").then("exit_initialization")
    }

    /// Sets a variable of any numeric type.
    pub fn set(&self, name: &str, value: f64) {
        self.ok(&format!("set_{}", self.type_of(name)), &self.one_to_set(name, value));
    }

    /// The status of setting a variable.
    pub fn try_set(&self, name: &str, value: f64) -> Status {
        self.call(&format!("set_{}", self.type_of(name)), &self.one_to_set(name, value)).status()
    }

    fn one_to_set(&self, name: &str, value: f64) -> String {
        let v = self.fmu.variable(name);
        let text = if v.base == Base::Real { bits(value) } else { format!("{value}") };
        format!("1 {} {text}", v.value_reference)
    }

    fn type_of(&self, name: &str) -> &'static str {
        match self.fmu.variable(name).base {
            Base::Real => "real",
            Base::Boolean => "boolean",
            _ => "integer",
        }
    }

    /// The value of a variable of any numeric type.
    pub fn get(&self, name: &str) -> f64 {
        let arguments = format!("1 {}", self.fmu.variable(name).value_reference);
        let answer = self.ok(&format!("get_{}", self.type_of(name)), &arguments);
        match self.fmu.variable(name).base {
            Base::Real => answer.reals(0)[0],
            _ => answer.integer(0) as f64,
        }
    }

    /// The values of several variables.
    pub fn values(&self, names: &[&str]) -> Vec<f64> {
        names.iter().map(|name| self.get(name)).collect()
    }

    /// The values of Real variables, by value reference, in one call.
    pub fn reals(&self, references: &[u32]) -> Vec<f64> {
        self.ok("get_real", &references_text(references)).reals(0)
    }

    /// Sets Real variables, by value reference, in one call.
    pub fn set_reals(&self, references: &[u32], values: &[f64]) {
        self.ok("set_real", &format!("{} {}", references_text(references), bits_of(values)));
    }

    /// Every value of the instance that an importer can read: Reals, Integers and Booleans.
    pub fn everything(&self) -> Vec<u64> {
        self.all_values(|_| true)
    }

    /// The same without the counts of the solver's work.
    pub fn everything_but_work(&self) -> Vec<u64> {
        self.all_values(|name| SolverCount::ALL.iter().all(|count| count.name() != name))
    }

    /// The values of the variables whose names are wanted.
    fn all_values(&self, is_wanted: impl Fn(&str) -> bool) -> Vec<u64> {
        let references = |wanted: fn(Base) -> bool| {
            let variables = self.fmu.description.variables.iter();
            let variables = variables.filter(|v| wanted(v.base) && is_wanted(&v.name));
            references_text(&variables.map(|v| v.value_reference).collect::<Vec<u32>>())
        };
        let reals = self.ok("get_real", &references(|base| base == Base::Real)).reals(0);
        let mut all: Vec<u64> = reals.into_iter().map(f64::to_bits).collect();
        let integers = references(|base| matches!(base, Base::Integer | Base::Enumeration));
        for answer in [
            self.ok("get_integer", &integers),
            self.ok("get_boolean", &references(|base| base == Base::Boolean)),
        ] {
            let number = |word: &String| word.parse::<i64>().expect("a whole number") as u64;
            all.extend(answer.words().iter().map(number));
        }
        all
    }

    /// A vector of Model Exchange: `get_states`, `get_derivatives`, `get_indicators`, ...
    pub fn vector(&self, command: &str, length: usize) -> Vec<f64> {
        self.ok(command, &length.to_string()).reals(0)
    }

    /// fmi2SetTime.
    pub fn set_time(&self, t: f64) {
        self.ok("set_time", &bits(t));
    }

    /// fmi2SetContinuousStates.
    pub fn set_states(&self, x: &[f64]) {
        self.ok("set_states", &format!("{} {}", x.len(), bits_of(x)));
    }

    /// fmi2DoStep.
    pub fn step(&self, t: f64, h: f64) {
        self.ok("step", &format!("{} {}", bits(t), bits(h)));
    }

    /// fmi2GetDirectionalDerivative.
    pub fn directional(&self, unknowns: &[u32], knowns: &[u32], seed: &[f64]) -> Vec<f64> {
        let (unknowns, knowns) = (references_text(unknowns), references_text(knowns));
        self.ok("directional", &format!("{unknowns} {knowns} {}", bits_of(seed))).reals(0)
    }

    /// Goes from the time 0, after the initialization, to an instant: in Co-Simulation by one step,
    /// and in Model Exchange, where the instance is in Continuous-Time Mode then, as the standard
    /// prescribes.
    pub fn go_to(&self, fmu_type: FmuType, t: f64) {
        if fmu_type == FmuType::CoSimulation {
            self.step(0.0, t);
            return;
        }
        // While friction sticks, all derivatives vanish, and a long step would pass two events.
        let steps = (1000.0 * t / self.fmu.stop_time()).ceil();
        let h = if steps > 0.0 { t / steps } else { 0.0 };
        let status = Habit::Standard.integrate(self, h, steps as usize, "0").status();
        assert_eq!(status, Status::Ok, "{} to {t} s: {:?}", self.fmu.name(), self.harness.log());
    }

    /// Calls fmi2NewDiscreteStates until no more is needed; returns the next time event.
    pub fn iterate_events(&self) -> Option<f64> {
        for _ in 0..1000 {
            let answer = self.ok("new_discrete_states", "");
            if answer.integer(0) == 0 {
                return (answer.integer(4) != 0).then(|| answer.reals(5)[0]);
            }
        }
        panic!("{}: the event iteration does not end", self.fmu.name())
    }

    /// fmi2FreeInstance.
    pub fn free(self) {
        self.ok("free", "");
    }
}
