//! Comparisons of two runs.

use super::test_run::Record;
use super::type_test::{ROUNDING, TypeTest, shown};
use crate::model_description::Base;

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
/// as an error. Nothing is reported if runs cannot be compared.
pub(super) fn same(
    test: &mut TypeTest<'_>,
    rule: &'static str,
    what: &str,
    wanted: &[Record],
    found: &[Record],
    exactness: Exactness,
) {
    if !test.comparable {
        return;
    }
    if let Some(text) = difference(test, wanted, found, exactness) {
        test.error(rule, format!("{what} {text}"));
    } else if let Some(text) = difference(test, wanted, found, Exactness::Exactly) {
        test.warning(rule, format!("{what} {text}"));
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
    let all = test.fmu.description.variables.iter().enumerate();
    let numbers: Vec<_> = all.filter(|(_, v)| v.base != Base::String).collect();
    let apart = |(k, (a, b)): (usize, (&f64, &f64))| {
        let (index, v) = numbers[k];
        if a.to_bits() == b.to_bits() {
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
        (!near).then_some(k)
    };
    // A single point is compared, not a run.
    let single = wanted.len() == 1 && found.len() == 1;
    for (step, (wanted, found)) in wanted.iter().zip(found).enumerate() {
        if let Some(k) = wanted.iter().zip(found).enumerate().find_map(apart) {
            let (name, step) = (&numbers[k].1.name, step + 1);
            let (wanted, found) = (shown(wanted[k]), shown(found[k]));
            let after = if single { String::new() } else { format!(", in step {step}") };
            return Some(format!("{name} is {found}, not {wanted}{after}"));
        }
    }
    let (wanted, found) = (wanted.len(), found.len());
    (wanted != found).then(|| format!("the run ends after {found} steps, not {wanted}"))
}
