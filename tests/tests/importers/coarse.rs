//! Euler's method as the FMU Compliance Checker has it, at steps for which it is not made: a model
//! that it drives out of its range says so and asks for nothing worse than another step.

use std::fmt::Write as _;

use coupler_tests::runs::{Habit, Run};
use coupler_tests::{Fmu, Status};

/// The steps tried in s: of the default experiment, and those into which a checker divides it.
fn steps(fmu: &Fmu) -> Vec<f64> {
    let experiment = &fmu.description.experiment;
    let parts = [10.0, 30.0, 100.0, 300.0, 1000.0, 3000.0];
    let divided = parts.iter().map(|n| fmu.stop_time() / n);
    experiment.step_size.into_iter().chain(divided).collect()
}

/// A run that ended in Discard: the step in s, and the sentence.
struct Refused {
    step: f64,
    sentence: String,
}

/// The runs of a model that are refused; any other end than the stop time is a failure.
fn refused(fmu: &Fmu) -> Vec<Refused> {
    let run = |step: f64| {
        let run = Run { tolerance: None, ..Run::of(fmu, step) };
        let (status, log) = run.try_imitating(fmu, Habit::FmuCheck);
        let what = format!("{} at {step} s: {status:?} {log:?}", fmu.name());
        match status {
            Status::Ok => None,
            Status::Discard => {
                let said =
                    log.iter().rev().find(|message| message.status == Status::Discard as i64);
                let sentence = said.unwrap_or_else(|| panic!("no sentence: {what}")).text.clone();
                let symptoms = ["not a finite number", "singular position"];
                assert!(!symptoms.iter().any(|symptom| sentence.contains(symptom)), "{what}");
                Some(Refused { step, sentence })
            }
            _ => panic!("{what}"),
        }
    };
    steps(fmu).into_iter().filter_map(run).collect()
}

/// The section of the page.
pub fn document(fmus: &[Fmu]) -> String {
    let mut text = String::from(INTRODUCTION);
    for fmu in fmus {
        if let Some(smallest) = refused(fmu).into_iter().min_by(|a, b| a.step.total_cmp(&b.step)) {
            let (step, sentence) = (smallest.step, smallest.sentence);
            let _ = writeln!(text, "| {} | {step:.1e} | {sentence} |", fmu.name());
        }
    }
    text
}

const INTRODUCTION: &str = "
## Where Euler's method diverges

The FMU Compliance Checker integrates by Euler's method of fixed step. All models are run with its calls, at the
step of their default experiment and at the 10th to the 3000th part of it. No call ends in an error; where the
method diverges, a call answers Discard with a sentence that names the state. The smallest step at which that
happens:

| model | step in s | sentence |
|---|---|---|
";
