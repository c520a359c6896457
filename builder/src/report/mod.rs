//! Reports: one self-contained page with the results of a simulation, which needs no network.

use std::collections::{BTreeMap, HashSet};
use std::path::Path;

use serde_json::{Value, json};

use crate::atomic_file;
use crate::csv::number;
use crate::error::{Error, FileContext};
use crate::fmu::Fmu;
use crate::model_description::{Base, ModelDescription, ScalarVariable};
use crate::run::{LoggedEvent, RunOutcome, default_variables, facts};

mod numbers;
mod thin;

use numbers::Numbers;

/// The variables that a report records.
#[derive(Debug)]
pub struct Selection {
    /// Their names: first those of the table and of the first plot, then those of the scene, then
    /// others as far as there is room.
    pub names: Vec<String>,
    /// The number of the first ones.
    pub shown: usize,
}

/// Numbers that a simulation for a report may record; they need 1.6 GB.
const MOST_NUMBERS: usize = 200_000_000;

/// Variables that a report contains in addition to those that were asked for.
const MOST_OTHERS: usize = 1000;

/// Length in bytes above which the page says how long it is.
const LONG: usize = 6_000_000;

/// Events in the list; further ones are counted.
const MOST_EVENTS: usize = 2000;

/// The variables for the report of a run with a number of rows.
pub fn selection(fmu: &Fmu, asked: Option<&[String]>, rows: usize) -> Selection {
    let description = &fmu.description;
    let by_default = || default_variables(description).iter().map(|v| v.name.clone()).collect();
    let mut names: Vec<String> = asked.map_or_else(by_default, <[String]>::to_vec);
    let shown = names.len();
    let mut known: HashSet<String> = names.iter().cloned().collect();
    let room = (MOST_NUMBERS / rows.max(1)).saturating_sub(shown);
    let of_scene = scene(fmu).map(|scene| variables_of(&scene)).unwrap_or_default();
    let exists = |name: &String| description.variables.iter().any(|v| v.name == *name);
    let of_scene = of_scene.into_iter().filter(exists).take(room);
    let varies = |v: &&ScalarVariable| {
        let fixed = matches!(&*v.variability, "constant" | "fixed" | "tunable");
        v.base != Base::String && !fixed && v.causality != "independent"
    };
    let others = description.variables.iter().filter(varies).map(|v| v.name.clone());
    let others = others.take(MOST_OTHERS.min(room));
    names.extend(of_scene.chain(others).filter(|name| known.insert(name.clone())));
    Selection { names, shown }
}

/// The description of the shapes in an FMU that has any.
fn scene(fmu: &Fmu) -> Option<Value> {
    let text = std::fs::read(fmu.folder().join("resources/scene.json")).ok()?;
    let scene: Value = serde_json::from_slice(&text).ok()?;
    scene["shapes"].as_array().is_some_and(|shapes| !shapes.is_empty()).then_some(scene)
}

/// The names of variables in a scene: positions and orientations of frames, and lengths.
fn variables_of(scene: &Value) -> Vec<String> {
    fn texts(value: &Value, into: &mut Vec<String>) {
        match value {
            Value::String(text) => into.push(text.clone()),
            Value::Array(values) => values.iter().for_each(|value| texts(value, into)),
            _ => {}
        }
    }
    let mut names = Vec::new();
    for frame in scene["frames"].as_array().into_iter().flatten() {
        texts(&frame["r_0"], &mut names);
        texts(&frame["T"], &mut names);
    }
    for shape in scene["shapes"].as_array().into_iter().flatten() {
        texts(&shape["length"], &mut names);
    }
    names
}

/// Writes the report of a simulation; `set` are the values that the user gave, `name=value`.
///
/// # Errors
/// If the file cannot be written.
pub fn write(
    path: &Path,
    fmu: &Fmu,
    outcome: &RunOutcome,
    shown: usize,
    set: &[String],
) -> Result<(), Error> {
    atomic_file::write(path, page(fmu, outcome, shown, set).attempt("write", path)?.as_bytes())
}

/// The page.
fn page(fmu: &Fmu, outcome: &RunOutcome, shown: usize, set: &[String]) -> std::io::Result<String> {
    let description = &fmu.description;
    let scene = scene(fmu);
    let mut numbers = Numbers::default();
    let events = events(description, outcome);
    let mut content = json!({
        "name": description.model_name,
        "description": description.description,
        "tool": description.generation_tool,
        "facts": facts(outcome),
        "notes": notes(outcome),
        "eventCount": events.len(),
        "events": events.iter().take(MOST_EVENTS).map(|e| json!([e.time, e.cause])).collect::<Vec<_>>(),
        "parameters": parameters(description, set),
        "signals": signals(description, outcome, shown, scene.as_ref(), &mut numbers),
        "units": units(description),
        "rows": outcome.table.time.len(),
        "scene": scene,
    });
    let numbers = numbers.text()?;
    if numbers.len() > LONG {
        content["megabytes"] = json!(numbers.len() / 1_000_000);
    }
    // In a script element, only `<` could end the text.
    let content = content.to_string().replace('<', "\\u003c");
    let title = crate::xml::escape(&description.model_name);
    let parts = [("{title}", &*title), ("{style}", STYLE), ("{content}", &content)];
    let scripts = SCRIPTS.concat();
    let parts = parts.into_iter().chain([("{numbers}", &*numbers), ("{script}", &scripts)]);
    Ok(filled(TEMPLATE, &parts.collect()))
}

const TEMPLATE: &str = include_str!("page/page.html");
const STYLE: &str = include_str!("page/style.css");

