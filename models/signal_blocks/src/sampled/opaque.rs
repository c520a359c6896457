//! Controllers as compiled code in Rust, which is run at each tick.

use super::periodic::{Sampling, sampling};
use crate::signals::interfaces::connected;
use equations::controller::{CompiledController, DeclaredController};
use mechanics::assembly::element;
use mechanics::declaration::{plain_settings, prelude::*};
use std::fmt;

/// A controller with its data before the first step.
#[derive(Clone)]
pub struct OpaqueLaw(CompiledController);

impl fmt::Debug for OpaqueLaw {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {:?}", self.0.name, self.0.data)
    }
}

impl<C: DeclaredController> From<C> for OpaqueLaw {
    fn from(controller: C) -> OpaqueLaw {
        OpaqueLaw(controller.compiled())
    }
}

plain_settings! { OpaqueLaw }

component! {
    /// Controller as compiled code in Rust. FMUs with players cannot contain it.
    ///
    /// # Equations
    /// At each tick, the function
    /// [`ControllerCode::step`](equations::controller::ControllerCode::step) of the controller
    /// computes the outputs `y` and its data from the inputs and its data. `y = 0` before the first
    /// tick.
    ///
    /// # Events
    /// A time event at each tick.
    pub struct OpaqueController {
        /// The controller
        controller: OpaqueLaw,
        ..sampling: sampling,
    }
    ports {
        /// Input signals
        u: [Input],
    }
    variables {
        /// Output signals
        y?: Array,
    }
}

impl Component for OpaqueController {
    fn contribute(p: OpaqueControllerParameters, c: &mut Contribution<'_>) -> Result<(), Error> {
        let OpaqueLaw(code) = p.controller;
        let ports = c.connected_inputs("u", "Input")?;
        if ports.len() != code.inputs {
            return Err(c.refuse("u", wrong_inputs(ports.len(), code.inputs)));
        }
        let ticks = p.sampling.begin(c).ticks;
        let names = (1..=code.outputs).map(|i| element("y", i));
        let held: Vec<_> = names.clone().map(|name| c.discrete(name, 0.0).done()).collect();
        let name = c.name().to_owned();
        let controller = c.model().controller(&name, code, ticks, &held);
        for (i, name) in names.enumerate() {
            let ports = ports.clone();
            c.signal(name, move |e| {
                // The outputs of a step depend on all inputs.
                ports.iter().try_for_each(|&port| e.read(port).map(|_| ()))?;
                Ok(e.model().controller_output(controller, i))
            });
        }
        c.law(move |e| {
            let inputs: Result<Vec<Ex>, Error> = ports.iter().map(|&port| e.read(port)).collect();
            e.model().controller_inputs(controller, inputs?);
            Ok(())
        });
        Ok(())
    }
}

/// The sentence about a number of inputs that is not that of a controller.
pub(super) fn wrong_inputs(given: usize, needed: usize) -> String {
    format!("{}, but the controller has {needed}", connected(given))
}
