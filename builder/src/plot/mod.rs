//! Draws results as an SVG file: one panel per unit, one for what changes only at events.

use std::path::Path;

use crate::csv::Table;
use crate::error::Error;
use crate::files;
use crate::run::{Scale, Signal};

mod axis;
pub(crate) mod picture;

use picture::{COLOURS, Line, Panel, Picture};

/// More panels make a picture that nobody looks at.
const MOST_PANELS: usize = 8;
/// A line of more points than pixels is thinned out to the extremes of each piece.
const MOST_PIECES: usize = 1200;

/// Draws a result.
///
/// # Errors
/// The file cannot be written, or there is nothing to draw.
pub fn write(path: &Path, title: &str, signals: &[Signal], table: &Table) -> Result<(), Error> {
    files::write(path, svg(title, signals, table)?.as_bytes())
}

/// The text of the picture.
///
/// # Errors
/// There is nothing to draw.
pub fn svg(title: &str, signals: &[Signal], table: &Table) -> Result<String, Error> {
    if signals.is_empty() || table.time.is_empty() {
        return Err(Error::Request(format!("{title}: there is nothing to plot")));
    }
    let mut groups = groups(signals);
    let left_out: usize = groups.iter().skip(MOST_PANELS).map(Vec::len).sum();
    groups.truncate(MOST_PANELS);
    let panel = |group: &Vec<usize>| {
        let members: Vec<&Signal> = group.iter().map(|column| &signals[*column]).collect();
        let line = |column: &usize| Line {
            name: signals[*column].name.clone(),
            points: points(table, *column, signals[*column].discrete),
        };
        Panel {
            name: axis_name(&members),
            unit: unit(members[0]).to_owned(),
            whole: !matches!(members[0].scale, Scale::Real(_)),
            lines: group.iter().map(line).collect(),
        }
    };
    let remark = match left_out {
        0 => String::new(),
        1 => "1 more signal is in the table".to_owned(),
        more => format!("{more} more signals are in the table"),
    };
    let panels = groups.iter().map(panel).collect();
    Ok(Picture { title: title.to_owned(), panels, remark }.svg())
}

/// The columns that share a panel: signals of one known unit, modes of one type, and Booleans. They
/// are in the order of their first, what changes at events only at the end.
fn groups(signals: &[Signal]) -> Vec<Vec<usize>> {
    let mut groups: Vec<Vec<usize>> = Vec::new();
    for discrete in [false, true] {
        for (column, signal) in signals.iter().enumerate().filter(|(_, s)| s.discrete == discrete) {
            let fits = |group: &&mut Vec<usize>| {
                let first = &signals[group[0]];
                first.discrete == discrete
                    && first.scale == signal.scale
                    && signal.scale.is_known()
                    && group.len() < COLOURS.len()
            };
            match groups.iter_mut().find(fits) {
                Some(group) => group.push(column),
                None => groups.push(vec![column]),
            }
        }
    }
    groups
}

/// The name of the axis of some signals: their own, or what the ends of their names have in common.
fn axis_name(signals: &[&Signal]) -> String {
    let names: Vec<&str> = signals.iter().map(|signal| signal.name.as_str()).collect();
    common_end(&names).map_or_else(|| names.join(", "), str::to_owned)
}

/// The unit of a signal; empty if it is not known or has none.
fn unit(signal: &Signal) -> &str {
    match &signal.scale {
        Scale::Real(Some(unit)) if unit != "1" => unit,
        _ => "",
    }
}

/// The longest end, after a dot or an underscore, that all names have; a single name is its own.
fn common_end<'n>(names: &[&'n str]) -> Option<&'n str> {
    let first = names[0];
    let starts = first.match_indices(['.', '_']).map(|(i, _)| i + 1);
    let mut ends = std::iter::once(0).chain(starts).map(|i| &first[i..]);
    ends.find(|end| !end.is_empty() && names.iter().all(|name| ends_with(name, end)))
}

/// Whether a name is an end or has it after a dot or an underscore.
fn ends_with(name: &str, end: &str) -> bool {
    let rest = name.strip_suffix(end);
    rest.is_some_and(|rest| rest.is_empty() || rest.ends_with(['.', '_']))
}

