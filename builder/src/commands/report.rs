//! Fills the report of a simulation: see the crate `report` for its page.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use report::{
    Diagram, DisplayUnit, Event, Live, Parameter, Report, Results, Scene, Section, Signal,
};

use crate::commands::view::controls;
use crate::models::SCENE;
use crate::models::diagram;
use fmus::atomic_file;
use fmus::csv::number;
use fmus::error::Error;
use fmus::fmi::FmuType;
use fmus::fmu::{Fmu, text};
use fmus::model_description::{Base, ModelDescription, ScalarVariable};
use fmus::wording::{counted, shown_unit};
use simulation::run::{self, Options, RunOutcome, RunPlan};

/// Maximum number of recorded values; longer results are those of chosen variables only.
const MOST_VALUES: usize = 20_000_000;

/// The fact that differs from run to run.
const ELAPSED: &str = "Time spent";

/// Maximum number of events in the list of a page.
const MOST_EVENTS: usize = 5000;

/// The scene of an FMU: none without a file, and a sentence if the file cannot be read.
fn scene(fmu: &Fmu) -> (Option<Scene>, Option<String>) {
    let file = fmu.folder().join("resources").join(SCENE);
    let Ok(bytes) = fs::read(file) else { return (None, None) };
    match text(&bytes).and_then(Scene::read) {
        Ok(scene) => (Some(scene), None),
        Err(reason) => (None, Some(format!("no animation: resources/{SCENE}: {reason}"))),
    }
}

/// What an FMU says about its appearance.
#[derive(Clone, Debug, Default)]
pub struct Appearance {
    /// Its shapes.
    pub scene: Option<Scene>,
    /// The diagram of its model.
    pub diagram: Option<Diagram>,
    /// Why a file cannot be used.
    pub remarks: Vec<String>,
}

impl Appearance {
    /// The variables that move shapes and symbols.
    pub fn variables(&self) -> BTreeSet<&str> {
        let placed = self.scene.iter().flat_map(Scene::variables);
        placed.chain(self.diagram.iter().flat_map(Diagram::variables)).collect()
    }
}

/// The scene and the diagram of an FMU.
pub fn appearance(fmu: &Fmu) -> Appearance {
    let ((scene, lost), (diagram, undrawn)) = (scene(fmu), diagram::of_fmu(fmu));
    Appearance { scene, diagram, remarks: lost.into_iter().chain(undrawn).collect() }
}

/// The variables whose values a report holds: all that change, unless they are too many.
///
/// # Errors
/// If the experiment is not possible.
pub fn variables(
    fmu: &Fmu,
    options: &Options<'_>,
    appearance: &Appearance,
) -> Result<Vec<String>, Error> {
    let d = &fmu.description;
    let steps = RunPlan::of(d, &options.overrides)?.steps;
    let all: Vec<&str> =
        d.variables.iter().filter(|v| changes_in_time(v)).map(|v| &*v.name).collect();
    let chosen = options.variables.map_or_else(|| run::default_names(d), <[String]>::to_vec);
    let placed = appearance.variables().into_iter().filter(|name| d.variable(name).is_some());
    let others = if steps.saturating_mul(all.len()) <= MOST_VALUES { all } else { Vec::new() };
    let mut known = BTreeSet::new();
    let names = chosen.iter().map(String::as_str).chain(placed).chain(others);
    Ok(names.filter(|name| known.insert(*name)).map(str::to_owned).collect())
}

/// Whether the value of a variable may change during a simulation, and is a number.
pub(super) fn changes_in_time(v: &ScalarVariable) -> bool {
    let still = ["parameter", "calculatedParameter", "independent"].contains(&&*v.causality);
    v.base != Base::String && !still && !["constant", "fixed"].contains(&&*v.variability)
}

/// What a reader of a report must know of a simulation: why it ended, and its notes.
pub(super) fn remarks(outcome: &RunOutcome) -> Vec<String> {
    let mut remarks: Vec<String> = outcome.failure.iter().map(ToString::to_string).collect();
    remarks.extend(outcome.terminated.iter().map(|(time, message)| {
        let message = if message.is_empty() { String::new() } else { format!(": {message}") };
        format!("the model stopped at {} s{message}", number(*time))
    }));
    remarks.extend(outcome.notes.iter().cloned());
    remarks
}

/// Shortens a long list of events; returns a remark if it was.
pub(super) fn cut_events(events: &mut Vec<Event>) -> Option<String> {
    let all = events.len();
    events.truncate(MOST_EVENTS);
    (all > MOST_EVENTS)
        .then(|| format!("the list has the first {MOST_EVENTS} of {}", counted(all, "event")))
}

