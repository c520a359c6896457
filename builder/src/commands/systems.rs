//! The work of commands on systems of FMUs.

use std::collections::BTreeSet;
use std::path::Path;

use fmus::error::Error;
use fmus::wording::counted;
use report::{Parameter, Report, Results, Signal};
use simulation::run::RunOutcome;
use simulation::systems::master::{Method, Scheme, SystemOptions};
use simulation::systems::package::Package;
use simulation::systems::wiring::Wiring;

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
