//! Controllers that are compiled code, and make a step at each tick of a clock.
//!
//! In an event iteration, an output has two values. Everything that is also evaluated between ticks
//! reads the held value, and what is evaluated in a pass only reads the value after the step. In
//! the next pass, both are equal. The run time writes the value after the step to a discrete
//! variable, and an update carries it over.

use expressions::Ex;
use program::controller::CompiledController;

use crate::model::Model;
use crate::model::clock::Ticks;
use crate::model::declared::DiscreteVariable;
use crate::vocabulary::controller::{
    ControllerEquation, ControllerNumber, ControllerOutput, cycle,
};
use crate::vocabulary::error::Error;

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
        let first = self.discretes.len() as u32;
        let output = |(i, &held): (usize, &DiscreteVariable)| {
            let start = self.discretes[held.0 as usize].start;
            let new = self.memory(&format!("{name}: output {}", i + 1), start);
            self.update(held, new.pre());
            ControllerOutput { symbol: Ex::symbol(), held: held.pre(), new: new.pre() }
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
            first,
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
            outputs.map(|of| ((of.symbol, of.new), (of.symbol, of.held))).unzip();
        if !held.is_empty() {
            self.substitute_at_events(&at_events);
            self.substitute(&held);
        }
    }
}
