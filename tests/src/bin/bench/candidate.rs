//! A measured system, and its measurements.

use std::path::PathBuf;
use std::rc::Rc;

use coupler_tests::harness::{bits, quote};
use coupler_tests::runs::SolverWork;
use coupler_tests::{Fmu, Harness, Status};
use program::SolverCount;

use crate::rows::Comparison;
use crate::{H, TOLERANCE};

/// A model or yardstick that is measured.
pub struct Candidate {
    pub name: String,
    /// Its FMU; a yardstick is a library alone.
    pub fmu: Option<Rc<Fmu>>,
    pub library: PathBuf,
    pub guid: String,
    /// Stop time in s.
    pub stop: f64,
    /// The value reference that is read after each step.
    pub read: u32,
    /// Values that are set before initialization, by value reference.
    pub starts: Vec<(u32, f64)>,
    /// The value of `solver.method`, if it is set.
    pub method: Option<i32>,
    /// The number of parts of a chain, and the name of a part.
    pub parts: Option<(usize, &'static str)>,
    pub comparison: Option<Comparison>,
    /// The shortest time of a step in ns.
    pub nanoseconds: f64,
    /// The shortest time from fmi2Instantiate to the end of initialization in ns.
    pub start: f64,
    /// The value that was read last.
    pub last: f64,
    /// The work of one simulation.
    pub work: SolverWork,
}

impl Candidate {
    /// An FMU whose variable `read` is read.
    pub fn of_fmu(name: &str, fmu: Rc<Fmu>, read: &str) -> Candidate {
        let reference = |name: &str| fmu.variable(name).value_reference;
        Candidate {
            guid: fmu.description.guid.clone(),
            stop: fmu.stop_time(),
            read: reference(read),
            starts: fmu.starts().iter().map(|(name, v)| (reference(name), *v)).collect(),
            ..Candidate::of_library(name, fmu.library().to_owned())
        }
        .with_fmu(fmu)
    }

    fn with_fmu(self, fmu: Rc<Fmu>) -> Candidate {
        Candidate { fmu: Some(fmu), ..self }
    }

    /// The library of a yardstick, which is simulated for 1 s unless `stop` is set.
    pub fn of_library(name: &str, library: PathBuf) -> Candidate {
        Candidate {
            name: name.to_owned(),
            fmu: None,
            library,
            guid: "yardstick".to_owned(),
            stop: 1.0,
            read: 0,
            starts: Vec::new(),
            method: None,
            parts: None,
            comparison: None,
            nanoseconds: f64::INFINITY,
            start: f64::INFINITY,
            last: f64::NAN,
            work: SolverWork::default(),
        }
    }

    /// The number of communication steps.
    fn steps(&self) -> f64 {
        (self.stop / H).floor()
    }

    /// The time of a simulation in ns, divided by its number of evaluations of the right-hand side;
    /// `None` if it has no states.
    pub fn per_evaluation(&self) -> Option<f64> {
        let evaluations = self.work.of(SolverCount::Evaluations);
        let states = self.fmu.as_ref().is_none_or(|fmu| !fmu.states().is_empty());
        (states && evaluations > 3).then(|| self.nanoseconds * self.steps() / evaluations as f64)
    }

    /// The size of the library in kB.
    pub fn library_size(&self) -> f64 {
        std::fs::metadata(&self.library).map_or(0.0, |m| m.len() as f64 / 1e3)
    }

    /// Measures one simulation.
    pub fn measure(&mut self) {
        let harness = self.started(false);
        let (h, steps) = (bits(H), self.steps());
        let run = format!("stop_watch 0 {} {h} {steps} {}", bits(0.0), self.read);
        let taken = self.call(&harness, &run).reals(0)[0];
        self.nanoseconds = self.nanoseconds.min(taken);
        self.last = self.call(&harness, &format!("get_real 0 1 {}", self.read)).reals(0)[0];
        let (guid, uri) = self.identity();
        let start = self.call(&harness, &format!("start_watch 1 {guid} {uri} 10")).reals(0)[0];
        self.start = self.start.min(start);
    }

    /// Makes one simulation with logging, whose last message contains the work that was needed.
    pub fn count(&mut self) {
        let harness = self.started(true);
        let (h, steps) = (bits(H), self.steps());
        self.call(&harness, &format!("simulate_cs 0 {} {h} {steps} 0", bits(0.0)));
        self.call(&harness, "terminate 0");
        self.work = SolverWork::logged(&harness.log()).expect("the FMU says what work it took");
    }

    /// GUID and resources as the harness reads them.
    fn identity(&self) -> (String, String) {
        let resources = self.fmu.as_ref().map_or("file:///tmp", |fmu| fmu.resources());
        (quote(Some(&self.guid)), quote(Some(resources)))
    }

    /// A harness with an initialized instance.
    fn started(&self, logging: bool) -> Harness {
        let harness = Harness::load(&self.library);
        let (guid, uri) = self.identity();
        let call = |command: &str| self.call(&harness, command);
        call(&format!("instantiate 0 1 =bench {guid} {uri} 2 0 {}", i32::from(logging)));
        call(&format!("setup 0 1 {} {} 0 0", bits(TOLERANCE), bits(0.0)));
        for (reference, value) in &self.starts {
            call(&format!("set_real 0 1 {reference} {}", bits(*value)));
        }
        if let (Some(method), Some(fmu)) = (self.method, &self.fmu) {
            let reference = fmu.variable("solver.method").value_reference;
            call(&format!("set_integer 0 1 {reference} {method}"));
        }
        call("enter_initialization 0");
        call("exit_initialization 0");
        harness
    }

    fn call(&self, harness: &Harness, command: &str) -> coupler_tests::harness::Answer {
        let answer = harness.call(command);
        let name = &self.name;
        assert_eq!(answer.status(), Status::Ok, "{name}: {command}: {:?}", harness.log());
        answer
    }
}
