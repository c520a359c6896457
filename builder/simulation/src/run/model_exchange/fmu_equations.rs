//! An instance in Continuous-Time Mode as a system of differential equations.

use super::dormand_prince::RightHandSide;
use crate::run::inputs::{Inputs, Side};
use fmus::error::FailedCall;
use fmus::host::Instance;

/// The instance as a system of differential equations.
pub(super) struct FmuEquations<'a, 'l> {
    pub(super) instance: &'a mut Instance<'l>,
    pub(super) inputs: Inputs,
    /// The side from which inputs are evaluated: a step ends before a jump, and the next one begins
    /// after it.
    pub(super) side: Side,
    pub(super) evaluations: usize,
}

impl<'a, 'l> FmuEquations<'a, 'l> {
    pub(super) fn new(instance: &'a mut Instance<'l>, inputs: Inputs) -> Self {
        FmuEquations { instance, inputs, side: Side::After, evaluations: 0 }
    }

    /// Sets time, states and inputs.
    pub(super) fn set(&mut self, time: f64, x: &[f64]) -> Result<(), FailedCall> {
        self.instance.set_time(time)?;
        self.inputs.set_continuous(self.instance, time, self.side)?;
        if x.is_empty() { Ok(()) } else { self.instance.set_continuous_states(x) }
    }
}

impl RightHandSide for FmuEquations<'_, '_> {
    type Error = FailedCall;

    fn derivatives(&mut self, time: f64, x: &[f64], dx: &mut [f64]) -> Result<(), FailedCall> {
        self.evaluations += 1;
        self.set(time, x)?;
        if x.is_empty() { Ok(()) } else { self.instance.get_derivatives(dx) }
    }
}
