//! Tests that every variable can be set exactly in the states in which the standard allows it.

use coupler_tests::harness::Instantiation;
use coupler_tests::{Fmu, FmuType, Harness, Instance, Status};
use fmu_builder::model_description::{Base, ScalarVariable};

/// States of an instance between calls.
#[derive(Clone, Copy, Debug, PartialEq)]
enum State {
    Instantiated,
    Initialization,
    /// Event Mode before its first call, or between two communication steps.
    Initialized,
    Event,
    ContinuousTime,
}

fn reach(instance: &Instance, state: State) {
    instance.then("reset").setup(None, 0.0, None);
    if state != State::Instantiated {
        instance.then("enter_initialization");
    }
    if !matches!(state, State::Instantiated | State::Initialization) {
        instance.then("exit_initialization");
    }
    if state == State::Event {
        instance.then("enter_event");
    }
    if state == State::ContinuousTime {
        instance.iterate_events();
        instance.then("enter_continuous");
    }
}

/// The rules 1, 3, 4, 5 and 6 of the standard; as importers expect, inputs are also accepted before
/// initialization, states in Event Mode, tunable parameters in Continuous-Time Mode, and start
/// values until an event begins.
fn may_be_set(
    fmu: &Fmu,
    index: usize,
    v: &ScalarVariable,
    fmu_type: FmuType,
    state: State,
) -> bool {
    let is_input = v.causality == "input";
    let is_state = fmu.description.states().contains(&index);
    let tunable = v.causality == "parameter" && v.variability == "tunable";
    let initial = v.initial().filter(|_| v.variability != "constant");
    match state {
        State::Instantiated => is_input || matches!(initial, Some("exact" | "approx")),
        State::Initialization => is_input || initial == Some("exact"),
        State::Initialized if fmu_type == FmuType::ModelExchange => {
            is_input || is_state || matches!(initial, Some("exact" | "approx"))
        }
        State::Initialized | State::Event => {
            is_input || tunable || (is_state && fmu_type == FmuType::ModelExchange)
        }
        State::ContinuousTime => is_state || tunable || (is_input && v.variability == "continuous"),
    }
}

// FMI: A058
#[test]
fn a_variable_can_be_set_exactly_in_the_states_of_its_rule() {
    use State::{ContinuousTime, Event, Initialization, Initialized, Instantiated};
    let mut refused = 0;
    for fmu in Fmu::all() {
        let harness = Harness::new(&fmu);
        let variables = &fmu.description.variables;
        for (fmu_type, state) in [
            (FmuType::ModelExchange, Instantiated),
            (FmuType::ModelExchange, Initialization),
            (FmuType::ModelExchange, Initialized),
            (FmuType::ModelExchange, Event),
            (FmuType::ModelExchange, ContinuousTime),
            (FmuType::CoSimulation, Instantiated),
            (FmuType::CoSimulation, Initialization),
            (FmuType::CoSimulation, Initialized),
        ] {
            let instance = harness.instantiate(&fmu, fmu_type);
            for v in variables {
                // Variables with one value reference are one variable under several names.
                let same = |o: &ScalarVariable| {
                    o.base.name_space() == v.base.name_space()
                        && o.value_reference == v.value_reference
                };
                let mut aliases = variables.iter().enumerate().filter(|(_, other)| same(other));
                let allowed = aliases.any(|(i, other)| may_be_set(&fmu, i, other, fmu_type, state));
                // A guess may also change in Initialization Mode, about which the standard says
                // nothing.
                let free = state == Initialization && v.initial() == Some("approx");
                reach(&instance, state);
                let present = instance.get(&v.name);
                let status = instance.try_set(&v.name, present);
                let what = format!("{}: {} of a {fmu_type:?} {state:?}", fmu.name(), v.name);
                let mut aliases = variables.iter().filter(|other| same(other));
                let parameter = aliases.any(|other| other.causality == "parameter");
                let expected = allowed || parameter;
                assert!(free || (status == Status::Ok) == expected, "{what}: {status:?}");
                assert!(status == Status::Ok || status == Status::Error, "{what}: {status:?}");
                if parameter && !allowed {
                    let other = if present == 0.0 { 1.0 } else { 0.0 };
                    assert_eq!(instance.try_set(&v.name, other), Status::Error, "{what}: changed");
                    assert_eq!(instance.get(&v.name), present, "{what}");
                    refused += 1;
                }
            }
            instance.free();
        }
    }
    let fmus = Fmu::all().len();
    assert!(
        refused > 20 * fmus,
        "only {refused} changes of parameters of {fmus} FMUs were refused"
    );
}

// FMI: A063
#[test]
fn a_parameter_outside_its_limits_is_refused_and_keeps_its_value() {
    for fmu in Fmu::all() {
        let harness = Harness::new(&fmu);
        for name in fmu.names(Base::Real, &["parameter"]) {
            let v = fmu.variable(name);
            let below = v.attributes.min.map(|min| min - 0.5 * min.abs().max(1.0));
            let above = v.attributes.max.map(|max| max + 0.5 * max.abs().max(1.0));
            for value in [below, above].into_iter().flatten() {
                let with = Instantiation { logging: true, ..Instantiation::of(&fmu) };
                let instance = harness.try_instantiate(&fmu, &with).expect("it starts");
                instance.setup(None, 0.0, None).then("enter_initialization");
                let status = instance.try_set(name, value);
                let what = format!("{}: {name} := {value}", fmu.name());
                assert!(matches!(status, Status::Discard | Status::Error), "{what}: {status:?}");
                let log = harness.log();
                assert!(log.iter().any(|m| m.text.contains(name)), "{what} is named: {log:?}");
                if status == Status::Discard {
                    assert_eq!(Some(instance.get(name)), v.start_number(), "{what}");
                }
                instance.free();
            }
        }
    }
}
