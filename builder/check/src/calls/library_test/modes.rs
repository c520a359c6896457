//! Rules for the modes of an instance: derivatives as functions of time and states, and readable
//! values.

use super::faults::TestFault;
use super::start_values;
use super::test_run::TestRun;
use super::type_test::{ROUNDING, STEPS, TypeTest};
use crate::calls::causes::IMPURE;
use fmus::error::FailedCall;
use fmus::fmi::FmuType;
use fmus::host::{FmuLibrary, Instance, ModelExchangeArray};
use fmus::model_description::Base;

/// Whether two lists are equal up to rounding.
fn same(a: &[f64], b: &[f64]) -> bool {
    let near = |a: f64, b: f64| (a - b).abs() <= ROUNDING * a.abs().max(1.0);
    a.iter().zip(b).all(|(a, b)| a.to_bits() == b.to_bits() || near(*a, *b))
}

/// A086 to A088 and B002: derivatives are functions of time and states, and agree with their
/// variables.
pub(super) fn continuous_time(
    test: &mut TypeTest<'_>,
    library: &FmuLibrary,
) -> Result<(), TestFault> {
    if test.fmu_type == FmuType::CoSimulation {
        return Ok(());
    }
    let instance = test.instantiate(library)?;
    let mut run = TestRun::begin(test, instance)?;
    run.go(test, STEPS / 2)?;
    if run.progress.ended {
        return Ok(());
    }
    test.stage("states and derivatives as variables");
    let x = run.array(test, ModelExchangeArray::States)?;
    let dx = run.array(test, ModelExchangeArray::Derivatives)?;
    as_variables(test, &mut run, &x, &dx)?;
    test.stage("fmi2GetDerivatives again");
    if !same(&dx, &run.array(test, ModelExchangeArray::Derivatives)?) {
        test.error_due_to(IMPURE, "A088", "derivatives differ when they are read again");
    }
    let (time, step) = (run.progress.time, run.step);
    test.stage("fmi2SetTime back in time");
    // The time must not pass the next event, after which nothing is guaranteed.
    let ahead = run.progress.next_event.map_or(step, |next| step.min(next - time));
    look(test, &mut run, |instance| instance.set_time(time + 0.5 * ahead))?;
    run.instance.set_time(time)?;
    if !same(&dx, &run.array(test, ModelExchangeArray::Derivatives)?) {
        let text = "derivatives differ after an evaluation at a later time";
        test.error_due_to(IMPURE, "A088", text);
    }
    if !x.is_empty() {
        test.stage("fmi2SetContinuousStates there and back");
        let ahead: Vec<f64> = x.iter().zip(&dx).map(|(x, dx)| x + 0.5 * step * dx).collect();
        look(test, &mut run, |instance| instance.set_continuous_states(&ahead))?;
        run.instance.set_continuous_states(&x)?;
        if !same(&dx, &run.array(test, ModelExchangeArray::Derivatives)?) {
            let text = "derivatives differ after an evaluation at other states";
            test.error_due_to(IMPURE, "A088", text);
        }
    }
    test.stage("fmi2EnterEventMode without a cause");
    run.instance.enter_event_mode()?;
    run.iterate(test)?;
    if !run.progress.ended && !same(&x, &run.array(test, ModelExchangeArray::States)?) {
        test.error("B002", "an event without a cause changes the states");
    }
    Ok(())
}

/// Evaluates at other points than that of the run, as integrators do; a discarded call is no
/// finding there.
fn look<'l>(
    test: &mut TypeTest<'_>,
    run: &mut TestRun<'l>,
    go: impl FnOnce(&mut Instance<'l>) -> Result<(), FailedCall>,
) -> Result<(), TestFault> {
    let mut outcome = go(&mut run.instance).map_err(TestFault::from);
    for array in [ModelExchangeArray::Derivatives, ModelExchangeArray::Indicators] {
        outcome = outcome.and_then(|()| run.array(test, array).map(drop));
    }
    match outcome {
        Err(fault) if fault.discarded => Ok(()),
        outcome => outcome,
    }
}

