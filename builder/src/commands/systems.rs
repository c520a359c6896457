//! The work of commands on systems of FMUs.

use std::collections::BTreeSet;
use std::path::Path;

use fmus::csv::number;
use fmus::error::Error;
use fmus::wording::{counted, rounded, unit_suffix};
use report::{Parameter, Report, Results, Signal};
use simulation::run::{Overrides, RunOutcome};
use simulation::systems::master::{self, Loop, Method, Scheme, StableSteps, SystemOptions};
use simulation::systems::package::Package;
use simulation::systems::wiring::{Port, Wiring};

use super::report as page;

/// Opens the archive of a system, and its FMUs.
///
/// # Errors
/// If the file is no such archive; all mistakes in one message, one in a line.
pub fn open(path: &Path) -> Result<Wiring, Error> {
    Wiring::of(&Package::open(path)?).map_err(|mistakes| {
        let lines: Vec<String> =
            mistakes.iter().map(|mistake| format!("{}: {mistake}", path.display())).collect();
        Error::Request(lines.join("\n"))
    })
}

/// The variables of all FMUs whose values a report holds.
pub fn variables(wiring: &Wiring) -> Vec<String> {
    let of_part = |part: usize| {
        let description = wiring.description(part);
        let names = description.variables.iter().filter(|v| page::changes_in_time(v));
        names.map(move |v| format!("{}.{}", wiring.parts[part].name, v.name))
    };
    (0..wiring.parts.len()).flat_map(of_part).collect()
}

/// The report of a simulation that has recorded [`variables`].
pub fn report(wiring: &Wiring, options: &SystemOptions<'_>, outcome: &RunOutcome) -> Report {
    let facts = vec![
        ("Name", Some(wiring.name.clone())),
        ("FMUs", Some(components(wiring))),
        ("Connections", Some(wiring.links.len().to_string())),
        ("Master", Some(method(&options.method))),
    ];
    let mut report = Report {
        title: wiring.name.clone(),
        description: format!("{} joined", counted(wiring.parts.len(), "FMU")),
        summary: vec![
            page::section("System", facts),
            page::experiment(outcome.fmu_type, &outcome.experiment),
            page::statistics(outcome),
        ],
        parameters: parameters(wiring, options.set),
        remarks: page::remarks(outcome),
        ..Report::default()
    };
    let Some(also) = &outcome.also else { return report };
    let results = Results { time: also.table.time.clone(), rows: also.table.rows.clone() };
    report.events = outcome.events.iter().map(page::event).collect();
    report.remarks.extend(page::cut_events(&mut report.events));
    report.remarks.extend(page::unread(&also.refused));
    let shown: BTreeSet<&str> = outcome.signals.iter().map(|s| &*s.name).collect();
    let signal = |name: &str| -> Option<Signal> {
        let (part, rest) = wiring.split(name).ok()?;
        let description = wiring.description(part);
        let signal = page::signal(description, description.variable(rest)?, shown.contains(name));
        Some(Signal { name: name.to_owned(), ..signal })
    };
    report.add(also.signals.iter().filter_map(|s| signal(&s.name)).collect(), &results);
    report
}

/// The components with the models of their FMUs.
fn components(wiring: &Wiring) -> String {
    let of = |part: usize| {
        format!("{} ({})", wiring.parts[part].name, wiring.description(part).model_name)
    };
    (0..wiring.parts.len()).map(of).collect::<Vec<_>>().join(", ")
}

/// A method in words.
pub fn method(method: &Method) -> String {
    let scheme = match method.scheme {
        Scheme::Jacobi => "Jacobi",
        Scheme::GaussSeidel => "Gauss-Seidel",
        Scheme::Iterative => "iterative",
    };
    let mut words = format!("{scheme}, inputs of order {}", method.order);
    if method.corrects {
        words.push_str(", linear correction");
    }
    if let Some(tolerance) = method.tolerance {
        words.push_str(&format!(", steps by an error of inputs of {tolerance:e}"));
    }
    words
}

