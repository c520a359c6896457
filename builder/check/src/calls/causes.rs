//! One finding for each cause, however many observations of a library test are due to it.

use std::borrow::Cow;
use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use fmus::finding::{Finding, Severity};

/// A call or a step that the FMU discards.
pub(crate) const DISCARDED: &str = "a discarded call";

/// Derivatives that are no functions of time, states and inputs.
pub(crate) const IMPURE: &str = "derivatives that are no functions";

/// Values that are others if they are read together.
pub(crate) const LISTS: &str = "values read together";

/// States that are not written.
pub(crate) const UNWRITTEN: &str = "states that are not written";

/// Something that is missing in a restored state.
pub(crate) const RESTORED: &str = "a restored state";

/// Causes due to which an FMU type seems to break other rules too.
const CONSEQUENCES: &[(&str, &[&str])] = &[
    (IMPURE, &["A049", "A072", "A076", "A086"]),
    (LISTS, &["A081", "A083", "A096", "C077"]),
    (UNWRITTEN, &["A068", "C050"]),
];

/// Rules that say more than other rules about the same cause.
const TELLING: &[&str] = &["C077", "A083", "C050"];

/// What a library test observes.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Observation {
    pub(crate) severity: Severity,
    pub(crate) rule: Cow<'static, str>,
    /// The name of the FMU type under test; none if the test ends before there is one.
    pub(crate) fmu_type: Option<String>,
    /// Observations with the same cause are one finding.
    pub(crate) cause: String,
    pub(crate) text: String,
}

impl Observation {
    /// An error of the file, for which no FMU type can be tested.
    pub(crate) fn of_file(rule: &'static str, text: String) -> Observation {
        let (severity, cause) = (Severity::Error, text.clone());
        Observation { severity, rule: rule.into(), fmu_type: None, cause, text }
    }
}

/// The findings for observations, in the order of the first observation of each cause.
pub(crate) fn findings(observations: &[Observation]) -> Vec<Finding> {
    let mut order: Vec<&str> = Vec::new();
    let mut causes: BTreeMap<&str, Vec<&Observation>> = BTreeMap::new();
    for observation in observations.iter().filter(|o| !is_consequence(o, observations)) {
        let same = causes.entry(&observation.cause).or_default();
        if same.is_empty() {
            order.push(&observation.cause);
        }
        same.push(observation);
    }
    order.into_iter().filter_map(|cause| finding(&causes[cause])).collect()
}

fn is_consequence(observation: &Observation, all: &[Observation]) -> bool {
    let explains = |(cause, rules): &(&str, &[&str])| {
        let seen =
            |other: &Observation| other.cause == *cause && other.fmu_type == observation.fmu_type;
        observation.cause != *cause && rules.contains(&&*observation.rule) && all.iter().any(seen)
    };
    CONSEQUENCES.iter().any(explains)
}

/// The finding for observations with the same cause: one of the worst, and the FMU types that break
/// its rule.
fn finding(same: &[&Observation]) -> Option<Finding> {
    let worst = same.iter().min_by_key(|o| (o.severity, !TELLING.contains(&&*o.rule)))?;
    let alike = same.iter().filter(|o| o.rule == worst.rule && o.fmu_type != worst.fmu_type);
    let text = match (&worst.fmu_type, alike.min_by_key(|o| o.text != worst.text)) {
        (None, _) => worst.text.clone(),
        (Some(fmu_type), Some(Observation { fmu_type: Some(other), text, .. })) => {
            if *text == worst.text {
                format!("{fmu_type} and {other}: {text}")
            } else {
                format!("{fmu_type}: {}; {other} likewise", worst.text)
            }
        }
        (Some(fmu_type), _) => format!("{fmu_type}: {}", worst.text),
    };
    Some(Finding::new(worst.severity, worst.rule.clone(), text))
}

#[cfg(test)]
mod tests {
    use super::*;

    const ME: &str = "Model Exchange";
    const CS: &str = "Co-Simulation";

    fn seen(
        severity: Severity,
        rule: &'static str,
        fmu_type: &str,
        cause: &str,
        text: &str,
    ) -> Observation {
        let (cause, text) = (cause.to_owned(), text.to_owned());
        Observation {
            severity,
            rule: rule.into(),
            fmu_type: Some(fmu_type.to_owned()),
            cause,
            text,
        }
    }

    fn shown(observations: &[Observation]) -> Vec<String> {
        let shown = |f: Finding| format!("{} {} {}", f.severity.name(), f.rule, f.text);
        findings(observations).into_iter().map(shown).collect()
    }

    #[test]
    fn a_cause_is_one_finding_with_the_worst_severity_and_both_fmu_types() {
        use Severity::{Error, Warning};
        let step_1 = seen(Warning, "A005", ME, "A005", "x in step 1");
        let step_2 = seen(Error, "A005", ME, "A005", "x in step 2");
        let other = seen(Error, "A005", CS, "A005", "x in step 3");
        let text = "error A005 Model Exchange: x in step 2; Co-Simulation likewise";
        assert_eq!(shown(&[step_1, step_2.clone(), other]), [text]);
        let same = seen(Warning, "A005", CS, "A005", "x in step 2");
        let text = "error A005 Model Exchange and Co-Simulation: x in step 2";
        assert_eq!(shown(&[step_2.clone(), same]), [text]);
        let another_rule = seen(Warning, "A072", CS, "A005", "y");
        assert_eq!(shown(&[step_2, another_rule]), ["error A005 Model Exchange: x in step 2"]);
    }

    #[test]
    fn consequences_of_a_cause_are_no_findings() {
        let impure = seen(Severity::Error, "A088", ME, IMPURE, "derivatives differ");
        let reset = |fmu_type| seen(Severity::Error, "A049", fmu_type, "A049", "x");
        let found = shown(&[reset(ME), impure]);
        assert_eq!(found, ["error A088 Model Exchange: derivatives differ"]);
        assert_eq!(shown(&[reset(CS)]), ["error A049 Co-Simulation: x"]);
    }
}
