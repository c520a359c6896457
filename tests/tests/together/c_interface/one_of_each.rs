//! Every component of the libraries, in a small model of its own: the listed unknowns have
//! directional derivatives, whatever the expressions are that define them.

use std::collections::BTreeSet;

use coupler::assembly::Assembly;
use coupler::libraries::LIBRARIES;
use coupler::netlist::File;
use coupler_tests::one_of_each::{needs_code, one_of_each};
use coupler_tests::own;
use equations::with_fresh_arena;
use fmu_builder::build;
use fmu_builder::fmi::FmuType;
use fmu_builder::fmu::Fmu;
use fmu_builder::host::Instance;
use fmu_builder::model_description::{Base, Unknown};
use fmu_builder::models::Traced;
use models::MODELS;

/// Compares the derivatives of unknowns with the declared dependencies; returns how many were
/// compared.
fn check(
    fmu: &Fmu,
    instance: &mut Instance<'_>,
    lists: &[&[Unknown]],
    knowns: impl Iterator<Item = usize>,
    place: &str,
) -> usize {
    let all = &fmu.description.variables;
    let is_real = |unknown: &&&Unknown| all[unknown.index].base == Base::Real;
    let unknowns: Vec<&Unknown> = lists.iter().copied().flatten().collect();
    let unknowns: Vec<&Unknown> = unknowns.iter().filter(is_real).copied().collect();
    let references: Vec<u32> = unknowns.iter().map(|u| all[u.index].value_reference).collect();
    let mut compared = 0;
    for known in knowns {
        let (name, seed) = (&all[known].name, 1.0);
        let by = &[all[known].value_reference];
        let derivatives = instance.directional_derivative(&references, by, &[seed]);
        let derivatives = derivatives.unwrap_or_else(|error| panic!("{place}, {name}: {error}"));
        for (unknown, derivative) in unknowns.iter().zip(derivatives) {
            let what = format!("{place}: d {} / d {name}", all[unknown.index].name);
            assert!(derivative.is_finite(), "{what}: {derivative}");
            let depends = unknown.dependencies.as_ref().is_none_or(|list| list.contains(&known));
            assert!(depends || derivative == 0.0, "{what}: {derivative}");
            compared += 1;
        }
    }
    compared
}

/// Every listed unknown in every mode that has directional derivatives.
fn check_modes(fmu: &Fmu, name: &str) -> usize {
    let d = &fmu.description;
    let real = |i: &usize| d.variables[*i].base == Base::Real;
    let initial = d.initial_unknowns.iter().flat_map(|u| u.dependencies.iter().flatten().copied());
    let initial: BTreeSet<usize> = initial.filter(real).collect();
    let continuous_input = |i: &usize| {
        let v = &d.variables[*i];
        real(i) && v.causality == "input" && v.variability == "continuous"
    };
    let inputs = (0..d.variables.len()).filter(continuous_input);
    let knowns: Vec<usize> = d.states().into_iter().chain(inputs).collect();
    let lists = [&d.derivatives[..], &d.outputs[..]];
    let mut compared = 0;
    for fmu_type in [FmuType::ModelExchange, FmuType::CoSimulation] {
        let library = fmu.load(fmu_type).expect("its own library");
        let new = library.instantiate(name, fmu_type, &d.guid, &fmu.resources(), true);
        let mut instance = new.unwrap_or_else(|error| panic!("{name}: {error}"));
        let place = format!("{name}, {fmu_type:?}");
        let succeeds =
            |done: Result<(), _>| done.unwrap_or_else(|error| panic!("{place}: {error}"));
        succeeds(instance.setup_experiment(None, 0.0, None));
        succeeds(instance.enter_initialization_mode());
        let start = format!("{place} at the start");
        compared +=
            check(fmu, &mut instance, &[&d.initial_unknowns], initial.iter().copied(), &start);
        succeeds(instance.exit_initialization_mode());
        if fmu_type == FmuType::ModelExchange {
            while instance.new_discrete_states().expect("an event").new_discrete_states_needed {}
            succeeds(instance.enter_continuous_time_mode());
        } else {
            succeeds(instance.do_step(0.0, 1e-3));
        }
        compared += check(fmu, &mut instance, &lists, knowns.iter().copied(), &place);
    }
    compared
}

