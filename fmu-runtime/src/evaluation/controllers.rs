//! Controllers that are compiled code: their steps in the event iteration.
//!
//! A controller makes one step at each tick, in the pass of the event iteration in which its clock
//! ticks, after consistent relations are known. Its step reads values of this pass. Everything that
//! is evaluated between ticks, or to find relations, reads the outputs that the controller holds,
//! so no trial evaluation runs the code of an author.

use crate::evaluation::Evaluation;
use crate::model::fault::{ControllerFault, Fault};
use crate::model::system::{Controller, Source, Stage};
use std::panic::{AssertUnwindSafe, catch_unwind};

impl Evaluation {
    /// Makes the steps of the controllers that tick in this pass, in the order of the data.
    pub fn run_controllers(&mut self) -> Result<(), Fault> {
        let mut is_outdated = false;
        for (i, controller) in self.info.controllers.iter().enumerate() {
            if self.value(controller.tick)? == 0.0 {
                continue;
            }
            // What depends on earlier outputs is computed again.
            if controller.follows && is_outdated {
                self.memory.invalidate(Stage::Discrete);
            }
            self.run_controller(i, controller)?;
            is_outdated = true;
        }
        if !self.info.controllers.is_empty() {
            self.realize(Stage::Dynamics)?;
        }
        Ok(())
    }

    /// Makes a step of a controller.
    fn run_controller(&mut self, i: usize, controller: &Controller) -> Result<(), Fault> {
        for (k, &input) in controller.inputs.iter().enumerate() {
            self.scratch.control[k] = self.value_in_effect(input)?;
        }
        let fault = ControllerFault {
            controller: i,
            tick: self.value(controller.number)?,
            time: self.time(),
            output: None,
        };
        let (first, outputs) = (controller.first as usize, controller.outputs as usize);
        let own = &mut self.memory.m_mut()[first..first + outputs + controller.length as usize];
        let (y, data) = own.split_at_mut(outputs);
        let u = &self.scratch.control[..controller.inputs.len()];
        let done = catch_unwind(AssertUnwindSafe(|| (controller.step)(data, u, y)));
        done.map_err(|_| Fault::Controller(fault))?;
        let output = y.iter().copied().enumerate().find(|(_, y)| !y.is_finite());
        output.map_or(Ok(()), |_| Err(Fault::Controller(ControllerFault { output, ..fault })))
    }

    /// The value of a source. Inputs that were set count when they take effect.
    pub fn value_in_effect(&mut self, source: Source) -> Result<f64, Fault> {
        match source {
            Source::Input(i) => Ok(self.memory.u()[i as usize]),
            source => self.value(source),
        }
    }
}
