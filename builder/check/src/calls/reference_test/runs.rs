//! The simulations whose results an FMU contains.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use super::ReferenceRun;
use fmus::csv::TimeSeries;
use fmus::csv_of_any_tool::AnyTable;
use fmus::error::{Error, FileContext};
use fmus::fmu::Fmu;
use fmus::model_description::{Base, ModelDescription};
use fmus::related_files::experiments::{self, Data, Experiment};
use fmus::related_files::{MANIFEST, PARAMETERS, TABLE, manifest, parameter_set};

/// The simulations whose results an unpacked FMU contains, and sentences about omitted experiments.
/// A result without an experiment counts as that of the default experiment.
///
/// # Errors
/// If a file cannot be read.
pub(super) fn of(fmu: &Fmu) -> Result<(Vec<ReferenceRun>, Vec<String>), Error> {
    let folder = fmu.folder();
    let fail = |path: &str| {
        let path = path.into();
        |reason| Error::Content { path, reason }
    };
    let related = manifest::read(&text(folder, MANIFEST)?).map_err(fail(MANIFEST))?.content;
    let (mut runs, mut omitted, mut known) = (Vec::new(), Vec::new(), BTreeSet::new());
    for file in related.iter().filter(|file| file.has_experiments()) {
        let Some(path) = file.source.path() else { continue };
        let read = experiments::read(&text(folder, path)?, path).map_err(fail(path))?;
        for experiment in read.content {
            let Some(references) = &experiment.references else { continue };
            known.extend(references.source.path().map(str::to_owned));
            match of_experiment(fmu, &experiment, references)? {
                Ok(run) => runs.push(run),
                Err(reason) => omitted
                    .push(format!("experiment `{}` is not simulated: {reason}", experiment.name)),
            }
        }
    }
    let results = related.iter().filter(|file| file.role == "result" && file.media_type == TABLE);
    for path in results.filter_map(|file| file.source.path()) {
        if !known.insert(path.to_owned()) || !folder.join(path).is_file() {
            continue;
        }
        if fmu.description.variables.iter().any(|v| v.causality == "input") {
            let name = file_name(path);
            omitted.push(format!("{name} is not compared: no experiment states its inputs"));
            continue;
        }
        let reference = table(folder, path, &fmu.description)?;
        runs.push(ReferenceRun {
            experiment: None,
            table: file_name(path).to_owned(),
            start: None,
            stop: None,
            step: None,
            tolerance: fmu.description.experiment.tolerance,
            set: Vec::new(),
            inputs: None,
            reference,
        });
    }
    Ok((runs, omitted))
}

/// The simulation of an experiment, or a sentence why it is omitted.
fn of_experiment(
    fmu: &Fmu,
    experiment: &Experiment,
    references: &Data,
) -> Result<Result<ReferenceRun, String>, Error> {
    if let Some(analysis) = &experiment.other_analysis {
        return Ok(Err(format!("it is no simulation over time, but a {analysis}")));
    }
    let folder = fmu.folder();
    let files = [
        (Some(references), TABLE),
        (experiment.stimuli.as_ref(), TABLE),
        (experiment.parameters.as_ref(), PARAMETERS),
    ];
    let mut paths = Vec::new();
    for (data, of_type) in files {
        let Some(data) = data else {
            paths.push(None);
            continue;
        };
        if data.media_type != of_type {
            return Ok(Err(format!("files of the type {} are not read", data.media_type)));
        }
        let Some(path) = data.source.path() else {
            return Ok(Err("one of its files is not in the archive".to_owned()));
        };
        paths.push(Some(path));
    }
    let [Some(results), stimuli, parameters] = paths[..] else {
        return Ok(Err("it has no results".to_owned()));
    };
    let set = match parameters {
        None => Vec::new(),
        Some(path) => {
            let values = parameter_set::read(&text(folder, path)?);
            let fail = |reason| Error::Content { path: path.into(), reason };
            let values = values.map_err(fail)?.into_iter();
            // A set may be for several models.
            let known = values.filter(|v| fmu.description.variable(&v.name).is_some());
            known.map(|v| format!("{}={}", v.name, v.value)).collect()
        }
    };
    let inputs = stimuli.map(|path| table(folder, path, &fmu.description)).transpose()?;
    Ok(Ok(ReferenceRun {
        experiment: Some(experiment.name.clone()),
        table: file_name(results).to_owned(),
        start: experiment.start,
        stop: experiment.stop,
        step: experiment.step,
        tolerance: experiment.tolerance.or(fmu.description.experiment.tolerance),
        set,
        inputs,
        reference: table(folder, results, &fmu.description)?,
    }))
}

/// The columns of a table that are numbers in all rows and belong to variables of an FMU.
fn table(folder: &Path, path: &str, d: &ModelDescription) -> Result<TimeSeries, Error> {
    let any = AnyTable::read(&folder.join(path))?;
    let is_number = |name: &str| d.variable(name).is_some_and(|v| v.base != Base::String);
    let columns: Vec<usize> =
        (0..any.columns.len()).filter(|c| is_number(&any.columns[*c].name)).collect();
    let table = any.table(&columns)?;
    let whole = |c: &usize| table.rows.iter().all(|row| row.get(*c).is_some_and(|v| v.is_finite()));
    let whole: Vec<usize> = (0..columns.len()).filter(whole).collect();
    any.table(&whole.into_iter().map(|c| columns[c]).collect::<Vec<_>>())
}

fn text(folder: &Path, path: &str) -> Result<String, Error> {
    let path = folder.join(path);
    fs::read_to_string(&path).attempt("read", &path)
}

fn file_name(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}
