//! Shows the content of an FMU.

use std::fmt::Write;
use std::fs;
use std::path::Path;

use equations::description::{Description, Variable, VariableType};

use crate::models::front_end::ListedClass;
use fmus::archive::unpack;
use fmus::csv::number;
use fmus::error::{Error, FileContext};
use fmus::fmu::runs_on;
use fmus::fmu::{self, Fmu};
use fmus::model_description::{Base, Interface, ModelDescription, ScalarVariable};
use fmus::wording::{self, counted};

/// A summary of an FMU and a table of its variables: inputs, outputs, parameters and states, or
/// all.
///
/// # Errors
/// If the file is not an FMU.
pub fn report(path: &Path, all: bool) -> Result<String, Error> {
    let description = fmu::read_description(path)?;
    let mut archive = unpack::open(path)?;
    let mut files = Vec::new();
    for index in 0..archive.len() {
        let Ok(entry) = archive.by_index_raw(index) else { continue };
        let name = entry.name().map(|n| n.into_owned()).unwrap_or_default();
        if !name.ends_with('/') {
            files.push((name, entry.size()));
        }
    }
    let size = fs::metadata(path).attempt("read", path)?.len();
    let mut text = String::new();
    let _ = head(&mut text, path, size, &description);
    let platforms = runs_on::platforms(path, &description)?;
    let none = || "no known platform".to_owned();
    let platforms = if platforms.is_empty() { none() } else { platforms.join(", ") };
    let _ = writeln!(text, "  runs on       {platforms}");
    let _ = content(&mut text, &files);
    let _ = variables(&mut text, &description, all);
    Ok(text)
}

/// The same of a model in a file, whose FMU was not packed.
///
/// # Errors
/// If the file cannot be read.
pub fn report_model(path: &Path, fmu: &Fmu, all: bool) -> Result<String, Error> {
    // The model may have a name instead of a file.
    let size = if path.exists() { fs::metadata(path).attempt("read", path)?.len() } else { 0 };
    let mut text = String::new();
    let _ = head(&mut text, path, size, &fmu.description);
    let _ = variables(&mut text, &fmu.description, all);
    Ok(text)
}

/// A class of a file: the inputs and outputs of its FMU, or why there is none.
pub fn class(listed: &ListedClass, model: Result<&Description, &[String]>) -> String {
    let mut text = format!("{}  {}", listed.name, listed.description).trim_end().to_owned();
    match model {
        Ok(description) => {
            for (label, causality) in [("inputs", "input"), ("outputs", "output")] {
                let variables = description.variables.iter().filter(|v| v.causality == causality);
                let variables: Vec<String> = variables.map(with_unit).collect();
                let variables =
                    if variables.is_empty() { "none".to_owned() } else { variables.join(", ") };
                let _ = write!(text, "\n  {label:<13} {variables}");
            }
        }
        Err(reasons) => {
            text += "\n  cannot be built";
            for reason in reasons {
                let _ = write!(text, "\n    {reason}");
            }
        }
    }
    text
}

/// The name of a variable with its unit.
fn with_unit(variable: &Variable) -> String {
    match &variable.kind {
        VariableType::Real { unit: Some(unit), .. } if unit != "1" => {
            format!("{} in {unit}", variable.name)
        }
        _ => variable.name.clone(),
    }
}

