//! `fmu cut`: divides a model into FMUs, and writes the system that joins them.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use fmus::archive::{self, Entry};
use fmus::csv::number;
use fmus::error::{Error, FileContext};
use fmus::fmu::Fmu;
use fmus::model_description::{Base, DefaultExperiment, ScalarVariable};
use fmus::wording::rounded;
use simulation::run::{self, Overrides};
use simulation::systems::master::{self, Linear, Method, StableSteps, SystemOptions};
use simulation::systems::package;
use simulation::systems::structure::{
    Binding, Component, Connection, Connector, End, Kind, ParameterSet, ParameterValue, Structure,
    System, Unit,
};
use simulation::systems::wiring::{Link, Part, Port, Wiring};

use super::build;
use crate::models::front_end::{CutPlace, DividedModel, Divisions, FrontEnd, Joint, PartChoices};
use crate::models::{self, Text, Traced, Variant};

/// A model that was divided.
pub struct CutSystem {
    /// The parts, in the order of the components.
    pub parts: Vec<Traced>,
    /// What a reader should know about each place and about steps.
    pub notes: Vec<String>,
    /// The parts as FMUs that this process plays, and their wiring.
    pub wiring: Wiring,
}

/// What is divided: the name of the whole, and the names of the parts if they are given.
pub struct Request<'a> {
    /// The name of the system.
    pub name: &'a str,
    /// The default experiment of the whole model.
    pub experiment: DefaultExperiment,
    /// Names of the components, in place of `part_a`, `part_b`, ...
    pub names: &'a [String],
    /// The whole model, which this process plays.
    pub whole: &'a Fmu,
}

/// Divides a model that belongs to no package at flanges, or at flanges of components; the text is
/// given twice.
///
/// # Errors
/// If the model consists of equations, and those of [`cut`].
pub fn of_text(
    [stated, whole]: [Text; 2],
    front_end: &dyn FrontEnd,
    at: &[String],
) -> Result<CutSystem, Error> {
    let divisions = models::stated(stated, |model| front_end.divide(model, at));
    let equations = "a model that consists of equations has no flanges".to_owned();
    let divisions = divisions.ok_or(Error::Request(equations))?;
    let divisions = divisions.map_err(|lines| Error::Request(lines.join("\n")))?;
    let whole = models::traced(whole)?;
    let resources = whole.resources.clone().filter(|folder| folder.is_dir());
    let whole = Traced { resources, ..whole };
    let played = build::played(&whole)?;
    let experiment = played.description.experiment;
    cut(&Request { name: &whole.name, experiment, names: &[], whole: &played }, divisions)
}

/// Divides a model in the best of several ways: beside a spring, if one of them is.
///
/// # Errors
/// If no way is possible; the message says why the first one is not.
pub fn cut(request: &Request<'_>, divisions: Divisions) -> Result<CutSystem, Error> {
    let mut best: Option<(f64, CutSystem)> = None;
    let mut reason = None;
    for division in divisions {
        match best_of(request, &*division) {
            Ok((gain, system)) => {
                if best.as_ref().is_none_or(|(least, _)| gain < *least) {
                    best = Some((gain, system));
                }
                if gain == 0.0 {
                    break;
                }
            }
            Err(error) => reason = reason.or(Some(error)),
        }
    }
    match (best, reason) {
        (Some((_, system)), _) => Ok(system),
        (None, Some(reason)) => Err(reason),
        (None, None) => Err(Error::Request(format!("{}: there is no cut", request.name))),
    }
}

/// The most places for which all choices of the sides that give the motion are tried.
const MOST_PLACES: usize = 6;

