//! The interpreter: runs a program on vectors of the same shape as emitted code, with the same
//! bits.

use std::sync::Arc;

use kernels::limits::{Assigned, unmet};
use kernels::rows::Rows;

use crate::graph::{Id, Leaf, Node};
use crate::layout::{Chunk, Target};
use crate::machine::{Failure, Machine};
use crate::program::{Function, Program, Stage, Subject};
use crate::publish::Source;

/// A program with its memory.
///
/// The vectors are those that emitted code works on; setting one invalidates what depends on it,
/// and it is the caller who climbs again.
#[derive(Clone, Debug)]
pub struct Interpreter {
    program: Arc<Program>,
    machine: Machine,
    /// Time in s.
    pub t: f64,
    /// True while initial values are being determined.
    pub initial: bool,
    /// Parameters and start values.
    pub p: Vec<f64>,
    /// Calculated parameters.
    pub c: Vec<f64>,
    /// Discrete variables.
    pub m: Vec<f64>,
    /// Relations.
    pub r: Vec<bool>,
    /// Continuous states.
    pub x: Vec<f64>,
    /// Inputs.
    pub u: Vec<f64>,
    /// Tables of plain numbers.
    pub tables: Vec<Rows>,
    /// Unknowns of the nonlinear blocks at the last accepted point.
    pub anchor: Vec<f64>,
    /// Unknowns found.
    pub z: Vec<f64>,
    /// Computed values.
    pub w: Vec<f64>,
    /// Derivatives of the states.
    pub dx: Vec<f64>,
    /// Residuals of the relations.
    pub d: Vec<f64>,
    /// Which requirements are met; which of the first modes hold.
    answers: Vec<bool>,
}

/// What an event iteration gives.
#[derive(Clone, Debug, PartialEq)]
pub struct Next {
    /// Discrete variables.
    pub m: Vec<f64>,
    /// Continuous states.
    pub x: Vec<f64>,
    /// Whether the simulation is to stop.
    pub terminate: bool,
}

impl Interpreter {
    /// A program with parameters, inputs and discrete variables at their start values; everything
    /// else is zero until [`Interpreter::initialize`].
    pub fn new(program: Program) -> Interpreter {
        let facts = &program.facts;
        let machine = Machine::new(&program.code);
        Interpreter {
            machine,
            t: program.description.experiment.start_time,
            initial: true,
            p: facts.parameters.clone(),
            c: vec![0.0; facts.calculated],
            m: facts.discretes.iter().map(|(_, start, _)| *start).collect(),
            r: vec![false; facts.relations.len()],
            x: vec![0.0; facts.states.len()],
            u: facts.inputs.clone(),
            tables: program.code.tables().iter().map(|t| t.contents().rows.clone()).collect(),
            anchor: vec![0.0; facts.unknowns],
            z: vec![0.0; facts.unknowns],
            w: vec![0.0; program.work as usize],
            dx: vec![0.0; facts.states.len()],
            d: vec![0.0; facts.relations.len()],
            answers: vec![true; facts.requirements.len().max(facts.first_modes.len())],
            program: Arc::new(program),
        }
    }

    /// The program.
    pub fn program(&self) -> &Program {
        &self.program
    }

    /// The sentence about the first requirement on a subject that is not met: on parameters before
    /// [`Interpreter::initialize`], on initial values after it.
    ///
    /// # Errors
    /// A nonlinear block that could not be solved.
    pub fn unmet(&mut self, subject: Subject) -> Result<Option<String>, Failure> {
        let Some(i) = self.answers(Function::Required(subject))?.iter().position(|met| !met) else {
            return Ok(None);
        };
        let program = Arc::clone(&self.program);
        let requirement = &program.facts.requirements[i];
        let named = requirement.of.iter();
        let assigned = named.map(|(name, unit, source)| {
            let value = self.value_from(*source);
            Assigned { name, value, unit }
        });
        let of: Vec<Assigned<'_>> = assigned.collect();
        Ok(Some(unmet(&of, &requirement.sentence)))
    }

    /// What a function says to questions; one that is not asked is answered with yes.
    pub(crate) fn answers(&mut self, function: Function) -> Result<&[bool], Failure> {
        self.answers.fill(true);
        self.run(function, &mut None)?;
        Ok(&self.answers)
    }

    /// Computes initial values: `x`, `c`, `z`, and moves the anchor to them.
    ///
    /// # Errors
    /// A nonlinear block that could not be solved.
    pub fn initialize(&mut self) -> Result<(), Failure> {
        self.run(Function::Initial, &mut None)?;
        self.anchor.copy_from_slice(&self.z);
        Ok(())
    }

    /// Computes what the derivatives need in a stage.
    ///
    /// # Errors
    /// A nonlinear block that could not be solved.
    pub fn advance(&mut self, stage: Stage) -> Result<(), Failure> {
        self.run(Function::Advance(stage), &mut None)
    }

    /// Computes the other variables of a stage.
    ///
    /// # Errors
    /// A nonlinear block that could not be solved.
    pub fn report(&mut self, stage: Stage) -> Result<(), Failure> {
        self.run(Function::Report(stage), &mut None)
    }

    /// All stages of [`Interpreter::advance`].
    ///
    /// # Errors
    /// A nonlinear block that could not be solved.
    pub fn climb(&mut self) -> Result<(), Failure> {
        Stage::ALL.into_iter().try_for_each(|stage| self.advance(stage))
    }

    /// Computes the residuals `d` of the relations, after [`Interpreter::climb`].
    ///
    /// # Errors
    /// A nonlinear block that could not be solved.
    pub fn relations(&mut self) -> Result<(), Failure> {
        self.run(Function::Relations, &mut None)
    }

