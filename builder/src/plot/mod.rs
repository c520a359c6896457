//! Draws results as an SVG file, with one panel per unit, and panels for discrete variables.

use std::path::Path;

use crate::atomic_file;
use crate::csv::Table;
use crate::error::Error;
use crate::run::{RecordedSignal, Scale};
use crate::wording;

mod axis;
pub(crate) mod picture;

use picture::{COLOURS, Panel, Picture, PlotLine};

/// Maximum number of panels that fit into a picture.
const MAX_PANELS: usize = 8;

/// Draws a result.
///
/// # Errors
/// If the file cannot be written, or there is nothing to draw.
pub fn write(
    path: &Path,
    title: &str,
    signals: &[RecordedSignal],
    table: &Table,
) -> Result<(), Error> {
    atomic_file::write(path, svg(title, signals, table)?.as_bytes())
}

fn svg(title: &str, signals: &[RecordedSignal], table: &Table) -> Result<String, Error> {
    if signals.is_empty() || table.time.is_empty() {
        return Err(Error::Request(format!("{title}: there is nothing to plot")));
    }
    let mut groups = groups(signals);
    let left_out: usize = groups.iter().skip(MAX_PANELS).map(Vec::len).sum();
    groups.truncate(MAX_PANELS);
    let line = |column: &usize| PlotLine {
        name: signals[*column].name.clone(),
        points: points(table, *column, signals[*column].discrete),
    };
    let panel = |group: &Vec<usize>| {
        let first = &signals[group[0]];
        let unit = wording::shown_unit(first.unit()).unwrap_or_default().to_owned();
        let whole = !matches!(first.scale, Scale::Real(_));
        let names: Vec<&str> = group.iter().map(|column| &*signals[*column].name).collect();
        Panel { name: axis_name(&names), unit, whole, lines: group.iter().map(line).collect() }
    };
    let panels = groups.iter().map(panel).collect();
    let remark = match left_out {
        0 => String::new(),
        1 => "1 more signal is in the table".to_owned(),
        more => format!("{more} more signals are in the table"),
    };
    Picture { title: title.to_owned(), panels, remark }.svg()
}

/// The columns that share a panel: signals with the same known unit, modes of one type, and
/// Booleans. Panels are in the order of their first column, with those of discrete variables at the
/// end.
fn groups(signals: &[RecordedSignal]) -> Vec<Vec<usize>> {
    let mut groups: Vec<Vec<usize>> = Vec::new();
    for discrete in [false, true] {
        for (column, signal) in signals.iter().enumerate().filter(|(_, s)| s.discrete == discrete) {
            let fits = |group: &&mut Vec<usize>| {
                let first = &signals[group[0]];
                let same = first.discrete == discrete && first.scale == signal.scale;
                same && signal.scale.is_known() && group.len() < COLOURS.len()
            };
            match groups.iter_mut().find(fits) {
                Some(group) => group.push(column),
                None => groups.push(vec![column]),
            }
        }
    }
    groups
}

/// The longest common end of all names after a dot or an underscore, or else all names.
fn axis_name(names: &[&str]) -> String {
    let starts = names[0].match_indices(['.', '_']).map(|(i, _)| i + 1);
    let mut ends = std::iter::once(0).chain(starts).map(|i| &names[0][i..]);
    let before_end = |rest: &str| rest.is_empty() || rest.ends_with(['.', '_']);
    let all = |end: &&str| names.iter().all(|n| n.strip_suffix(end).is_some_and(before_end));
    ends.find(|end| !end.is_empty() && all(end)).map_or_else(|| names.join(", "), str::to_owned)
}

/// The points of a line; for steps, their corners only.
pub(crate) fn points(table: &Table, column: usize, steps: bool) -> Vec<(f64, f64)> {
    let all: Vec<_> =
        table.time.iter().zip(&table.rows).map(|(t, row)| (*t, row[column])).collect();
    if !steps {
        return all;
    }
    let changes = all.windows(2).filter(|pair| pair[0].1 != pair[1].1);
    let corners = changes.flat_map(|pair| [(pair[1].0, pair[0].1), pair[1]]);
    all.first().copied().into_iter().chain(corners).chain(all.last().copied()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn signal(name: &str, scale: Scale) -> RecordedSignal {
        let mut signal = RecordedSignal::real(name);
        signal.discrete = !matches!(scale, Scale::Real(_));
        signal.scale = scale;
        signal
    }

    #[test]
    fn signals_share_a_panel_only_with_the_same_known_unit() {
        let real = |unit: &str| Scale::Real(Some(unit.to_owned()));
        let mode = |name: &str| Scale::Whole(Some(name.to_owned()));
        let check = |a: Scale, b: Scale, together: bool| {
            let signals = [signal("a", a.clone()), signal("b", b.clone())];
            let panels = if together { 1 } else { 2 };
            assert_eq!(groups(&signals).len(), panels, "{a:?} {b:?}");
        };
        check(real("rad/s"), real("rad/s"), true);
        check(real("1"), real("1"), true);
        check(real("rad/s"), real("rad"), false);
        check(real("rad/s"), Scale::Real(None), false);
        check(Scale::Real(None), Scale::Real(None), false);
        check(Scale::Boolean, Scale::Boolean, true);
        check(mode("Friction"), mode("Friction"), true);
        check(mode("Friction"), mode("Gear"), false);
        check(Scale::Whole(None), Scale::Whole(None), false);
        check(Scale::Whole(None), Scale::Boolean, false);
    }

    #[test]
    fn an_axis_is_named_after_its_signals() {
        let check = |names: &[&str], expected: &str| {
            assert_eq!(axis_name(names), expected);
        };
        check(&["J1_w", "J2_w"], "w");
        check(&["a.phi_rel", "b.c.phi_rel"], "phi_rel");
        check(&["j.w"], "j.w");
        check(&["w", "j.w"], "w");
        check(&["v", "der(h)"], "v, der(h)");
        check(&["how", "w"], "how, w");
    }

    #[test]
    fn signals_without_a_panel_are_counted() {
        let names: Vec<String> = (0..11).map(|i| format!("y{i}")).collect();
        let signals: Vec<RecordedSignal> = names.iter().map(|n| RecordedSignal::real(n)).collect();
        let table = Table { names, time: vec![0.0, 1.0], rows: vec![vec![0.0; 11]; 2] };
        let picture = svg("Many", &signals, &table).unwrap();
        assert!(picture.contains("3 more signals are in the table"));
    }

    #[test]
    fn a_step_keeps_its_corners() {
        let table = Table {
            names: vec!["a".to_owned()],
            time: vec![0.0, 1.0, 2.0, 3.0],
            rows: vec![vec![1.0], vec![1.0], vec![2.0], vec![2.0]],
        };
        let corners = [(0.0, 1.0), (2.0, 1.0), (2.0, 2.0), (3.0, 2.0)];
        assert_eq!(points(&table, 0, true), corners);
    }
}