/// The best choice of the sides that give the motion: elastic cuts, or else the smallest gains of
/// loops. Returns the largest gain, 0 if all cuts are elastic.
fn best_of(request: &Request<'_>, division: &dyn DividedModel) -> Result<(f64, CutSystem), Error> {
    let places = division.places();
    let (name, count) = (request.name, places.len());
    if count > MOST_PLACES {
        let reason = format!("{name}: {count} places are too many: at most {MOST_PLACES} at once");
        return Err(Error::Request(reason));
    }
    let model_names: Vec<String> =
        component_names(request, &places)?.iter().map(|part| format!("{name}_{part}")).collect();
    let mut best: Option<(f64, PartChoices)> = None;
    let mut reasons: Vec<String> = Vec::new();
    for bits in 0..1_usize << count {
        let mut choices = PartChoices {
            first_moves: (0..count).map(|place| bits >> place & 1 == 0).collect(),
            names: model_names.clone(),
            ..PartChoices::default()
        };
        let gain = joined(request, division, &mut choices).and_then(|(wiring, joints, _)| {
            let gains = (0..count).map(|place| gain(&wiring, &joints, place));
            gains.collect::<Result<Vec<f64>, Error>>()
        });
        match gain {
            Ok(gains) => {
                let largest = gains.into_iter().fold(0.0, f64::max);
                if best.as_ref().is_none_or(|(least, _)| largest < *least) {
                    best = Some((largest, choices));
                }
                if largest == 0.0 {
                    break;
                }
            }
            Err(error) => reasons.push(error.to_string()),
        }
    }
    match best {
        Some((gain, choices)) => Ok((gain, finished(request, division, choices)?)),
        None => {
            let at: Vec<&str> = places.iter().map(|place| place.at.as_str()).collect();
            reasons.dedup();
            Err(Error::Request(format!(
                "{name}: at {} no side can give the motion to the other: {}",
                at.join(", "),
                reasons.join("; ")
            )))
        }
    }
}

/// The names of the components: those that are given, and letters.
///
/// # Errors
/// If more names are given than there are parts, or one twice.
fn component_names(request: &Request<'_>, places: &[CutPlace]) -> Result<Vec<String>, Error> {
    let count = places.iter().flat_map(|place| place.parts).max().map_or(0, |last| last + 1);
    if let Some(more) = request.names.get(count) {
        return Err(Error::Request(format!(
            "there are {count} parts, so none has the name {more}"
        )));
    }
    let names: Vec<String> = (0..count)
        .map(|index| match request.names.get(index) {
            Some(name) => name.clone(),
            None => format!("part_{}", letter(index)),
        })
        .collect();
    let twice = names.iter().enumerate().find(|(k, name)| names[..*k].contains(name));
    match twice {
        None => Ok(names),
        Some((_, name)) => Err(Error::Request(format!("two parts have the name {name}"))),
    }
}

/// The letters of a part: `a`, `b`, ..., `z`, `aa`, ...
fn letter(index: usize) -> String {
    let last = char::from(b'a' + (index % 26) as u8);
    match index / 26 {
        0 => last.to_string(),
        more => format!("{}{last}", letter(more - 1)),
    }
}

/// The parts of a division as FMUs that this process plays, and their wiring. Where the motion at a
/// cut determines what the model fixes at the start, the fixed values of the part become guesses.
fn joined(
    request: &Request<'_>,
    division: &dyn DividedModel,
    choices: &mut PartChoices,
) -> Result<(Wiring, Vec<Joint>, Vec<Traced>), Error> {
    loop {
        let made = division.parts(choices);
        let mut traced = Vec::new();
        let mut failed = None;
        for (index, model) in made.0.into_iter().enumerate() {
            match model.trace_as(Variant::default()) {
                Ok(part) => traced.push(part),
                Err(lines) => {
                    failed = Some((index, lines));
                    break;
                }
            }
        }
        match failed {
            None => return wired(request, division, made.1, traced),
            Some((index, _)) if choices.guesses.insert(index) => {}
            Some((_, lines)) => {
                return Err(Error::Request(lines.last().cloned().unwrap_or_default()));
            }
        }
    }
}