/// The parameters of all FMUs with the values that they had in the simulation.
fn parameters(wiring: &Wiring, set: &[String]) -> Vec<Parameter> {
    let mut all = Vec::new();
    for (index, part) in wiring.parts.iter().enumerate() {
        let prefix = format!("{}.", part.name);
        let own: Vec<String> = part
            .settings
            .iter()
            .map(|setting| setting.to_string())
            .chain(set.iter().filter_map(|text| text.strip_prefix(&prefix)).map(str::to_owned))
            .collect();
        all.extend(
            page::parameters(wiring.description(index), &own)
                .into_iter()
                .map(|p| Parameter { name: format!("{prefix}{}", p.name), ..p }),
        );
    }
    all
}

/// A warning if a step in s is larger than the largest one with which a method is stable at the
/// start; none if that is not known.
pub fn unstable(wiring: &Wiring, options: &SystemOptions<'_>, step: f64) -> Option<String> {
    let method = &options.method;
    // The analysis needs instances of its own.
    let once = wiring.fmus.iter().filter_map(|fmu| fmu.description.co_simulation.as_ref());
    let is_single = once.clone().any(|i| i.flag("canBeInstantiatedOnlyOncePerProcess"));
    if method.tolerance.is_some() || method.scheme == Scheme::Iterative || is_single {
        return None;
    }
    // What fails here fails in the run too, with a sentence.
    let analysis = master::analysed(wiring, &options.overrides, options.set).ok()?;
    let limit = match analysis.linear?.stable_steps(method) {
        StableSteps::UpTo(limit) if step > limit => format!("{} s", rounded(limit, 2)),
        StableSteps::None => "none".to_owned(),
        _ => return None,
    };
    let (step, words) = (number(step), self::method(method));
    Some(format!(
        "a step of {step} s is above the largest one with which errors do not grow at the start, \
         {limit} ({words}): results may be wrong"
    ))
}

/// What a reader should know about a system without mistakes: inputs that are not connected, loops
/// of direct feedthrough, and the largest steps.
///
/// # Errors
/// If the system cannot be initialized.
pub fn notes(wiring: &Wiring) -> Result<Vec<String>, Error> {
    let mut notes = Vec::new();
    for (index, part) in wiring.parts.iter().enumerate() {
        for (k, v) in wiring.description(index).variables.iter().enumerate() {
            let port = Port { part: index, variable: k };
            let is_open = v.causality == "input" && !wiring.links.iter().any(|l| l.to == port);
            if is_open {
                let start = v.start.as_deref().unwrap_or("its start value");
                let unit = unit_suffix(v.attributes.unit.as_deref());
                notes.push(format!(
                    "{}.{} is not connected: it stays at {start}{unit}, unless it is set",
                    part.name, v.name
                ));
            }
        }
    }
    let Some(linear) = master::analysed(wiring, &Overrides::default(), &[])?.linear else {
        let reason = "not all FMUs give directional derivatives for states and inputs";
        notes.push(format!("{reason}: loops and steps are unknown"));
        return Ok(notes);
    };
    for Loop { links: [first, second], gain } in &linear.loops {
        let of = |link: &usize| {
            let link = wiring.links[*link];
            format!("{} -> {}", wiring.label(link.from), wiring.label(link.to))
        };
        notes.push(format!(
            "{} and {} are a loop with the gain {}: a master must correct it or iterate{}",
            of(first),
            of(second),
            rounded(*gain, 4),
            if gain.abs() < 1.0 { "" } else { ", or it diverges" }
        ));
    }
    let own = master::suitable(wiring);
    for method in [Method::default(), own] {
        let words = self::method(&method);
        notes.push(match linear.stable_steps(&method) {
            StableSteps::All => format!("{words}: stable with every step, at the start"),
            StableSteps::None => format!("{words}: errors grow with every step, at the start"),
            StableSteps::UpTo(h) => format!("{words}: stable with steps up to {} s", rounded(h, 2)),
            StableSteps::Unknown => format!("{words}: the largest stable step is not known"),
        });
        if method == own {
            break;
        }
    }
    Ok(notes)
}
