//! Evaluation of a program at one point: its tape with the same vectors as emitted code.

use std::ops::{Deref, DerefMut};
use std::sync::Arc;

use expressions::NamedFailure;
use program::{Function, OwnedEnv, Results, Source, Stage, Tape, Workspace};

use crate::compile::Program;

/// A program with its memory: its equations at one point. Events and integration are functions of
/// the run time.
///
/// The vectors are those of emitted code. After setting one, the caller must realize the stages
/// that depend on it again.
#[derive(Clone, Debug)]
pub struct Interpreter {
    program: Arc<Program>,
    tape: Arc<Tape>,
    workspace: Workspace<f64>,
    env: OwnedEnv<f64>,
    /// Residuals of the relations.
    pub d: Vec<f64>,
}

/// The values that an event iteration sets.
#[derive(Clone, Debug, PartialEq)]
pub struct EventUpdate {
    /// Discrete variables.
    pub m: Vec<f64>,
    /// Continuous states.
    pub x: Vec<f64>,
    /// Whether the simulation is to stop.
    pub terminate: bool,
}

impl Deref for Interpreter {
    type Target = OwnedEnv<f64>;

    fn deref(&self) -> &OwnedEnv<f64> {
        &self.env
    }
}

impl DerefMut for Interpreter {
    fn deref_mut(&mut self) -> &mut OwnedEnv<f64> {
        &mut self.env
    }
}

impl Interpreter {
    /// A program with parameters, inputs and discrete variables at their start values; everything
    /// else is zero until [`Interpreter::initialize`].
    pub fn new(program: Program) -> Interpreter {
        let tape = program.tape();
        let tables = program.code.tables().iter().map(|t| t.contents().rows.clone()).collect();
        let env = OwnedEnv::at_start(program.info, tables, 0.0);
        Interpreter {
            workspace: Workspace::new(tape),
            tape: Arc::new(tape.clone()),
            env: OwnedEnv { t: program.description.experiment.start_time, ..env },
            d: vec![0.0; program.info.relations.len()],
            program: Arc::new(program),
        }
    }

    /// The program.
    pub fn program(&self) -> &Program {
        &self.program
    }

    /// Computes initial values: `x`, `c`, `z`, and moves the anchor to them.
    ///
    /// # Errors
    /// If a nonlinear block could not be solved.
    pub fn initialize(&mut self) -> Result<(), NamedFailure> {
        self.run(Function::Initial, &mut None)?;
        self.env.anchor.copy_from_slice(&self.env.z);
        Ok(())
    }

    /// Computes the values of a stage that the derivatives need.
    ///
    /// # Errors
    /// If a nonlinear block could not be solved.
    pub fn advance(&mut self, stage: Stage) -> Result<(), NamedFailure> {
        self.run(Function::Advance(stage), &mut None)
    }

    /// Computes the other variables of a stage.
    ///
    /// # Errors
    /// If a nonlinear block could not be solved.
    pub fn report(&mut self, stage: Stage) -> Result<(), NamedFailure> {
        self.run(Function::Report(stage), &mut None)
    }

    /// Realizes all stages ([`Interpreter::advance`] for each of them), and computes the unknowns
    /// of the deferred blocks.
    ///
    /// # Errors
    /// If a nonlinear block could not be solved.
    pub fn realize(&mut self) -> Result<(), NamedFailure> {
        Stage::ALL.into_iter().try_for_each(|stage| self.advance(stage))?;
        self.unknowns()
    }

    /// Computes the residuals `d` of the relations, after [`Interpreter::realize`].
    ///
    /// # Errors
    /// If a nonlinear block could not be solved.
    pub fn relations(&mut self) -> Result<(), NamedFailure> {
        self.run(Function::Relations, &mut None)
    }

    /// Computes the residuals `d` of the state relations without the values that only derivatives
    /// need, if the program has a function for this: see [`program::Info::indicators_apart`]. The
    /// stages up to [`Stage::Discrete`] must be realized.
    ///
    /// # Errors
    /// If a nonlinear block could not be solved.
    pub fn indicators(&mut self) -> Result<(), NamedFailure> {
        self.run(Function::Indicators, &mut None)
    }

    /// Computes the unknowns of the deferred blocks, after [`Interpreter::advance`] of the stages
    /// up to [`program::Info::deferred`].
    ///
    /// # Errors
    /// If a nonlinear block could not be solved.
    pub fn unknowns(&mut self) -> Result<(), NamedFailure> {
        self.run(Function::Unknowns, &mut None)
    }

    /// One pass of the event iteration, after [`Interpreter::realize`].
    ///
    /// # Errors
    /// If a nonlinear block could not be solved.
    pub fn event(&mut self) -> Result<EventUpdate, NamedFailure> {
        let mut next = Some(EventUpdate { m: self.m.clone(), x: self.x.clone(), terminate: false });
        self.run(Function::Event, &mut next)?;
        Ok(next.expect("the event has run"))
    }

    /// The value of a variable, after [`Interpreter::realize`] (truth values as 0 and 1); `None` if
    /// there is no such variable or it cannot be computed.
    pub fn value_of(&mut self, name: &str) -> Option<f64> {
        let source = *self.program.published.names.get(name)?;
        if let Source::Reported(_, stage) = source {
            self.report(stage).ok()?;
        }
        Some(self.value_from(source))
    }

    fn value_from(&self, source: Source) -> f64 {
        match source {
            Source::Constant(value) => value,
            // There is no solver.
            Source::Solver(_) => 0.0,
            Source::Time => self.t,
            Source::Parameter(i) => self.p[i as usize],
            Source::Calculated(i) => self.c[i as usize],
            Source::Discrete(i) => self.m[i as usize],
            Source::Relation(i) => f64::from(u8::from(self.r[i as usize])),
            Source::State(i) => self.x[i as usize],
            Source::Input(i) => self.u[i as usize],
            Source::Derivative(i) => self.dx[i as usize],
            Source::Advanced(i, _) | Source::Reported(i, _) => self.w[i as usize],
        }
    }

    fn run(
        &mut self,
        function: Function,
        next: &mut Option<EventUpdate>,
    ) -> Result<(), NamedFailure> {
        let tape = Arc::clone(&self.tape);
        let (m, x) = next.as_mut().map_or((&mut [][..], &mut [][..]), |next| {
            (next.m.as_mut_slice(), next.x.as_mut_slice())
        });
        let mut results = Results { d: &mut self.d, m, x, ..Results::default() };
        let done = tape.run(function, &mut self.env.env(), &mut self.workspace, &mut results);
        let terminate = results.terminate;
        if let Some(next) = next {
            next.terminate |= terminate;
        }
        done.map_err(|failure| self.program.named(failure))
    }
}
