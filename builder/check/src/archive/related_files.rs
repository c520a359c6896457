//! Rules for the files that belong to an FMU by the layered standard FMI-LS-REF.

use std::collections::BTreeSet;
use std::path::Path;

use super::files::Files;
use fmus::csv::number;
use fmus::csv_of_any_tool::AnyTable;
use fmus::error::Error;
use fmus::finding::{Finding, Severity};
use fmus::model_description::{Base, ModelDescription};
use fmus::related_files::experiments::{self, Data, Experiment};
use fmus::related_files::manifest::{self, RelatedFile};
use fmus::related_files::{FOLDER, MANIFEST, PARAMETERS, Source, TABLE, parameter_set};
use fmus::wording::{excerpt, listed};

/// The rules about these files that an FMU breaks.
pub(crate) fn findings(files: &Files, d: &ModelDescription) -> Vec<Finding> {
    let Some(bytes) = files.get(MANIFEST) else {
        let inside = format!("{FOLDER}/");
        let lost = files.keys().any(|path| path.starts_with(&inside));
        let text = format!("{MANIFEST} is missing, without which nobody knows the files beside it");
        return lost.then(|| Finding::warning("F001", text)).into_iter().collect();
    };
    let read = match text(bytes).and_then(manifest::read) {
        Ok(read) => read,
        Err(reason) => return vec![Finding::error("F001", format!("{MANIFEST}: {reason}"))],
    };
    let faults = read.faults.iter();
    let mut findings: Vec<Finding> =
        faults.map(|fault| Finding::warning("F001", format!("{MANIFEST}: {fault}"))).collect();
    let mut known = BTreeSet::new();
    for file in read.content {
        let place = format!("{MANIFEST}: line {}", file.line);
        if let Some(text) = missing(files, &file.source) {
            findings.push(Finding::warning("F002", format!("{place}: {text}")));
            continue;
        }
        let Some(path) = file.source.path().filter(|path| known.insert((*path).to_owned())) else {
            continue;
        };
        findings.extend(of_file(files, d, &file, path));
    }
    // A table may be a related file and belong to experiments.
    let mut unique: Vec<Finding> = Vec::new();
    findings.into_iter().for_each(|found| {
        if !unique.contains(&found) {
            unique.push(found);
        }
    });
    unique
}

/// Whether there are results to compare, and no error in the files that belong to them is known.
pub(crate) fn can_be_compared(files: &Files, known: &[Finding]) -> bool {
    let is_wrong =
        |found: &Finding| found.severity == Severity::Error && found.rule.starts_with('F');
    let read = files.get(MANIFEST).and_then(|bytes| manifest::read(text(bytes).ok()?).ok());
    let is_result = |file: &RelatedFile| file.role == "result" && file.media_type == TABLE;
    let related = read.map(|read| read.content).unwrap_or_default();
    let any = related.iter().any(|file| file.has_experiments() || is_result(file));
    any && !known.iter().any(is_wrong)
}

/// The rules for the content of a file, by its role and type.
fn of_file(files: &Files, d: &ModelDescription, file: &RelatedFile, path: &str) -> Vec<Finding> {
    let main = file.role.split('/').next().unwrap_or_default();
    match (main, file.media_type.as_str()) {
        ("result", TABLE) => of_table(files, d, path, Columns::Results).1,
        ("parameter", PARAMETERS) => of_parameters(files, d, path),
        ("experiment", _) if file.has_experiments() => of_experiments(files, d, path),
        _ => Vec::new(),
    }
}

/// F002: a file that is named is in the archive.
fn missing(files: &Files, source: &Source) -> Option<String> {
    match source {
        Source::Inside(path) if files.contains_key(path) => None,
        Source::Inside(path) => Some(format!("{} is missing", excerpt(path))),
        Source::Nowhere(uri) => Some(format!("`{}` is no file of the archive", excerpt(uri))),
        // Whether an importer finds it is its own affair.
        Source::Elsewhere(_) => None,
    }
}