/// The wiring of parts that this process plays.
fn wired(
    request: &Request<'_>,
    division: &dyn DividedModel,
    joints: Vec<Joint>,
    traced: Vec<Traced>,
) -> Result<(Wiring, Vec<Joint>, Vec<Traced>), Error> {
    let names = component_names(request, &division.places())?;
    let (mut fmus, mut parts) = (Vec::new(), Vec::new());
    for (part, name) in traced.iter().zip(names) {
        fmus.push(build::played(part)?);
        parts.push(Part { name, fmu: parts.len(), settings: Vec::new() });
    }
    let port = |(part, name): &(usize, String)| -> Result<Port, Error> {
        let variables: &Vec<ScalarVariable> = &fmus[*part].description.variables;
        let variable = variables.iter().position(|v| v.name == *name);
        let lost = || Error::Request(format!("{}: no variable {name}", parts[*part].name));
        Ok(Port { part: *part, variable: variable.ok_or_else(lost)? })
    };
    let link = |joint: &Joint| {
        Ok(Link { from: port(&joint.from)?, to: port(&joint.to)?, factor: 1.0, offset: 0.0 })
    };
    let links = joints.iter().map(link).collect::<Result<_, Error>>()?;
    let wiring = Wiring {
        path: PathBuf::from(request.name),
        experiment: request.experiment,
        name: request.name.to_owned(),
        fmus,
        parts,
        links,
    };
    Ok((wiring, joints, traced))
}

/// The gain of the loop at a place, as a magnitude: 0 if the cut is elastic.
///
/// # Errors
/// If position and speed do not follow from states: nothing with inertia moves with the flange.
fn gain(wiring: &Wiring, joints: &[Joint], place: usize) -> Result<f64, Error> {
    let here = || joints.iter().filter(|joint| joint.place == Some(place));
    for motion in here().filter(|joint| matches!(joint.motion, Some(0 | 1))) {
        let (part, name) = &motion.from;
        let flows = here().filter(|joint| joint.motion.is_none() && joint.to.0 == *part);
        if let Some(flow) = flows.clone().find(|f| depends(wiring, *part, name, &f.to.1)) {
            return Err(Error::Request(format!(
                "{}: {name} depends directly on {}: nothing with inertia moves with the flange",
                wiring.parts[*part].name, flow.to.1
            )));
        }
    }
    let loops = master::analysed(wiring, &Overrides::default(), &[])?
        .linear
        .map(|linear| linear.loops)
        .unwrap_or_default();
    let here = |l: &&master::Loop| l.links.iter().all(|link| joints[*link].place == Some(place));
    Ok(loops.iter().filter(here).map(|l| l.gain.abs()).fold(0.0, f64::max))
}

/// Refuses names of components that other masters confuse with others: OMSimulator with names of
/// variables, FMPy with longer names of components.
fn check_names(wiring: &Wiring) -> Result<(), Error> {
    for (index, part) in wiring.parts.iter().enumerate() {
        let own = &part.name;
        let begins =
            |name: &str| name.strip_prefix(own.as_str()).is_some_and(|r| r.starts_with('.'));
        let variables = &wiring.description(index).variables;
        if let Some(v) = variables.iter().find(|v| v.name == *own || begins(&v.name)) {
            return Err(Error::Request(format!(
                "a part cannot have the name {own}, with which its variable {} begins",
                v.name
            )));
        }
        let longer = wiring.parts.iter().find(|p| p.name != *own && p.name.starts_with(&**own));
        if let Some(longer) = longer {
            return Err(Error::Request(format!(
                "a part cannot have the name {own}, with which the name {} begins",
                longer.name
            )));
        }
    }
    Ok(())
}

/// Whether an output of a part depends directly on an input.
fn depends(wiring: &Wiring, part: usize, output: &str, input: &str) -> bool {
    let description = wiring.description(part);
    let is = |index: usize, name: &str| description.variables[index].name == name;
    let unknown = description.outputs.iter().find(|unknown| is(unknown.index, output));
    let dependencies = unknown.and_then(|unknown| unknown.dependencies.as_ref());
    dependencies.is_none_or(|list| list.iter().any(|index| is(*index, input)))
}

/// The system with start values on both sides.
fn finished(
    request: &Request<'_>,
    division: &dyn DividedModel,
    mut choices: PartChoices,
) -> Result<CutSystem, Error> {
    let (wiring, ..) = joined(request, division, &mut choices)?;
    choices.starts = own_starts(request, &wiring)?;
    let (wiring, ..) = joined(request, division, &mut choices)?;
    for (port, value) in master::analysed(&wiring, &Overrides::default(), &[])?.starts {
        choices.starts.insert((port.part, wiring.variable(port).name.clone()), value);
    }
    let (wiring, joints, traced) = joined(request, division, &mut choices)?;
    check_names(&wiring)?;
    let linear = master::analysed(&wiring, &Overrides::default(), &[])?.linear;
    let places = division.places();
    let mut notes = differences(request, &wiring)?;
    notes.extend(notes_of(&wiring, &joints, &places, linear.as_ref()));
    Ok(CutSystem { parts: traced, notes, wiring })
}

