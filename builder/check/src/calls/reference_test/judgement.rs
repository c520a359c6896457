//! What the deviations of a simulation from its reference mean.

use super::{Comparison, ReferenceRun};
use fmus::error::Error;
use fmus::finding::{Finding, Severity};
use fmus::wording::{excerpt, rounded};

/// The deviation up to which a reference is met, as a fraction of the range of a signal: what a
/// picture shows. It is ten times what a solver leaves with the usual tolerance of 1e-4.
const MET: f64 = 1e-3;

/// The deviation that is permitted in tolerances, if these are large. The errors of steps
/// accumulate to a small multiple of the tolerance.
const IN_TOLERANCES: f64 = 10.0;

/// A deviation that exceeds what is permitted by more than this factor is none of the solver, whose
/// tolerance would have to be that much larger.
const WRONG: f64 = 10.0;

/// The tolerance that is assumed if none is stated.
const USUAL: f64 = 1e-4;

/// The part of its tolerance with which an experiment is repeated if it deviates.
const FINER: f64 = 1e-2;

/// The smallest tolerance with which an experiment is repeated.
const FINEST: f64 = 1e-12;

/// If the repetition changes the result by this part of the deviation, the experiment does not
/// determine its result any better.
const OWN_ERROR: f64 = 0.25;

/// Simulates the FMU under test, and compares.
pub(super) type Simulate<'s> = dyn FnMut(&ReferenceRun) -> Result<Comparison, Error> + 's;

/// The findings about a simulation: F006 if it fails, F007 for each signal that deviates.
pub(super) fn findings(run: &ReferenceRun, simulate: &mut Simulate<'_>) -> Vec<Finding> {
    let experiment = match &run.experiment {
        Some(name) => format!("experiment `{}`", excerpt(name)),
        None => "the default experiment".to_owned(),
    };
    let first = match simulate(run) {
        Ok(first) => first,
        Err(error) => {
            let text = format!("{experiment} fails: {}", reason(&error));
            return vec![Finding::error("F006", text)];
        }
    };
    let permitted = MET.max(IN_TOLERANCES * run.tolerance.unwrap_or(0.0));
    let mut findings: Vec<Finding> = first
        .gaps
        .iter()
        .map(|gap| Finding::warning("F007", format!("{experiment}: {gap}")))
        .collect();
    if first.signals.iter().all(|signal| signal.error <= permitted) {
        return findings;
    }
    let repeated = repetition(run, &first, simulate);
    for signal in first.signals.iter().filter(|signal| signal.error > permitted) {
        let same = repeated.signals.iter().find(|again| again.name == signal.name);
        let own = same.filter(|again| again.error >= OWN_ERROR * signal.error);
        let mut text = format!("{experiment}, {}: {} {}", run.table, signal.name, signal.what);
        let severity = match own {
            Some(again) => {
                let finer = rounded(1.0 / FINER, 3);
                text.push_str(&format!(
                    "; a run with a tolerance {finer} times smaller shows that the tolerance does \
                     not determine it: there it {} from the first run",
                    again.what
                ));
                Severity::Note
            }
            None if signal.error <= WRONG * permitted => Severity::Warning,
            // No sentence says that such a result is that of the default experiment.
            None if run.experiment.is_none() => Severity::Warning,
            None => Severity::Error,
        };
        findings.push(Finding::new(severity, "F007".into(), text));
    }
    findings
}

/// The difference of the result from that with a smaller tolerance; nothing if that run fails.
fn repetition(run: &ReferenceRun, first: &Comparison, simulate: &mut Simulate<'_>) -> Comparison {
    let tolerance = (FINER * run.tolerance.unwrap_or(USUAL)).max(FINEST);
    let finer =
        ReferenceRun { tolerance: Some(tolerance), reference: first.result.clone(), ..run.clone() };
    simulate(&finer).unwrap_or_default()
}

/// The reason for an error, without the temporary folder of the FMU.
fn reason(error: &Error) -> String {
    match error {
        Error::Library { reason, .. } | Error::Content { reason, .. } => reason.clone(),
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reference_test::SignalDeviation;
    use fmus::csv::TimeSeries;

    fn run(experiment: Option<&str>, tolerance: f64) -> ReferenceRun {
        ReferenceRun {
            experiment: experiment.map(str::to_owned),
            table: "M_out.csv".to_owned(),
            start: None,
            stop: None,
            step: None,
            tolerance: Some(tolerance),
            set: Vec::new(),
            inputs: None,
            reference: TimeSeries::default(),
        }
    }

    /// The findings if the signal `w` deviates, and changes with a smaller tolerance.
    fn judged(run: &ReferenceRun, deviation: f64, own: f64) -> Vec<String> {
        let mut simulate = |made: &ReferenceRun| {
            let error = if made.tolerance == run.tolerance { deviation } else { own };
            let what = format!("deviates by {error} of its range at 2 s");
            let signals = vec![SignalDeviation { name: "w".to_owned(), error, what }];
            Ok(Comparison { signals, ..Comparison::default() })
        };
        let found = findings(run, &mut simulate);
        found.iter().map(|f| format!("{} {} {}", f.severity.name(), f.rule, f.text)).collect()
    }

    #[test]
    fn a_deviation_is_judged_by_its_size() {
        let run = run(Some("a"), 1e-6);
        assert_eq!(judged(&run, 9e-4, 0.0), [""; 0]);
        let text = "F007 experiment `a`, M_out.csv: w deviates by";
        let of = "of its range at 2 s";
        assert_eq!(judged(&run, 0.002, 0.0), [format!("warning {text} 0.002 {of}")]);
        assert_eq!(judged(&run, 0.02, 1e-5), [format!("error {text} 0.02 {of}")]);
        assert!(judged(&run, f64::INFINITY, 0.0)[0].starts_with("error F007"));
    }

    #[test]
    fn a_coarse_tolerance_permits_more() {
        assert_eq!(judged(&run(Some("a"), 1e-3), 0.009, 0.0), [""; 0]);
        assert!(judged(&run(Some("a"), 1e-3), 0.02, 0.0)[0].starts_with("warning"));
    }

    #[test]
    fn what_the_tolerance_does_not_determine_is_a_note() {
        let found = judged(&run(Some("a"), 1e-6), 0.5, 0.3);
        let text = "note F007 experiment `a`, M_out.csv: w deviates by 0.5 of its range at 2 s; \
                    a run with a tolerance 100 times smaller shows that the tolerance does not \
                    determine it: there it deviates by 0.3 of its range at 2 s from the first run";
        assert_eq!(found, [text]);
    }

    #[test]
    fn a_result_without_an_experiment_is_no_error() {
        assert!(judged(&run(None, 1e-6), 0.5, 0.0)[0].starts_with("warning F007 the default"));
    }

    #[test]
    fn a_simulation_that_fails_is_an_error() {
        let reason = "t=2 no".to_owned();
        let failed = Error::Library { path: "M.fmu".into(), reason };
        let mut failed = Some(failed);
        let found = findings(&run(Some("a"), 1e-6), &mut |_| Err(failed.take().unwrap()));
        assert_eq!(found, [Finding::error("F006", "experiment `a` fails: t=2 no")]);
    }
}
