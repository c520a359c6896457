//! Getting and setting variables by value reference.

use crate::calls::InstanceState;
use crate::fault::{Fault, NonFiniteValue};
use crate::fmi2::*;
use crate::instance::Instance;
use crate::system::{Causality, Info, Initial, Source, Stage, Variability, Variable};
use kernels::limits::Limits;

/// The base types, each of which has its own value references.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Base {
    Real,
    Integer,
    Boolean,
}

impl Base {
    /// All base types.
    pub const ALL: [Base; 3] = [Base::Real, Base::Integer, Base::Boolean];

    /// The variables of this type; the index is the value reference.
    pub fn variables(self, info: &'static Info) -> &'static [Variable] {
        match self {
            Base::Real => info.reals,
            Base::Integer => info.integers,
            Base::Boolean => info.booleans,
        }
    }

    const fn name(self) -> &'static str {
        match self {
            Base::Real => "Real",
            Base::Integer => "Integer",
            Base::Boolean => "Boolean",
        }
    }
}

/// The target of a value that is set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Target {
    /// An element of `p`: a parameter or a start value.
    Parameter(usize),
    /// An input.
    Input(usize),
    /// A state.
    State(usize),
}

/// The target when the variable is set in this state of the instance; `None` if it must not be set.
fn target(variable: &Variable, state: InstanceState) -> Option<Target> {
    let start = match (variable.start, variable.source) {
        (Some(start), _) | (None, Source::Parameter(start)) => Some(start as usize),
        _ => None,
    };
    let input = match variable.source {
        // A local variable with the value of an input is not an input.
        Source::Input(i) if variable.causality == Causality::Input => {
            Some(Target::Input(i as usize))
        }
        _ => None,
    };
    let parameter = |allowed: bool| start.filter(|_| allowed).map(Target::Parameter);
    let initial = variable.initial;
    let tunable =
        variable.causality == Causality::Parameter && variable.variability == Variability::Tunable;
    let continuous_state = match variable.source {
        Source::State(i) => Some(Target::State(i as usize)),
        _ => None,
    };
    if variable.variability == Variability::Constant {
        return None;
    }
    match state {
        InstanceState::Instantiated => {
            input.or_else(|| parameter(matches!(initial, Some(Initial::Exact | Initial::Approx))))
        }
        InstanceState::Initialization => {
            input.or_else(|| parameter(initial == Some(Initial::Exact)))
        }
        InstanceState::Event | InstanceState::Moved => {
            input.or(continuous_state).or_else(|| parameter(tunable))
        }
        InstanceState::ContinuousTime => {
            input.filter(|_| variable.variability == Variability::Continuous).or(continuous_state)
        }
        InstanceState::StepComplete => input.or_else(|| parameter(tunable)),
        _ => None,
    }
}

impl Instance {
    #[cold]
    fn unknown_reference(&mut self, base: Base, reference: fmi2ValueReference) -> fmi2Status {
        self.error(format_args!("there is no {} variable with reference {reference}", base.name()))
    }

    // --- get ---

    /// The value of a variable before initialization: its start value, if it has one.
    fn start_value(&self, variable: &Variable) -> f64 {
        let memory = &self.evaluation.memory;
        match (variable.start, variable.source) {
            (Some(start), _) | (None, Source::Parameter(start)) => memory.p_set()[start as usize],
            (_, Source::Constant(value)) => value,
            (_, Source::Time) => memory.time(),
            (_, Source::Input(i)) => memory.u_set()[i as usize],
            (_, Source::Discrete(i)) => memory.m()[i as usize],
            _ if variable.min > 0.0 => variable.min,
            _ if variable.max < 0.0 => variable.max,
            _ => 0.0,
        }
    }

    /// The value of a source; of the states, only what it needs is interpolated.
    #[inline]
    fn value(&mut self, source: Source) -> Result<f64, Fault> {
        if self.progress.interpolation_due {
            match source {
                Source::State(i) => return Ok(self.interpolated_state(i as usize)),
                Source::Derivative(_) | Source::Advanced(..) | Source::Reported(..) => {
                    self.complete_states();
                }
                _ => {}
            }
        }
        self.evaluation.value(source)
    }

    #[inline]
    fn get<T>(
        &mut self,
        base: Base,
        references: &[fmi2ValueReference],
        values: &mut [T],
        failed: fmi2Status,
        convert: impl Fn(f64) -> T,
    ) -> fmi2Status {
        if let Err(fault) = self.refresh() {
            return self.answer(fault, failed);
        }
        let variables = base.variables(self.evaluation.info);
        let before_initialization = self.lifecycle.state == InstanceState::Instantiated;
        for (&reference, target) in references.iter().zip(values) {
            let Some(variable) = variables.get(reference as usize) else {
                return self.unknown_reference(base, reference);
            };
            let value = if before_initialization {
                Ok(self.start_value(variable))
            } else if let Source::Solver(count) = variable.source {
                Ok(self.solver_count(count))
            } else {
                self.value(variable.source)
            };
            match value {
                Ok(value) if value.is_finite() => *target = convert(value),
                Ok(_) => {
                    return self
                        .answer(Fault::NotFinite(NonFiniteValue::Variable(variable.name)), failed);
                }
                Err(fault) => return self.answer(fault, failed),
            }
        }
        fmi2OK
    }