/// A086: states and derivatives have the values of their variables.
fn as_variables(
    test: &mut TypeTest<'_>,
    run: &mut TestRun<'_>,
    x: &[f64],
    dx: &[f64],
) -> Result<(), TestFault> {
    let d = &test.fmu.description;
    for (k, unknown) in d.derivatives.iter().enumerate() {
        let Some(derivative) = d.variables.get(unknown.index) else { continue };
        let state = derivative.derivative.and_then(|i| d.variables.get(i));
        let pairs = [(state, x), (Some(derivative), dx)];
        for (v, listed) in pairs.into_iter().filter_map(|(v, list)| Some((v?, list[k]))) {
            let value = run.instance.number(v)?;
            if !same(&[value], &[listed]) {
                let (name, place) = (&v.name, k + 1);
                let text =
                    format!("{name} is {value}, but element {place} of the vector is {listed}");
                test.error("A086", text);
            }
        }
    }
    Ok(())
}

/// A082 and A089: the values that can be read in Initialization Mode.
pub(super) fn initialization_mode(
    test: &mut TypeTest<'_>,
    library: &FmuLibrary,
) -> Result<(), TestFault> {
    let mut instance = test.instantiate(library)?;
    TestRun::prepare(test, &mut instance)?;
    let d = &test.fmu.description;
    test.stage("reading the unknowns in Initialization Mode");
    for unknown in &d.initial_unknowns {
        let v = d.variables.get(unknown.index).filter(|v| v.base != Base::String);
        v.map(|v| instance.number(v)).transpose()?;
    }
    drop(instance);
    if test.interface.flag("providesDirectionalDerivative") {
        initial_derivatives(test, library)?;
    }
    if test.fmu_type == FmuType::ModelExchange {
        arrays_in_initialization_mode(test, library)?;
    }
    Ok(())
}

/// A082: directional derivatives of the unknowns in Initialization Mode.
fn initial_derivatives(test: &mut TypeTest<'_>, library: &FmuLibrary) -> Result<(), TestFault> {
    let d = &test.fmu.description;
    let continuous = |i: &usize| {
        let v = d.variables.get(*i);
        v.is_some_and(|v| v.base == Base::Real && v.variability == "continuous")
    };
    let unknowns = d.initial_unknowns.iter().map(|u| u.index).filter(continuous);
    let unknowns: Vec<u32> = unknowns.map(|i| d.variables[i].value_reference).collect();
    if unknowns.is_empty() {
        return Ok(());
    }
    let mut instance = test.instantiate(library)?;
    TestRun::prepare(test, &mut instance)?;
    test.stage("fmi2GetDirectionalDerivative in Initialization Mode");
    let inputs = d.variables.iter().enumerate().filter(|(i, _)| continuous(i));
    let inputs = inputs.filter(|(_, v)| v.causality == "input");
    for (_, input) in inputs {
        let known = &[input.value_reference];
        let values = instance.directional_derivative(&unknowns, known, &[1.0])?;
        if let Some(value) = values.iter().find(|v| !v.is_finite()) {
            let name = &input.name;
            let text = format!("with respect to {name} in Initialization Mode: {value}");
            test.error_due_to("A084", "A084", format!("a directional derivative {text}"));
        }
    }
    Ok(())
}

/// A089 and C050: each array is read from an instance of its own, because a refusal may put it into
/// an error state.
fn arrays_in_initialization_mode(
    test: &mut TypeTest<'_>,
    library: &FmuLibrary,
) -> Result<(), TestFault> {
    let d = &test.fmu.description;
    let states = d.derivatives.len();
    for (array, n) in [
        (ModelExchangeArray::States, states),
        (ModelExchangeArray::Derivatives, states),
        (ModelExchangeArray::Nominals, states),
        (ModelExchangeArray::Indicators, d.number_of_event_indicators),
    ] {
        if n == 0 {
            continue;
        }
        let mut instance = test.instantiate(library)?;
        TestRun::prepare(test, &mut instance)?;
        test.risk("A089", &format!("reading {array:?} in Initialization Mode"));
        match instance.array(array, n) {
            Ok(written) if array == ModelExchangeArray::States => {
                start_values::states_at_start(test, &written.values)
            }
            Ok(_) => {}
            Err(call) => {
                let text = format!("in Initialization Mode {call}");
                test.warning_due_to("A089", "A089", text);
            }
        }
    }
    Ok(())
}