fn text(bytes: &[u8]) -> Result<&str, String> {
    std::str::from_utf8(bytes).map_err(|_| "it is not UTF-8".to_owned())
}

/// F003: a file of experiments follows its schema; and the rules for the files that it names.
fn of_experiments(files: &Files, d: &ModelDescription, path: &str) -> Vec<Finding> {
    let read = text(&files[path]).and_then(|text| experiments::read(text, path));
    let read = match read {
        Ok(read) => read,
        Err(reason) => return vec![Finding::error("F003", format!("{path}: {reason}"))],
    };
    let faults = read.faults.iter();
    let mut findings: Vec<Finding> =
        faults.map(|fault| Finding::warning("F003", format!("{path}: {fault}"))).collect();
    for experiment in &read.content {
        findings.extend(of_times(experiment, path));
        findings.extend(of_files(files, d, experiment, path));
    }
    findings
}

/// F003: the settings of an experiment are possible.
fn of_times(experiment: &Experiment, path: &str) -> Option<Finding> {
    let name = excerpt(&experiment.name);
    let fault =
        |text: String| Some(Finding::error("F003", format!("{path}: experiment `{name}`: {text}")));
    if let (Some(start), Some(stop)) = (experiment.start, experiment.stop)
        && stop <= start
    {
        let (start, stop) = (number(start), number(stop));
        return fault(format!("stopTime {stop} s does not come after startTime {start} s"));
    }
    if let Some(step) = experiment.step.filter(|step| *step <= 0.0) {
        return fault(format!("stepSize {} s is not above zero", number(step)));
    }
    let tolerance = experiment.tolerance.filter(|t| !(*t > 0.0 && *t < 1.0))?;
    fault(format!("tolerance {} is not between 0 and 1", number(tolerance)))
}

/// F002, F004 and F005: the files of an experiment are there and fit the FMU.
fn of_files(
    files: &Files,
    d: &ModelDescription,
    experiment: &Experiment,
    path: &str,
) -> Vec<Finding> {
    let mut findings = Vec::new();
    let mut readable = |data: &Option<Data>, of_type: &str| -> Option<String> {
        let data = data.as_ref()?;
        let place = format!("{path}: line {}", data.line);
        if let Some(text) = missing(files, &data.source) {
            // The experiment cannot be made with what is in the FMU.
            findings.push(Finding::error("F002", format!("{place}: {text}")));
            return None;
        }
        data.source.path().filter(|_| data.media_type == of_type).map(str::to_owned)
    };
    let parameters = readable(&experiment.parameters, PARAMETERS);
    let stimuli = readable(&experiment.stimuli, TABLE);
    let references = readable(&experiment.references, TABLE);
    findings.extend(parameters.iter().flat_map(|path| of_parameters(files, d, path)));
    findings.extend(stimuli.iter().flat_map(|path| of_table(files, d, path, Columns::Inputs).1));
    if let Some(table) = references {
        let (times, of_table) = of_table(files, d, &table, Columns::Results);
        findings.extend(of_table);
        findings.extend(times.and_then(|times| outside(times, experiment, d, &table)));
    }
    findings
}

/// F004: the times of a result lie within its experiment.
fn outside(
    (first, last): (f64, f64),
    experiment: &Experiment,
    d: &ModelDescription,
    table: &str,
) -> Option<Finding> {
    let start = experiment.start.or(d.experiment.start_time).unwrap_or(0.0);
    let stop = experiment.stop.or(d.experiment.stop_time);
    let near = 1e-9 * (1.0 + start.abs() + stop.map_or(0.0, f64::abs));
    let is_before = first < start - near;
    let is_after = stop.is_some_and(|stop| last > stop + near);
    let (name, time) = (excerpt(&experiment.name), if is_before { first } else { last });
    (is_before || is_after).then(|| {
        let [time, start, stop] = [time, start, stop.unwrap_or(last)].map(number);
        let within = format!("experiment `{name}`, {start} s to {stop} s");
        let text = format!("{table}: time {time} s is not within {within}");
        Finding::warning("F004", text)
    })
}