/// The points of a line: all of them, or the extremes of each of many short pieces.
pub(crate) fn points(table: &Table, column: usize, steps: bool) -> Vec<(f64, f64)> {
    let all = table.time.iter().zip(&table.rows).map(|(t, row)| (*t, row[column]));
    if steps {
        let mut corners: Vec<(f64, f64)> = Vec::new();
        let mut end = None;
        for (time, value) in all {
            if corners.last().is_none_or(|(_, before)| *before != value) {
                corners.extend(corners.last().map(|(_, before)| (time, *before)));
                corners.push((time, value));
            }
            end = Some((time, value));
        }
        corners.extend(end);
        return corners;
    }
    let all: Vec<(f64, f64)> = all.collect();
    if all.len() <= 2 * MOST_PIECES {
        return all;
    }
    let mut thinned = Vec::with_capacity(2 * MOST_PIECES + 2);
    thinned.extend(all.first());
    for piece in all.chunks(all.len().div_ceil(MOST_PIECES)) {
        let by_value = |a: &&(f64, f64), b: &&(f64, f64)| a.1.total_cmp(&b.1);
        let (low, high) = (piece.iter().min_by(by_value), piece.iter().max_by(by_value));
        let mut extremes: Vec<(f64, f64)> = low.into_iter().chain(high).copied().collect();
        extremes.sort_by(|a, b| a.0.total_cmp(&b.0));
        thinned.extend(extremes);
    }
    thinned.extend(all.last());
    thinned
}

#[cfg(test)]
mod tests {
    use super::*;

    fn signal(name: &str, scale: Scale) -> Signal {
        let mut signal = Signal::real(name);
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
        check(Scale::Truth, Scale::Truth, true);
        check(mode("Friction"), mode("Friction"), true);
        check(mode("Friction"), mode("Gear"), false);
        check(Scale::Whole(None), Scale::Whole(None), false);
        check(Scale::Whole(None), Scale::Truth, false);
    }

    #[test]
    fn an_axis_is_named_after_its_signals() {
        let check = |names: &[&str], expected: &str| {
            let signals: Vec<Signal> = names.iter().map(|name| Signal::real(name)).collect();
            assert_eq!(axis_name(&signals.iter().collect::<Vec<_>>()), expected);
        };
        check(&["J1_w", "J2_w"], "w");
        check(&["a.phi_rel", "b.c.phi_rel"], "phi_rel");
        check(&["j.w"], "j.w");
        check(&["w", "j.w"], "w");
        check(&["v", "der(h)"], "v, der(h)");
        check(&["how", "w"], "how, w");
    }

    #[test]
    fn what_finds_no_room_is_counted() {
        let names: Vec<String> = (0..11).map(|i| format!("y{i}")).collect();
        let signals: Vec<Signal> = names.iter().map(|n| Signal::real(n)).collect();
        let table = Table { names, time: vec![0.0, 1.0], rows: vec![vec![0.0; 11]; 2] };
        let picture = svg("Many", &signals, &table).unwrap();
        assert!(picture.contains("3 more signals are in the table"));
    }

    #[test]
    fn a_step_keeps_its_corners_and_a_long_line_its_extremes() {
        let table = Table {
            names: vec!["a".to_owned()],
            time: vec![0.0, 1.0, 2.0, 3.0],
            rows: vec![vec![1.0], vec![1.0], vec![2.0], vec![2.0]],
        };
        let corners = [(0.0, 1.0), (2.0, 1.0), (2.0, 2.0), (3.0, 2.0)];
        assert_eq!(points(&table, 0, true), corners);

        let time: Vec<f64> = (0..100_000).map(f64::from).collect();
        let mut rows = vec![vec![0.0]; time.len()];
        rows[54_321][0] = 7.0;
        let table = Table { names: table.names, time, rows };
        let thin = points(&table, 0, false);
        assert!(thin.len() < 3 * MOST_PIECES, "{}", thin.len());
        assert!(thin.contains(&(54_321.0, 7.0)));
    }
}
