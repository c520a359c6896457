//! Draws results as an SVG file: one panel per unit, one for what changes only at events.

use std::path::Path;

use plotters::coord::Shift;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

use crate::csv::Table;
use crate::error::Error;
use crate::files;
use crate::run::Signal;

const WIDTH: u32 = 960;
const TITLE: u32 = 44;
const PANEL: u32 = 250;
const LEGEND_ROW: u32 = 20;
/// More panels make a picture that nobody looks at.
const MOST_PANELS: usize = 8;
/// More lines in a panel than colours would be ambiguous.
const MOST_LINES: usize = 10;
/// A line of more points than pixels is thinned out to the extremes of each piece.
const MOST_PIECES: usize = 1200;

const INK: RGBColor = RGBColor(31, 41, 55);
const SOFT: RGBColor = RGBColor(107, 114, 128);
const GRID: RGBColor = RGBColor(229, 231, 235);
const COLOURS: [RGBColor; MOST_LINES] = [
    RGBColor(37, 99, 235),
    RGBColor(234, 88, 12),
    RGBColor(5, 150, 105),
    RGBColor(190, 24, 93),
    RGBColor(124, 58, 237),
    RGBColor(202, 138, 4),
    RGBColor(8, 145, 178),
    RGBColor(220, 38, 38),
    RGBColor(101, 163, 13),
    RGBColor(71, 85, 105),
];

/// What is drawn in one panel.
struct Panel<'a> {
    label: String,
    steps: bool,
    lines: Vec<(&'a str, usize)>,
}

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
    let panels = panels(signals);
    if panels.is_empty() || table.time.is_empty() {
        return Err(Error::Request(format!("{title}: there is nothing to plot")));
    }
    let count = u32::try_from(panels.len()).unwrap_or(1);
    let mut text = String::new();
    let fail = |e: &dyn std::fmt::Display| Error::Request(format!("{title}: cannot plot: {e}"));
    {
        let size = (WIDTH, TITLE + count * PANEL + 12);
        let root = SVGBackend::with_string(&mut text, size).into_drawing_area();
        root.fill(&WHITE).map_err(|e| fail(&e))?;
        let (head, body) = root.split_vertically(TITLE);
        let style = ("sans-serif", 20).into_font().color(&INK);
        head.draw(&Text::new(title.to_owned(), (24, 14), style)).map_err(|e| fail(&e))?;
        let (body, _) = body.split_vertically(count * PANEL);
        let areas = body.split_evenly((panels.len(), 1));
        for (index, (panel, area)) in panels.iter().zip(&areas).enumerate() {
            let last = index + 1 == panels.len();
            draw(panel, area, table, last).map_err(|e| fail(&e))?;
        }
        root.present().map_err(|e| fail(&e))?;
    }
    Ok(text)
}

/// Groups signals: those of one unit together in the order of their first, the discrete ones last.
fn panels(signals: &[Signal]) -> Vec<Panel<'_>> {
    let mut panels: Vec<Panel<'_>> = Vec::new();
    for steps in [false, true] {
        let group = signals.iter().enumerate().filter(|(_, s)| s.discrete == steps);
        for (column, signal) in group {
            let label = match (&signal.unit, steps) {
                (Some(unit), _) => format!("in {unit}"),
                (None, true) => "discrete".to_owned(),
                (None, false) => "dimensionless".to_owned(),
            };
            let line = (signal.name.as_str(), column);
            let full = |p: &Panel<'_>| p.lines.len() == MOST_LINES;
            match panels.iter_mut().find(|p| p.label == label && p.steps == steps && !full(p)) {
                Some(panel) => panel.lines.push(line),
                None => panels.push(Panel { label, steps, lines: vec![line] }),
            }
        }
    }
    panels.truncate(MOST_PANELS);
    panels
}

type Area<'a> = DrawingArea<SVGBackend<'a>, Shift>;
type Outcome<'a> = Result<(), DrawingAreaErrorKind<<SVGBackend<'a> as DrawingBackend>::ErrorType>>;