fn head(text: &mut String, path: &Path, size: u64, d: &ModelDescription) -> std::fmt::Result {
    writeln!(text, "{}", format!("{}  {}", d.model_name, d.description).trim_end())?;
    writeln!(text, "  file          {}, {}", path.display(), bytes(size))?;
    writeln!(text, "  FMI           {}, GUID {}", d.fmi_version, d.guid)?;
    for (label, value) in [
        ("version", &d.version),
        ("author", &d.author),
        ("license", &d.license),
        ("made by", &d.generation_tool),
        ("made at", &d.generation_date_and_time),
    ] {
        if let Some(value) = value {
            writeln!(text, "  {label:<13} {value}")?;
        }
    }
    for (name, interface) in
        [("ModelExchange", &d.model_exchange), ("CoSimulation", &d.co_simulation)]
    {
        if let Some(interface) = interface {
            writeln!(text, "  {name:<13} {}", capabilities(interface))?;
        }
    }
    let e = &d.experiment;
    let value = |v: Option<f64>| v.map_or_else(|| "not given".to_owned(), number);
    writeln!(
        text,
        "  experiment    start {}, stop {}, step {}, tolerance {}",
        value(e.start_time),
        value(e.stop_time),
        value(e.step_size),
        value(e.tolerance)
    )?;
    let count = |causality: &str| d.variables.iter().filter(|v| v.causality == causality).count();
    writeln!(
        text,
        "  variables     {}: {}, {}, {}, {}, {}",
        d.variables.len(),
        counted(count("input"), "input"),
        counted(count("output"), "output"),
        counted(count("parameter"), "parameter"),
        counted(d.derivatives.len(), "continuous state"),
        counted(d.number_of_event_indicators, "event indicator")
    )
}

/// The capability flags that are set.
fn capabilities(interface: &Interface) -> String {
    let mut flags: Vec<String> = Vec::new();
    for (name, value) in &interface.attributes {
        match value.as_str() {
            "false" | "0" => {}
            "true" | "1" if name != "maxOutputDerivativeOrder" => flags.push(name.clone()),
            _ if name == "modelIdentifier" => {}
            value => flags.push(format!("{name}={value}")),
        }
    }
    let flags = if flags.is_empty() { "no capabilities".to_owned() } else { flags.join(", ") };
    format!("{} ({flags})", interface.model_identifier)
}

fn content(text: &mut String, files: &[(String, u64)]) -> std::fmt::Result {
    writeln!(text, "  content")?;
    for (name, size) in files {
        writeln!(text, "    {:>10}  {name}", bytes(*size))?;
    }
    Ok(())
}

fn variables(text: &mut String, d: &ModelDescription, all: bool) -> std::fmt::Result {
    let states = d.states();
    let of = |causality: &'static str| {
        d.variables.iter().filter(move |v| v.causality == causality).collect::<Vec<_>>()
    };
    let mut groups = vec![
        ("inputs", of("input")),
        ("outputs", d.ordered_outputs()),
        ("parameters", of("parameter")),
        ("states", states.iter().map(|i| &d.variables[*i]).collect()),
    ];
    if all {
        groups.push(("calculated parameters", of("calculatedParameter")));
        groups.push(("others", of("local")));
        groups.push(("independent", of("independent")));
    }
    let shown = || groups.iter().flat_map(|(_, list)| list);
    let width = shown().map(|v| v.name.chars().count()).max().unwrap_or(0);
    let values: Vec<usize> = shown().map(|v| value(v).chars().count()).collect();
    let value_width = values.into_iter().max().unwrap_or(0);
    for (title, list) in groups.iter().filter(|(_, list)| !list.is_empty()) {
        writeln!(text, "{title}")?;
        for v in list {
            let line = format!(
                "  {:<width$}  {:<7} {:<10} {:<value_width$}  {}",
                v.name,
                if v.base == Base::Enumeration { "Enum" } else { v.base.name() },
                v.variability,
                value(v),
                v.description.replace('\n', " ")
            );
            writeln!(text, "{}", line.trim_end())?;
        }
    }
    Ok(())
}

/// The start value with its unit, or the unit alone.
fn value(v: &ScalarVariable) -> String {
    let start = match v.start_number() {
        Some(start) if v.base == Base::Real => number(start),
        _ => v.start.clone().unwrap_or_default(),
    };
    format!("{start}{}", wording::unit_suffix(v.attributes.unit.as_deref())).trim().to_owned()
}

/// A size in bytes, for a text.
fn bytes(size: u64) -> String {
    if size < 10_000 { format!("{size} B") } else { format!("{:.1} kB", size as f64 / 1000.0) }
}