/// The report of a simulation that has recorded [`variables`] and events.
pub fn of(
    fmu: &Fmu,
    options: &Options<'_>,
    appearance: Appearance,
    outcome: &RunOutcome,
) -> Report {
    let d = &fmu.description;
    let mut remarks = remarks(outcome);
    remarks.extend(appearance.remarks);
    let mut report = Report {
        title: d.model_name.clone(),
        description: d.description.clone(),
        summary: vec![
            model(fmu),
            experiment(outcome.fmu_type, &outcome.experiment),
            statistics(outcome),
        ],
        parameters: parameters(d, options.set),
        scene: appearance.scene,
        diagram: appearance.diagram,
        ..Report::default()
    };
    let Some(also) = &outcome.also else { return report };
    let results = Results { time: also.table.time.clone(), rows: also.table.rows.clone() };
    let shown: BTreeSet<&str> = outcome.signals.iter().map(|s| &*s.name).collect();
    let variables: Vec<&ScalarVariable> =
        also.signals.iter().filter_map(|s| d.variable(&s.name)).collect();
    report.events = match outcome.events.is_empty() {
        false => outcome.events.iter().map(event).collect(),
        true => changes(&variables, &results),
    };
    remarks.extend(cut_events(&mut report.events));
    remarks.extend(unread(&also.refused));
    report.remarks = remarks;
    let signal = |v: &&ScalarVariable| signal(d, v, shown.contains(&*v.name));
    report.add(variables.iter().map(signal).collect(), &results);
    report
}

/// A remark about variables that the FMU does not give.
pub(super) fn unread(names: &[String]) -> Option<String> {
    let first = names.first()?;
    Some(match names.len() - 1 {
        0 => format!("the FMU does not give the value of {first}"),
        more => format!(
            "the FMU does not give the value of {first}, nor that of {}",
            counted(more, "other variable")
        ),
    })
}

/// The page of a simulation that runs while it is watched, with the values of these variables.
///
/// # Errors
/// If the experiment, a start value or a variable is not possible.
pub fn live(
    fmu: &Fmu,
    options: &Options<'_>,
    appearance: Appearance,
    variables: &[String],
) -> Result<Report, Error> {
    let d = &fmu.description;
    let fmu_type = run::check_options(fmu, options)?;
    let e = RunPlan::of(d, &options.overrides)?;
    let shown = options.variables.map_or_else(|| run::default_names(d), <[String]>::to_vec);
    let live = Live {
        token: String::new(),
        start: e.start,
        stop: e.stop,
        most_values: MOST_VALUES,
        most_events: MOST_EVENTS,
        controls: controls::of(d, options.set),
    };
    let mut report = Report {
        title: d.model_name.clone(),
        description: d.description.clone(),
        summary: vec![model(fmu), experiment(fmu_type, &e)],
        remarks: appearance.remarks,
        scene: appearance.scene,
        diagram: appearance.diagram,
        live: Some(live),
        ..Report::default()
    };
    let found = variables.iter().filter_map(|name| d.variable(name));
    report.expect(found.map(|v| signal(d, v, shown.contains(&v.name))).collect());
    Ok(report)
}

/// Writes the page of a report; returns a remark if it is large.
///
/// # Errors
/// If the file cannot be written.
pub fn write(path: &Path, report: &Report) -> Result<Option<String>, Error> {
    let html = report.html();
    atomic_file::write(path, html.as_bytes())?;
    let size = html.len() as f64 / 1e6;
    let remark = format!("the report has {size:.1} MB; fewer --variables or a shorter run help");
    Ok((html.len() > report::LARGE).then_some(remark))
}

/// The page of the report of an FMU's default experiment, which does not depend on the machine's
/// speed.
///
/// # Errors
/// If the simulation fails.
pub fn lasting(fmu: &Fmu) -> Result<String, Error> {
    let appearance = appearance(fmu);
    let mut options = Options::default();
    let also = variables(fmu, &options, &appearance)?;
    options.also = Some(&also);
    options.events = true;
    let outcome = run::simulate(fmu, &options, &mut |_| ())?;
    let mut report = of(fmu, &options, appearance, &outcome);
    if let Some(failure) = outcome.failure {
        let name = &fmu.description.model_name;
        return Err(Error::Request(format!("no report of {name}: {failure}")));
    }
    for section in &mut report.summary {
        section.facts.retain(|(name, _)| name != ELAPSED);
    }
    Ok(report.html())
}

