//! Tests that a parameter set through FMI has the same effect as this value in the model text.

use coupler_tests::changes::CHANGES;
use coupler_tests::models::program;
use equations::Program;
use fmu_builder::models::ModelText;
use fmu_runtime::Simulation;
use models::MODELS;
use std::sync::Arc;

include!(concat!(env!("OUT_DIR"), "/changed.rs"));

/// The bits of all values at 201 instants, with a parameter that is set.
fn values(program: &Program, set: Option<(&str, f64)>) -> Vec<u64> {
    let model = Arc::new(program.taped());
    let info = model.info;
    let mut simulation = Simulation::of(&model).expect("an instance");
    set.into_iter().for_each(|(name, value)| simulation.set(name, value).expect("it can be set"));
    simulation.start(None).expect("initial values");
    let variables = [info.reals, info.integers, info.booleans].concat();
    // Start values and parameters are omitted, because only their effects are compared.
    let variables = variables.iter().filter(|v| v.start.is_none());
    let mut values = Vec::new();
    for k in 0..=200 {
        simulation.run_to(info.stop_time * f64::from(k) / 200.0).expect("a step");
        let read = |name| simulation.read(name).expect("a value").to_bits();
        values.extend(variables.clone().map(|v| v.name).map(read));
    }
    values
}

#[test]
fn a_parameter_set_through_fmi_acts_as_in_a_rebuilt_model() {
    for (change, &text) in CHANGES.iter().zip(CHANGED) {
        let original = MODELS.model(change.model).expect("the model of a change");
        let rebuilt = program(&ModelText { text, ..*original });
        let original = program(original);
        let set = values(&original, Some((change.parameter, change.value)));
        let what = format!("{}: {}", change.model, change.parameter);
        assert!(set == values(&rebuilt, None), "{what}");
        assert!(set != values(&original, None), "{what} has no effect");
    }
}
