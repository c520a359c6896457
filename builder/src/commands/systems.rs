//! The work of commands on systems of FMUs.

use std::collections::BTreeSet;
use std::path::Path;

use fmus::csv::number;
use fmus::error::Error;
use fmus::wording::{counted, rounded};
use report::{Parameter, Report, Results, Signal};
use simulation::run::RunOutcome;
use simulation::systems::master::{self, Loop, Method, Scheme, SystemOptions};
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
/// start; none if an FMU gives no directional derivatives.
///
/// # Errors
/// If the system cannot be initialized.
pub fn unstable(wiring: &Wiring, method: &Method, step: f64) -> Result<Option<String>, Error> {
    let linear = master::analysed(wiring)?.linear;
    let limit = linear.and_then(|linear| linear.largest_step(method));
    Ok(limit.filter(|limit| step > *limit && method.tolerance.is_none()).map(|limit| {
        let (step, limit) = (number(step), rounded(limit, 2));
        let words = self::method(method);
        format!(
            "a step of {step} s is above the largest one with which errors do not grow at the \
             start, {limit} s ({words}): results may be wrong"
        )
    }))
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
                notes.push(format!(
                    "{}.{} is not connected: it stays at {start}",
                    part.name, v.name
                ));
            }
        }
    }
    let Some(linear) = master::analysed(wiring)?.linear else {
        notes.push("an FMU gives no directional derivatives: loops and steps are unknown".into());
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
        notes.push(match linear.largest_step(&method) {
            None => format!("{words}: stable with every step, at the start"),
            Some(0.0) => format!("{words}: errors grow with every step, at the start"),
            Some(step) => format!("{words}: stable with steps up to {} s", rounded(step, 2)),
        });
        if method == own {
            break;
        }
    }
    Ok(notes)
}
