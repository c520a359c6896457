//! `fmu check`: prints the findings for FMUs.

use std::path::Path;
use std::time::Instant;

use anyhow::{Result, anyhow};

use super::arguments::{CheckOptions, FormatOption};
use super::output::{one_line, print_json, print_line, remark, writable};
use crate::commands::systems;
use check::baseline::{AcceptedFinding, Baseline};
use check::checked::{CheckedFile, JudgedFinding};
use check::{self, formats, summary};
use fmus::finding::Finding;
use fmus::fmu::read_description;
use fmus::fmu::runs_on;
use fmus::wording::counted;
use simulation::systems::package::{Package, is_package};
use simulation::systems::wiring::Wiring;

/// Checks a system of FMUs, and prints its mistakes and notes; the reason why it is refused, if it
/// is.
fn check_system(path: &Path, no_run: bool) -> Result<Option<String>> {
    let shown = path.display();
    let wiring = match Wiring::of(&Package::open(path)?) {
        Ok(wiring) => wiring,
        Err(mistakes) => {
            let lines = mistakes.iter().map(|mistake| format!("error: {mistake}"));
            lines.map(|line| one_line(&line)).try_for_each(|line| print_line(&line))?;
            return Ok(Some(format!("{shown}: {}", counted(mistakes.len(), "error"))));
        }
    };
    if !no_run {
        let notes = match systems::notes(&wiring) {
            Ok(notes) => notes,
            Err(error) => return Ok(Some(error.to_string())),
        };
        let lines = notes.iter().map(|note| format!("note: {note}"));
        lines.map(|line| one_line(&line)).try_for_each(|line| print_line(&line))?;
    }
    let (parts, links) = (wiring.parts.len(), wiring.links.len());
    let content = format!("{}, {}", counted(parts, "component"), counted(links, "connection"));
    print_line(&one_line(&format!("{shown}: {content}, no errors")))?;
    Ok(None)
}

/// Checks FMUs, and prints the findings.
pub fn check(options: &CheckOptions) -> Result<()> {
    let &CheckOptions { ref files, no_run, format, strict, .. } = options;
    options.write_baseline.as_deref().map_or(Ok(()), writable)?;
    let mut baseline = options.baseline.as_deref().map(Baseline::read).transpose()?;
    let program = std::env::current_exe()?;
    let program = (!no_run).then_some(program.as_path());
    let mut checked = Vec::new();
    let (systems, files): (Vec<_>, Vec<_>) = files.iter().partition(|path| is_package(path));
    if let Some(path) = systems.first().filter(|_| format != FormatOption::Text) {
        return Err(anyhow!("{}: only findings of FMUs have this format", path.display()));
    }
    let mut refused_systems = Vec::new();
    for path in systems {
        match check_system(path, no_run) {
            Ok(refused) => refused_systems.extend(refused),
            Err(error) => refused_systems.push(error.to_string()),
        }
    }
    for path in files {
        let file = check_file(path, program, baseline.as_mut());
        if format == FormatOption::Text {
            print_lines(&file, options)?;
        }
        checked.push(file);
    }
    // Without a run, what a library does is not known.
    let known = baseline.filter(|_| !no_run);
    let left = known.map(|known| left(&known, &checked)).unwrap_or_default();
    match format {
        FormatOption::Text => {}
        FormatOption::Json => print_json(&formats::json(&checked, strict, &left))?,
        FormatOption::Sarif => print_json(&formats::sarif(&checked))?,
        FormatOption::Junit => print_line(&formats::junit(&checked, strict)?)?,
    }
    for AcceptedFinding { file, rule, text, .. } in left {
        remark(&format!("{file}: a finding of the baseline no longer occurs: {rule} {text}"));
    }
    let written = options.write_baseline.as_deref();
    if let Some(path) = written {
        let baseline = Baseline::of(&checked);
        baseline.write(path)?;
        remark(&format!("{}: accepts {}", path.display(), counted(baseline.len(), "finding")));
    }
    let refused = |file: &CheckedFile| match &file.fault {
        Some(fault) => Some(fault.clone()),
        None if file.is_unreadable => file.damage().map(str::to_owned),
        None if file.damage().is_some() => Some(counts(file)),
        None if written.is_none() && file.is_refused(strict) => Some(counts(file)),
        None => None,
    };
    let refused: Vec<String> =
        refused_systems.into_iter().chain(checked.iter().filter_map(refused)).collect();
    if refused.is_empty() { Ok(()) } else { Err(anyhow!(refused.join("; "))) }
}

fn check_file(path: &Path, program: Option<&Path>, baseline: Option<&mut Baseline>) -> CheckedFile {
    let begin = Instant::now();
    let (findings, fault, is_unreadable) = match check::file(path, program) {
        Ok(findings) => (findings, None, false),
        Err(error) if error.is_of_machine() => (Vec::new(), Some(error.to_string()), false),
        Err(error) => (vec![Finding::damage(error.to_string())], None, true),
    };
    let new = |finding| JudgedFinding { finding, accepted: false };
    let findings = match baseline {
        Some(baseline) => baseline.judge(path, findings),
        None => findings.into_iter().map(new).collect(),
    };
    let platforms = read_description(path).and_then(|d| runs_on::platforms(path, &d));
    CheckedFile {
        path: path.to_owned(),
        findings,
        fault,
        is_unreadable,
        platforms: platforms.unwrap_or_default(),
        seconds: begin.elapsed().as_secs_f64(),
    }
}

/// The findings of the baseline that no longer occur in the files.
fn left(baseline: &Baseline, files: &[CheckedFile]) -> Vec<AcceptedFinding> {
    let read = files.iter().filter(|file| file.fault.is_none() && file.damage().is_none());
    let mut left: Vec<_> = read.flat_map(|file| baseline.left(&file.path)).cloned().collect();
    left.sort();
    left.dedup();
    left
}

/// The file with the numbers of its new and of its accepted findings.
fn counts(file: &CheckedFile) -> String {
    let new = summary::counts(&file.new_findings());
    let accepted = match file.count_accepted() {
        0 => String::new(),
        accepted => format!(" ({accepted} accepted)"),
    };
    format!("{}: {new}{accepted}", file.path.display())
}

fn print_lines(file: &CheckedFile, options: &CheckOptions) -> Result<()> {
    let shown = file.path.display();
    // Both are in the sentence with which the command fails.
    if file.fault.is_some() || file.is_unreadable {
        return Ok(());
    }
    let place = if options.files.len() > 1 { format!("{shown}: ") } else { String::new() };
    let lines = summary::lines(&file.new_findings(), options.all);
    lines.iter().try_for_each(|line| print_line(&one_line(&format!("{place}{line}"))))?;
    if options.write_baseline.is_none() && file.is_refused(options.strict) {
        return Ok(());
    }
    print_line(&counts(file))?;
    if !file.platforms.is_empty() {
        let platforms = file.platforms.join(", ");
        print_line(&one_line(&format!("{shown}: runs on {platforms}")))?;
    }
    Ok(())
}
