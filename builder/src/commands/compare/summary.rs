//! The summary of a comparison for the terminal, and a picture of the worst signal.

use std::fmt::Write;

use super::against::Compared;
use super::measure::{Deviation, Held, ModeComparison, errors};
use crate::commands::plot::picture::{Panel, Picture, PlotLine};
use crate::commands::plot::points;
use fmus::csv::{TimeSeries, number};
use fmus::wording::{self, rounded};

/// Maximum number of printed signals; the worst come first.
const MAX_SIGNALS: usize = 40;

/// A few lines for the terminal.
pub fn text(compared: &Compared) -> String {
    let mut text = String::new();
    let shown = || compared.signals.iter().take(MAX_SIGNALS);
    let width = shown().map(|s| s.name.chars().count()).max().unwrap_or(0).max("signal".len());
    if !compared.signals.is_empty() {
        let _ = writeln!(text, "  {:width$}  error/range  at time in s       range", "signal");
    }
    for Deviation { name, range, error, at } in shown() {
        let range = range.map_or("constant".to_owned(), |range| rounded(range, 4));
        let at = if *error > 0.0 { rounded(*at, 6) } else { String::new() };
        let error = rounded(*error, 2);
        let _ = writeln!(text, "  {name:width$}  {error:>11}  {at:>12}  {range:>10}");
    }
    if compared.signals.len() > MAX_SIGNALS {
        let _ = writeln!(text, "  and {} more signals", compared.signals.len() - MAX_SIGNALS);
    }
    for modes in &compared.modes {
        let _ = writeln!(text, "  {}: {}", modes.name, modes_text(modes));
    }
    text
}

fn modes_text(modes: &ModeComparison) -> String {
    match (modes.apart(), modes.changes()) {
        (Some(_), 0) => "the same value all the time".to_owned(),
        (Some(apart), 1) => format!("the same change, {} s apart", rounded(apart, 2)),
        (Some(apart), n) => format!("the same {n} changes, at most {} s apart", rounded(apart, 2)),
        (None, _) => {
            let mut pairs = modes.reference.iter().zip(&modes.ours);
            let same =
                pairs.by_ref().take_while(|(theirs, ours)| theirs.value == ours.value).count();
            let what = |held: &[Held]| match held.get(same) {
                Some(Held { since, value }) => {
                    format!("{} from {} s on", number(*value), number(*since))
                }
                None => "nothing more".to_owned(),
            };
            let order = format!("other values from the {} on", ordinal(same + 1));
            let (theirs, ours) = (what(&modes.reference), what(&modes.ours));
            format!("{order}: {theirs} in the reference, {ours} in the result")
        }
    }
}

fn ordinal(n: usize) -> String {
    let end = match (n % 10, n % 100) {
        (_, 11..=13) => "th",
        (1, _) => "st",
        (2, _) => "nd",
        (3, _) => "rd",
        _ => "th",
    };
    format!("{n}{end}")
}

/// A picture of the worst signal with its reference and its error. `None` if there are only modes.
pub(crate) fn picture<'d>(
    title: &str,
    compared: &Compared,
    reference: &TimeSeries,
    unit_of: impl Fn(&str) -> Option<&'d str>,
) -> Option<Picture> {
    let worst = compared.signals.first()?;
    let index = |table: &TimeSeries| table.names.iter().position(|name| *name == worst.name);
    let (ours, theirs) = (index(&compared.result)?, index(reference)?);
    let line = |name: &str, origin, points| PlotLine { name: name.to_owned(), origin, points };
    let errors = errors((&compared.result, ours), (reference, theirs));
    let unit = wording::shown_unit(unit_of(&worst.name)).unwrap_or_default();
    let panel = |name: String, lines| Panel { name, unit: unit.to_owned(), whole: false, lines };
    let curves = vec![
        line("reference", 0, points(reference, theirs, false)),
        line("result", 1, points(&compared.result, ours, false)),
    ];
    let panels = vec![
        panel(worst.name.clone(), curves),
        panel(format!("error of {}", worst.name), vec![line("error", 0, errors)]),
    ];
    let measure = if worst.range.is_some() { "of the range" } else { "of the value or of one" };
    let at = number(worst.at);
    let remark = format!("The error is at most {} {measure}, at {at} s.", rounded(worst.error, 2));
    let (title, time_unit) = (title.to_owned(), "s".to_owned());
    Some(Picture { title, panels, time_unit, remark, size: None })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn modes_that_differ_are_described_by_the_first_different_value() {
        let held = |values: &[(f64, f64)]| {
            values.iter().map(|&(since, value)| Held { since, value }).collect()
        };
        let modes = |ours: &[(f64, f64)]| ModeComparison {
            name: "m".to_owned(),
            reference: held(&[(0.0, 0.0), (0.5, 1.0), (1.5, -1.0)]),
            ours: held(ours),
        };
        let check = |ours: &[(f64, f64)], expected: &str| {
            assert_eq!(modes_text(&modes(ours)), expected);
        };
        check(&[(0.0, 0.0), (0.5, 1.0), (1.625, -1.0)], "the same 2 changes, at most 0.12 s apart");
        check(
            &[(0.0, 0.0), (0.5, 1.0)],
            "other values from the 3rd on: -1 from 1.5 s on in the reference, nothing more in the \
             result",
        );
    }
}
