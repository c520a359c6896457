//! Getting and setting variables by value reference.

use crate::data::status::NO_STATE;
use crate::fmi::calls::InstanceState;
use crate::fmi::fmi2::*;
use crate::instance::Instance;
use crate::model::fault::{Fault, NonFiniteValue};
use crate::model::system::{Base, Causality, Initial, Source, Stage, Variability, Variable};
use kernels::limits::Limits;

/// The target of a value that is set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Target {
    /// An element of `p`: a parameter or a start value.
    Parameter(usize),
    /// The same after initialization, which must be repeated if the value changes.
    Start(usize),
    /// An input.
    Input(usize),
    /// A state.
    State(usize),
}

/// The element of `p` with the value of a parameter or with the start value of a variable, if it
/// may be set before the simulation begins.
fn start_of(variable: &Variable) -> Option<usize> {
    let start = match (variable.start, variable.source) {
        (Some(start), _) | (None, Source::Parameter(start)) => Some(start as usize),
        _ => None,
    };
    start.filter(|_| matches!(variable.initial, Some(Initial::Exact | Initial::Approx)))
}

/// The target when the variable is set in this state of the instance; `None` if it must not be set.
fn target(variable: &Variable, state: InstanceState) -> Option<Target> {
    let start = start_of(variable);
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
    match state {
        InstanceState::Instantiated => input.or_else(|| parameter(true)),
        InstanceState::Initialization => {
            input.or_else(|| parameter(initial == Some(Initial::Exact)))
        }
        InstanceState::FirstEvent => {
            input.or_else(|| parameter(tunable)).or(start.map(Target::Start)).or(continuous_state)
        }
        InstanceState::Event | InstanceState::EventLeft => {
            input.or(continuous_state).or_else(|| parameter(tunable))
        }
        InstanceState::ContinuousTime => {
            let input = input.filter(|_| variable.variability == Variability::Continuous);
            input.or(continuous_state).or_else(|| parameter(tunable))
        }
        InstanceState::StepComplete => input.or_else(|| parameter(tunable)),
        _ => None,
    }
}

/// Whether the value of a variable can be read as an Integer. Counts of the solver's work stay at
/// the largest one, so that a long simulation whose importer reads all variables goes on.
fn fits(variable: &Variable, value: f64) -> bool {
    let integers = f64::from(i32::MIN)..=f64::from(i32::MAX);
    integers.contains(&value) || matches!(variable.source, Source::Solver(_))
}

