//! Draws results as an SVG file or a PNG, with one panel per unit, and panels for discrete
//! variables.

use std::path::Path;

use fmus::csv::TimeSeries;
use fmus::error::Error;
use fmus::wording;
use simulation::run::{RecordedSignal, Scale};

mod axis;
mod canvas;
mod curve;
mod font;
mod labels;
pub(crate) mod picture;
mod png;
mod svg;
mod thinning;

pub use labels::labels;
use picture::{COLOURS, DASHES, Panel, Picture, PlotLine};

/// Maximum number of panels of a picture of signals that nobody has chosen.
const MAX_PANELS: usize = 8;

/// Maximum number of runs in a picture: more lines of one signal cannot be told apart.
pub const MAX_RUNS: usize = COLOURS.len() * DASHES.len();

/// A run to be drawn.
#[derive(Clone, Debug)]
pub struct Run<'a> {
    /// What distinguishes it from other runs in the same picture.
    pub label: String,
    /// Its signals, one for each column of the table.
    pub signals: Vec<RecordedSignal>,
    /// Their values.
    pub table: &'a TimeSeries,
}

/// What the picture of some runs is like.
#[derive(Clone, Debug, Default)]
pub struct Style {
    /// Its title.
    pub title: String,
    /// The unit of time; may be empty.
    pub time_unit: String,
    /// Width and height in pixels; by default as the panels need it.
    pub size: Option<(u32, u32)>,
    /// Whether all signals are drawn, however many panels they need.
    pub every_panel: bool,
}

