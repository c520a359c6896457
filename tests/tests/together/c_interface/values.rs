//! Tests of getting and setting variables: lists, types, aliases, and reading without side effects.

use coupler_tests::harness::{bits_of, references_text};
use coupler_tests::{Fmu, FmuType, Harness, Status};
use fmu_builder::model_description::{Base, ScalarVariable};
use std::collections::BTreeMap;

/// The references of all Real variables.
fn all_reals(fmu: &Fmu) -> Vec<u32> {
    let variables = fmu.description.variables.iter();
    variables.filter(|v| v.base == Base::Real).map(|v| v.value_reference).collect()
}

// FMI: A051, A054
#[test]
fn references_may_come_in_any_order_and_repeatedly() {
    for fmu in Fmu::all() {
        let harness = Harness::new(&fmu);
        for fmu_type in [FmuType::ModelExchange, FmuType::CoSimulation] {
            let instance = harness.instantiate(&fmu, fmu_type);
            instance.start(None, fmu.starts());
            let references = all_reals(&fmu);
            let values = instance.reals(&references);
            // All references in reverse order, each three times.
            let threefold = |r: u32| [r, r, r];
            let shuffled: Vec<u32> = references.iter().rev().copied().flat_map(threefold).collect();
            let again: Vec<f64> = values.iter().rev().flat_map(|v| [*v, *v, *v]).collect();
            let read = instance.reals(&shuffled);
            assert!(bits_of(&read) == bits_of(&again), "{}", fmu.name());
            for (reference, value) in references.iter().zip(&values) {
                assert_eq!(instance.reals(&[*reference])[0].to_bits(), value.to_bits());
            }
        }
    }
}

// FMI: C056, C057, C059, C060
#[test]
fn variables_of_one_reference_are_one_variable() {
    let mut aliases = 0;
    for fmu in Fmu::all() {
        let mut sets: BTreeMap<(bool, bool, u32), Vec<&ScalarVariable>> = BTreeMap::new();
        for v in &fmu.description.variables {
            let base = (v.base == Base::Real, v.base == Base::Boolean, v.value_reference);
            sets.entry(base).or_default().push(v);
        }
        for set in sets.values().filter(|set| set.len() > 1) {
            let names: Vec<&str> = set.iter().map(|v| v.name.as_str()).collect();
            let what = || format!("{}: {names:?}", fmu.name());
            assert!(set.iter().filter(|v| v.start.is_some()).count() <= 1, "{}: starts", what());
            let settable = set.iter().filter(|v| {
                matches!(v.causality.as_str(), "input" | "parameter") || v.start.is_some()
            });
            assert!(settable.count() <= 1, "{}: settable", what());
            assert!(set.iter().all(|v| v.attributes.unit == set[0].attributes.unit), "{}", what());
            assert!(set.iter().all(|v| v.variability == set[0].variability), "{}", what());
            aliases += set.len();
        }
    }
    assert!(aliases > 100, "only {aliases} variables share a reference");
}

// FMI: A024, C005, C050
#[test]
fn start_values_before_initialization_have_the_bits_of_the_description() {
    for fmu in Fmu::all() {
        let harness = Harness::new(&fmu);
        for fmu_type in [FmuType::ModelExchange, FmuType::CoSimulation] {
            let instance = harness.instantiate(&fmu, fmu_type);
            for v in &fmu.description.variables {
                let Some(start) = v.start_number() else { continue };
                let value = instance.get(&v.name);
                assert_eq!(value.to_bits(), start.to_bits(), "{} {}", fmu.name(), v.name);
            }
            instance.free();
        }
    }
}

