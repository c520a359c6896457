//! Directional derivatives, and time derivatives of inputs.

use crate::fmi::calls::InstanceState;
use crate::fmi::capabilities::MAX_INPUT_ORDER;
use crate::fmi::fmi2::*;
use crate::instance::Instance;
use crate::model::fault::{Fault, NonFiniteValue};
use crate::model::system::{
    Base, Causality, Initial, Solved, Source, Stage, Variability, Variable,
};

/// A quantity with respect to which an unknown can be differentiated.
#[derive(Clone, Copy, Debug)]
enum Known {
    /// Time.
    Time,
    /// An input.
    Input(usize),
    /// A state.
    State(usize),
    /// A parameter or start value, in Initialization Mode.
    Start(usize),
}

/// The quantity of a variable as a known of a derivative, if it may be one.
fn known(variable: &Variable, initializing: bool) -> Option<Known> {
    match (variable.source, variable.start) {
        (Source::Input(i), _) => Some(Known::Input(i as usize)),
        (Source::Time, _) => Some(Known::Time),
        (Source::State(i), _) if !initializing => Some(Known::State(i as usize)),
        (Source::Parameter(start), _) | (_, Some(start))
            if initializing && variable.initial == Some(Initial::Exact) =>
        {
            Some(Known::Start(start as usize))
        }
        _ => None,
    }
}

/// Whether a variable can be an unknown: computed variables can, and so can all outputs, initial
/// unknowns and continuous variables, among them derivatives of states, even if their value is that
/// of a parameter, of time or of a constant.
pub(super) fn is_unknown(variable: &Variable) -> bool {
    match variable.causality {
        Causality::Output | Causality::CalculatedParameter => return true,
        Causality::Local if variable.variability == Variability::Continuous => return true,
        _ => {}
    }
    !matches!(variable.source, Source::Constant(_) | Source::Time | Source::Parameter(_))
}

impl Instance {
    pub(super) fn real(&self, reference: fmi2ValueReference) -> Option<&'static Variable> {
        self.evaluation.info.variable(Base::Real, reference)
    }

    #[cold]
    pub(super) fn not_differentiable(
        &mut self,
        reference: fmi2ValueReference,
        role: &str,
    ) -> fmi2Status {
        match self.real(reference) {
            Some(variable) => self.refuse_because(format_args!("{} is not {role}", variable.name)),
            None => self.refuse_because(format_args!(
                "there is no Real variable with reference {reference}"
            )),
        }
    }

    pub(crate) fn get_directional_derivative(
        &mut self,
        unknowns: &[fmi2ValueReference],
        knowns: &[fmi2ValueReference],
        seeds: &[f64],
        sensitivities: &mut [f64],
    ) -> fmi2Status {
        let initializing = self.lifecycle.state == InstanceState::Initialization;
        for &reference in unknowns {
            if !self.real(reference).is_some_and(is_unknown) {
                return self.not_differentiable(reference, "an unknown that can be differentiated");
            }
        }
        for &reference in knowns {
            if self.real(reference).and_then(|variable| known(variable, initializing)).is_none() {
                return self
                    .not_differentiable(reference, "a known to differentiate with respect to");
            }
        }
        let done = self.differentiate(unknowns, knowns, seeds, sensitivities);
        self.status(done, fmi2Discard)
    }

    fn differentiate(
        &mut self,
        unknowns: &[fmi2ValueReference],
        knowns: &[fmi2ValueReference],
        seeds: &[f64],
        sensitivities: &mut [f64],
    ) -> Result<(), Fault> {
        let initializing = self.lifecycle.state == InstanceState::Initialization;
        self.check_states()?;
        self.refresh()?;
        self.evaluation.load_tangent()?;
        let reals = self.evaluation.info.reals;
        let tangent = &mut self.evaluation.tangent;
        for (&reference, &seed) in knowns.iter().zip(seeds) {
            match known(&reals[reference as usize], initializing) {
                Some(Known::Time) => tangent.t.tangent += seed,
                Some(Known::Input(i)) => tangent.u[i].tangent += seed,
                Some(Known::State(i)) => tangent.x[i].tangent += seed,
                Some(Known::Start(i)) => tangent.p[i].tangent += seed,
                None => {}
            }
        }
        if initializing {
            self.evaluation.initial_tangent()?;
        }
        self.collect(unknowns, sensitivities)
    }

    /// The tangents of the unknowns, which must be finite.
    pub(super) fn collect(
        &mut self,
        unknowns: &[fmi2ValueReference],
        tangents: &mut [f64],
    ) -> Result<(), Fault> {
        self.propagate(unknowns)?;
        let reals = self.evaluation.info.reals;
        for (&reference, target) in unknowns.iter().zip(tangents) {
            let variable = &reals[reference as usize];
            let tangent = self.evaluation.tangent_of(variable.source);
            if !tangent.is_finite() {
                return Err(Fault::NotFinite(NonFiniteValue::VariableDerivative(variable.name)));
            }
            *target = tangent;
        }
        Ok(())
    }

    /// Propagates the seeds to the unknowns.
    pub(super) fn propagate(&mut self, unknowns: &[fmi2ValueReference]) -> Solved {
        let reals = self.evaluation.info.reals;
        let reported = |&reference: &u32| match reals[reference as usize].source {
            Source::Reported(_, stage) => Some(stage),
            _ => None,
        };
        self.evaluation.advance_tangent(Stage::Parameter, Stage::Dynamics)?;
        if let Some(stage) = unknowns.iter().filter_map(reported).max() {
            self.evaluation.report_tangent(stage)?;
        }
        Ok(())
    }

    pub(crate) fn set_real_input_derivatives(
        &mut self,
        references: &[fmi2ValueReference],
        orders: &[fmi2Integer],
        values: &[f64],
    ) -> fmi2Status {
        let mut input = |reference| match self.real(reference).map(|variable| variable.source) {
            Some(Source::Input(i)) => Ok(i as usize),
            _ => Err(self.not_differentiable(reference, "a Real input")),
        };
        for &reference in references {
            if let Err(status) = input(reference) {
                return status;
            }
        }
        for (&order, &value) in orders.iter().zip(values) {
            if !(1..=MAX_INPUT_ORDER as i32).contains(&order) {
                return self.refuse_because(format_args!(
                    "input derivative of order {order}: orders 1 to {MAX_INPUT_ORDER} are possible"
                ));
            }
            if !value.is_finite() {
                return self.error(format_args!("input derivative {value} is not a finite number"));
            }
        }
        let reals = self.evaluation.info.reals;
        let nu = self.evaluation.info.inputs.len();
        let memory = &mut self.evaluation.memory;
        if !references.is_empty() && !self.progress.input_derivatives_set {
            self.progress.input_derivatives_set = true;
            memory.scalars.input_order = 0;
            memory.input_derivatives_mut().fill(0.0);
        }
        for ((&reference, &order), &value) in references.iter().zip(orders).zip(values) {
            if let Source::Input(i) = reals[reference as usize].source {
                memory.input_derivatives_mut()[(order as usize - 1) * nu + i as usize] = value;
            }
        }
        fmi2OK
    }
}
