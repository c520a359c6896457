//! `fmu plot`: draws tables in one picture.

use std::path::PathBuf;

use anyhow::{Result, anyhow};

use super::arguments::PlotOptions;
use super::output::{print_line, shown, stem, writable_plot};
use super::run::names;
use crate::commands::plot::{self, MAX_RUNS, Run, Style};
use crate::own_files::folders;
use fmus::csv::TimeSeries;
use fmus::csv_of_any_tool::{AnyTable, Heading};
use fmus::fmu;
use fmus::model_description::ModelDescription;
use fmus::wording::similar;
use simulation::run::{RecordedSignal, Scale};

/// Draws the signals of one or more tables.
pub fn plot(p: &PlotOptions) -> Result<()> {
    p.output.as_deref().map_or(Ok(()), writable_plot)?;
    different(&p.files)?;
    let size = p.size.as_deref().map(size).transpose()?;
    let description = p.fmu.as_deref().map(fmu::read_description).transpose()?;
    let files = p.files.iter().map(|file| AnyTable::read(file));
    let files: Vec<AnyTable> = files.collect::<Result<_, _>>()?;
    let time_unit = time_unit(&files)?;
    let wanted = p.signals.as_deref().map(|list| signals(list, &files)).transpose()?;
    let chosen: Vec<Vec<usize>> =
        files.iter().map(|file| columns(file, wanted.as_deref())).collect();
    if let (Some(fmu), Some(description)) = (&p.fmu, &description) {
        let drawn = files.iter().zip(&chosen);
        let mut names =
            drawn.flat_map(|(file, chosen)| chosen.iter().map(|c| &*file.columns[*c].name));
        if !names.any(|name| description.variable(name).is_some()) {
            return Err(anyhow!("no signal is a variable of {}", fmu.display()));
        }
    }
    let tables = files.iter().zip(&chosen).map(|(file, columns)| file.table(columns));
    let tables: Vec<TimeSeries> = tables.collect::<Result<_, _>>()?;
    let labels = plot::labels(&p.files);
    let model = description.as_ref().map(|d| d.model_name.clone());
    let title = p.title.clone().or(model).unwrap_or_else(|| title(&labels));
    let sources = files.iter().zip(&chosen).zip(&tables);
    let runs = sources.zip(labels).map(|(((file, columns), table), label)| {
        let headings = columns.iter().map(|column| &file.columns[*column]);
        let signals = headings.map(|heading| signal(heading, description.as_ref())).collect();
        Run { label, signals, table }
    });
    let runs: Vec<Run<'_>> = runs.collect();
    let by_default = || folders::results().join(format!("{}.plot.svg", stem(&p.files[0])));
    let output = p.output.clone().unwrap_or_else(by_default);
    let style = Style { title, time_unit, size, every_panel: wanted.is_some() };
    plot::write(&output, &style, &runs)?;
    print_line(&shown(&output))
}

/// Refuses a file that is given twice, and more files than can be told apart.
fn different(files: &[PathBuf]) -> Result<()> {
    if files.len() > MAX_RUNS {
        let count = files.len();
        return Err(anyhow!(
            "{count} files are too many for a picture: more than {MAX_RUNS} lines of a signal \
             cannot be told apart"
        ));
    }
    let full = |file: &PathBuf| file.canonicalize().unwrap_or_else(|_| file.clone());
    for (index, file) in files.iter().enumerate() {
        if files[..index].iter().any(|earlier| full(earlier) == full(file)) {
            return Err(anyhow!("{} is given twice", file.display()));
        }
    }
    Ok(())
}

/// Width and height in pixels.
fn size(text: &str) -> Result<(u32, u32)> {
    /// The largest width and height, so that a picture fits into memory.
    const MOST: u32 = 10_000;
    let sides = text.split_once(['x', 'X']);
    let sides = sides.and_then(|(width, height)| {
        Some((width.trim().parse().ok()?, height.trim().parse().ok()?))
    });
    match sides {
        Some((width, height)) if width <= MOST && height <= MOST => Ok((width, height)),
        Some(_) => Err(anyhow!("--size {text}: a picture has at most {MOST}x{MOST} pixels")),
        None => Err(anyhow!("--size {text}: width and height in pixels are expected: 960x480")),
    }
}

/// The common unit of time: that in the heads, or else s where the column is called `time`.
fn time_unit(files: &[AnyTable]) -> Result<String> {
    let unit = |file: &AnyTable| match &file.time.unit {
        Some(unit) => unit.clone(),
        None if file.time.name == "time" => "s".to_owned(),
        None => String::new(),
    };
    let first = files.iter().find(|file| !unit(file).is_empty());
    let common = first.map(unit).unwrap_or_default();
    let other = files.iter().find(|file| ![common.as_str(), ""].contains(&&*unit(file)));
    match (first, other) {
        (Some(first), Some(other)) => {
            let (a, b) = (first.path.display(), other.path.display());
            Err(anyhow!("times are in {common} in {a}, but in {} in {b}", unit(other)))
        }
        _ => Ok(common),
    }
}

/// The names in a list, each of which is in at least one file.
fn signals(list: &str, files: &[AnyTable]) -> Result<Vec<String>> {
    let names = names(list);
    if names.is_empty() {
        return Err(anyhow!("--signals names no signal"));
    }
    for (index, name) in names.iter().enumerate() {
        if names[..index].contains(name) {
            return Err(anyhow!("--signals names {name} twice"));
        }
        if files.iter().any(|file| file.position(name).is_some()) {
            continue;
        }
        let known = files.iter().flat_map(|file| &file.columns).map(|heading| &*heading.name);
        let hint = similar(name, known).map(|similar| format!("; is it `{similar}`?"));
        let hint = hint.unwrap_or_default();
        return Err(match files {
            [file] => anyhow!("{} has no signal `{name}`{hint}", file.path.display()),
            _ => anyhow!("no file has a signal `{name}`{hint}"),
        });
    }
    Ok(names)
}

/// The columns of a file that are wanted, in that order; by default all.
fn columns(file: &AnyTable, wanted: Option<&[String]>) -> Vec<usize> {
    match wanted {
        Some(names) => names.iter().filter_map(|name| file.position(name)).collect(),
        None => (0..file.columns.len()).collect(),
    }
}

/// What is known about a signal: the variable of the FMU, or else the head of the column.
fn signal(heading: &Heading, description: Option<&ModelDescription>) -> RecordedSignal {
    let variable = description.and_then(|d| d.variable(&heading.name));
    let by_name = || RecordedSignal::real(&heading.name);
    let mut signal = variable.map_or_else(by_name, RecordedSignal::of);
    if heading.unit.is_some() && matches!(signal.scale, Scale::Real(_)) {
        signal.scale = Scale::Real(heading.unit.clone());
    }
    signal
}

/// A title made of the names of a few files.
fn title(labels: &[String]) -> String {
    match labels {
        [first, _, _, _, ..] => format!("{first} and {} more", labels.len() - 1),
        few => few.join(", "),
    }
}