/// The parts of the page's one script, in their order.
const SCRIPTS: [&str; 5] = [
    include_str!("page/content.js"),
    include_str!("page/plot.js"),
    include_str!("page/matrix.js"),
    include_str!("page/stage.js"),
    include_str!("page/main.js"),
];

/// A text with its marks replaced; marks in what replaces them stay as they are.
fn filled(template: &str, parts: &BTreeMap<&str, &str>) -> String {
    let mut text = String::new();
    let mut rest = template;
    while let Some((at, mark)) = parts.keys().filter_map(|m| Some((rest.find(m)?, *m))).min() {
        text.push_str(&rest[..at]);
        text.push_str(parts[mark]);
        rest = &rest[at + mark.len()..];
    }
    text + rest
}

/// Remarks: those of the run, and the reason if it failed.
fn notes(outcome: &RunOutcome) -> Vec<String> {
    let failure = outcome.failure.as_ref().map(ToString::to_string);
    failure.into_iter().chain(outcome.notes.iter().cloned()).collect()
}

/// The events that the FMU logs or, if it logs none, the changes of its discrete outputs, which
/// happen before the row that shows them first.
fn events(description: &ModelDescription, outcome: &RunOutcome) -> Vec<LoggedEvent> {
    if !outcome.events.is_empty() {
        return outcome.events.clone();
    }
    let outputs = description.variables.iter().filter(|v| v.causality == "output");
    let outputs: HashSet<&str> = outputs.map(|v| &*v.name).collect();
    let signals = outcome.signals.iter().enumerate();
    let discrete: Vec<usize> = signals
        .filter(|(_, signal)| signal.discrete && outputs.contains(&*signal.name))
        .map(|(k, _)| k)
        .collect();
    let table = &outcome.table;
    let mut events = Vec::new();
    for (time, rows) in table.time.iter().skip(1).zip(table.rows.windows(2)) {
        for k in discrete.iter().copied() {
            let (before, after) = (rows[0][k], rows[1][k]);
            if before != after {
                let name = &outcome.signals[k].name;
                let cause = format!("{name}: {} -> {}", number(before), number(after));
                events.push(LoggedEvent { time: *time, cause });
            }
        }
    }
    events
}

/// Parameters: name, value, unit and description.
fn parameters(description: &ModelDescription, set: &[String]) -> Vec<Value> {
    let given: BTreeMap<&str, &str> = set.iter().filter_map(|text| text.split_once('=')).collect();
    let all = description.variables.iter().filter(|v| v.causality == "parameter");
    let row = |v: &ScalarVariable| {
        let value = given.get(&*v.name).copied().or(v.start.as_deref()).unwrap_or_default();
        let changed = given.contains_key(&*v.name);
        json!([v.name, value.trim(), v.attributes.unit, v.description, changed])
    };
    all.map(row).collect()
}

/// The display units of each unit: name, factor and offset.
fn units(description: &ModelDescription) -> Value {
    let all = description.units.iter().map(|unit| {
        let display = unit.display.iter().map(|d| json!([d.name, d.factor, d.offset]));
        (unit.name.clone(), Value::from_iter(display))
    });
    Value::Object(all.collect())
}

/// The recorded signals, whose points are added to the numbers.
fn signals(
    description: &ModelDescription,
    outcome: &RunOutcome,
    shown: usize,
    scene: Option<&Value>,
    numbers: &mut Numbers,
) -> Vec<Value> {
    let (time, rows) = (&outcome.table.time, &outcome.table.rows);
    let kept = rows_at_jumps(time);
    let columns = thin::columns(time);
    let moving: HashSet<String> = scene.map(variables_of).unwrap_or_default().into_iter().collect();
    let by_name: BTreeMap<&str, &ScalarVariable> =
        description.variables.iter().map(|v| (&*v.name, v)).collect();
    // Signals with the same rows share their times.
    let mut times: BTreeMap<Vec<usize>, usize> = BTreeMap::new();
    let mut all = Vec::new();
    for (k, signal) in outcome.signals.iter().enumerate() {
        let chosen = if moving.contains(&signal.name) {
            thin::for_motion(rows.len(), &kept)
        } else {
            thin::for_curves(rows.len(), &kept, |i| usize::from(columns[i]), |i| rows[i][k])
        };
        let values: Vec<f64> = chosen.iter().map(|i| rows[*i][k]).collect();
        let at: Vec<f64> = chosen.iter().map(|i| time[*i]).collect();
        let count = chosen.len();
        let at = *times.entry(chosen).or_insert_with(|| numbers.add(&at));
        let variable = by_name.get(&*signal.name);
        all.push(json!({
            "name": signal.name,
            "unit": signal.unit().filter(|unit| *unit != "1"),
            "display": variable.and_then(|v| v.attributes.display_unit.clone()),
            "description": variable.map(|v| &v.description),
            "discrete": signal.discrete,
            "shown": k < shown,
            "count": count,
            "times": at,
            // Only what was asked for is worth all digits.
            "width": if k < shown { 8 } else { 4 },
            "values": if k < shown { numbers.add(&values) } else { numbers.add_rounded(&values) },
        }));
    }
    all
}

/// The rows on both sides of each jump, where a time has several rows.
fn rows_at_jumps(time: &[f64]) -> Vec<usize> {
    let jumps = time.windows(2).enumerate().filter(|(_, t)| t[0] == t[1]);
    jumps.flat_map(|(i, _)| [i, i + 1]).take(MOST_EVENTS).collect()
}
