//! Controllers that are compiled code, and make a step at each tick of a clock.
//!
//! In an event iteration, an output has two values. Everything that is also evaluated between ticks
//! reads the held value, and what is evaluated in a pass only reads the value after the step. In
//! the next pass, both are equal. The run time writes the value after the step to a discrete
//! variable, and an update carries it over.

use expressions::graph::Id;
use expressions::{Bool, Ex, depends_on};
use program::controller::CompiledController;

use crate::model::Model;
use crate::model::clock::Ticks;
use crate::model::declared::DiscreteVariable;
use crate::vocabulary::error::Error;

/// A controller that is compiled code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ControllerNumber(usize);

/// A controller in a model under construction.
#[derive(Debug)]
pub(crate) struct ControllerEquation {
    pub name: String,
    pub code: CompiledController,
    pub tick: Bool,
    pub number: Ex,
    pub inputs: Vec<Ex>,
    outputs: Vec<Output>,
    /// Whether its inputs depend on outputs of controllers before it.
    pub follows: bool,
}

/// An output of a controller.
#[derive(Debug)]
struct Output {
    /// The placeholder.
    symbol: Ex,
    /// What the controller holds.
    held: DiscreteVariable,
    /// What its last step returned.
    new: DiscreteVariable,
}

impl ControllerEquation {
    /// The first of its discrete variables.
    pub fn first(&self) -> u32 {
        self.outputs.first().map_or(0, |output| output.new.0)
    }

    /// Whether its inputs were not given yet.
    pub fn lacks_inputs(&self) -> bool {
        self.inputs.len() != self.code.inputs
    }

    /// The expressions that the run time reads: tick, number of the tick, inputs.
    pub fn ids(&self) -> impl Iterator<Item = Id> {
        let inputs = self.inputs.iter().map(|input| input.id());
        [self.tick.id(), self.number.id()].into_iter().chain(inputs)
    }

    /// The first of some controllers of which an output leads to an input.
    fn reads(&self, others: &[ControllerEquation]) -> Option<usize> {
        let leads = |output: &Output| depends_on(&self.inputs, output.symbol);
        others.iter().position(|other| other.outputs.iter().any(leads))
    }
}

/// The names of controllers in a cycle; each one reads an output of one of them.
fn cycle(controllers: &[ControllerEquation]) -> Vec<&str> {
    let mut path = vec![0];
    while let Some(next) = path.last().and_then(|&of| controllers[of].reads(controllers)) {
        if let Some(begin) = path.iter().position(|&known| known == next) {
            path.drain(..begin);
            break;
        }
        path.push(next);
    }
    path.into_iter().map(|of| &*controllers[of].name).collect()
}

impl Model {
    /// A controller that is compiled code and makes a step at each tick; its inputs are given by
    /// [`Model::controller_inputs`]. `held` are its outputs, which keep their start values until
    /// the first tick. Its code must have an output.
    pub fn controller(
        &mut self,
        name: &str,
        code: CompiledController,
        ticks: Ticks,
        held: &[DiscreteVariable],
    ) -> ControllerNumber {
        if code.outputs == 0 || code.outputs != held.len() {
            let text = format!("{name}: its code has {} outputs, not {}", code.outputs, held.len());
            self.refuse(Error::Definition(text));
        }
        let output = |(i, &held): (usize, &DiscreteVariable)| {
            let start = self.discretes[held.0 as usize].start;
            let new = self.memory(&format!("{name}: output {}", i + 1), start);
            self.update(held, new.pre());
            Output { symbol: Ex::symbol(), held, new }
        };
        let outputs = held.iter().enumerate().map(output).collect();
        for (i, &start) in code.data.iter().enumerate() {
            self.memory(&format!("{name}: data {}", i + 1), start);
        }
        self.controllers.push(ControllerEquation {
            name: name.to_owned(),
            code,
            tick: ticks.tick,
            number: ticks.number.pre(),
            inputs: Vec::new(),
            outputs,
            follows: false,
        });
        ControllerNumber(self.controllers.len() - 1)
    }

    /// The inputs of a controller.
    pub fn controller_inputs(&mut self, ControllerNumber(i): ControllerNumber, inputs: Vec<Ex>) {
        let controller = &mut self.controllers[i];
        let (name, given, needed) = (&controller.name, inputs.len(), controller.code.inputs);
        if given != needed {
            let text = format!("{name}: {given} inputs are given, but its code has {needed}");
            return self.refuse(Error::Definition(text));
        }
        controller.inputs = inputs;
    }

    /// An output of a controller, in a pass with a tick that after its step.
    #[must_use]
    pub fn controller_output(&self, ControllerNumber(i): ControllerNumber, output: usize) -> Ex {
        self.controllers[i].outputs[output].symbol
    }

    /// Replaces the placeholders of outputs, and brings the controllers into the order of the data.
    pub(crate) fn complete_controllers(&mut self) {
        let mut rest = std::mem::take(&mut self.controllers);
        while !rest.is_empty() {
            let Some(next) = rest.iter().position(|of| of.reads(&rest).is_none()) else {
                let text = format!(
                    "{}: these controllers need each other's outputs within a tick; a UnitDelay \
                     opens the cycle",
                    cycle(&rest).join(", ")
                );
                return self.refuse(Error::Definition(text));
            };
            let mut next = rest.remove(next);
            next.follows = next.reads(&self.controllers).is_some();
            self.controllers.push(next);
        }
        let outputs = self.controllers.iter().flat_map(|of| &of.outputs);
        let (at_events, held): (Vec<_>, Vec<_>) =
            outputs.map(|of| ((of.symbol, of.new.pre()), (of.symbol, of.held.pre()))).unzip();
        if !held.is_empty() {
            self.substitute_at_events(&at_events);
            self.substitute(&held);
        }
    }
}
