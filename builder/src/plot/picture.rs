//! A picture of curves over time, one panel below the other, as the text of an SVG file.

use std::fmt::{Display, Write};

use super::axis;
use crate::xml::escape;

/// All lengths are in pixels; curves are drawn finer than those.
const WIDTH: f64 = 960.0;
const TITLE: f64 = 44.0;
const PANEL: f64 = 250.0;
/// The curves of a panel are between these; below there are the texts of time.
const LEFT: f64 = 92.0;
const RIGHT: f64 = WIDTH - 24.0;
const LEGEND_ROW: f64 = 20.0;
const TIME_TEXTS: f64 = 26.0;
const TIME_NAME: f64 = 18.0;
const FOOT: f64 = 12.0;
/// What half of a letter's height is of the size of its font.
const MIDDLE: f64 = 0.35;
/// An upper bound of what the width of a letter is of the size of its font, on the average.
const LETTER: f64 = 0.58;

const INK: &str = "#1f2937";
const SOFT: &str = "#6b7280";
const GRID: &str = "#e5e7eb";
/// More lines in a panel than colours would be ambiguous.
pub(super) const COLOURS: [&str; 10] = [
    "#2563eb", "#ea580c", "#059669", "#be185d", "#7c3aed", "#ca8a04", "#0891b2", "#dc2626",
    "#65a30d", "#475569",
];

/// Curves over one axis of time.
#[derive(Clone, Debug, Default)]
pub(crate) struct Picture {
    pub(crate) title: String,
    pub(crate) panels: Vec<Panel>,
    /// A line below the panels; may be empty.
    pub(crate) remark: String,
}

/// What is drawn with one axis of values.
#[derive(Clone, Debug, Default)]
pub(crate) struct Panel {
    /// The name of the axis.
    pub(crate) name: String,
    /// Its unit; may be empty.
    pub(crate) unit: String,
    /// Whether the values are numbers of modes, without any in between.
    pub(crate) whole: bool,
    pub(crate) lines: Vec<Line>,
}

/// One curve.
#[derive(Clone, Debug, Default)]
pub(crate) struct Line {
    pub(crate) name: String,
    /// Time in s and value; a value that is not a number interrupts the line.
    pub(crate) points: Vec<(f64, f64)>,
}

