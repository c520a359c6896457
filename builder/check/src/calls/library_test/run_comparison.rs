//! Comparisons of two runs.

use std::collections::BTreeSet;

use super::test_run::Record;
use super::type_test::{ROUNDING, TypeTest, shown};
use fmus::model_description::Base;

/// Maximum dependence of results on the communication steps, relative to the value or to its
/// nominal value.
pub(super) const STEP_DEPENDENCE: f64 = 1e-2;

/// How two runs are compared; differences are relative to the value or to its nominal value.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Exactness {
    /// All variables, by their bits.
    Exactly,
    /// All variables, up to rounding.
    Rounded,
    /// Results of integration, up to the integrator's error.
    Integrated,
}

/// Reports that two runs differ: as a warning if the difference is within the tolerance, otherwise
/// as an error. Nothing is reported if runs cannot be compared. Differences with the same cause are
/// one finding.
pub(super) fn same(
    test: &mut TypeTest<'_>,
    (cause, rule): (&str, &'static str),
    what: &str,
    wanted: &[Record],
    found: &[Record],
    exactness: Exactness,
) {
    if !test.comparable {
        return;
    }
    if let Some(text) = difference(test, wanted, found, exactness) {
        test.error_due_to(cause, rule, format!("{what} {text}"));
    } else if let Some(text) = difference(test, wanted, found, Exactness::Exactly) {
        test.warning_due_to(cause, rule, format!("{what} {text}"));
    }
}

/// Whether a variable is compared if runs agree up to integration errors only: rates, and values
/// calculated from them, may differ much more than the states.
fn is_integrated(test: &TypeTest<'_>, index: usize) -> bool {
    let d = &test.fmu.description;
    let v = &d.variables[index];
    !matches!(&*v.causality, "local" | "calculatedParameter") || d.states().contains(&index)
}

/// The first difference of two runs that exceeds the tolerance.
pub(super) fn difference(
    test: &TypeTest<'_>,
    wanted: &[Record],
    found: &[Record],
    exactness: Exactness,
) -> Option<String> {
    // A single point is compared, not a run.
    let single = wanted.len() == 1 && found.len() == 1;
    for (step, (wanted, found)) in wanted.iter().zip(found).enumerate() {
        if let Some((k, index)) = apart(test, wanted, found, exactness).next() {
            let (name, step) = (&test.fmu.description.variables[index].name, step + 1);
            let (wanted, found) = (shown(wanted[k]), shown(found[k]));
            let after = if single { String::new() } else { format!(", in step {step}") };
            return Some(format!("{name} is {found}, not {wanted}{after}"));
        }
    }
    let (wanted, found) = (wanted.len(), found.len());
    (wanted != found).then(|| format!("the run ends after {found} steps, not {wanted}"))
}

/// The variables, by their index, that differ anywhere between two runs.
pub(super) fn differing(
    test: &TypeTest<'_>,
    wanted: &[Record],
    found: &[Record],
) -> BTreeSet<usize> {
    let steps = wanted.iter().zip(found);
    steps.flat_map(|(a, b)| apart(test, a, b, Exactness::Rounded)).map(|(_, index)| index).collect()
}

/// The variables that are compared and differ between two records: their places in the records, and
/// their indices among all variables.
fn apart<'a>(
    test: &'a TypeTest<'_>,
    wanted: &'a Record,
    found: &'a Record,
    exactness: Exactness,
) -> impl Iterator<Item = (usize, usize)> + 'a {
    let all = test.fmu.description.variables.iter().enumerate();
    let numbers = all.filter(|(_, v)| v.base != Base::String).enumerate();
    numbers.filter_map(move |(k, (index, v))| {
        let (a, b) = (wanted[k], found[k]);
        if a.to_bits() == b.to_bits() || test.restless.contains(&index) {
            return None;
        }
        let scale = v.attributes.nominal.unwrap_or(1.0).abs().max(a.abs());
        let within = |tolerance: f64| v.base == Base::Real && (a - b).abs() <= tolerance * scale;
        let near = match exactness {
            Exactness::Exactly => false,
            Exactness::Rounded => within(ROUNDING),
            Exactness::Integrated => {
                within(STEP_DEPENDENCE) || v.base == Base::Real && !is_integrated(test, index)
            }
        };
        (!near).then_some((k, index))
    })
}