/// The initial values of the variables that parts and the whole model have in common: part, name,
/// value in the part, value in the whole.
fn initial_values(
    request: &Request<'_>,
    wiring: &Wiring,
    is_wanted: impl Fn(&ScalarVariable) -> bool,
) -> Result<Vec<(usize, String, f64, f64)>, Error> {
    let whole = &request.whole.description;
    let (mut names, mut of_whole, mut found) = (Vec::new(), Vec::new(), Vec::new());
    for (index, part) in wiring.parts.iter().enumerate() {
        for v in wiring.description(index).variables.iter().filter(|v| is_wanted(v)) {
            if whole.variable(&v.name).is_some_and(|w| w.base == v.base) {
                names.push(format!("{}.{}", part.name, v.name));
                of_whole.push(v.name.clone());
                found.push((index, v.name.clone()));
            }
        }
    }
    let wanted: BTreeSet<&String> = of_whole.iter().collect();
    let wanted: Vec<String> = wanted.into_iter().cloned().collect();
    let plan = master::plan(wiring, &Overrides::default())?;
    let overrides = Overrides { stop: Some(plan.start + plan.step), ..Overrides::default() };
    let options = SystemOptions { overrides, variables: Some(&names), ..SystemOptions::default() };
    let in_parts = master::simulate(wiring, &options, &mut |_| ())?.table;
    let options = run::Options { overrides, variables: Some(&wanted), ..run::Options::default() };
    let in_whole = run::simulate(request.whole, &options, &mut |_| ())?.table;
    let (Some(own), Some(other)) = (in_parts.rows.first(), in_whole.rows.first()) else {
        return Ok(Vec::new());
    };
    let pairs = found.into_iter().zip(own).zip(of_whole);
    Ok(pairs
        .filter_map(|(((part, name), value), of_whole)| {
            let column = in_whole.names.iter().position(|n| *n == of_whole)?;
            Some((part, name, *value, other[column]))
        })
        .collect())
}

/// Whether two initial values are the same but for the accuracy of the solution.
fn agree(a: f64, b: f64) -> bool {
    (a - b).abs() <= 1e-9 * (1.0 + a.abs().max(b.abs()))
}

/// Start values of states of parts that do not follow from what the parts know.
fn own_starts(
    request: &Request<'_>,
    wiring: &Wiring,
) -> Result<BTreeMap<(usize, String), f64>, Error> {
    let is_start = |v: &ScalarVariable| {
        let is_variable = ["local", "output"].contains(&&*v.causality);
        v.base == Base::Real && is_variable && run::is_settable(v)
    };
    let values = initial_values(request, wiring, is_start)?;
    let other = values.into_iter().filter(|(.., own, whole)| !agree(*own, *whole));
    Ok(other.map(|(part, name, _, whole)| ((part, name), whole)).collect())
}

/// A note for each output whose initial value differs from that of the whole model.
fn differences(request: &Request<'_>, wiring: &Wiring) -> Result<Vec<String>, Error> {
    let is_output = |v: &ScalarVariable| v.causality == "output" && v.base == Base::Real;
    let values = initial_values(request, wiring, is_output)?;
    let other = values.into_iter().filter(|(.., own, whole)| !agree(*own, *whole));
    Ok(other
        .map(|(part, name, own, whole)| {
            let (own, whole) = (number(own), number(whole));
            let part = &wiring.parts[part].name;
            format!("{part}.{name} starts at {own}, in the whole model at {whole}")
        })
        .collect())
}

