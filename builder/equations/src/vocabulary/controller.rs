//! Controllers that are compiled code, as data.

use expressions::graph::Id;
use expressions::{Bool, Ex, depends_on};
use program::controller::CompiledController;

/// A controller that is compiled code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ControllerNumber(pub(crate) usize);

/// A controller in a model under construction.
#[derive(Debug)]
pub(crate) struct ControllerEquation {
    pub name: String,
    pub code: CompiledController,
    pub tick: Bool,
    pub number: Ex,
    pub inputs: Vec<Ex>,
    pub outputs: Vec<ControllerOutput>,
    /// The first of its discrete variables.
    pub first: u32,
    /// Whether its inputs depend on outputs of controllers before it.
    pub follows: bool,
}

/// An output of a controller.
#[derive(Debug)]
pub(crate) struct ControllerOutput {
    /// The placeholder.
    pub symbol: Ex,
    /// What the controller holds.
    pub held: Ex,
    /// What its last step returned.
    pub new: Ex,
}

impl ControllerEquation {
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
    pub fn reads(&self, others: &[ControllerEquation]) -> Option<usize> {
        let leads = |output: &ControllerOutput| depends_on(&self.inputs, output.symbol);
        others.iter().position(|other| other.outputs.iter().any(leads))
    }
}

/// The names of controllers in a cycle; each one reads an output of one of them.
pub(crate) fn cycle(controllers: &[ControllerEquation]) -> Vec<&str> {
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