impl Instance {
    /// Answers a call for a type with a reference that is not one of this type.
    #[cold]
    fn unknown_reference(&mut self, wanted: &str, reference: fmi2ValueReference) -> fmi2Status {
        let info = self.evaluation.info;
        let of = |base: &Base| Some((base.name(), info.variable(*base, reference)?.name));
        match Base::ALL.iter().find_map(of) {
            Some((base, name)) => {
                self.refuse_because(format_args!("{name} is {base}, not {wanted}"))
            }
            None => {
                self.error(format_args!("there is no {wanted} variable with reference {reference}"))
            }
        }
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
        if self.lifecycle.unusable != NO_STATE {
            match source {
                Source::Derivative(_)
                | Source::Advanced(_, Stage::Position | Stage::Velocity | Stage::Dynamics)
                | Source::Reported(_, Stage::Position | Stage::Velocity | Stage::Dynamics) => {
                    self.check_states()?;
                }
                Source::Discrete(_) | Source::Relation(_) if self.lifecycle.stale => {
                    self.check_states()?;
                }
                _ => {}
            }
        }
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

    /// Reads variables. A value that cannot be computed discards the call: another point, or other
    /// inputs, may have one.
    #[inline]
    fn get<T>(
        &mut self,
        base: Base,
        references: &[fmi2ValueReference],
        values: &mut [T],
        convert: impl Fn(f64) -> T,
    ) -> fmi2Status {
        if let Err(fault) = self.refresh() {
            return self.answer(fault, fmi2Discard);
        }
        let info = self.evaluation.info;
        let before_initialization = self.lifecycle.state == InstanceState::Instantiated;
        for (&reference, target) in references.iter().zip(values) {
            let Some(variable) = info.variable(base, reference) else {
                return self.unknown_reference(base.name(), reference);
            };
            let value = if before_initialization {
                Ok(self.start_value(variable))
            } else if let Source::Solver(count) = variable.source {
                Ok(self.solver_count(count))
            } else {
                self.value(variable.source)
            };
            match value {
                Ok(value) if value.is_finite() => {
                    if base == Base::Integer && !fits(variable, value) {
                        // Only events change it, so a smaller step does not help.
                        return self.answer(Fault::NoInteger(variable.name, value), fmi2Error);
                    }
                    *target = convert(value);
                }
                Ok(value) => {
                    let quantity = NonFiniteValue::Variable(variable.name, value);
                    return self.answer(Fault::NotFinite(quantity), fmi2Discard);
                }
                Err(fault) => return self.answer(fault, fmi2Discard),
            }
        }
        fmi2OK
    }

    pub(crate) fn get_real(
        &mut self,
        references: &[fmi2ValueReference],
        values: &mut [fmi2Real],
    ) -> fmi2Status {
        self.get(Base::Real, references, values, |value| value)
    }

    pub(crate) fn get_integer(
        &mut self,
        references: &[fmi2ValueReference],
        values: &mut [fmi2Integer],
    ) -> fmi2Status {
        self.get(Base::Integer, references, values, |value| value as i32)
    }

    pub(crate) fn get_boolean(
        &mut self,
        references: &[fmi2ValueReference],
        values: &mut [fmi2Boolean],
    ) -> fmi2Status {
        self.get(Base::Boolean, references, values, |value| i32::from(value != 0.0))
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
            Some(&reference) => self.unknown_reference("String", reference),
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
        let info = self.evaluation.info;
        let given = || {
            references.iter().zip(values).map(|(reference, value)| (*reference, convert(*value)))
        };
        if self.lifecycle.state == InstanceState::FirstEvent {
            // States without start values are states only, so that setting them begins the event.
            let is_state = |variable| {
                matches!(target(variable, InstanceState::FirstEvent), Some(Target::State(_)))
            };
            if given().any(|(reference, _)| info.variable(base, reference).is_some_and(is_state)) {
                let begun = self.begin_first_event();
                if self.status(begun, fmi2Error) != fmi2OK {
                    return fmi2Error;
                }
            }
        }
        let state = self.lifecycle.state;
        for (reference, value) in given() {
            let Some(variable) = info.variable(base, reference) else {
                return self.unknown_reference(base.name(), reference);
            };
            let name = variable.name;
            let Some(target) = target(variable, state) else {
                if self.is_unchanged(variable, value) {
                    continue;
                }
                return self.refuse_because(format_args!(
                    "{name} cannot be set in state {}",
                    state.name()
                ));
            };
            if !matches!(target, Target::State(_)) && !value.is_finite() {
                return self.error(format_args!("{name} = {value} is not a finite number"));
            }
            let limits = Limits { min: variable.min, max: variable.max };
            if variable.causality == Causality::Parameter && !limits.contain(value) {
                return self.discard_limits(limits, variable, value);
            }
        }
        let targets = || {
            let of =
                |(reference, value)| Some((target(info.variable(base, reference)?, state)?, value));
            given().filter_map(of)
        };
        if state == InstanceState::ContinuousTime {
            for (target, value) in targets().filter(|(t, _)| matches!(t, Target::Parameter(_))) {
                self.put(target, value);
            }
            let tuned = self.take_tuned_parameters();
            if tuned != fmi2OK {
                return tuned;
            }
        }
        let mut of_state = false;
        for (target, value) in targets() {
            of_state |= matches!(target, Target::State(_));
            self.put(target, value);
        }
        if of_state {
            self.look_for_unusable_states();
        }
        fmi2OK
    }

    /// Lets tunable parameters that were set in Continuous-Time Mode take effect, unless they
    /// violate a requirement.
    fn take_tuned_parameters(&mut self) -> fmi2Status {
        let memory = &self.evaluation.memory;
        if memory.p_set() == memory.p() {
            return fmi2OK;
        }
        if let Err(fault) = self.evaluation.check_settings() {
            let answer = self.answer(fault, fmi2Discard);
            let (sections, ..) = self.evaluation.memory.split();
            sections.p_set.copy_from_slice(sections.p);
            return answer;
        }
        self.evaluation.memory.take_parameters();
        self.lifecycle.tuned = true;
        fmi2OK
    }

    /// Whether a parameter has this value already: some importers set all parameters before each
    /// evaluation.
    fn is_unchanged(&self, variable: &Variable, value: f64) -> bool {
        let parameter = start_of(variable).filter(|_| variable.causality == Causality::Parameter);
        parameter.is_some_and(|i| self.evaluation.memory.p_set()[i] == value)
    }

    /// Whether a target has another value.
    fn differs(&self, target: Target, value: f64) -> bool {
        let memory = &self.evaluation.memory;
        let old = match target {
            Target::Parameter(i) | Target::Start(i) => memory.p_set()[i],
            Target::Input(i) => memory.u_set()[i],
            Target::State(i) => memory.x()[i],
        };
        old.to_bits() != value.to_bits()
    }

    #[cold]
    fn discard_limits(&mut self, limits: Limits, variable: &Variable, value: f64) -> fmi2Status {
        let sentence = limits.refuse(variable.name, value, variable.unit);
        self.discard_value(format_args!("{sentence}"))
    }

    fn put(&mut self, target: Target, value: f64) {
        if !self.differs(target, value) {
            return;
        }
        let state = self.lifecycle.state;
        // Values of the communication point or of the initialization do not change.
        let kept = matches!(state, InstanceState::StepComplete | InstanceState::FirstEvent);
        let in_continuous_time = state == InstanceState::ContinuousTime;
        let memory = &mut self.evaluation.memory;
        match target {
            Target::Start(i) => {
                memory.p_set_mut()[i] = value;
                self.lifecycle.start_changed = true;
            }
            Target::Parameter(i) if in_continuous_time => memory.p_set_mut()[i] = value,
            Target::Parameter(i) if kept => {
                memory.p_set_mut()[i] = value;
                self.progress.parameters_changed = true;
            }
            Target::Parameter(i) => {
                memory.p_set_mut()[i] = value;
                memory.p_mut()[i] = value;
                memory.invalidate(Stage::Parameter);
            }
            Target::Input(i) if kept => {
                memory.u_set_mut()[i] = value;
                self.progress.inputs_changed = true;
            }
            Target::Input(i) => {
                memory.u_set_mut()[i] = value;
                memory.u_mut()[i] = value;
                memory.invalidate(Stage::Dynamics);
            }
            Target::State(i) => {
                memory.x_mut()[i] = value;
                memory.invalidate(Stage::Position);
            }
        }
        match state {
            InstanceState::Initialization | InstanceState::FirstEvent => {
                self.lifecycle.stale = true
            }
            InstanceState::Event => {
                self.lifecycle.stale = true;
                self.lifecycle.event_pending = true;
            }
            InstanceState::ContinuousTime => match target {
                Target::State(_) => self.lifecycle.moved = true,
                Target::Input(_) => self.lifecycle.jumped |= !self.lifecycle.moved,
                _ => {}
            },
            _ => {}
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