/// Draws runs in one picture, in a PNG if the name of the file ends in `.png`, or else in an SVG
/// file. A signal that several runs have is in the same panel.
///
/// # Errors
/// If the file cannot be written, there is nothing to draw, or the size is too small.
pub fn write(path: &Path, style: &Style, runs: &[Run<'_>]) -> Result<(), Error> {
    picture(style, runs)?.write(path)
}

fn picture(style: &Style, runs: &[Run<'_>]) -> Result<Picture, Error> {
    let title = &style.title;
    let shared = shared(runs);
    if shared.is_empty() || runs.iter().all(|run| run.table.time.is_empty()) {
        return Err(Error::Request(format!("{title}: there is nothing to plot")));
    }
    let signals: Vec<&RecordedSignal> = shared.iter().map(|s| &s.signal).collect();
    // Each colour can be used once with each kind of dashes.
    let most = COLOURS.len() / runs.len().div_ceil(DASHES.len());
    let mut groups = groups(&signals, most.max(1));
    let panels = if style.every_panel { groups.len() } else { MAX_PANELS };
    let left_out: usize = groups.iter().skip(panels).map(Vec::len).sum();
    groups.truncate(panels);
    let panel = |group: &Vec<usize>| {
        let first = signals[group[0]];
        let unit = wording::shown_unit(first.unit()).unwrap_or_default().to_owned();
        let whole = !matches!(first.scale, Scale::Real(_));
        let names: Vec<&str> = group.iter().map(|index| &*signals[*index].name).collect();
        let lines = group.iter().flat_map(|index| shared[*index].lines(runs)).collect();
        Panel { name: axis_name(&names), unit, whole, lines }
    };
    let remark = match left_out {
        0 => String::new(),
        1 => "1 more signal is in the table".to_owned(),
        more => format!("{more} more signals are in the table"),
    };
    Ok(Picture {
        title: title.clone(),
        panels: groups.iter().map(panel).collect(),
        time_unit: style.time_unit.clone(),
        remark,
        size: style.size,
    })
}

/// A signal that one or more runs have.
struct SharedSignal {
    signal: RecordedSignal,
    /// The runs that have it, and its columns there.
    columns: Vec<(usize, usize)>,
}

impl SharedSignal {
    /// Its curves, named after the runs if there are several.
    fn lines(&self, runs: &[Run<'_>]) -> Vec<PlotLine> {
        let line = |&(origin, column): &(usize, usize)| {
            let Run { label, table, .. } = &runs[origin];
            let name = &self.signal.name;
            let name = if runs.len() > 1 { format!("{label}: {name}") } else { name.clone() };
            PlotLine { name, origin, points: points(table, column, self.signal.discrete) }
        };
        self.columns.iter().map(line).collect()
    }
}

/// The signals of all runs. Signals of the same name are the same, unless both their scales are
/// known and differ.
fn shared(runs: &[Run<'_>]) -> Vec<SharedSignal> {
    let mut all: Vec<SharedSignal> = Vec::new();
    for (origin, run) in runs.iter().enumerate() {
        for (column, signal) in run.signals.iter().enumerate() {
            let is_same = |other: &&mut SharedSignal| {
                let (a, b) = (&other.signal, signal);
                let known = a.scale.is_known() && b.scale.is_known();
                a.name == b.name && (a.scale == b.scale || !known)
            };
            match all.iter_mut().find(is_same) {
                Some(same) => {
                    same.columns.push((origin, column));
                    if !same.signal.scale.is_known() {
                        same.signal = signal.clone();
                    }
                }
                None => all
                    .push(SharedSignal { signal: signal.clone(), columns: vec![(origin, column)] }),
            }
        }
    }
    all
}

/// The signals that share a panel, at most `most`: those with the same known unit, modes of one
/// type, and Booleans. Panels are in the order of their first signal, with those of discrete
/// variables at the end.
fn groups(signals: &[&RecordedSignal], most: usize) -> Vec<Vec<usize>> {
    let mut groups: Vec<Vec<usize>> = Vec::new();
    for discrete in [false, true] {
        for (column, signal) in signals.iter().enumerate().filter(|(_, s)| s.discrete == discrete) {
            let fits = |group: &&mut Vec<usize>| {
                let first = signals[group[0]];
                let same = first.discrete == discrete && first.scale == signal.scale;
                same && signal.scale.is_known() && group.len() < most
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
pub(crate) fn points(table: &TimeSeries, column: usize, steps: bool) -> Vec<(f64, f64)> {
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
            assert_eq!(groups(&signals.each_ref(), 8).len(), panels, "{a:?} {b:?}");
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
        let table = TimeSeries { names, time: vec![0.0, 1.0], rows: vec![vec![0.0; 11]; 2] };
        let run = Run { label: String::new(), signals, table: &table };
        let runs = [run];
        let few = picture(&Style::default(), &runs).unwrap();
        assert_eq!(few.panels.len(), MAX_PANELS);
        assert_eq!(few.remark, "3 more signals are in the table");
        let all = picture(&Style { every_panel: true, ..Style::default() }, &runs).unwrap();
        assert_eq!((all.panels.len(), &*all.remark), (11, ""));
    }

    #[test]
    fn a_signal_of_several_runs_has_one_curve_for_each() {
        let table = |values: [f64; 2]| TimeSeries {
            names: vec!["w".to_owned()],
            time: vec![0.0, 1.0],
            rows: values.map(|value| vec![value]).to_vec(),
        };
        let tables = [table([0.0, 1.0]), table([0.0, 2.0]), table([0.0, 3.0])];
        let names = |scales: [Scale; 3]| {
            let runs = scales.into_iter().zip(&tables).zip(["a", "b", "c"]);
            let runs = runs.map(|((scale, table), label)| {
                let signals = vec![signal("w", scale)];
                Run { label: label.to_owned(), signals, table }
            });
            let picture = picture(&Style::default(), &runs.collect::<Vec<_>>()).unwrap();
            let panels = picture.panels.into_iter().map(|panel| {
                let lines = panel.lines.iter().map(|l| format!("{} {}", l.name, l.points[1].1));
                (panel.unit, lines.collect::<Vec<_>>())
            });
            panels.collect::<Vec<_>>()
        };
        let unit = |unit: &str| Scale::Real(Some(unit.to_owned()));
        let lines = |names: &[&str]| names.iter().map(|&n| n.to_owned()).collect::<Vec<_>>();
        let all = lines(&["a: w 1", "b: w 2", "c: w 3"]);
        assert_eq!(names([(); 3].map(|()| Scale::Real(None))), [(String::new(), all.clone())]);
        let known = [Scale::Real(None), unit("rpm"), Scale::Real(None)];
        assert_eq!(names(known), [("rpm".to_owned(), all)]);
        assert_eq!(
            names([unit("rpm"), unit("rad/s"), unit("rpm")]),
            [
                ("rpm".to_owned(), lines(&["a: w 1", "c: w 3"])),
                ("rad/s".to_owned(), lines(&["b: w 2"]))
            ]
        );
    }

    #[test]
    fn a_step_keeps_its_corners() {
        let table = TimeSeries {
            names: vec!["a".to_owned()],
            time: vec![0.0, 1.0, 2.0, 3.0],
            rows: vec![vec![1.0], vec![1.0], vec![2.0], vec![2.0]],
        };
        let corners = [(0.0, 1.0), (2.0, 1.0), (2.0, 2.0), (3.0, 2.0)];
        assert_eq!(points(&table, 0, true), corners);
    }
}