// FMI: A082
#[test]
fn all_unknowns_of_each_component_have_directional_derivatives() {
    let mut compared = 0;
    for (name, text) in one_of_each() {
        let name = name.replace("::", "_");
        let fmu = build::played(&own::traced(&name, text)).expect("a folder for its files");
        compared += check_modes(&fmu, &name);
    }
    assert!(compared > 1000, "{compared}");
}

// FMI: A081, A082
#[test]
fn a_derivative_that_is_a_parameter_has_the_derivative_one_with_respect_to_it() {
    let text = one_of_each().into_iter().find(|(name, _)| name == "rotational::ConstantSpeed");
    let (_, text) = text.expect("a small model");
    let fmu = build::played(&own::traced("prescribed", text)).expect("a folder for its files");
    let d = &fmu.description;
    let reference = |name: &str| {
        let found = d.variables.iter().find(|v| v.name == name);
        found.unwrap_or_else(|| panic!("{name}")).value_reference
    };
    let rate = d.variables[d.derivatives[0].index].value_reference;
    for fmu_type in [FmuType::ModelExchange, FmuType::CoSimulation] {
        let library = fmu.load(fmu_type).expect("its own library");
        let new = library.instantiate("one", fmu_type, &d.guid, &fmu.resources(), true);
        let mut instance = new.expect("an instance");
        instance.setup_experiment(None, 0.0, None).expect("an experiment");
        instance.enter_initialization_mode().expect("Initialization Mode");
        let slope = |by: &str, instance: &mut Instance<'_>| {
            instance.directional_derivative(&[rate], &[reference(by)], &[1.0]).expect("a number")
        };
        assert_eq!(slope("part.w_fixed", &mut instance), [1.0]);
        assert_eq!(slope("part.phi", &mut instance), [0.0]);
    }
}

#[test]
fn each_component_has_a_small_model_or_is_part_of_a_model() {
    let small: BTreeSet<String> = one_of_each().into_iter().map(|(name, _)| name).collect();
    let types = |model: &Traced| {
        let components = model.program().map(|program| &program.schematic().components[..]);
        components.unwrap_or_default().iter().map(|c| c.type_name.clone()).collect::<Vec<_>>()
    };
    let traced = |model| MODELS.trace(model).expect("a model of the repository");
    let used: BTreeSet<String> =
        MODELS.models.iter().flat_map(|model| types(&traced(model))).collect();
    for library in LIBRARIES {
        for component in library.components.iter().map(|class| class.declaration) {
            let name = format!("{}::{}", library.name, component.name);
            let named = [component.class, component.name].into_iter().find(|name| !name.is_empty());
            let is_used = named.is_some_and(|name| used.contains(name));
            assert!(small.contains(&name) || is_used, "{name}: no model has it");
        }
    }
}

#[test]
fn each_component_is_the_same_from_a_netlist() {
    let registry = coupler::libraries::registry();
    for ((name, text), (_, again)) in one_of_each().into_iter().zip(one_of_each()) {
        let class = registry.class(&name).expect("it is registered");
        if needs_code(class.declaration) {
            continue;
        }
        let model = name.replace("::", "_");
        let written = with_fresh_arena(|| {
            let mut m = Assembly::new();
            again(&mut m);
            let file = File::of(&model, &m.into_netlist(), &registry);
            file.unwrap_or_else(|errors| panic!("{name}: {errors:?}")).text().expect("numbers")
        });
        let file = File::read(&written).unwrap_or_else(|mistake| panic!("{name}: {mistake}"));
        let read = own::program(&model, |m: &mut Assembly| file.fill(&registry, m));
        let guid = own::program(&model, text).description().guid.clone();
        assert_eq!(read.description().guid, guid, "{name}");
    }
}

#[test]
fn no_component_jumps_without_an_event() {
    let mut notes = Vec::new();
    for (name, text) in one_of_each() {
        let traced = own::traced(&name.replace("::", "_"), text);
        notes.extend(traced.code.notes().iter().map(|note| format!("{name}: {note}")));
    }
    for model in MODELS.models {
        let traced = MODELS.trace(model).expect("a model of the repository");
        notes.extend(traced.code.notes().iter().map(|note| format!("{}: {note}", model.name)));
    }
    notes.retain(|note| note.contains("it jumps"));
    assert!(notes.is_empty(), "{}", notes.join("\n"));
}