/// What a reader should know about the places and about communication steps.
fn notes_of(
    wiring: &Wiring,
    joints: &[Joint],
    places: &[CutPlace],
    linear: Option<&Linear>,
) -> Vec<String> {
    let mut notes = Vec::new();
    for (index, place) in places.iter().enumerate() {
        let moves = joints.iter().find(|j| j.place == Some(index) && j.motion == Some(0));
        let mover = moves.map_or(String::new(), |joint| {
            let [from, to] = [joint.from.0, joint.to.0].map(|part| wiring.parts[part].name.clone());
            format!("{from} gives the motion, {to} the {}", flow(wiring, joints, index))
        });
        let gain = linear
            .into_iter()
            .flat_map(|linear| &linear.loops)
            .filter(|l| l.links.iter().all(|link| joints[*link].place == Some(index)));
        let gain = gain.map(|l| l.gain).max_by(|a, b| a.abs().total_cmp(&b.abs()));
        let kind = match gain {
            None => "elastic".to_owned(),
            Some(gain) => format!(
                "rigid, with a ratio of inertias of {} (loop gain {}): a master must correct it \
                 or iterate",
                rounded(gain.abs(), 4),
                rounded(gain, 4)
            ),
        };
        notes.push(format!("cut at {}: {mover}; {kind}", place.at));
        notes.extend(place.friction.iter().map(|name| {
            format!(
                "{name} sticks and slides: the cut is rigid while it sticks, and errors are of the \
                 order of the step when it begins to; a cut at another place is better"
            )
        }));
    }
    let Some(linear) = linear else { return notes };
    let own = master::suitable(wiring);
    let plain = Method::default();
    for (words, method) in [("a Jacobi master with constant inputs", plain), ("`fmu run`", own)] {
        notes.push(match linear.stable_steps(&method) {
            StableSteps::All | StableSteps::Unknown => continue,
            StableSteps::None => format!("{words} is unstable with every step"),
            StableSteps::UpTo(step) => {
                format!("{words} is stable with steps up to {} s", rounded(step, 2))
            }
        });
    }
    notes
}

/// The word for what flows through a cut.
fn flow(wiring: &Wiring, joints: &[Joint], place: usize) -> &'static str {
    let back = joints.iter().find(|joint| joint.place == Some(place) && joint.motion.is_none());
    let unit = back.and_then(|joint| {
        let v = wiring.description(joint.from.0).variable(&joint.from.1)?;
        v.attributes.unit.as_deref()
    });
    if unit == Some("N") { "force" } else { "torque" }
}

impl CutSystem {
    /// The archive of the system, from the archives of the FMUs of its parts.
    pub fn entries(&self, fmus: Vec<(String, Vec<u8>)>) -> Vec<Entry> {
        let structure = self.structure(&fmus);
        let mut resources: Vec<Entry> = fmus
            .into_iter()
            .map(|(file, bytes)| Entry::new(format!("resources/{file}"), bytes))
            .collect();
        resources.extend(
            self.wiring
                .parts
                .iter()
                .enumerate()
                .map(|(index, part)| Entry::new(values_of(part), self.parameters(index).text())),
        );
        package::entries(&structure, resources)
    }

    /// The description of the system.
    fn structure(&self, fmus: &[(String, Vec<u8>)]) -> Structure {
        let w = &self.wiring;
        let connector = |port: Port, kind: Kind| {
            let v = w.variable(port);
            Connector {
                name: v.name.clone(),
                kind,
                base: Some(v.base),
                unit: v.attributes.unit.clone(),
            }
        };
        let components = w.parts.iter().enumerate().map(|(index, part)| {
            let inputs = w.links.iter().filter(|link| link.to.part == index);
            let mut connectors: Vec<Connector> =
                inputs.map(|link| connector(link.to, Kind::Input)).collect();
            for link in w.links.iter().filter(|link| link.from.part == index) {
                let output = connector(link.from, Kind::Output);
                if !connectors.contains(&output) {
                    connectors.push(output);
                }
            }
            Component {
                name: part.name.clone(),
                source: format!("resources/{}", fmus[index].0),
                connectors,
                // libcosim reads the parameters of components only.
                parameters: vec![Binding { source: Some(values_of(part)), ..Binding::default() }],
                ..Component::default()
            }
        });
        let end = |port: Port| End {
            element: Some(w.parts[port.part].name.clone()),
            connector: w.variable(port).name.clone(),
        };
        let connections = w.links.iter().map(|link| Connection {
            start: end(link.from),
            end: end(link.to),
            ..Connection::default()
        });
        let step = w.experiment.step_size.unwrap_or(1e-3);
        let tolerance = w.experiment.tolerance.unwrap_or(1e-6);
        Structure {
            name: w.name.clone(),
            version: "1.0".to_owned(),
            generation_tool: Some("Coupler".to_owned()),
            system: System {
                name: "root".to_owned(),
                components: components.collect(),
                connections: connections.collect(),
                annotations: vec![annotation_of_omsimulator(step, tolerance)],
                ..System::default()
            },
            units: units(w, &(0..w.parts.len()).collect::<Vec<_>>()),
            experiment: w.experiment,
            annotations: vec![annotation_of_libcosim(step)],
            // libcosim finds the elements of annotations by the prefixes of the whole file.
            name_spaces: [("oms", OMSIMULATOR), ("osp", LIBCOSIM)]
                .map(|(prefix, space)| (prefix.to_owned(), space.to_owned()))
                .to_vec(),
        }
    }

