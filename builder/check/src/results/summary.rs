//! The summary of a check: lines of findings, and their counts by severity.

use fmus::finding::{Finding, Severity};
use fmus::wording::counted;

/// Maximum number of lines for one rule.
const MAX_LINES: usize = 3;

/// A line for each finding; unless `all` is set, only a few for the same rule.
pub fn lines(findings: &[Finding], all: bool) -> Vec<String> {
    let mut lines = Vec::new();
    for same in findings.chunk_by(|a, b| (a.severity, &a.rule) == (b.severity, &b.rule)) {
        // The line that says how many are omitted replaces at least two lines.
        let shown = if all || same.len() <= MAX_LINES { same.len() } else { MAX_LINES - 1 };
        lines.extend(same[..shown].iter().map(ToString::to_string));
        if let [first, ..] = &same[shown..] {
            let (severity, rule, more) = (first.severity.name(), &first.rule, same.len() - shown);
            lines.push(format!("{severity} {rule} {more} more of this rule: see --all"));
        }
    }
    lines
}

/// The number of findings of each severity.
pub fn counts(findings: &[Finding]) -> String {
    let counts = [Severity::Error, Severity::Warning, Severity::Note].map(|severity| {
        let count = findings.iter().filter(|f| f.severity == severity).count();
        (count > 0).then(|| counted(count, severity.name()))
    });
    let counts: Vec<String> = counts.into_iter().flatten().collect();
    if counts.is_empty() { "no problems found".to_owned() } else { counts.join(", ") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rule_broken_in_many_places_takes_few_lines() {
        let of = |count: usize| -> Vec<Finding> {
            (0..count).map(|k| Finding::error("X001", format!("{k}"))).collect()
        };
        assert_eq!(lines(&of(3), false), ["error X001 0", "error X001 1", "error X001 2"]);
        let few = ["error X001 0", "error X001 1", "error X001 750 more of this rule: see --all"];
        assert_eq!(lines(&of(752), false), few);
        assert_eq!(lines(&of(752), true).len(), 752);
        let mixed =
            [of(3), vec![Finding::warning("X001", "a"), Finding::note("X002", "b")]].concat();
        assert_eq!(lines(&mixed, false)[3..], ["warning X001 a", "note X002 b"]);
    }

    #[test]
    fn findings_are_counted_by_severity() {
        let of = [Finding::error("X", ""), Finding::warning("X", ""), Finding::note("X", "")];
        let [error, warning, note] = of.map(|f| vec![f]);
        assert_eq!(counts(&[]), "no problems found");
        let all = [error.clone(), error, warning, note.clone(), note].concat();
        assert_eq!(counts(&all), "2 errors, 1 warning, 2 notes");
        assert_eq!(counts(&all[..1]), "1 error");
    }
}