// FMI: A052
#[test]
fn a_reference_belongs_to_one_type_and_calls_for_others_are_refused() {
    let mut refused = 0;
    for fmu in Fmu::all() {
        let harness = Harness::new(&fmu);
        let instance = harness.instantiate(&fmu, FmuType::CoSimulation);
        instance.start(None, fmu.starts());
        let mut types: BTreeMap<u32, Base> = BTreeMap::new();
        for v in &fmu.description.variables {
            let base = v.base.name_space();
            let first = *types.entry(v.value_reference).or_insert(base);
            assert_eq!(base, first, "{}: {}", fmu.name(), v.name);
        }
        for (reference, base) in types {
            let arguments = references_text(&[reference]);
            for (command, of) in [
                ("get_real", Base::Real),
                ("get_integer", Base::Integer),
                ("get_boolean", Base::Boolean),
            ] {
                let expected = if of == base { Status::Ok } else { Status::Error };
                let status = instance.call(command, &arguments).status();
                assert_eq!(status, expected, "{}: {command} {reference}", fmu.name());
                refused += usize::from(of != base);
            }
        }
        instance.free();
    }
    assert!(refused > 1000, "only {refused} calls were refused");
}

// FMI: A059
#[test]
fn a_state_set_as_a_variable_is_that_element_of_the_states() {
    for fmu in Fmu::all() {
        let harness = Harness::new(&fmu);
        let made = || {
            let instance = harness.instantiate(&fmu, FmuType::ModelExchange);
            instance.start(None, fmu.starts()).iterate_events();
            instance.then("enter_continuous");
            instance
        };
        let (one, other) = (made(), made());
        let states = fmu.reals(fmu.states());
        let moved: Vec<f64> = one.reals(&states).iter().map(|x| x + 1e-4).collect();
        one.set_states(&moved);
        states.iter().zip(&moved).for_each(|(reference, x)| other.set_reals(&[*reference], &[*x]));
        assert!(one.everything() == other.everything(), "{}", fmu.name());
        one.free();
        other.free();
    }
}

// FMI: A064, B037
#[test]
fn values_set_between_steps_take_effect_in_the_next_step() {
    let mut moved = 0;
    for fmu in Fmu::all() {
        let inputs = fmu.names(Base::Real, &["input"]);
        let harness = Harness::new(&fmu);
        let [changed, twin] = [(); 2].map(|()| {
            let instance = harness.instantiate(&fmu, FmuType::CoSimulation);
            instance.start(None, fmu.starts()).step(0.0, 0.01);
            instance
        });
        let outputs = fmu.reals(fmu.signals());
        let before = changed.reals(&outputs);
        inputs.iter().for_each(|input| changed.set(input, changed.get(input) + 0.5));
        let after = changed.reals(&outputs);
        assert!(bits_of(&after) == bits_of(&before), "{}: before the step", fmu.name());
        changed.step(0.01, 0.01);
        twin.step(0.01, 0.01);
        moved += usize::from(changed.reals(&outputs) != twin.reals(&outputs));
    }
    assert!(moved >= 5, "the inputs of only {moved} FMUs move them");
}

// FMI: A056, A057
#[test]
fn no_model_has_strings_and_no_reference_is_that_of_one() {
    let all = ["parameter", "calculatedParameter", "input", "output", "local", "independent"];
    for fmu in Fmu::all() {
        assert!(fmu.names(Base::String, &all).is_empty(), "{}", fmu.name());
        let harness = Harness::new(&fmu);
        for fmu_type in [FmuType::ModelExchange, FmuType::CoSimulation] {
            let instance = harness.instantiate(&fmu, fmu_type);
            instance.start(None, fmu.starts()).ok("get_state", "0");
            let before = instance.everything();
            let refused = |command: &str, arguments: &str| {
                let status = instance.call(command, arguments).status();
                assert_eq!(status, Status::Error, "{}: {command} {arguments}", fmu.name());
                instance.ok("set_state", "0");
            };
            for reference in [0, 1, u32::MAX] {
                refused("get_string", &format!("1 {reference}"));
                // NULL, the empty text, a text, and bytes that are not UTF-8.
                for text in ["-", "=", "=a%20b", "=%ff%fe"] {
                    refused("set_string", &format!("1 {reference} {text}"));
                }
            }
            assert!(instance.everything() == before, "{}", fmu.name());
            instance.ok("free_state", "0");
            instance.free();
        }
    }
}