fn draw<'a>(panel: &Panel<'_>, area: &Area<'a>, table: &Table, last: bool) -> Outcome<'a> {
    let rows = legend_rows(panel);
    let (legend, body) = area.split_vertically(LEGEND_ROW * u32::try_from(rows).unwrap_or(1));
    draw_legend(panel, &legend)?;
    let (from, to) = (table.time[0], table.time[table.time.len() - 1]);
    let (low, high) = range(panel, table);
    let mut chart = ChartBuilder::on(&body)
        .margin_left(16)
        .margin_right(24)
        .margin_top(4)
        .x_label_area_size(if last { 44 } else { 26 })
        .y_label_area_size(76)
        .build_cartesian_2d(from..to.max(from + f64::MIN_POSITIVE), low..high)?;
    let label = ("sans-serif", 13).into_font().color(&SOFT);
    let time_tick = |v: &f64| tick(*v, to - from);
    let value_tick = |v: &f64| tick(*v, high - low);
    let mut mesh = chart.configure_mesh();
    mesh.light_line_style(TRANSPARENT)
        .bold_line_style(GRID)
        .axis_style(SOFT)
        .label_style(label.clone())
        .axis_desc_style(label)
        .x_labels(11)
        .y_labels(6)
        .x_label_formatter(&time_tick)
        .y_label_formatter(&value_tick)
        .y_desc(&panel.label);
    if last {
        mesh.x_desc("time in s");
    }
    mesh.draw()?;
    for ((_, column), colour) in panel.lines.iter().zip(COLOURS) {
        let points = points(table, *column, panel.steps);
        // A value that is not a number interrupts the line.
        for piece in points.split(|(_, value)| !value.is_finite()) {
            chart.draw_series(LineSeries::new(piece.iter().copied(), colour.stroke_width(2)))?;
        }
    }
    Ok(())
}

/// Where the entries of a legend go: column in pixels, row.
fn legend_places(panel: &Panel<'_>) -> Vec<(i32, i32)> {
    let (left, right) = (96, i32::try_from(WIDTH).unwrap_or(0) - 24);
    let (mut x, mut row) = (left, 0);
    let mut places = Vec::new();
    for (name, _) in &panel.lines {
        let width = 46 + 8 * i32::try_from(name.chars().count()).unwrap_or(0);
        if x > left && x + width > right {
            (x, row) = (left, row + 1);
        }
        places.push((x, row));
        x += width;
    }
    places
}

fn legend_rows(panel: &Panel<'_>) -> usize {
    legend_places(panel).last().map_or(1, |(_, row)| usize::try_from(row + 1).unwrap_or(1))
}

fn draw_legend<'a>(panel: &Panel<'_>, area: &Area<'a>) -> Outcome<'a> {
    let row_height = i32::try_from(LEGEND_ROW).unwrap_or(0);
    for (((name, _), colour), (x, row)) in panel.lines.iter().zip(COLOURS).zip(legend_places(panel))
    {
        let y = row * row_height + row_height / 2;
        area.draw(&PathElement::new(vec![(x, y), (x + 18, y)], colour.stroke_width(3)))?;
        let style =
            ("sans-serif", 14).into_font().color(&INK).pos(Pos::new(HPos::Left, VPos::Center));
        area.draw(&Text::new((*name).to_owned(), (x + 24, y), style))?;
    }
    Ok(())
}

/// The range of a panel's values with a margin, never empty.
fn range(panel: &Panel<'_>, table: &Table) -> (f64, f64) {
    let values = panel.lines.iter().flat_map(|(_, c)| table.rows.iter().map(|row| row[*c]));
    let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
    for value in values.filter(|v| v.is_finite()) {
        (low, high) = (low.min(value), high.max(value));
    }
    if low > high {
        return (-1.0, 1.0);
    }
    let size = low.abs().max(high.abs());
    let margin = match high - low {
        // Round-off of a constant is not worth to be magnified.
        span if span <= 1e-9 * size => {
            if size > 0.0 {
                0.1 * size
            } else {
                1.0
            }
        }
        span => 0.06 * span,
    };
    (low - margin, high + margin)
}

/// The points of a line: all of them, or the extremes of each of many short pieces.
fn points(table: &Table, column: usize, steps: bool) -> Vec<(f64, f64)> {
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

/// A number at an axis, with the digits that tell it from its neighbours.
fn tick(value: f64, span: f64) -> String {
    if value.abs() < 1e-9 * span {
        return "0".to_owned();
    }
    let digits = span.log10().floor();
    let text = if (-3.0..4.0).contains(&digits) && value.abs() < 1e6 {
        let decimals = (2.0 - digits).clamp(0.0, 9.0) as usize;
        format!("{value:.decimals$}")
    } else {
        return format!("{value:.2e}");
    };
    match text.contains('.') {
        true => text.trim_end_matches('0').trim_end_matches('.').to_owned(),
        false => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_show_what_tells_neighbours_apart() {
        for (value, span, text) in [
            (0.30000000000000004, 1.0, "0.3"),
            (1e-17, 1.0, "0"),
            (1500.0, 3000.0, "1500"),
            (-0.002, 0.005, "-0.002"),
            (2e-7, 1e-6, "2.00e-7"),
            (3e8, 1e9, "3.00e8"),
        ] {
            assert_eq!(tick(value, span), text);
        }
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
