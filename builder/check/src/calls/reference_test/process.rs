//! Runs the reference test of an FMU in a process of its own, so that a crash is a finding.

use std::fs::File;
use std::io::Write;
use std::path::Path;

use serde_json::json;

use super::super::child::{self, ChildReport, FAULT, TIME_LIMIT, TestEnd};
use super::{Simulate, judgement, runs};
use fmus::child_process;
use fmus::error::{Error, FileContext};
use fmus::finding::{Finding, Severity};
use fmus::fmi::FmuType;
use fmus::fmu::Fmu;

/// The hidden subcommand of `fmu` that makes the reference test.
pub const SUBCOMMAND: &str = "try-experiments";

/// The beginnings of lines in the report: the experiment that begins, a finding, the end.
const BEGINS: &str = "begins ";
const FOUND: &str = "found ";
const DONE: &str = "done";

/// Makes the reference test in this process and reports to a file, for the parent.
///
/// # Errors
/// If the report cannot be written.
pub fn report(path: &Path, report: &Path, simulate: &mut Simulate<'_>) -> Result<(), Error> {
    let mut file = File::create(report).attempt("write", report)?;
    // The parent reports an error if lines are missing.
    let mut out = |line: String| drop(writeln!(file, "{line}"));
    child_process::follow_parent();
    match findings(path, simulate, &mut out) {
        Ok(()) => {}
        Err(error) if error.is_of_machine() => out(format!("{FAULT}{error}")),
        Err(error) => out(found(&Finding::error("F006", error.to_string()))),
    }
    out(DONE.to_owned());
    Ok(())
}

fn findings(
    path: &Path,
    simulate: &mut Simulate<'_>,
    out: &mut dyn FnMut(String),
) -> Result<(), Error> {
    let fmu = Fmu::open(path)?;
    let fmu_type = match fmu.description.co_simulation {
        Some(_) => FmuType::CoSimulation,
        None => FmuType::ModelExchange,
    };
    if fmu.library(fmu_type).is_err() {
        // The library is for other machines only.
        return Ok(());
    }
    let (runs, omitted) = runs::of(&fmu)?;
    omitted.into_iter().for_each(|text| out(found(&Finding::note("F006", text))));
    for run in runs {
        out(format!("{BEGINS}{}", json!(run.experiment)));
        for finding in judgement::findings(&run, &mut |run| simulate(&fmu, run)) {
            out(found(&finding));
        }
    }
    Ok(())
}

fn found(finding: &Finding) -> String {
    format!("{FOUND}{}", json!([finding.severity, finding.rule, finding.text]))
}

/// Makes the reference test in a child of this process: the program `fmu`.
///
/// # Errors
/// If the child cannot be started.
pub(crate) fn test(program: &Path, path: &Path) -> Result<Vec<Finding>, Error> {
    let ChildReport { lines, end, .. } = child::run(program, SUBCOMMAND, path)?;
    let found = lines.lines().filter_map(|line| {
        let (severity, rule, text) =
            serde_json::from_str::<(Severity, String, String)>(line.strip_prefix(FOUND)?).ok()?;
        Some(Finding::new(severity, rule.into(), text))
    });
    let mut findings: Vec<Finding> = found.collect();
    let last = lines.lines().filter_map(|line| line.strip_prefix(BEGINS)).next_back();
    let name = last.and_then(|name| serde_json::from_str::<Option<String>>(name).ok()).flatten();
    let experiment =
        name.map_or("the default experiment".to_owned(), |n| format!("experiment `{n}`"));
    match end {
        TestEnd::Own(status) if status.success() && lines.lines().any(|line| line == DONE) => {}
        TestEnd::Own(status) => {
            let text = format!("{experiment}: the process ended with {status}");
            findings.push(Finding::error("F006", text));
        }
        // A slow library is not a violation.
        TestEnd::Killed(_) => {
            let limit = TIME_LIMIT.as_secs();
            let text = format!("{experiment} is not compared: it takes longer than {limit} s");
            findings.push(Finding::note("F006", text));
        }
    }
    Ok(findings)
}
