//! Tests of the FMU Compliance Checker's method of Euler with too long steps: a model that leaves
//! its range because of them discards the step with a message, and never returns an error.

use std::fmt::Write as _;

use coupler_tests::runs::{Habit, Run};
use coupler_tests::{Fmu, Status};
use fmu_builder::model_description::Base;
use models::MODELS;

/// The tried steps in s: that of the default experiment, and fractions of its duration.
fn steps(fmu: &Fmu) -> Vec<f64> {
    let experiment = &fmu.description.experiment;
    let parts = [10.0, 30.0, 100.0, 300.0, 1000.0, 3000.0];
    let divided = parts.iter().map(|n| fmu.stop_time() / n);
    experiment.step_size.into_iter().chain(divided).collect()
}

/// The sentences of the assertions of a model that end its simulation.
fn assertions(fmu: &Fmu) -> Vec<&'static str> {
    let model = MODELS.simulation(fmu.name()).expect("a model of the repository");
    let assertions = model.info().assertions.iter().filter(|assertion| !assertion.is_warning);
    assertions.map(|assertion| assertion.sentence).collect()
}

/// The message with which a run with a step in s is discarded, if it is. A run must end either in
/// this way or at the stop time, or because an assertion of the model is violated.
fn refusal(fmu: &Fmu, step: f64) -> Option<String> {
    let run = Run { tolerance: None, ..Run::of(fmu, step) };
    let (status, log) = run.try_imitating(fmu, Habit::FmuCheck);
    let what = format!("{} at {step} s: {status:?} {log:?}", fmu.name());
    match status {
        Status::Ok => None,
        Status::Discard => {
            let answer = log.iter().rev().find(|message| message.status == Status::Discard as i64);
            let sentence = answer.unwrap_or_else(|| panic!("no sentence: {what}")).text.clone();
            let apart = sentence.contains(": the loop cannot be closed here: ");
            let states = fmu.reals(fmu.states());
            let mut variables = fmu.description.variables.iter();
            let named = apart
                || variables.any(|variable| {
                    let is_state = states.contains(&variable.value_reference);
                    is_state && variable.base == Base::Real && sentence.contains(&variable.name)
                });
            assert!(named, "neither a state nor a loop is named: {what}");
            Some(sentence)
        }
        Status::Error => {
            let answer = log.iter().find(|message| message.status == Status::Error as i64);
            let sentence = answer.unwrap_or_else(|| panic!("no sentence: {what}")).text.clone();
            let is_asserted = assertions(fmu).iter().any(|of| sentence.ends_with(of));
            assert!(is_asserted, "no assertion of the model: {what}");
            Some(sentence)
        }
        _ => panic!("{what}"),
    }
}

/// The section of the page, made from runs of all FMUs.
pub fn document<'a>(fmus: impl Iterator<Item = &'a Fmu>) -> String {
    let mut text = String::from(INTRODUCTION);
    for fmu in fmus {
        let refusals = steps(fmu).into_iter().filter_map(|step| Some((step, refusal(fmu, step)?)));
        if let Some((step, sentence)) = refusals.min_by(|a, b| a.0.total_cmp(&b.0)) {
            let _ = writeln!(text, "| {} | {step:.4} | {sentence} |", fmu.name());
        }
    }
    text
}

const INTRODUCTION: &str = "
## Where Euler's method diverges

The FMU Compliance Checker uses Euler's method with a fixed step size. The tests simulate all models with its
calls: with the step size of the default experiment, and with a 10th to a 3000th of its duration. If the method
diverges, a call returns fmi2Discard with a message that names the state, or the loop that is torn apart. Only an
assertion of the model, such as that of a battery about its state of charge, is an error. The table shows the
smallest step size at which this happens:

| model | step in s | sentence |
|---|---|---|
";

#[test]
fn stops_with_friction_are_consistent_at_any_step_of_eulers_method() {
    let fmu = Fmu::named("TranslationalFriction");
    for step in [0.1, 0.05, 0.02, 0.01, 5e-3, 2e-3, 1e-3, 5e-4, 2e-4] {
        assert_eq!(refusal(&fmu, step), None);
    }
}