/// A coordinate: a hundredth of a pixel is finer than any screen shows.
fn at(v: f64) -> String {
    let text = format!("{v:.2}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// The text of an SVG file that grows.
struct Svg(String);

impl Svg {
    /// Writing to a text cannot fail.
    fn line(&mut self, text: impl Display) {
        let _ = writeln!(self.0, "{text}");
    }

    /// A text whose letters are centred at a height.
    fn text(&mut self, (x, y): (f64, f64), anchor: &str, (size, colour): (f64, &str), text: &str) {
        let (x, y, text) = (at(x), at(y + MIDDLE * size), escape(text));
        self.line(format_args!(
            "<text x=\"{x}\" y=\"{y}\" text-anchor=\"{anchor}\" font-size=\"{size}\" \
             fill=\"{colour}\">{text}</text>"
        ));
    }

    fn stroke(&mut self, points: &[(f64, f64)], colour: &str, width: f64) {
        let points: Vec<String> =
            points.iter().map(|(x, y)| format!("{},{}", at(*x), at(*y))).collect();
        self.line(format_args!(
            "<polyline points=\"{}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"{width}\" \
             stroke-linejoin=\"round\"/>",
            points.join(" ")
        ));
    }
}

impl Picture {
    /// The text of the file.
    pub(crate) fn svg(&self) -> String {
        let times = || self.panels.iter().flat_map(|p| &p.lines).flat_map(|l| &l.points);
        let fold = |f: fn(f64, f64) -> f64, start| times().map(|(t, _)| *t).fold(start, f);
        let (from, to) = (fold(f64::min, f64::INFINITY), fold(f64::max, f64::NEG_INFINITY));
        let remark = if self.remark.is_empty() { 0.0 } else { LEGEND_ROW };
        let height = TITLE + PANEL * self.panels.len() as f64 + TIME_NAME + remark + FOOT;
        let mut svg = Svg(String::new());
        svg.line(format_args!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{WIDTH}\" height=\"{height}\" \
             viewBox=\"0 0 {WIDTH} {height}\" font-family=\"sans-serif\">"
        ));
        svg.line(format_args!("<rect width=\"{WIDTH}\" height=\"{height}\" fill=\"#ffffff\"/>"));
        svg.text((24.0, 24.0), "start", (20.0, INK), &self.title);
        for (index, panel) in self.panels.iter().enumerate() {
            panel.draw(&mut svg, TITLE + PANEL * index as f64, (from, to));
        }
        let end = TITLE + PANEL * self.panels.len() as f64;
        svg.text((0.5 * (LEFT + RIGHT), end + 4.0), "middle", (13.0, SOFT), "time in s");
        if remark > 0.0 {
            svg.text((LEFT, end + TIME_NAME + 10.0), "start", (13.0, SOFT), &self.remark);
        }
        svg.line("</svg>");
        svg.0
    }
}

impl Panel {
    fn draw(&self, svg: &mut Svg, top: f64, (from, to): (f64, f64)) {
        let places = self.legend_places();
        for ((line, colour), (x, row)) in self.lines.iter().zip(COLOURS).zip(&places) {
            let y = top + LEGEND_ROW * (row + 0.5);
            svg.stroke(&[(*x, y), (x + 18.0, y)], colour, 3.0);
            svg.text((x + 24.0, y), "start", (14.0, INK), &line.name);
        }
        let rows = places.last().map_or(0.0, |(_, row)| row + 1.0);
        let (upper, lower) = (top + LEGEND_ROW * rows + 6.0, top + PANEL - TIME_TEXTS);
        let values = self.lines.iter().flat_map(|line| &line.points).map(|(_, value)| *value);
        let (low, high) = axis::range(values);
        let length = if to > from { to - from } else { 1.0 };
        let x = |t: f64| LEFT + (t - from) / length * (RIGHT - LEFT);
        let y = |v: f64| lower - (v - low) / (high - low) * (lower - upper);

        for (value, text) in axis::ticks((low, high), 6, self.whole) {
            svg.stroke(&[(LEFT, y(value)), (RIGHT, y(value))], GRID, 1.0);
            svg.text((LEFT - 8.0, y(value)), "end", (13.0, SOFT), &text);
        }
        for (time, text) in axis::ticks((from, to), 10, false) {
            svg.stroke(&[(x(time), upper), (x(time), lower)], GRID, 1.0);
            svg.text((x(time), lower + 12.0), "middle", (13.0, SOFT), &text);
        }
        svg.stroke(&[(LEFT, upper), (LEFT, lower), (RIGHT, lower)], SOFT, 1.0);
        self.draw_label(svg, upper, lower);
        for (line, colour) in self.lines.iter().zip(COLOURS) {
            for piece in line.points.split(|(_, value)| !value.is_finite()) {
                let points: Vec<(f64, f64)> = piece.iter().map(|(t, v)| (x(*t), y(*v))).collect();
                if !points.is_empty() {
                    svg.stroke(&points, colour, 1.8);
                }
            }
        }
    }

    /// The name of the axis and its unit, from below to above; of a name that does not fit the end
    /// is cut off.
    fn draw_label(&self, svg: &mut Svg, upper: f64, lower: f64) {
        let (x, y) = (20.0, 0.5 * (upper + lower));
        let label = self.label(((lower - upper + 20.0) / (13.0 * LETTER)) as usize);
        svg.line(format_args!("<g transform=\"rotate(-90 {} {})\">", at(x), at(y)));
        svg.text((x, y), "middle", (13.0, SOFT), &label);
        svg.line("</g>");
    }

    /// The name of the axis and its unit in a number of letters.
    fn label(&self, most: usize) -> String {
        let unit = if self.unit.is_empty() { String::new() } else { format!(" in {}", self.unit) };
        let most = most.saturating_sub(unit.chars().count());
        let mut name = self.name.clone();
        if name.chars().count() > most {
            name = name.chars().take(most.saturating_sub(1)).chain(['…']).collect();
        }
        name + &unit
    }

    /// Where the entries of the legend begin, and their rows.
    fn legend_places(&self) -> Vec<(f64, f64)> {
        let (mut x, mut row) = (LEFT, 0.0);
        let mut places = Vec::new();
        for line in &self.lines {
            let width = 46.0 + 14.0 * LETTER * line.name.chars().count() as f64;
            if x > LEFT && x + width > RIGHT {
                (x, row) = (LEFT, row + 1.0);
            }
            places.push((x, row));
            x += width;
        }
        places
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_axis_has_a_name_and_a_unit_even_where_the_name_is_long() {
        let check = |name: &str, unit: &str, expected: &str| {
            let (name, unit) = (name.to_owned(), unit.to_owned());
            assert_eq!(Panel { name, unit, ..Panel::default() }.label(20), expected);
        };
        check("w", "rad/s", "w in rad/s");
        check("f_normalized", "", "f_normalized");
        check("bearingFriction.w_rel", "rad/s", "bearingFri… in rad/s");
    }

    #[test]
    fn a_curve_is_drawn_finer_than_pixels_and_interrupted_where_it_has_no_value() {
        let points: Vec<(f64, f64)> = (0..=1000).map(|i| (f64::from(i), f64::from(i))).collect();
        let mut gap = points.clone();
        gap[500].1 = f64::NAN;
        let line = |points| Line { name: "a<b".to_owned(), points };
        let panel = Panel { lines: vec![line(points), line(gap)], ..Panel::default() };
        let svg = Picture { panels: vec![panel], ..Picture::default() }.svg();
        let curves: Vec<&str> = svg.lines().filter(|l| l.contains("\"1.8\"")).collect();
        assert_eq!(curves.len(), 3, "one curve is in two pieces");
        let heights: Vec<&str> = curves[0]
            .split([' ', '"'])
            .filter_map(|word| word.split_once(','))
            .map(|p| p.1)
            .collect();
        assert_eq!(heights.len(), 1001);
        let mut different = heights.clone();
        different.dedup();
        assert_eq!(different.len(), 1001, "a straight line has no stairs");
        assert!(svg.contains("a&lt;b") && svg.contains("viewBox=\"0 0 960 "));
    }
}