    pub(crate) fn get_real(
        &mut self,
        references: &[fmi2ValueReference],
        values: &mut [fmi2Real],
    ) -> fmi2Status {
        let failed = self.evaluation_status();
        self.get(Base::Real, references, values, failed, |value| value)
    }

    pub(crate) fn get_integer(
        &mut self,
        references: &[fmi2ValueReference],
        values: &mut [fmi2Integer],
    ) -> fmi2Status {
        self.get(Base::Integer, references, values, fmi2Error, |value| value as i32)
    }

    pub(crate) fn get_boolean(
        &mut self,
        references: &[fmi2ValueReference],
        values: &mut [fmi2Boolean],
    ) -> fmi2Status {
        self.get(Base::Boolean, references, values, fmi2Error, |value| i32::from(value != 0.0))
    }

    /// There are no String variables.
    pub(crate) fn get_string(
        &mut self,
        references: &[fmi2ValueReference],
        _values: &mut [fmi2String],
    ) -> fmi2Status {
        self.no_string(references)
    }

    pub(crate) fn set_string(
        &mut self,
        references: &[fmi2ValueReference],
        _values: &[fmi2String],
    ) -> fmi2Status {
        self.no_string(references)
    }

    fn no_string(&mut self, references: &[fmi2ValueReference]) -> fmi2Status {
        match references.first() {
            None => fmi2OK,
            Some(vr) => self.error(format_args!("there is no String variable with reference {vr}")),
        }
    }

    // --- set ---

    /// Sets all of the variables, or none of them.
    fn set<T: Copy>(
        &mut self,
        base: Base,
        references: &[fmi2ValueReference],
        values: &[T],
        convert: impl Fn(T) -> f64,
    ) -> fmi2Status {
        let variables = base.variables(self.evaluation.info);
        let state = self.lifecycle.state;
        for (&reference, &value) in references.iter().zip(values) {
            let Some(variable) = variables.get(reference as usize) else {
                return self.unknown_reference(base, reference);
            };
            let (name, value) = (variable.name, convert(value));
            let Some(target) = target(variable, state) else {
                return self.refuse_because(format_args!(
                    "{name} cannot be set in state {}",
                    state.name()
                ));
            };
            match target {
                // As in `fmi2SetContinuousStates`, an importer's integrator may try another point.
                Target::State(i) if !self.evaluation.info.states[i].is_in_range(value) => {
                    return self.discard_state(i, value);
                }
                Target::Parameter(_) | Target::Input(_) if !value.is_finite() => {
                    return self.error(format_args!("{name} = {value} is not a finite number"));
                }
                _ => {}
            }
            let limits = Limits { min: variable.min, max: variable.max };
            if variable.causality == Causality::Parameter && !limits.contain(value) {
                return self.discard_limits(limits, variable, value);
            }
        }
        for (&reference, &value) in references.iter().zip(values) {
            if let Some(target) = target(&variables[reference as usize], state) {
                self.put(target, convert(value));
            }
        }
        fmi2OK
    }

    #[cold]
    fn discard_limits(&mut self, limits: Limits, variable: &Variable, value: f64) -> fmi2Status {
        let sentence = limits.refuse(variable.name, value, variable.unit);
        self.discard_value(format_args!("{sentence}"))
    }

    fn put(&mut self, target: Target, value: f64) {
        let evaluation = &mut self.evaluation;
        let state = self.lifecycle.state;
        let between_steps = state == InstanceState::StepComplete;
        let old = match target {
            Target::Parameter(i) => evaluation.memory.p_set()[i],
            Target::Input(i) => evaluation.memory.u_set()[i],
            Target::State(i) => evaluation.memory.x()[i],
        };
        if old.to_bits() == value.to_bits() {
            return;
        }
        match target {
            Target::Parameter(i) => {
                evaluation.memory.p_set_mut()[i] = value;
                if between_steps {
                    // Values and derivatives at the communication point reached do not change.
                    self.progress.parameters_changed = true;
                } else {
                    evaluation.memory.p_mut()[i] = value;
                    evaluation.memory.invalidate(Stage::Parameter);
                }
            }
            Target::Input(i) => {
                evaluation.memory.u_set_mut()[i] = value;
                if between_steps {
                    self.progress.inputs_changed = true;
                } else {
                    evaluation.memory.u_mut()[i] = value;
                    evaluation.memory.invalidate(Stage::Dynamics);
                }
            }
            Target::State(i) => {
                evaluation.memory.x_mut()[i] = value;
                evaluation.memory.invalidate(Stage::Position);
            }
        }
        if matches!(state, InstanceState::Initialization | InstanceState::Event) {
            self.lifecycle.stale = true;
            self.lifecycle.event_pending = state == InstanceState::Event;
        }
    }

    pub(crate) fn set_real(
        &mut self,
        references: &[fmi2ValueReference],
        values: &[fmi2Real],
    ) -> fmi2Status {
        self.set(Base::Real, references, values, |value| value)
    }

    pub(crate) fn set_integer(
        &mut self,
        references: &[fmi2ValueReference],
        values: &[fmi2Integer],
    ) -> fmi2Status {
        self.set(Base::Integer, references, values, f64::from)
    }

    pub(crate) fn set_boolean(
        &mut self,
        references: &[fmi2ValueReference],
        values: &[fmi2Boolean],
    ) -> fmi2Status {
        self.set(Base::Boolean, references, values, |value| f64::from(u8::from(value != fmi2False)))
    }
}