    /// The values of the parameters of a part.
    fn parameters(&self, index: usize) -> ParameterSet {
        let parameters = self.wiring.description(index).variables.iter().filter(|v| {
            v.causality == "parameter" && v.base != Base::Enumeration && v.start.is_some()
        });
        let values = parameters.map(|v| ParameterValue {
            name: v.name.clone(),
            base: v.base,
            value: v.start.clone().unwrap_or_default(),
            unit: v.attributes.unit.clone(),
        });
        ParameterSet {
            name: self.wiring.parts[index].name.clone(),
            values: values.collect(),
            units: units(&self.wiring, &[index]),
        }
    }
}

/// The file with the values of the parameters of a part.
fn values_of(part: &Part) -> String {
    format!("resources/{}.ssv", part.name)
}

/// The units of the descriptions of parts, each once.
fn units(wiring: &Wiring, parts: &[usize]) -> Vec<Unit> {
    let mut units: Vec<Unit> = Vec::new();
    for part in parts {
        for unit in &wiring.description(*part).units {
            let Some(base) = &unit.base else { continue };
            if !units.iter().any(|known| known.name == unit.name) {
                units.push(Unit { name: unit.name.clone(), base: base.clone() });
            }
        }
    }
    units
}

/// The name spaces of annotations.
const OMSIMULATOR: &str =
    "https://raw.githubusercontent.com/OpenModelica/OMSimulator/master/schema/oms.xsd";
const LIBCOSIM: &str = "http://opensimulationplatform.com/SSP/OSPAnnotations";

/// What OMSimulator needs to simulate a system: its master and the step size in s.
fn annotation_of_omsimulator(step: f64, tolerance: f64) -> (String, String) {
    let (step, tolerance) = (number(step), number(tolerance));
    let text = format!(
        "<oms:Annotations><oms:SimulationInformation><oms:FixedStepMaster description=\"oms-ma\" \
         stepSize=\"{step}\" absoluteTolerance=\"{tolerance}\" relativeTolerance=\"{tolerance}\"/>\
         </oms:SimulationInformation></oms:Annotations>"
    );
    ("org.openmodelica".to_owned(), text)
}

/// What libcosim needs to simulate a system: the step size in s.
fn annotation_of_libcosim(step: f64) -> (String, String) {
    let step = number(step);
    let text =
        format!("<osp:Algorithm><osp:FixedStepAlgorithm baseStepSize=\"{step}\"/></osp:Algorithm>");
    ("com.opensimulationplatform".to_owned(), text)
}

/// Builds the FMUs of the parts with players, and writes the archive of the system.
///
/// # Errors
/// If there is no player, or a file cannot be written.
pub fn write(system: &CutSystem, path: &Path, options: &build::Options) -> Result<(), Error> {
    let folder = tempfile::Builder::new().prefix("cut-").tempdir();
    let folder = folder.attempt("create", &std::env::temp_dir())?;
    let options = build::Options { out: folder.path().to_owned(), ..options.clone() };
    let built = build::interpreted(&system.parts, &options)?;
    let mut fmus = Vec::new();
    for file in &built {
        let name = file.file_name().unwrap_or_default().to_string_lossy().into_owned();
        fmus.push((name, fs::read(file).attempt("read", file)?));
    }
    archive::write(path, system.entries(fmus))
}