    /// One event iteration, after [`Interpreter::climb`].
    ///
    /// # Errors
    /// A nonlinear block that could not be solved.
    pub fn event(&mut self) -> Result<Next, Failure> {
        let mut next = Some(Next { m: self.m.clone(), x: self.x.clone(), terminate: false });
        self.run(Function::Event, &mut next)?;
        Ok(next.expect("the event has run"))
    }

    /// Gives a parameter a value, before [`Interpreter::initialize`]; `false` if there is no
    /// parameter of this name.
    pub fn set_parameter(&mut self, name: &str, value: f64) -> bool {
        let Some(Source::Parameter(i)) = self.program.published.names.get(name) else {
            return false;
        };
        self.p[*i as usize] = value;
        true
    }

    /// Gives a continuous state a value; `false` if there is no state of this name.
    pub fn set_state(&mut self, name: &str, value: f64) -> bool {
        let Some(Source::State(i)) = self.program.published.names.get(name) else {
            return false;
        };
        self.x[*i as usize] = value;
        true
    }

    /// The value of a variable, after [`Interpreter::climb`] (truth values as 0 and 1); `None` if
    /// there is no such variable or it cannot be computed.
    pub fn value_of(&mut self, name: &str) -> Option<f64> {
        let source = *self.program.published.names.get(name)?;
        if let Source::Reported(_, stage) = source {
            self.report(stage).ok()?;
        }
        Some(self.value_from(source))
    }

    /// The value of a variable, after [`Interpreter::climb`] and [`Interpreter::report`] of all
    /// stages; `None` if there is no such variable.
    pub fn reported(&self, name: &str) -> Option<f64> {
        Some(self.value_from(*self.program.published.names.get(name)?))
    }

    fn value_from(&self, source: Source) -> f64 {
        match source {
            Source::Constant(value) => value,
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

    fn run(&mut self, function: Function, next: &mut Option<Next>) -> Result<(), Failure> {
        let program = Arc::clone(&self.program);
        let Some(chunks) = program.functions.get(&function) else { return Ok(()) };
        self.load_leaves(&program);
        for chunk in chunks {
            self.run_chunk(&program, chunk, next)?;
        }
        Ok(())
    }

    fn load_leaves(&mut self, program: &Program) {
        for (id, leaf) in program.code.leaves() {
            let truth = |value: bool| f64::from(u8::from(value));
            self.machine.values[id as usize] = match leaf {
                Leaf::Time => self.t,
                Leaf::State(i) => self.x[i as usize],
                Leaf::Input(i) => self.u[i as usize],
                Leaf::Parameter(i) => self.p[i as usize],
                Leaf::Calculated(i) => self.c[i as usize],
                Leaf::Pre(i) => self.m[i as usize],
                Leaf::Relation(i) => truth(self.r[i as usize]),
                Leaf::Anchor(i) => self.anchor[i as usize],
                Leaf::Initial => truth(self.initial),
                Leaf::Symbol(_) => f64::NAN,
            };
        }
    }

    fn run_chunk(
        &mut self,
        program: &Program,
        chunk: &Chunk,
        next: &mut Option<Next>,
    ) -> Result<(), Failure> {
        // As in emitted code, what another piece has computed comes from the work vector.
        for (&id, &slot) in &program.slots {
            self.load(program, id, slot as usize);
        }
        for position in 0..=chunk.nodes.len() {
            if let Some(&node) = chunk.nodes.get(position) {
                self.compute(program, node)?;
            }
            for &(target, id) in chunk.stores.get(&position).into_iter().flatten() {
                self.store(program, target, id, next);
            }
        }
        Ok(())
    }

    fn load(&mut self, program: &Program, id: Id, slot: usize) {
        match program.code.node(id) {
            Node::Lu(_, n) => {
                let width = (n * n + n + 1) as usize;
                self.machine.several[id as usize] = self.w[slot..slot + width].to_vec();
            }
            node if node.is_given() => {}
            _ => self.machine.values[id as usize] = self.w[slot],
        }
    }

    /// Computes a node and, if it has several results, these too.
    fn compute(&mut self, program: &Program, node: Id) -> Result<(), Failure> {
        self.machine.compute(&program.code, node)?;
        for &output in program.code.outputs_of(node) {
            self.machine.compute(&program.code, output)?;
        }
        Ok(())
    }

    fn store(&mut self, program: &Program, target: Target, id: Id, next: &mut Option<Next>) {
        let value = self.machine.values[id as usize];
        match target {
            Target::Work(slot) => {
                let slot = slot as usize;
                if let Node::Lu(..) = program.code.node(id) {
                    let all = &self.machine.several[id as usize];
                    self.w[slot..slot + all.len()].copy_from_slice(all);
                } else {
                    self.w[slot] = value;
                }
            }
            Target::Derivative(i) => self.dx[i as usize] = value,
            Target::State(i) => self.x[i as usize] = value,
            Target::Calculated(i) => self.c[i as usize] = value,
            Target::Unknown(i) => self.z[i as usize] = value,
            Target::Residual(i) => self.d[i as usize] = value,
            Target::NextDiscrete(i) => {
                if let Some(next) = next {
                    next.m[i as usize] = value;
                }
            }
            Target::NextState(i) => {
                if let Some(next) = next {
                    next.x[i as usize] = value;
                }
            }
            Target::Truth(i) => self.answers[i as usize] = value != 0.0,
            Target::Terminate => {
                if let Some(next) = next {
                    next.terminate |= value != 0.0;
                }
            }
        }
    }
}