pub(super) fn event(event: &run::Event) -> Event {
    Event { time: event.time, cause: event.cause.clone() }
}

/// The rows in which discrete variables changed, for FMUs that log no events.
fn changes(variables: &[&ScalarVariable], results: &Results) -> Vec<Event> {
    let mut events = Vec::new();
    for (pair, time) in results.rows.windows(2).zip(results.time.iter().skip(1)) {
        for (column, v) in variables.iter().enumerate() {
            let (before, after) = (pair[0][column], pair[1][column]);
            // Variables `solver.*` count steps, and change without events.
            let counts = v.name.starts_with("solver.");
            if v.variability == "discrete" && !counts && before.to_bits() != after.to_bits() {
                let cause = format!("{}: {} -> {}", v.name, number(before), number(after));
                events.push(Event { time: *time, cause });
            }
        }
    }
    events
}

pub(super) fn section(heading: &str, facts: Vec<(&str, Option<String>)>) -> Section {
    let known = |(name, value): (&str, Option<String>)| Some((name.to_owned(), value?));
    Section { heading: heading.to_owned(), facts: facts.into_iter().filter_map(known).collect() }
}

fn model(fmu: &Fmu) -> Section {
    let d = &fmu.description;
    section(
        "Model",
        vec![
            ("Name", Some(d.model_name.clone())),
            ("Version", d.version.clone()),
            ("Author", d.author.clone()),
            ("Made by", d.generation_tool.clone()),
            ("Variables", Some(d.variables.len().to_string())),
            ("Continuous states", Some(d.states().len().to_string())),
        ],
    )
}

pub(super) fn experiment(fmu_type: FmuType, e: &RunPlan) -> Section {
    let tolerance = e.tolerance.map_or("chosen by the FMU".to_owned(), number);
    section(
        "Experiment",
        vec![
            ("Type", Some(fmu_type.to_string())),
            ("Start", Some(format!("{} s", number(e.start)))),
            ("Stop", Some(format!("{} s", number(e.stop)))),
            ("Communication step", Some(format!("{} s", number(e.step)))),
            ("Relative tolerance", Some(tolerance)),
        ],
    )
}

pub(super) fn statistics(outcome: &RunOutcome) -> Section {
    let s = &outcome.statistics;
    let own = |count: usize| s.state_events.map(|_| count.to_string());
    section(
        "Solver",
        vec![
            ("Steps", Some(s.steps.to_string())),
            (ELAPSED, Some(run::duration(s.elapsed))),
            ("Rejected steps", own(s.rejected)),
            ("Evaluations", own(s.evaluations)),
            ("State events", s.state_events.map(|n| n.to_string())),
            ("Time events", s.time_events.map(|n| n.to_string())),
            ("Solver of the FMU", outcome.work.clone()),
        ],
    )
}

pub(super) fn signal(d: &ModelDescription, v: &ScalarVariable, shown: bool) -> Signal {
    let unit = shown_unit(v.attributes.unit.as_deref()).unwrap_or_default();
    let wanted = v.attributes.display_unit.as_deref();
    let known = d.units.iter().find(|u| u.name == unit);
    let display = known.and_then(|u| u.display.iter().find(|d| Some(&*d.name) == wanted));
    let items = d.declared_type(v).map(|t| t.items.clone()).unwrap_or_default();
    Signal {
        name: v.name.clone(),
        unit: unit.to_owned(),
        display: display.map(|unit| DisplayUnit {
            name: unit.name.clone(),
            factor: unit.factor,
            offset: unit.offset,
        }),
        description: v.description.clone(),
        discrete: v.base != Base::Real || v.variability != "continuous",
        boolean: v.base == Base::Boolean,
        items: items.into_iter().map(|(name, value)| (value, name)).collect(),
        shown,
        curve: 0,
    }
}

/// The parameters with the values that they had in the simulation.
pub(super) fn parameters(d: &ModelDescription, set: &[String]) -> Vec<Parameter> {
    let parameters = d.variables.iter().filter(|v| v.causality == "parameter");
    let parameter = |v: &ScalarVariable| Parameter {
        name: v.name.clone(),
        value: controls::given(&v.name, set).or(v.start.as_deref()).unwrap_or_default().to_owned(),
        unit: shown_unit(v.attributes.unit.as_deref()).unwrap_or_default().to_owned(),
        description: v.description.clone(),
    };
    parameters.map(parameter).collect()
}