/// What the columns of a table are.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Columns {
    Inputs,
    Results,
}

/// F004: a table can be read, and its columns are variables of the FMU; also the first and the last
/// time. Columns of texts may contain anything, as they are not compared.
fn of_table(
    files: &Files,
    d: &ModelDescription,
    path: &str,
    columns: Columns,
) -> (Option<(f64, f64)>, Vec<Finding>) {
    let error = |text: String| Finding::error("F004", format!("{path}: {text}"));
    let read = text(&files[path]).and_then(|text| {
        let any = AnyTable::parse(Path::new(path), text.to_owned())?;
        let is_number = |name: &str| d.variable(name).is_some_and(|v| v.base != Base::String);
        let numbers: Vec<usize> =
            (0..any.columns.len()).filter(|c| is_number(&any.columns[*c].name)).collect();
        let table = any.table(&numbers).map_err(|e| match e {
            Error::Content { reason, .. } => reason,
            other => other.to_string(),
        })?;
        Ok((any, table))
    });
    let (any, table) = match read {
        Ok(read) => read,
        Err(reason) => return (None, vec![error(reason)]),
    };
    let mut findings = Vec::new();
    if let Some(unit) = any.time.unit.as_deref().filter(|unit| *unit != "s") {
        findings.push(Finding::warning("F004", format!("{path}: time is in {unit}, not in s")));
    }
    let mut unknown = Vec::new();
    for heading in &any.columns {
        let Some(variable) = d.variable(&heading.name) else {
            unknown.push(format!("`{}`", excerpt(&heading.name)));
            continue;
        };
        if columns == Columns::Inputs && variable.causality != "input" {
            findings.push(error(format!("{} is not an input", variable.name)));
        }
        let own = variable.attributes.unit.as_deref();
        if let Some(unit) = heading.unit.as_deref().filter(|unit| own != Some(*unit)) {
            let (name, own) = (&variable.name, own.unwrap_or("none"));
            let text = format!("{path}: {name} is in {unit}, but its unit in the FMU is {own}");
            findings.push(Finding::warning("F004", text));
        }
    }
    if let Some((count, names)) = listed(unknown.iter()) {
        let what = if count == 1 { "is no variable" } else { "are no variables" };
        findings.push(error(format!("{names} {what} of the FMU")));
    }
    let gap = |c: &usize| table.rows.iter().any(|row| !row[*c].is_finite());
    if let Some((_, names)) = listed((0..table.names.len()).filter(gap).map(|c| &table.names[c])) {
        let text = format!("{path}: values are missing, and not compared: {names}");
        findings.push(Finding::warning("F004", text));
    }
    (table.time.first().copied().zip(table.time.last().copied()), findings)
}

/// F005: a set of parameters can be read, and its values are those of variables of the FMU.
fn of_parameters(files: &Files, d: &ModelDescription, path: &str) -> Vec<Finding> {
    let values = match text(&files[path]).and_then(parameter_set::read) {
        Ok(values) => values,
        Err(reason) => return vec![Finding::error("F005", format!("{path}: {reason}"))],
    };
    let mut findings = Vec::new();
    let mut unknown = Vec::new();
    for value in values {
        let Some(variable) = d.variable(&value.name) else {
            unknown.push(format!("`{}`", excerpt(&value.name)));
            continue;
        };
        let own = variable.attributes.unit.as_deref();
        if let Some(unit) = value.unit.as_deref().filter(|unit| own != Some(*unit)) {
            let (name, own) = (&variable.name, own.unwrap_or("none"));
            let text = format!("{path}: {name} is in {unit}, but its unit in the FMU is {own}");
            findings.push(Finding::warning("F005", text));
        }
    }
    if let Some((count, names)) = listed(unknown.iter()) {
        let what = if count == 1 { "is no variable" } else { "are no variables" };
        findings.push(Finding::warning("F005", format!("{path}: {names} {what} of the FMU")));
    }
    findings
}
